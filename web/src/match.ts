// A match: its record, who decides for whom, and what it was thought to be worth on the way.
import type { Move, Where } from "./api";

export interface Effort {
  seconds: number | null;
  iterations: number | null;
}

/** The value of the position before a move: share is -1 to +1 for the first player. */
export interface Evaluation {
  share: number;
  outcome: number | null;
}

export interface Setup {
  game: string;
  start: string | null;
  player: string;
  playerTitle: string;
  effort: Effort;
  /** whether a person decides for the first player, and for the second */
  people: { first: boolean; second: boolean };
}

export class Match {
  readonly moves: Move[] = [];
  readonly evaluations: (Evaluation | undefined)[] = [];
  /** the number of moves before the position that is shown */
  cursor = 0;
  /** whether the first player has resigned, or null */
  resigned: boolean | null = null;

  constructor(readonly setup: Setup) {}

  get atEnd(): boolean {
    return this.cursor === this.moves.length;
  }

  where(ply = this.cursor): Where {
    const actions = this.moves.slice(0, ply).map((move) => move.action);
    return { game: this.setup.game, start: this.setup.start, actions };
  }

  decides(first: boolean): boolean {
    return first ? this.setup.people.first : this.setup.people.second;
  }

  /** Play a move in the position that is shown; moves after it are dropped. */
  play(move: Move): void {
    this.cut(this.cursor);
    this.moves.push(move);
    this.cursor = this.moves.length;
  }

  /** Go back to the last earlier position in which a person decides; false if there is none. */
  undo(): boolean {
    for (let ply = this.cursor - 1; ply >= 0; ply--) {
      const move = this.moves[ply];
      if (move && this.decides(move.first)) {
        this.cut(ply);
        return true;
      }
    }
    return false;
  }

  /** Drop the moves from this one on. */
  cut(ply: number): void {
    this.moves.length = Math.min(this.moves.length, ply);
    this.evaluations.length = Math.min(this.evaluations.length, ply + 1);
    this.cursor = Math.min(this.cursor, ply);
    this.resigned = null;
  }

  step(to: number): void {
    this.cursor = Math.max(0, Math.min(this.moves.length, to));
  }

  /** The moves as turns: those in a row by one player. */
  turns(): { first: boolean; from: number; moves: Move[] }[] {
    const turns: { first: boolean; from: number; moves: Move[] }[] = [];
    this.moves.forEach((move, index) => {
      const last = turns.at(-1);
      if (last && last.first === move.first) last.moves.push(move);
      else turns.push({ first: move.first, from: index, moves: [move] });
    });
    return turns;
  }

  /** The record as a text that the server and glaux read. */
  text(result: number | null): string {
    const name = (person: boolean) => (person ? "you" : this.setup.player);
    const outcome = result === null ? "*" : result > 0 ? "1-0" : result < 0 ? "0-1" : "1/2-1/2";
    const tags = [
      `[Game "${this.setup.game}"]`,
      ...(this.setup.start ? [`[State "${this.setup.start}"]`] : []),
      `[First "${name(this.setup.people.first)}"]`,
      `[Second "${name(this.setup.people.second)}"]`,
      `[Result "${outcome}"]`,
    ];
    return `${tags.join("\n")}\n\n${this.moves.map((move) => move.text).join(" ")}\n`;
  }
}
