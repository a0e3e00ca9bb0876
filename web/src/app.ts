// The table: one match, who is to move in it, and what everybody sees of it.
//
// Whatever happens (a move, a step, a new match) ends in refresh(), which shows the position at the cursor
// and then lets the agent move or think. A counter makes answers to older questions fall silent.
import { type GameInfo, type Move, type Position, Refused, type Row, type Thought, api } from "./api";
import { Analysis } from "./analysis";
import { Board } from "./board/board";
import { drops } from "./board/layout";
import { standing } from "./board/pieces";
import { byId, h } from "./dom";
import { writeLink } from "./link";
import { Match, type Setup } from "./match";
import { RecordPanel } from "./record";
import { placeless, touch, typed } from "./selection";
import { showEvaluation, showSeats } from "./seats";
import { Thinker } from "./thinker";

const ANALYSIS_SECONDS = 120;
const GLANCE_SECONDS = 0.25;
const WATCH_MS = 350;

export class App {
  private info!: GameInfo;
  match!: Match;
  private position: Position | null = null;
  private known = new Map<number, Position>();
  private prefix: number[] = [];
  private rows: Row[] = [];
  private variation: Move[] = [];
  private flip = false;
  private analysing = false;
  private paused = false;
  /** whether the server has not answered: nothing can be played until it does */
  private failed = false;
  private thinkingFor: boolean | null = null;
  private turn = 0;
  /** the move that the thoughts in the panel are about */
  private thoughtAt = -1;
  private readonly thinker = new Thinker();
  readonly board = new Board({ touch: (cell) => this.touch(cell), cancel: () => this.cancel() });
  private readonly analysis = new Analysis({
    hover: (variation) => {
      this.variation = variation;
      this.sketch();
    },
    play: (move) => {
      if (this.thoughtAt === this.match.cursor) this.play(move);
    },
  });
  private readonly record = new RecordPanel((ply) => this.go(ply));

  constructor(private readonly changed: (app: App) => void) {
    byId("board").append(this.board.element);
  }

  /** Begin a match, or go on with one at some move. */
  begin(setup: Setup, info: GameInfo, moves: Move[] = [], at: number | null = null): void {
    this.info = info;
    this.match = new Match(setup);
    this.match.moves.push(...moves);
    this.match.step(at ?? moves.length);
    this.known.clear();
    this.position = null;
    this.paused = false;
    this.flip = setup.people.second && !setup.people.first && info.look.board.flip !== "asked";
    this.board.set(info, this.flip);
    byId("status").textContent = "";
    this.analysis.clear("What the agent thinks appears here while it thinks.");
    void this.refresh();
  }

  link(): string {
    const { setup, moves, cursor } = this.match;
    return writeLink({ game: setup.game, start: setup.start, moves: moves.map((move) => move.text), at: cursor });
  }

  recordText(): string {
    return this.match.text(this.match.atEnd ? this.result() : null);
  }

  get game(): string {
    return this.match.setup.game;
  }

  // What people do

  touch(cell: number): void {
    const position = this.position;
    if (!position || !this.open) return;
    const found = touch(position.actions, this.prefix, this.landing(position, cell));
    this.prefix = found.prefix;
    if (found.played) this.play(found.played);
    else if (!found.prefix.length && this.midTurn(position)) this.choose(cell);
    else this.draw();
  }

  /** Where stones drop, any cell of a column stands for the one that they land on. */
  private landing(position: Position, cell: number): number {
    if (!drops(this.info.look.board.ground)) return cell;
    const column = cell % this.info.columns;
    return position.actions.find((move) => (move.path[0] ?? -1) % this.info.columns === column)?.path[0] ?? cell;
  }

  /** Whether somebody has begun a turn by choosing a piece: it is about to act where it stood. */
  private midTurn(position: Position): boolean {
    const [last] = position.last;
    if (position.last.length !== 1 || last?.first !== position.first || last.path.length !== 1) return false;
    const code = position.cells[last.path[0] as number] as number;
    return standing(this.info.look, this.info.symbols[code] ?? "", position.first).acting;
  }

  /** Take back the choice of a piece, and choose another if one was touched. */
  private choose(cell: number): void {
    const before = this.match.moves.at(-1)?.path[0];
    this.match.cut(this.match.cursor - 1);
    const again = this.known.get(this.match.cursor)?.actions.find((move) => move.path[0] === cell);
    if (again && cell !== before) this.match.play(again);
    this.forgetFrom(this.match.cursor);
    void this.refresh();
  }

  cancel(): void {
    if (!this.prefix.length && this.position && this.open && this.midTurn(this.position)) {
      this.choose(-1);
      return;
    }
    this.prefix = [];
    this.draw();
  }

  play(move: Move): void {
    if (!this.position?.actions.some((one) => one.action === move.action) || !this.open) return;
    this.match.play(move);
    this.forgetFrom(this.match.cursor);
    void this.refresh();
  }

  /** Play a move by its text; a sentence if it can't be. */
  type(text: string): string | null {
    if (!this.position || !this.open) return "It is not your turn.";
    const move = typed(this.position.actions, text);
    if (!move) return text.trim() ? `'${text.trim()}' is not a legal move here.` : "Type a move, such as one of the list.";
    this.play(move);
    return null;
  }

  undo(): void {
    if (!this.match.undo()) {
      this.complain("There is no move of yours to take back.");
      return;
    }
    this.forgetFrom(this.match.cursor + 1);
    void this.refresh();
  }

  resign(): void {
    if (!this.position || this.over || !this.match.atEnd) return;
    const { people } = this.match.setup;
    this.match.resigned = people.first && people.second ? this.position.first : people.first;
    void this.refresh();
  }

  go(ply: number): void {
    this.match.step(ply);
    void this.refresh();
  }

  turnBoard(): void {
    this.flip = !this.flip;
    this.board.set(this.info, this.flip);
    this.draw();
  }

  analyse(): void {
    this.analysing = !this.analysing;
    byId("analyse").setAttribute("aria-pressed", String(this.analysing));
    void this.refresh();
  }

  pause(): void {
    this.paused = !this.paused;
    void this.refresh();
  }

  moveNow(): void {
    this.thinker.stop(true);
  }

  /** Think a moment about every position of the match: the graph of the evaluation. */
  async evaluate(): Promise<void> {
    const turn = ++this.turn;
    const match = this.match;
    this.thinker.stop();
    for (let ply = 0; ply <= match.moves.length; ply++) {
      if (turn !== this.turn) return;
      match.step(ply);
      this.position = await this.positionAt(ply);
      if (turn !== this.turn) return;
      const outcome = this.position.outcome;
      if (outcome !== null) match.evaluations[ply] = { share: outcome, outcome };
      else {
        const thought = await this.ask("analyse", GLANCE_SECONDS, turn);
        if (!thought) return;
      }
      this.draw();
    }
    await this.refresh();
  }

  // What follows from it

  private get over(): boolean {
    return this.match.resigned !== null || this.position?.outcome != null;
  }

  /** Whether a person may play in the position that is shown. */
  private get open(): boolean {
    const position = this.position;
    return !!position && !this.failed && !this.over && this.match.decides(position.first) && this.thinkingFor === null;
  }

  private result(): number | null {
    if (this.match.resigned !== null) return this.match.resigned ? -1 : 1;
    return this.position?.outcome ?? null;
  }

  private forgetFrom(ply: number): void {
    for (const key of [...this.known.keys()]) if (key >= ply) this.known.delete(key);
  }

  private async positionAt(ply: number): Promise<Position> {
    const known = this.known.get(ply);
    if (known) return known;
    const position = await api.position(this.match.where(ply));
    this.known.set(ply, position);
    return position;
  }

  private async refresh(): Promise<void> {
    const turn = ++this.turn;
    this.thinker.stop();
    this.thinkingFor = null;
    this.failed = false;
    this.prefix = [];
    this.rows = [];
    this.variation = [];
    this.complain("");
    try {
      const position = await this.positionAt(this.match.cursor);
      if (turn !== this.turn) return;
      this.position = position;
      const outcome = position.outcome;
      if (outcome !== null) this.match.evaluations[this.match.cursor] = { share: outcome, outcome };
      this.draw();
      this.changed(this);
      await this.follow(position, turn);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (turn !== this.turn) return;
      this.thinkingFor = null;
      this.failed = true;
      this.complain(error.message);
      this.draw();
    }
  }

  private async follow(position: Position, turn: number): Promise<void> {
    if (this.over) return;
    const agent = this.match.atEnd && !this.match.decides(position.first);
    if (agent && !this.paused) await this.agent(position, turn);
    else if (this.analysing) await this.ask("analyse", ANALYSIS_SECONDS, turn);
  }

  private async agent(position: Position, turn: number): Promise<void> {
    this.thinkingFor = position.first;
    this.draw();
    const thought = await this.ask("move", null, turn);
    if (!thought) return;
    const { people } = this.match.setup;
    if (!people.first && !people.second) await new Promise((done) => setTimeout(done, WATCH_MS));
    if (turn !== this.turn) return;
    this.match.play(thought.move);
    this.forgetFrom(this.match.cursor);
    await this.refresh();
  }

  private async ask(purpose: "move" | "analyse", seconds: number | null, turn: number): Promise<Thought | null> {
    const { player, effort } = this.match.setup;
    const first = this.position?.first ?? true;
    const ply = this.match.cursor;
    const limits = purpose === "move" ? effort : { seconds, iterations: null };
    const thinkingPlayer = purpose === "analyse" && player === "random" ? "mcts" : player;
    const show = (thought: Thought) => {
      if (turn !== this.turn) return;
      this.thoughtAt = ply;
      this.analysis.show(thought, { first, ply, name: (side) => this.name(side) });
      if (thought.value !== null) this.match.evaluations[ply] = { share: thought.share, outcome: thought.outcome };
      this.rows = this.analysing ? thought.rows : [];
      this.sketch();
    };
    this.analysis.begin();
    const question = { ...this.match.where(), player: thinkingPlayer, purpose, ...limits };
    const answer = await this.thinker.think(question, show);
    if (!answer || turn !== this.turn) return null;
    show(answer);
    return answer;
  }

  // Showing

  private name(first: boolean): string {
    const { people, playerTitle } = this.match.setup;
    if (this.info.players === 1) return people.first ? "You" : playerTitle;
    const { players } = this.info.look;
    const colour = first ? players.first || "First" : players.second || "Second";
    if (!this.match.decides(first)) return people.first || people.second ? playerTitle : colour;
    return people.first && people.second ? colour : "You";
  }

  /** Show what changes with every thought, and leave alone what somebody may be pressing. */
  private sketch(): void {
    if (!this.position || !this.info) return;
    const { rows, variation, prefix, open } = this;
    this.board.show(this.position, { open, prefix, rows, variation });
    this.record.graph(this.match);
    const { evaluations, cursor } = this.match;
    showEvaluation(evaluations[cursor] ?? evaluations[cursor - 1] ?? null, this.info.look, this.flip);
  }

  private draw(): void {
    const position = this.position;
    if (!position || !this.info) return;
    this.sketch();
    this.record.show(this.match);
    showSeats({
      flip: this.flip,
      name: (first) => this.name(first),
      position,
      thinking: this.thinkingFor,
      over: this.over,
      result: this.match.atEnd ? this.result() : null,
      players: this.info.players,
      look: this.info.look,
    });
    this.say(position);
    this.buttons(position);
  }

  private say(position: Position): void {
    const status = byId("status");
    const text = this.sentence(position);
    if (status.textContent !== text) status.textContent = text;
  }

  private sentence(position: Position): string {
    const result = this.result();
    const last = position.last.length ? `${this.name(position.last[0]?.first ?? true)}: ${position.last.map((move) => move.text).join(" ")}. ` : "";
    if (this.match.resigned !== null && this.match.atEnd) return `${this.name(this.match.resigned)} resigned.`;
    if (result !== null && this.match.atEnd) {
      const score = position.score === null ? "" : ` Score ${position.score > 0 ? "+" : ""}${position.score}.`;
      if (this.info.aim === "score") return `Over.${score}`;
      if (this.info.players === 1) return result > 0 ? "Solved." : "Over.";
      const winner = this.name(result > 0);
      return result === 0 ? `${last}A draw.${score}` : `${last}${winner === "You" ? "You win" : `${winner} wins`}.${score}`;
    }
    if (this.thinkingFor !== null) return `${this.name(this.thinkingFor)} is thinking.`;
    if (!this.match.atEnd) return `Move ${this.match.cursor} of ${this.match.moves.length}.`;
    if (this.paused && !this.match.decides(position.first)) return "Paused.";
    const mover = this.name(position.first);
    const turn = mover === "You" ? "Your turn." : `${mover} to move.`;
    const stage = position.last.length && position.last[0]?.first === position.first && this.info.players > 1 ? " Go on with your turn." : "";
    return `${last}${turn}${stage}`;
  }

  private buttons(position: Position): void {
    const { people } = this.match.setup;
    const watching = !people.first && !people.second;
    byId<HTMLButtonElement>("undo").disabled = !this.match.moves.slice(0, this.match.cursor).some((move) => this.match.decides(move.first));
    byId<HTMLButtonElement>("resign").disabled = this.over || watching || !this.match.atEnd || this.info.players === 1;
    byId<HTMLButtonElement>("flip").disabled = this.info.look.board.flip === "never";
    byId<HTMLButtonElement>("evaluate").disabled = !this.match.moves.length;
    byId("now").hidden = this.thinkingFor === null;
    byId("pause").hidden = !watching || this.over;
    byId("pause").textContent = this.paused ? "Go on" : "Pause";
    const moves = this.open ? position.actions : [];
    byId("extras").replaceChildren(
      ...(this.failed ? [h("button", { type: "button", class: "extra", onclick: () => void this.refresh() }, "Try again")] : []),
      ...placeless(moves).map((move) =>
        h("button", { type: "button", class: "extra", "data-move": move.text, onclick: () => this.play(move) }, move.text),
      ),
    );
    byId("legal-moves").replaceChildren(...moves.slice(0, 200).map((move) => h("option", { value: move.text })));
    const example = moves[Math.floor(moves.length / 2)];
    if (example) byId<HTMLInputElement>("type").placeholder = `such as ${example.text}`;
  }

  complain(sentence: string): void {
    byId("complaint").textContent = sentence;
  }
}
