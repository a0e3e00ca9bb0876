// Squared paper with points and lines that were drawn on it: Morpion Solitaire.
import type { GameInfo, Position } from "../api";
import { s } from "../dom";
import type { Drawing } from "./grounds";
import { type Layout, points } from "./layout";

/** The paper: a line through every row and column of points. */
export const paper: Drawing = (info, layout) => {
  const { width, height } = layout;
  const [first, last] = [layout.centre(0), layout.centre(info.rows * info.columns - 1)];
  const rows = Array.from({ length: info.rows }, (_, i) => first.y + (i * (last.y - first.y)) / Math.max(1, info.rows - 1));
  const columns = Array.from({ length: info.columns }, (_, i) => first.x + (i * (last.x - first.x)) / Math.max(1, info.columns - 1));
  return [
    s("rect", { class: "paper", width, height, rx: 10 }),
    ...rows.map((y) => s("path", { class: "paper-line", d: `M0 ${y.toFixed(1)}H${width.toFixed(1)}` })),
    ...columns.map((x) => s("path", { class: "paper-line", d: `M${x.toFixed(1)} 0V${height.toFixed(1)}` })),
  ];
};

/**
 * The lines that are drawn, each as its first and last cell. The code of a point is 1 + a mask of four
 * directions: those in which a line passes through it or, where lines may touch, begins a segment there.
 */
export function drawnLines(info: Pick<GameInfo, "columns" | "parameters">, cells: number[]): [number, number][] {
  const { columns, parameters } = info;
  const steps = [1, columns, columns + 1, columns - 1];
  const apart = parameters.touching ? 1 : (parameters.length ?? 5) - 1;
  const lines: [number, number][] = [];
  steps.forEach((step, direction) => {
    const seen = new Set<number>();
    cells.forEach((code, cell) => {
      if (code === 0 || !(((code - 1) >> direction) & 1) || seen.has(cell)) return;
      lines.push([cell, cell + apart * step]);
      // Where lines do not touch, the points of this one are no beginning of another.
      if (!parameters.touching) for (let i = 0; i <= apart; i++) seen.add(cell + i * step);
    });
  });
  return lines;
}

/** The pencil lines of a position; that of the last move stands out. */
export function pencil(info: GameInfo, position: Position, layout: Layout): SVGElement[] {
  const last = position.last.at(-1)?.path ?? [];
  const line = (name: string, ends: number[]) => s("polyline", { class: name, points: points(ends.map(layout.centre)) });
  return [
    ...(last.length > 1 ? [line("pencil-last", last)] : []),
    ...drawnLines(info, position.cells).map((ends) => line("pencil", ends)),
  ];
}
