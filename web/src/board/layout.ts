// Where the cells of a board are: a square is 100 units wide, and so is a hexagon from side to side.
import type { GameInfo, Ground, Part } from "../api";

export const UNIT = 100;
const SIDE = UNIT / Math.sqrt(3); // of a hexagon
/** the side of a tile with grooves around it, in which walls stand */
export const TILE = 84;
const BETWEEN = 0.7; // two boards, in squares

export interface Point {
  x: number;
  y: number;
}

export interface Label extends Point {
  text: string;
  /** whose goal edge the label stands at, if any */
  owner?: "p1" | "p2";
}

export interface Layout {
  width: number;
  height: number;
  /** the radius of a stone */
  radius: number;
  /** the cells that are there */
  cells: number[];
  centre: (cell: number) => Point;
  /** the outline of a cell as the points of a polygon */
  outline: (cell: number) => Point[];
  labels: Label[];
  /** whether a path of four cells is a wall between them */
  walls?: boolean;
}

export interface Shape {
  rows: number;
  columns: number;
  row_names: string[];
  column_names: string[];
  absent: number[];
  boards: Part[];
}

/** Whether pieces stand on crossings of lines, and whether they drop into columns, by the ground. */
export const onCrossings = (ground: Ground): boolean => ground === "lines" || ground === "loops" || ground === "paper";
export const drops = (ground: Ground): boolean => ground === "frame";

/** Whether the squares of a draughts board have numbers: on 64 of them people write letters at the edges. */
export const numbered = ({ columns }: Pick<Shape, "columns">): boolean => columns !== 8;

export const points = (list: Point[]): string =>
  list.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ");

/** The cell that stands where this one would if the board were turned by half. */
export const turned = (info: Pick<Shape, "rows" | "columns">, cell: number, flip: boolean): number =>
  flip ? info.rows * info.columns - 1 - cell : cell;

/** The cells that are there. */
export function presentCells(info: Shape): number[] {
  const absent = new Set(info.absent);
  return Array.from({ length: info.rows * info.columns }, (_, cell) => cell).filter((cell) => !absent.has(cell));
}

/** The nearest cell that is there in a direction, as the board is shown; null at its edge. */
export function neighbour(info: Shape, cell: number, [down, right]: [number, number], flip: boolean): number | null {
  const absent = new Set(info.absent);
  const shown = turned(info, cell, flip);
  let row = Math.floor(shown / info.columns) + down;
  let column = (shown % info.columns) + right;
  while (row >= 0 && row < info.rows && column >= 0 && column < info.columns) {
    const found = turned(info, row * info.columns + column, flip);
    if (!absent.has(found)) return found;
    row += down;
    column += right;
  }
  return null;
}

/** The number of the board that a cell is on, where there are several; -1 where it is all one. */
export function boardOf(info: Shape, cell: number): number {
  const [row, column] = [Math.floor(cell / info.columns), cell % info.columns];
  return info.boards.findIndex(
    (part) => part.row <= row && row < part.row + part.rows && part.column <= column && column < part.column + part.columns,
  );
}

/** The row and column of a cell in squares, with room between several boards. */
function spread(info: Shape): (cell: number) => { row: number; column: number } {
  const gaps = (starts: number[]) => (at: number) => at + BETWEEN * [...new Set(starts)].filter((start) => start > 0 && start <= at).length;
  const down = gaps(info.boards.map((part) => part.row));
  const across = gaps(info.boards.map((part) => part.column));
  return (cell) => ({ row: down(Math.floor(cell / info.columns)), column: across(cell % info.columns) });
}

/** The first of some cells in each row, or in each column. */
function firsts(cells: number[], line: (cell: number) => number): [number, number][] {
  const found = new Map<number, number>();
  for (const cell of cells) if (!found.has(line(cell))) found.set(line(cell), cell);
  return [...found];
}

/** The corners of a square cell. */
export function square({ x, y }: Point, half = UNIT / 2): Point[] {
  return [
    { x: x - half, y: y - half },
    { x: x + half, y: y - half },
    { x: x + half, y: y + half },
    { x: x - half, y: y + half },
  ];
}

/** Squares with a margin all around; labels at the left and below. */
export function squareLayout(info: Shape, flip: boolean, margin: number, labelled = true): Layout {
  const place = spread(info);
  const last = place(info.rows * info.columns - 1);
  const width = (last.column + 1) * UNIT + 2 * margin;
  const height = (last.row + 1) * UNIT + 2 * margin;
  const at = (cell: number): Point => {
    const { row, column } = place(cell);
    const [x, y] = [margin + (column + 0.5) * UNIT, margin + (row + 0.5) * UNIT];
    return flip ? { x: width - x, y: height - y } : { x, y };
  };
  const cells = presentCells(info);
  const labels: Label[] = [];
  if (labelled) {
    const edge = Math.min(margin / 2, Math.max(28, 2.4 * info.columns)); // names grow with the board
    for (const [row, cell] of firsts(cells, (cell) => Math.floor(cell / info.columns))) labels.push({ text: info.row_names[row] ?? "", x: edge, y: at(cell).y });
    for (const [column, cell] of firsts(cells, (cell) => cell % info.columns)) labels.push({ text: info.column_names[column] ?? "", x: at(cell).x, y: height - edge });
  }
  return { width, height, radius: 40, cells, centre: at, outline: (cell) => square(at(cell)), labels };
}

/** A frame into whose columns stones drop: the columns are numbered below. */
export function frameLayout(info: Shape, flip: boolean): Layout {
  const layout = squareLayout(info, flip, 36, false);
  const y = layout.height - 20;
  const labels = info.column_names.map((_, column) => ({ text: String(column + 1), x: layout.centre(column).x, y }));
  return { ...layout, labels };
}

/** The corners of a hexagon from the top on, clockwise. */
export function hexagon({ x, y }: Point): Point[] {
  const half = UNIT / 2;
  return [
    { x, y: y - SIDE },
    { x: x + half, y: y - SIDE / 2 },
    { x: x + half, y: y + SIDE / 2 },
    { x, y: y + SIDE },
    { x: x - half, y: y + SIDE / 2 },
    { x: x - half, y: y - SIDE / 2 },
  ];
}

/** The size of the names at the edges of a board: they grow with it. */
export const labelSize = (columns: number, width: number): number => Math.round(24 * Math.max(1, columns / 8, Math.min(1.7, width / 1000)));

/** A rhombus of hexagons that leans to the right, or what is there of it. */
export function hexLayout(info: Shape, flip: boolean, owned = false): Layout {
  const place = spread(info);
  const raw = (cell: number): Point => {
    const { row, column } = place(cell);
    return { x: (column + row / 2) * UNIT, y: row * SIDE * 1.5 };
  };
  const cells = presentCells(info);
  const all = cells.map(raw);
  const [left, right] = [Math.min(...all.map((p) => p.x)), Math.max(...all.map((p) => p.x))];
  const [top, bottom] = [Math.min(...all.map((p) => p.y)), Math.max(...all.map((p) => p.y))];
  const across = right - left + UNIT;
  const wide = 0.7 * labelSize(info.columns, across); // of a digit in a wide font
  const outermost = Math.floor((cells[all.findIndex((p) => p.x === left)] ?? 0) / info.columns);
  const margin = Math.max(78, 29 + wide * (info.row_names[outermost]?.length ?? 1));
  const width = 2 * margin + across;
  const height = 2 * margin + bottom - top + 2 * SIDE;
  const at = (cell: number): Point => {
    const p = raw(cell);
    const [x, y] = [margin + p.x - left + UNIT / 2, margin + p.y - top + SIDE];
    return flip ? { x: width - x, y: height - y } : { x, y };
  };
  const side = flip ? 1 : -1;
  // The columns of a rhombus are named above; those of a hexagon below, where no row has its name.
  const [from, below] = info.absent.length ? [[...cells].reverse(), -1] : [cells, 1];
  const label = (text: string | undefined, p: Point, dx: number, dy: number, owner: "p1" | "p2"): Label => ({
    text: text ?? "",
    x: p.x + side * dx,
    y: p.y + side * dy,
    ...(owned ? { owner } : {}),
  });
  // However long a name is, it ends before the edge.
  const out = (name = ""): number => 77 + (wide / 2) * name.length;
  const labels = [
    ...firsts(cells, (cell) => Math.floor(cell / info.columns)).map(([row, cell]) => label(info.row_names[row], at(cell), out(info.row_names[row]), -20, "p2")),
    ...firsts(from, (cell) => cell % info.columns).map(([column, cell]) => label(info.column_names[column], at(cell), below * 28, below * 92, "p1")),
  ];
  return { width, height, radius: 38, cells, centre: at, outline: (cell) => hexagon(at(cell)), labels };
}

const GAP = 0.24; // between the faces of a cube, in stickers

/** Where the stickers of a cube lie when it is unfolded: its faces U, R, F, D, L, B, each row by row. */
export function cubeNet(size: number): Point[] {
  const faces = [
    [1, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 1],
    [3, 1],
  ];
  return faces.flatMap(([column = 0, row = 0]) =>
    Array.from({ length: size * size }, (_, i) => ({
      x: (column * (size + GAP) + (i % size) + 0.5) * UNIT,
      y: (row * (size + GAP) + Math.floor(i / size) + 0.5) * UNIT,
    })),
  );
}

/** An unfolded cube, whose cells are its stickers; there is nothing to flip and nothing to name. */
export function cubeLayout(size: number): Layout {
  const at = cubeNet(size);
  const margin = 40;
  const centre = (cell: number): Point => {
    const p = at[cell] ?? { x: 0, y: 0 };
    return { x: p.x + margin, y: p.y + margin };
  };
  // The letter of a face stands in the middle of it.
  const middle = (face: number): Point => {
    const [one, other] = [centre(face * size * size), centre((face + 1) * size * size - 1)];
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
  };
  return {
    width: (4 * size + 3 * GAP) * UNIT + 2 * margin,
    height: (3 * size + 2 * GAP) * UNIT + 2 * margin,
    radius: 40,
    cells: at.map((_, cell) => cell),
    centre,
    outline: (cell) => square(centre(cell)),
    labels: FACES.map((text, face) => ({ text, ...middle(face) })),
  };
}

/** The faces in the order of the stickers. */
export const FACES = ["U", "R", "F", "D", "L", "B"];

/** The stickers of a cube, from the text of a state: the letters of its faces. */
export const stickersOf = (state: string): string[] => [...(state.split(" ")[0] ?? "").replaceAll("/", "")];

/** The text of a cube with these stickers that nobody has turned yet. */
export function cubeText(stickers: string[]): string {
  const size = stickers.length / FACES.length;
  return `${FACES.map((_, face) => stickers.slice(face * size, (face + 1) * size).join("")).join("/")} 0`;
}

/** How far loops at the corners reach beyond the outermost lines, in units. */
export const loopReach = (info: Pick<Shape, "rows">): number => (info.rows / 2 - 1) * UNIT;

export function layoutOf(info: GameInfo, flip: boolean): Layout {
  const { ground, edges, size } = info.look.board;
  switch (ground) {
    case "hexagons":
      return hexLayout(info, flip, edges);
    case "loops":
      return { ...squareLayout(info, flip, loopReach(info) - UNIT / 2 + 56), radius: 34 };
    case "frame":
      return { ...frameLayout(info, flip), radius: 42 };
    case "lines":
      return { ...squareLayout(info, flip, info.columns > 12 ? 88 : 50), radius: 45 };
    case "paper":
      return { ...squareLayout(info, flip, 88), radius: 26 };
    case "draughts":
      return numbered(info) ? squareLayout(info, flip, 26, false) : squareLayout(info, flip, 56);
    case "walls": {
      const layout = squareLayout(info, flip, 56);
      return { ...layout, radius: 34, walls: true, outline: (cell) => square(layout.centre(cell), TILE / 2) };
    }
    case "net":
      return cubeLayout(size);
    default:
      return squareLayout(info, flip, 56);
  }
}
