// Tiles with grooves between them, in which walls stand: Quoridor.
import type { GameInfo, Move } from "../api";
import { s } from "../dom";
import type { Drawing } from "./grounds";
import { type Layout, type Point, TILE, UNIT, points } from "./layout";

const THICK = 14;

/** Whether a path is a wall: the four cells around its middle, two on each side of one half and two of the other. */
export const isWall = (layout: Pick<Layout, "walls">, path: number[]): boolean => layout.walls === true && path.length === 4;

/** The middle of some cells. */
export function middle(path: number[], layout: Pick<Layout, "centre">): Point {
  const at = path.map(layout.centre);
  const mean = (list: number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;
  return { x: mean(at.map((p) => p.x)), y: mean(at.map((p) => p.y)) };
}

/** The walls on the board: the last character of a symbol is that whose middle is the cell's upper right corner. */
export function wallsOf(info: Pick<GameInfo, "columns" | "symbols">, cells: number[]): number[][] {
  return cells.flatMap((code, cell) => {
    const above = cell - info.columns;
    const sign = info.symbols[code]?.at(-1);
    if (sign === "-") return [[cell, above, cell + 1, above + 1]];
    return sign === "|" ? [[cell, cell + 1, above, above + 1]] : [];
  });
}

/** The code of a cell without its wall. */
export const bare = (info: Pick<GameInfo, "symbols">, code: number): number =>
  Math.max(0, info.symbols.indexOf((info.symbols[code] ?? "").replace(/[-|]$/, ".")));

/** A wall lies if the first two of its cells are one above the other. */
export function wall(path: number[], layout: Layout, name: string): SVGElement {
  const { x, y } = middle(path, layout);
  const [first, second] = path.map(layout.centre);
  const lies = Math.abs((first?.x ?? 0) - (second?.x ?? 0)) < 1;
  const [long, thick] = [UNIT + TILE, THICK];
  const [width, height] = lies ? [long, thick] : [thick, long];
  return s("rect", { class: name, x: x - width / 2, y: y - height / 2, width, height, rx: 5 });
}

/** All the walls; that of the last move stands out. */
export function fences(info: GameInfo, cells: number[], last: Move[], layout: Layout): SVGElement[] {
  const fresh = last.filter((move) => isWall(layout, move.path)).map((move) => wall(move.path, layout, "fence-last"));
  return [...fresh, ...wallsOf(info, cells).map((path) => wall(path, layout, "fence"))];
}

/**
 * Where a pointer puts walls: the square between the middles of four cells is cut by its diagonals, and what
 * is beside the point in its middle is for the wall that lies there, what is above and below for the standing one.
 */
export function slots(actions: Move[], layout: Layout, play: (move: Move) => void): SVGElement[] {
  return actions
    .filter((move) => isWall(layout, move.path))
    .map((move) => {
      const centre = middle(move.path, layout);
      const [a, b, c, d] = move.path.map(layout.centre) as [Point, Point, Point, Point];
      return s(
        "g",
        { class: "slot", "data-move": move.text, onclick: () => play(move) },
        s("polygon", { class: "hit", points: points([a, b, centre]) }),
        s("polygon", { class: "hit", points: points([c, d, centre]) }),
        wall(move.path, layout, "fence-ghost"),
      );
    });
}

/** What a screen reader says of the wall of a cell. */
export function wallWords(symbol: string): string[] {
  const kind = { "-": "lying", "|": "standing" }[symbol.at(-1) ?? ""];
  return kind ? [`${kind} wall at its upper right corner`] : [];
}

/** The tiles, and at the edges whose goal they are: that above is the first player's. */
export const walls: Drawing = (info, layout) => {
  const goal = (owner: string, first: number, side: number): SVGElement => {
    const [a, b] = [layout.centre(first), layout.centre(first + info.columns - 1)];
    const far = layout.centre(info.rows * info.columns - 1).y > layout.centre(0).y ? side : -side;
    const y = a.y + far * (UNIT / 2 + 3);
    const [left, right] = [Math.min(a.x, b.x) - TILE / 2, Math.max(a.x, b.x) + TILE / 2];
    return s("path", { class: `goal ${owner}`, d: `M${left.toFixed(1)} ${y.toFixed(1)}H${right.toFixed(1)}` });
  };
  return [
    s("rect", { class: "wood", width: layout.width, height: layout.height, rx: 26 }),
    ...layout.cells.map((cell) => {
      const { x, y } = layout.centre(cell);
      return s("rect", { class: "flag", x: x - TILE / 2, y: y - TILE / 2, width: TILE, height: TILE, rx: 10 });
    }),
    goal("p1", 0, -1),
    goal("p2", (info.rows - 1) * info.columns, 1),
  ];
};
