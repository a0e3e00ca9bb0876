// A small picture of each game for the cards of the dialog, from the symbols in its look.
import type { Look } from "../api";
import { s } from "../dom";
import { dress } from "./colours";
import { onCrossings } from "./layout";
import { type Standing, standing } from "./pieces";

const SIZE = 64;

/** Where the cell of a row and a column is, in the middle of the picture. */
interface Placed {
  x: number;
  y: number;
  row: number;
  column: number;
  what: Standing;
}

/** A rhombus that leans to the left or, if the rows are not equally long, a hexagon. */
function hexagons(cells: Placed[]): SVGElement[] {
  const lengths = new Map<number, number>();
  for (const { row } of cells) lengths.set(row, (lengths.get(row) ?? 0) + 1);
  const whole = new Set(lengths.values()).size > 1;
  return cells.map(({ row, column, what }) => {
    const [x, y] = whole
      ? [SIZE / 2 + (column - ((lengths.get(row) ?? 1) - 1) / 2) * 12.2, SIZE / 2 + (row - (lengths.size - 1) / 2) * 10.6]
      : [19 + column * 13 - row * 6.5, 15 + row * 16];
    const [wide, high] = whole ? [7, 7] : [7, 9];
    const list = [0, 1, 2, 3, 4, 5].map((k) => {
      const angle = (Math.PI / 3) * k + Math.PI / 6;
      return `${(x + wide * Math.cos(angle)).toFixed(1)},${(y + high * Math.sin(angle)).toFixed(1)}`;
    });
    return s("polygon", { class: what.owner === "p1" ? "h1" : what.owner === "p2" ? "h2" : "h0", points: list.join(" ") });
  });
}

function tower(x: number, y: number, level: number): SVGElement[] {
  const floors = Array.from({ length: Math.min(3, level) }, (_, k) => {
    const half = 9 - k * 2.2;
    return s("rect", { class: `tfloor${k}`, x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 2 });
  });
  return level < 4 ? floors : [...floors, s("circle", { class: "tdome", cx: x, cy: y, r: 5 })];
}

function piece({ x, y, what }: Placed, unit: number): SVGElement[] {
  const parts = tower(x, y, what.level);
  const size = (half: number) => ({ x: x - half, y: y - half, width: 2 * half, height: 2 * half });
  if (what.piece?.shape === "sticker") parts.push(s("rect", { ...size(7.2), rx: 2.5, fill: what.piece.colour }));
  else if (what.piece?.shape === "block") parts.push(s("rect", { class: "tblock", ...size(5), rx: 2 }));
  else if (what.owner) parts.push(s("circle", { class: what.owner === "p1" ? "t1" : "t2", cx: x, cy: y, r: unit * 0.39 }));
  return parts;
}

function ground(look: Look, cells: Placed[], unit: number): SVGElement[] {
  const kind = look.board.ground;
  if (kind === "net") return [];
  if (onCrossings(kind)) {
    const [first, last] = [cells[0], cells.at(-1)];
    if (!first || !last) return [];
    const [rows, columns] = [new Set(cells.map((cell) => cell.y)), new Set(cells.map((cell) => cell.x))];
    return [
      ...[...rows].map((y) => s("path", { class: "tline", d: `M${first.x} ${y}H${last.x}` })),
      ...[...columns].map((x) => s("path", { class: "tline", d: `M${x} ${first.y}V${last.y}` })),
    ];
  }
  const island = kind === "floors";
  const half = island ? unit / 2 - 0.7 : unit / 2;
  return cells.map(({ x, y, row, column }) =>
    s("rect", {
      class: island ? "tgrass" : (row + column) % 2 ? "tdark" : "tlight",
      x: x - half,
      y: y - half,
      width: 2 * half,
      height: 2 * half,
      rx: island ? 2 : 0,
    }),
  );
}

export function thumbnail(look: Look): SVGSVGElement {
  const rows = look.thumbnail.map((row) => row.split(" ").filter(Boolean));
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const unit = SIZE / Math.max(columns, rows.length);
  const [left, top] = [(SIZE - columns * unit) / 2, (SIZE - rows.length * unit) / 2];
  const cells: Placed[] = rows.flatMap((row, i) =>
    row.map((symbol, k) => ({ x: left + (k + 0.5) * unit, y: top + (i + 0.5) * unit, row: i, column: k, what: standing(look, symbol, true) })),
  );
  const fence = ({ x, y, row, column }: Placed): SVGElement[] => {
    const sign = rows[row]?.[column]?.at(-1);
    const [half, thick] = sign === "-" ? [unit, 1.6] : [1.6, unit];
    const middle = { x: x + unit / 2 - half, y: y - unit / 2 - thick };
    return sign === "-" || sign === "|" ? [s("rect", { class: "tfence", ...middle, width: 2 * half, height: 2 * thick, rx: 1 })] : [];
  };
  const parts = look.board.ground === "hexagons" ? hexagons(cells) : [...ground(look, cells, unit), ...cells.flatMap((cell) => piece(cell, unit)), ...cells.flatMap(fence)];
  return dress(s("svg", { class: `thumbnail ground-${look.board.ground}`, viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": true }, ...parts), look);
}
