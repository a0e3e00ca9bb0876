// What is drawn over and under the pieces: the last move, the choice, legal cells, thoughts.
import type { Move, Row } from "../api";
import { s } from "../dom";
import { turnOf } from "../selection";
import { moveText } from "../words";
import { type Layout, type Point, points, square } from "./layout";
import { isWall, middle, wall } from "./walls";

/** A board wider than this has so many cells that what is written on them fills them. */
const MANY = 1350;

/** A straight arrow from the edge of one cell to the middle of another. */
function arrow(from: Point, to: Point, name: string, width: number): SVGElement {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const start = { x: from.x + ux * 24, y: from.y + uy * 24 };
  const neck = { x: to.x - ux * 34, y: to.y - uy * 34 };
  const tip = { x: to.x - ux * 8, y: to.y - uy * 8 };
  const w = width / 2;
  const at = (p: Point, side: number): Point => ({ x: p.x - uy * side, y: p.y + ux * side });
  return s("polygon", {
    class: name,
    points: points([at(start, w), at(neck, w), at(neck, w * 2.6), tip, at(neck, -w * 2.6), at(neck, -w), at(start, -w)]),
  });
}

/** The cells of the last turn; on loose tiles so much smaller that an edge with round corners fits. */
export function lastMarks(moves: Move[], changed: number[], layout: Layout, loose: boolean): SVGElement[] {
  const named = [...new Set(moves.flatMap((move) => move.path))];
  const cells = named.length ? named : changed;
  const shape = (cell: number) => (loose ? square(layout.centre(cell), 34) : layout.outline(cell));
  return cells.map((cell) => s("polygon", { class: "last", points: points(shape(cell)) }));
}

/** The last stones themselves, where a coloured cell would not show: on lines and in frames. Around what is written on. */
export function lastDots(moves: Move[], layout: Layout, writtenOn: (cell: number) => boolean): SVGElement[] {
  return moves.flatMap((move) => {
    const end = move.path.at(-1);
    if (end === undefined) return [];
    const { x, y } = layout.centre(end);
    const dot = writtenOn(end)
      ? s("circle", { class: "last-around", cx: x, cy: y, r: layout.radius + 1 })
      : s("circle", { class: `last-dot ${move.first ? "p1" : "p2"}`, cx: x, cy: y, r: layout.radius * 0.42 });
    if (move.path.length < 2) return [dot];
    const from = layout.centre(move.path[0] as number);
    return [s("circle", { class: "last-from", cx: from.x, cy: from.y, r: layout.radius - 4 }), dot];
  });
}

/** The line or chain that won. */
export function winningMarks(cells: number[], layout: Layout): SVGElement[] {
  return cells.flatMap((cell) => {
    const { x, y } = layout.centre(cell);
    return ["winning-edge", "winning"].map((name) => s("circle", { class: name, cx: x, cy: y, r: layout.radius - 3 }));
  });
}

/** Where a finger points: a cross over the board, and a ring that it does not hide. */
export function aimMarks(cell: number, layout: Layout): SVGElement[] {
  const { x, y } = layout.centre(cell);
  return [
    s("path", { class: "aim", d: `M${x} 0V${layout.height}M0 ${y}H${layout.width}` }),
    s("circle", { class: "aim aim-ring", cx: x, cy: y, r: layout.radius * 1.7 }),
  ];
}

/** The cells chosen so far in this move. */
export function chosenMarks(cells: number[], layout: Layout, round: boolean): SVGElement[] {
  return cells.map((cell) => {
    const { x, y } = layout.centre(cell);
    return round
      ? s("circle", { class: "chosen-ring", cx: x, cy: y, r: layout.radius + 6 })
      : s("polygon", { class: "chosen", points: points(layout.outline(cell)) });
  });
}

/** The cells that can be touched next: a dot, or a ring where something stands, in green around what is one's own. */
export function legalMarks(
  cells: Iterable<number>,
  occupied: (cell: number) => boolean,
  own: (cell: number) => boolean,
  layout: Layout,
): SVGElement[] {
  return [...cells].map((cell) => {
    const { x, y } = layout.centre(cell);
    return occupied(cell)
      ? s("circle", { class: `legal ring${own(cell) ? " own" : ""}`, cx: x, cy: y, r: layout.radius + 5 })
      : s("circle", { class: "legal", cx: x, cy: y, r: 12 });
  });
}

/**
 * The ways that a turn goes, from cell to cell: those of each action, and on to the cell that the next one names,
 * if it is a piece that acts there. Stones that are put on empty cells one after the other go no way.
 */
export function ways(paths: number[][], occupied: (cell: number) => boolean): [number, number][] {
  const first = paths[0]?.[0];
  const piece = first !== undefined && occupied(first);
  return paths.flatMap((path, i) => {
    const before = piece && path.length === 1 ? paths[i - 1]?.at(-1) : undefined;
    const cells = before === undefined ? path : [before, ...path];
    return cells.slice(1).map((to, j): [number, number] => [cells[j] as number, to]);
  }).filter(([from, to]) => from !== to);
}

/** The best candidates of a search, each a whole turn: the more it looked at one, the stronger the mark. */
export function thoughtMarks(rows: Row[], pov: boolean, occupied: (cell: number) => boolean, layout: Layout): SVGElement[] {
  const most = Math.max(1, ...rows.map((row) => row.visits));
  const shown = rows.slice(0, 5).filter((row) => row.variation[0]?.path.length);
  return shown.reverse().map((row) => {
    const [move, ...rest] = turnOf(row.variation) as [Move, ...Move[]];
    const walled = isWall(layout, move.path);
    const end = walled ? middle(move.path, layout) : layout.centre(move.path.at(-1) as number);
    const weight = row === rows[0] ? 1 : 0.55 + 0.3 * (row.visits / most);
    // The rest of the turn is shown for the best alone: five of them would hide the board.
    const told = row === rows[0] ? [move, ...rest] : [move];
    const parts: SVGElement[] = [];
    if (walled) parts.push(wall(move.path, layout, "fence-thought"));
    else
      for (const [from, to] of ways(told.map((one) => one.path), occupied))
        parts.push(arrow(layout.centre(from), layout.centre(to), "thought-arrow", 15));
    // What stands on the cell stays in sight: the mark goes to its corner.
    const taken = !walled && occupied(move.path.at(-1) as number);
    const at = taken ? { x: end.x + 25, y: end.y - 25 } : end;
    const large = !taken && layout.width > MANY;
    const full = moveText(row, pov, move.first);
    const text = large ? full.replace("%", "") : full;
    const size = large && text.length < 3 ? " large" : taken || text.length > 3 ? " small" : "";
    parts.push(s("circle", { class: "thought", cx: at.x, cy: at.y, r: large ? 44 : taken ? 24 : 31 }));
    parts.push(s("text", { class: `thought-text${size}`, x: at.x, y: at.y }, text));
    return s("g", { class: "thought-mark", opacity: weight.toFixed(2) }, ...parts);
  });
}

/** A principal variation: its moves numbered on the board, in the colours of the players. */
export function variationMarks(moves: Move[], layout: Layout): SVGElement[] {
  const seen = new Set<string>();
  return moves.flatMap((move, index) => {
    const cell = move.path.at(-1);
    if (cell === undefined) return [];
    const walled = isWall(layout, move.path);
    const { x, y } = walled ? middle(move.path, layout) : layout.centre(cell);
    if (seen.has(`${x} ${y}`)) return [];
    seen.add(`${x} ${y}`);
    const owner = move.first ? "p1" : "p2";
    const parts: SVGElement[] = [];
    if (walled) parts.push(wall(move.path, layout, "fence-thought"));
    else if (move.path.length > 1) parts.push(arrow(layout.centre(move.path[0] as number), { x, y }, `variation-arrow ${owner}`, 9));
    const large = layout.width > MANY;
    parts.push(s("circle", { class: `variation ${owner}`, cx: x, cy: y, r: large ? 44 : 30, fill: `url(#${owner})` }));
    parts.push(s("text", { class: `variation-text ${owner}${large ? " large" : ""}`, x, y }, String(index + 1)));
    return parts;
  });
}
