// The table: one match, who is to move in it, and what everybody sees of it.
//
// Whatever happens (a move, a step, a new match) ends in refresh(), which shows the position at the cursor
// and then lets the agent move or think. A counter makes answers to older questions fall silent.
import { evaluate, hint } from "./advice";
import { type GameInfo, type Move, type Position, type Thought } from "./api";
import { Board } from "./board/board";
import { letters, setLetters } from "./board/glyphs";
import type { Clock } from "./clock";
import { byId } from "./dom";
import { Editor } from "./editor";
import { FRIEND, Friend } from "./friend";
import { Hand } from "./hand";
import { writeLink } from "./link";
import { type Agent, type Begun, Match, type Node, type Setup } from "./match";
import { Positions } from "./positions";
import { Reach } from "./reach";
import { RecordPanel } from "./record";
import { typed } from "./selection";
import { playSound } from "./sound";
import { nameOf } from "./telling";
import { Thoughts, adviser, limits } from "./thoughts";
import { Timing } from "./timing";
import { type Seen, View, povOf } from "./view";
import { toggleZoom } from "./zoom";

const ANALYSIS_SECONDS = 120;
const WATCH_MS = 350;

export class App {
  info!: GameInfo;
  match!: Match;
  positions!: Positions;
  position: Position | null = null;
  flip = false;
  private analysing = false;
  private paused = false;
  private thinkingFor: boolean | null = null;
  private turn = 0;
  /** whether every position of the match was thought about: mistakes are marked */
  private evaluated = false;
  private heard: Node | null = null;
  /** what the position is of: not of the cursor while that one is on its way from the server */
  private shown: Node | null = null;
  private friend: Friend | null = null;
  private readonly editor = new Editor({
    show: (position) => this.board.show(position, { open: true, prefix: [], rows: [], variation: [], aimed: null, pov: true, quiet: true }),
    use: (start) => this.begin({ ...this.match.setup, start, names: undefined }, this.info),
    cancel: () => void this.refresh(),
  });
  private readonly hand = new Hand(this);
  private readonly reach = new Reach(() => void this.refresh());
  private readonly timing = new Timing({
    running: () => this.running(),
    flipped: () => this.flip,
    fallen: (first) => this.lose(first, "time"),
  });
  readonly board = new Board({
    touch: (cell) => this.touch(cell),
    aim: (cell) => this.aim(cell),
    cancel: () => this.hand.cancel(),
    play: (move) => this.play(move),
  });
  readonly thoughts = new Thoughts({
    changed: () => this.sketch(),
    play: (move) => {
      if (this.thoughts.isAbout(this.match.node)) this.play(move);
    },
  });
  private readonly view = new View(
    this.board,
    new RecordPanel(
      (ply) => this.go(ply),
      (node) => this.visit(node),
    ),
    { retry: () => void this.refresh(), touch: (cell) => this.touch(cell), play: (move) => this.play(move) },
  );

  constructor(private readonly changed: (app: App) => void) {
    byId("board").append(this.board.element);
  }

  /** Begin a match, or go on with one at some move. */
  begin(setup: Setup, info: GameInfo, { line, at, times, ended }: Begun = {}): void {
    this.info = info;
    this.match = new Match(setup);
    if (line) this.match.load(line);
    this.match.ended = ended ?? null;
    this.match.step(at ?? this.match.length);
    this.positions = new Positions(this.match);
    this.position = null;
    this.paused = false;
    this.evaluated = false;
    this.heard = this.match.node;
    this.timing.begin(setup, times);
    this.friend?.close();
    this.friend = setup.seat ? this.meet(setup.seat) : null;
    byId("friend-state").textContent = "";
    this.flip = setup.first !== null && setup.second === null && info.look.board.flip !== "asked";
    this.view.begin(info, this.flip);
    this.thoughts.clear();
    void this.refresh();
  }

  /** Play with a friend on another page: moves go there and come from there. */
  private meet(seat: string): Friend {
    return new Friend(seat, this.match, {
      played: (move) => {
        this.match.step(this.match.length);
        this.match.play(move);
        void this.refresh();
      },
      resigned: (first) => this.lose(first, "resignation"),
      told: (sentence) => {
        byId("friend-state").textContent = sentence;
      },
    });
  }

  link(): string {
    const { setup, moves, cursor } = this.match;
    return writeLink({ game: setup.game, start: setup.start, moves: moves.map((move) => move.text), at: cursor });
  }

  get game(): string {
    return this.match.setup.game;
  }

  get clock(): Clock | null {
    return this.timing.clock;
  }

  // What people do

  touch(cell: number): void {
    if (this.editor.active) this.editor.paint(cell);
    else this.hand.touch(cell);
  }

  private aim(cell: number): void {
    if (this.editor.active) this.editor.paint(cell);
    else this.hand.aim(cell);
  }

  /** Take back the choice of a piece, and choose another if one was touched. */
  chooseAgain(cell: number | null): void {
    const before = this.match.node.move?.path[0];
    this.match.cut(this.match.cursor - 1);
    const again = this.positions.seen(this.match.node)?.actions.find((move) => move.path[0] === cell);
    if (again && cell !== before) this.match.play(again);
    void this.refresh();
  }

  play(move: Move): void {
    if (!this.position?.actions.some((one) => one.action === move.action) || !this.open) return;
    this.match.play(move);
    void this.refresh();
  }

  /** Play a move by its text; a sentence if it can't be. */
  type(text: string): string | null {
    if (!this.position || !this.open) return "It is not your turn.";
    const move = typed(this.position.actions, text);
    if (!move) return text.trim() ? `'${text.trim()}' is not a legal move here.` : "Type a legal move.";
    this.play(move);
    return null;
  }

  undo(): void {
    if (!this.match.undo()) {
      this.complain("You have no move to take back.");
      return;
    }
    void this.refresh();
  }

  resign(): void {
    if (!this.position || this.over || !this.match.atEnd) return;
    const both = this.match.decides(true) && this.match.decides(false);
    void this.friend?.resign();
    this.lose(both ? this.position.first : this.match.decides(true), "resignation");
  }

  /** The match is over for a side, whatever the rules say. */
  private lose(first: boolean, reason: string): void {
    this.match.ended = { outcome: first ? -1 : 1, reason };
    void this.refresh();
  }

  go(ply: number): void {
    this.match.step(ply);
    void this.refresh();
  }

  /** Go to a position of any line. */
  visit(node: Node): void {
    this.match.visit(node);
    void this.refresh();
  }

  /** Set up another position of the same game. */
  edit(): void {
    if (!this.position || this.friend) return;
    this.turn++;
    this.thoughts.stop();
    this.thinkingFor = null;
    this.hand.empty();
    this.draw();
    this.editor.open(this.info, this.position);
  }

  async hint(): Promise<void> {
    if (!this.open) return;
    this.complain("");
    await this.instead((turn) => hint(this, turn));
  }

  /** Letters for characters on the pieces, or back. */
  useLetters(): void {
    setLetters(!letters());
    this.board.set(this.info, this.flip);
    this.draw();
  }

  zoom(): void {
    toggleZoom(this.board);
  }

  turnBoard(): void {
    this.flip = !this.flip && this.info.look.board.flip !== "never";
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
    this.thoughts.answerNow();
  }

  /** The graph of the evaluation, and marks for mistakes. */
  evaluate(): Promise<void> {
    return this.instead(async (turn) => {
      if (!(await evaluate(this, turn))) return;
      this.evaluated = true;
      await this.refresh();
    });
  }

  // What follows from it

  private get over(): boolean {
    return this.result() !== null;
  }

  /** Whether a person may play in the position that is shown. */
  get open(): boolean {
    const position = this.position;
    if (this.editor.active || (this.friend && !this.match.atEnd) || this.shown !== this.match.node) return false;
    return !!position && !this.reach.failed && !this.over && this.match.decides(position.first) && this.thinkingFor === null;
  }

  private result(): number | null {
    const { match, position } = this;
    return (match.atEnd ? match.ended?.outcome : null) ?? position?.outcome ?? null;
  }

  private async refresh(): Promise<void> {
    if (this.editor.active) this.editor.close();
    const turn = ++this.turn;
    this.thoughts.drop();
    this.reach.wait();
    this.thinkingFor = null;
    this.hand.empty();
    if (!this.reach.failed) this.complain("");
    await this.guarded(turn, async () => {
      const position = await this.positions.of(this.match.node);
      if (!this.wanted(turn)) return;
      if (this.reach.failed) this.complain("");
      this.reach.answered();
      this.show(position);
      const outcome = position.outcome;
      if (outcome !== null) this.match.node.evaluation = { share: outcome, outcome };
      this.sound();
      this.draw();
      this.timing.tick();
      this.changed(this);
      await this.follow(position, turn);
    });
  }

  /** This is the position at the cursor. */
  show(position: Position): void {
    this.position = position;
    this.shown = this.match.node;
  }

  /** Whether nothing else has been asked for since. */
  wanted(turn: number): boolean {
    return turn === this.turn;
  }

  /** Ask the server for something else than what it thinks about now. */
  private instead(act: (turn: number) => Promise<void>): Promise<void> {
    const turn = ++this.turn;
    this.thoughts.stop();
    return this.guarded(turn, () => act(turn));
  }

  /** Do what asks the server. If it can't be reached, the moves are kept until it can. */
  private async guarded(turn: number, act: () => Promise<void>): Promise<void> {
    await this.reach.guard(act, () => this.wanted(turn), (sentence) => {
      this.thinkingFor = null;
      this.complain(sentence);
      this.changed(this);
      this.draw();
    });
  }

  private sound(): void {
    const { node } = this.match;
    if (this.heard !== node && node.parent === this.heard) playSound(this.over ? "end" : "move");
    this.heard = node;
  }

  private async follow(position: Position, turn: number): Promise<void> {
    if (this.over) return;
    const agent = this.match.atEnd ? this.match.agent(position.first) : null;
    if (agent?.player === FRIEND.player) return; // the other page moves
    if (agent && !this.paused) await this.answer(agent, position, turn);
    else if (this.analysing) await this.analysis(ANALYSIS_SECONDS, turn);
  }

  private async answer(agent: Agent, position: Position, turn: number): Promise<void> {
    this.thinkingFor = position.first;
    this.draw();
    const thought = await this.ask(agent, "move", limits(agent, this.clock, position.first), turn);
    if (!thought) return;
    if (this.match.watched) await new Promise((done) => setTimeout(done, WATCH_MS));
    if (!this.wanted(turn)) return;
    this.match.play(thought.move);
    await this.refresh();
  }

  analysis(seconds: number, turn: number): Promise<Thought | null> {
    return this.ask(adviser(this.match, this.info), "analyse", { seconds, iterations: null }, turn);
  }

  private ask(agent: Agent, purpose: "move" | "analyse", limits: Agent["effort"], turn: number): Promise<Thought | null> {
    const { info, match, analysing: marked } = this;
    const wanted = () => this.wanted(turn);
    return this.thoughts.ask({ match, agent, purpose, limits, marked, pov: povOf(match), name: (side) => nameOf(match, info, side), wanted });
  }

  /** Whose time runs; undefined while no position is shown, or a move is on its way to the server. */
  private running(): boolean | null | undefined {
    const { match, position } = this;
    if (!position || this.editor.active || this.shown !== match.node) return undefined;
    const runs = match.atEnd && !this.over && !this.paused && !this.reach.failed && match.length > 0;
    return runs ? position.first : null;
  }

  // Showing

  private get seen(): Seen | null {
    const { info, match, position, hand, thoughts, flip, open, over, paused, thinkingFor, evaluated } = this;
    if (!position) return null;
    const { failed } = this.reach;
    return { info, match, position, hand, thoughts, flip, open, over, result: this.result(), paused, failed, thinkingFor, evaluated };
  }

  private sketch(): void {
    const { seen } = this;
    if (seen && !this.editor.active) this.view.sketch(seen);
  }

  draw(): void {
    const { seen } = this;
    if (this.editor.active) this.editor.draw();
    else if (seen) this.view.draw(seen);
  }

  complain(sentence: string): void {
    byId("complaint").textContent = sentence;
  }
}
