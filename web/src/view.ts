// Everything that people see of a match: the board, the seats beside it, the moves, a sentence and the buttons.
import type { GameInfo, Position } from "./api";
import type { Board } from "./board/board";
import { byId } from "./dom";
import { settingsOf } from "./games";
import type { Hand } from "./hand";
import type { Match } from "./match";
import type { RecordPanel } from "./record";
import { showEvaluation, showSeats } from "./seats";
import { type Acts, nameOf, sentence, showButtons } from "./telling";
import type { Thoughts } from "./thoughts";
import { showZoom } from "./zoom";

/** What is the case at the table. */
export interface Seen {
  info: GameInfo;
  match: Match;
  position: Position;
  hand: Hand;
  thoughts: Thoughts;
  flip: boolean;
  /** whether a person may play */
  open: boolean;
  over: boolean;
  result: number | null;
  paused: boolean;
  /** whether the server can't be reached */
  failed: boolean;
  thinkingFor: boolean | null;
  /** whether every position of the match was thought about: mistakes are marked */
  evaluated: boolean;
}

/** Whose chances all the numbers are: those of the one person who plays, else the first player's. */
export const povOf = (match: Match): boolean => match.decides(true) === match.decides(false) || match.decides(true);

export class View {
  constructor(
    private readonly board: Board,
    private readonly record: RecordPanel,
    private readonly acts: Acts,
  ) {}

  /** A match of this game begins. */
  begin(info: GameInfo, flip: boolean): void {
    this.board.set(info, flip);
    byId("status").textContent = "";
    byId("game-title").textContent = info.title;
    byId("game-title").dataset["game"] = info.name;
    byId("game-settings").textContent = settingsOf(info.name, info.parameters);
    document.title = `${info.title} · Glaux`;
  }

  /** Show what changes with every thought, and leave alone what somebody may be pressing. */
  sketch({ info, match, position, hand, thoughts, flip, open }: Seen): void {
    const pov = povOf(match);
    const name = nameOf(match, info, pov);
    const { rows, variation } = thoughts;
    const { prefix, aimed } = hand;
    this.board.show(position, { open, prefix, rows, variation, aimed, pov });
    this.record.graph(match, pov, name);
    const { node } = match;
    showEvaluation(node.evaluation ?? node.parent?.evaluation ?? null, info.look, flip, pov, name);
  }

  draw(seen: Seen): void {
    this.sketch(seen);
    const { info, match, thinkingFor: thinking, result, hand } = seen;
    const name = (first: boolean) => nameOf(match, info, first);
    this.record.show(match, info.look, seen.evaluated);
    showSeats({ ...seen, name, thinking, result: match.atEnd ? result : null, players: info.players, look: info.look });
    const status = byId("status");
    const text = sentence({ ...seen, name });
    if (status.textContent !== text) status.textContent = text;
    showButtons({ ...seen, aimed: hand.aimed, thinking: thinking !== null }, this.acts);
    showZoom(this.board);
  }
}
