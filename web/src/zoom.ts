// A board with cells too small for a finger can be shown twice as large, in a window over it that a finger moves.
import { type Board, FINGER } from "./board/board";
import { byId } from "./dom";

const ZOOMED = "zoomed";
const TIMES = 2;

const isZoomed = (board: Board): boolean => board.element.classList.contains(ZOOMED);

/** Show the board as large as that, its middle in the middle. */
function set(board: Board, large: boolean): void {
  const { element } = board;
  element.classList.toggle(ZOOMED, large);
  element.scrollTo((element.scrollWidth - element.clientWidth) / 2, (element.scrollHeight - element.clientHeight) / 2);
  byId("zoom").setAttribute("aria-pressed", String(large));
}

export const toggleZoom = (board: Board): void => set(board, !isZoomed(board));

/** Offer the button where it is of use, and nowhere leave a board large. */
export function showZoom(board: Board): void {
  const pixels = board.cellPixels / (isZoomed(board) ? TIMES : 1);
  const small = matchMedia("(pointer: coarse)").matches && pixels < FINGER;
  byId("zoom").hidden = !small;
  if (!small && isZoomed(board)) set(board, false);
}
