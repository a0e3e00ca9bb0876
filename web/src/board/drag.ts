// A piece that follows the pointer: it is lifted where an action begins, and put down on the nearest cell.
import type { Handlers } from "./board";
import type { Layout } from "./layout";

/** pixels that a pointer goes before a piece is dragged */
const SLACK = 5;
/** units of the board within which a piece is put down on a cell */
const REACH = 60;

export interface BoardPoint {
  x: number;
  y: number;
  /** units of the board in a pixel of the screen */
  scale: number;
}

/** A point of the screen on the board. */
export function onBoard(event: MouseEvent, svg: SVGSVGElement, layout: Layout): BoardPoint {
  const box = svg.getBoundingClientRect();
  const scale = layout.width / box.width;
  return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale, scale };
}

/** The cell of some that is nearest to a point, no farther than so many units. */
export function nearest(layout: Layout, cells: Iterable<number>, { x, y }: BoardPoint, most: number): number | undefined {
  const far = (one: number): number => Math.hypot(layout.centre(one).x - x, layout.centre(one).y - y);
  return [...cells].filter((one) => far(one) < most).sort((a, b) => far(a) - far(b))[0];
}

export class Drag {
  private from: { cell: number; x: number; y: number; lifted: boolean } | null = null;

  constructor(
    private readonly svg: SVGSVGElement,
    private readonly layout: Layout,
    private readonly pieces: SVGGElement,
    private readonly handlers: Pick<Handlers, "touch" | "cancel">,
  ) {}

  /** A pointer has gone down: on a cell whose piece can go somewhere, or null. */
  grab(event: PointerEvent, cell: number | null): void {
    this.from = null;
    if (event.button !== 0 || cell === null) return;
    this.from = { cell, x: event.clientX, y: event.clientY, lifted: false };
    (event.target as Element).releasePointerCapture?.(event.pointerId);
  }

  /** The piece follows the pointer; where it can go is marked, as by a click. */
  pull(event: PointerEvent): void {
    const { from } = this;
    if (!from || (!from.lifted && Math.hypot(event.clientX - from.x, event.clientY - from.y) < SLACK)) return;
    if (!from.lifted) {
      from.lifted = true;
      this.handlers.cancel();
      this.handlers.touch(from.cell);
    }
    const piece = this.put(from.cell, onBoard(event, this.svg, this.layout));
    piece?.classList.add("lifted");
    if (piece && piece !== this.pieces.lastElementChild) this.pieces.append(piece);
  }

  /** Put the dragged piece back where it stood. */
  release(): void {
    const { from } = this;
    this.from = null;
    if (from?.lifted) this.put(from.cell, this.layout.centre(from.cell))?.classList.remove("lifted");
  }

  /** The pointer has gone up. */
  drop(event: PointerEvent): void {
    const from = this.from?.lifted ? this.from.cell : null;
    this.release();
    if (from === null) return;
    const cell = nearest(this.layout, this.layout.cells, onBoard(event, this.svg, this.layout), REACH);
    if (cell !== undefined && cell !== from) this.handlers.touch(cell);
  }

  private put(cell: number, { x, y }: { x: number; y: number }): SVGGElement | null {
    const piece = this.pieces.querySelector<SVGGElement>(`[data-at="${cell}"]`);
    piece?.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    return piece;
  }
}
