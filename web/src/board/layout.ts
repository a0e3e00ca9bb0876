// Where the cells of a board are: a square is 100 units wide, and so is a hexagon from side to side.
import type { GameInfo } from "../api";

export const UNIT = 100;
const SIDE = UNIT / Math.sqrt(3); // of a hexagon

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
  centre: (cell: number) => Point;
  /** the outline of a cell as the points of a polygon */
  outline: (cell: number) => Point[];
  labels: Label[];
}

export interface Shape {
  rows: number;
  columns: number;
  row_names: string[];
  column_names: string[];
}

export const points = (list: Point[]): string =>
  list.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ");

/** The cell that stands where this one would if the board were turned by half. */
export const turned = (info: Shape, cell: number, flip: boolean): number =>
  flip ? info.rows * info.columns - 1 - cell : cell;

/** The corners of a square cell. */
function square({ x, y }: Point): Point[] {
  const half = UNIT / 2;
  return [
    { x: x - half, y: y - half },
    { x: x + half, y: y - half },
    { x: x + half, y: y + half },
    { x: x - half, y: y + half },
  ];
}

/** Squares with a margin all around; labels at the left and below. */
export function squareLayout(info: Shape, flip: boolean, margin: number, labelled = true): Layout {
  const { rows, columns } = info;
  const at = (cell: number): Point => {
    const shown = turned(info, cell, flip);
    return {
      x: margin + ((shown % columns) + 0.5) * UNIT,
      y: margin + (Math.floor(shown / columns) + 0.5) * UNIT,
    };
  };
  const width = columns * UNIT + 2 * margin;
  const height = rows * UNIT + 2 * margin;
  const labels: Label[] = [];
  if (labelled) {
    const edge = Math.min(margin / 2, 28);
    info.row_names.forEach((text, row) => labels.push({ text, x: edge, y: at(row * columns).y }));
    info.column_names.forEach((text, column) => labels.push({ text, x: at(column).x, y: height - edge }));
  }
  return {
    width,
    height,
    radius: 40,
    centre: at,
    outline: (cell) => square(at(cell)),
    labels,
  };
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

/** A rhombus of hexagons that leans to the right. */
export function hexLayout(info: Shape, flip: boolean): Layout {
  const { rows, columns } = info;
  const margin = 78;
  const at = (cell: number): Point => {
    const shown = turned(info, cell, flip);
    const row = Math.floor(shown / columns);
    return {
      x: margin + ((shown % columns) + row / 2 + 0.5) * UNIT,
      y: margin + SIDE + row * SIDE * 1.5,
    };
  };
  const labels: Label[] = [];
  info.row_names.forEach((text, row) => {
    const p = at(row * columns);
    const side = flip ? 1 : -1;
    labels.push({ text, x: p.x + side * 84, y: p.y - side * 20, owner: "p2" });
  });
  info.column_names.forEach((text, column) => {
    const p = at(column);
    const side = flip ? 1 : -1;
    labels.push({ text, x: p.x + side * 28, y: p.y + side * 92, owner: "p1" });
  });
  return {
    width: 2 * margin + (columns + (rows - 1) / 2) * UNIT,
    height: 2 * margin + (1.5 * (rows - 1) + 2) * SIDE,
    radius: 38,
    centre: at,
    outline: (cell) => hexagon(at(cell)),
    labels,
  };
}

const GAP = 0.24; // between the faces of a cube, in stickers

/** Where the stickers of a cube lie when it is unfolded: its faces U, R, F, D, L, B, each row by row. */
export function cubeNet(stickers: number): { size: number; at: Point[] } {
  const size = Math.round(Math.sqrt(stickers / 6));
  const faces = [
    [1, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 1],
    [3, 1],
  ];
  const at = faces.flatMap(([column = 0, row = 0]) =>
    Array.from({ length: size * size }, (_, i) => ({
      x: (column * (size + GAP) + (i % size) + 0.5) * UNIT,
      y: (row * (size + GAP) + Math.floor(i / size) + 0.5) * UNIT,
    })),
  );
  return { size, at };
}

/** An unfolded cube; there is nothing to flip and nothing to name. */
export function cubeLayout(stickers: number): Layout {
  const { size, at } = cubeNet(stickers);
  const margin = 40;
  const centre = (cell: number): Point => {
    const p = at[cell] ?? { x: 0, y: 0 };
    return { x: p.x + margin, y: p.y + margin };
  };
  return {
    width: (4 * size + 3 * GAP) * UNIT + 2 * margin,
    height: (3 * size + 2 * GAP) * UNIT + 2 * margin,
    radius: 40,
    centre,
    outline: (cell) => square(centre(cell)),
    labels: [],
  };
}

export type Kind = "felt" | "checker" | "lines" | "hex" | "frame" | "loops" | "floors" | "cube";

const KINDS: Record<string, Kind> = {
  othello: "felt",
  breakthrough: "checker",
  clobber: "checker",
  amazons: "checker",
  lines_of_action: "checker",
  santorini: "floors",
  surakarta: "loops",
  outer_open_gomoku: "lines",
  connect_four: "frame",
};

/** How a game's board is drawn; a game that is not known gets the squares or hexagons it asks for. */
export function kindOf(info: Pick<GameInfo, "name" | "hexagonal">): Kind {
  if (info.name.startsWith("rubik")) return "cube";
  return KINDS[info.name] ?? (info.hexagonal ? "hex" : "checker");
}

/** The number of stickers of a cube, by the size in its name: rubik3 has 54. */
export function stickerCount(info: Pick<GameInfo, "name">): number {
  const size = Number.parseInt(/\d+/.exec(info.name)?.[0] ?? "3", 10);
  return 6 * size * size;
}

/** The stickers of a cube, from the text of a state: the letters of its faces. */
export const stickersOf = (state: string): string[] => [...(state.split(" ")[0] ?? "").replaceAll("/", "")];

/** How far the loops of Surakarta reach beyond the outermost lines, in units. */
export const loopReach = (info: Shape): number => (info.rows / 2 - 1) * UNIT;

export function layoutOf(info: GameInfo, flip: boolean): Layout {
  switch (kindOf(info)) {
    case "hex":
      return hexLayout(info, flip);
    case "loops":
      return { ...squareLayout(info, flip, loopReach(info) - UNIT / 2 + 56), radius: 34 };
    case "frame":
      return { ...squareLayout(info, false, 26, false), radius: 42 };
    case "lines":
      return { ...squareLayout(info, flip, 50), radius: 45 };
    case "cube":
      return cubeLayout(stickerCount(info));
    default:
      return squareLayout(info, flip, 56);
  }
}
