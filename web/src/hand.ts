// What a person has in hand: the cells that were touched and don't name a move yet.
import type { GameInfo, Move, Position } from "./api";
import { drops } from "./board/layout";
import { standing } from "./board/pieces";
import { nextCells, stepTo, touch } from "./selection";

/** What is played at, as the hand sees it. */
export interface Held {
  readonly info: GameInfo;
  readonly position: Position | null;
  /** whether a person may play in this position */
  readonly open: boolean;
  play: (move: Move) => void;
  /** take back the piece that was chosen by an action of its own; touching a cell may choose another */
  chooseAgain: (cell: number | null) => void;
  draw: () => void;
}

export class Hand {
  /** the cells chosen so far */
  prefix: number[] = [];
  /** the cell that a finger has chosen and not confirmed */
  aimed: number | null = null;

  constructor(private readonly table: Held) {}

  empty(): void {
    this.prefix = [];
    this.aimed = null;
  }

  touch(cell: number): void {
    const { info, position, open } = this.table;
    if (!position || !open) return;
    const step = info.look.board.ground === "walls" && !this.prefix.length ? stepTo(position.actions, cell) : null;
    if (step) return this.table.play(step);
    const found = touch(position.actions, this.prefix, landing(info, position, cell));
    this.prefix = found.prefix;
    this.aimed = null;
    if (found.played) this.table.play(found.played);
    else if (!found.prefix.length && midTurn(info, position)) this.table.chooseAgain(cell);
    else this.table.draw();
  }

  /** A finger on small cells: the first touch shows where it is, the second plays. */
  aim(cell: number): void {
    const { position, open } = this.table;
    if (!position || !open) return;
    if (this.aimed === cell || !nextCells(position.actions, this.prefix).has(cell)) {
      this.touch(cell);
      return;
    }
    this.aimed = cell;
    this.table.draw();
  }

  cancel(): void {
    const { info, position, open } = this.table;
    if (!this.prefix.length && position && open && midTurn(info, position)) {
      this.table.chooseAgain(null);
      return;
    }
    this.empty();
    this.table.draw();
  }
}

/** Where stones drop, any cell of a column stands for the one that they land on. */
function landing({ look, columns }: GameInfo, position: Position, cell: number): number {
  if (!drops(look.board.ground)) return cell;
  const column = cell % columns;
  return position.actions.find((move) => (move.path[0] ?? -1) % columns === column)?.path[0] ?? cell;
}

/** Whether somebody has begun a turn by choosing a piece: it is about to act where it stood. */
function midTurn({ look, symbols }: GameInfo, position: Position): boolean {
  const [last] = position.last;
  if (position.last.length !== 1 || last?.first !== position.first || last.path.length !== 1) return false;
  const code = position.cells[last.path[0] as number] as number;
  return standing(look, symbols[code] ?? "", position.first).acting;
}
