// Made-up games for the tests: what the server would say of them.
import type { GameInfo, Ground, Look, PieceLook } from "../src/api";

const piece = (changes: Partial<PieceLook> = {}): PieceLook => ({
  owner: "",
  acting: false,
  name: "",
  shape: "stone",
  mark: "",
  text: "",
  colour: "",
  ...changes,
});

/** A look with the usual pieces, and a few others. */
export const look = (board: Partial<Look["board"]> = {}): Look => ({
  board: {
    ground: "squares",
    flip: "seat",
    edges: false,
    rim: false,
    absent: "hidden",
    stars: false,
    river: 0,
    words: [],
    ghosts: true,
    wins: "",
    size: 3,
    marks: [],
    lines: [],
    ...board,
  },
  pieces: {
    X: piece({ owner: "first" }),
    x: piece({ owner: "first", acting: true }),
    O: piece({ owner: "second" }),
    o: piece({ owner: "second", acting: true }),
    m: piece({ owner: "mover", acting: true }),
    a: piece({ shape: "block", name: "arrow" }),
    K: piece({ owner: "first", text: "帥", name: "general" }),
  },
  colours: {},
  night: {},
  players: { first: "Black", second: "White", counted: "" },
  thumbnail: ["X .", ". O"],
});

export const game = (ground: Ground, rows: number, columns: number, changes: Partial<GameInfo> = {}): GameInfo => ({
  game: "made_up",
  name: "made_up",
  title: "Made up",
  players: 2,
  aim: "result",
  parameters: {},
  rows,
  columns,
  row_names: Array.from({ length: rows }, (_, i) => String(i + 1)),
  column_names: Array.from({ length: columns }, (_, i) => String.fromCharCode(97 + i)),
  absent: [],
  boards: [],
  symbols: [".", "X", "O"],
  sgf: false,
  editable: true,
  look: look({ ground }),
  opponents: [],
  ...changes,
});

/** A hexagon of hexagons with sides of this length, as Havannah has: the corners of the rhombus are not there. */
export function hexagonal(side: number): GameInfo {
  const n = 2 * side - 1;
  const absent = Array.from({ length: n * n }, (_, cell) => cell).filter((cell) => {
    const sum = Math.floor(cell / n) + (cell % n);
    return sum < side - 1 || sum > 3 * (side - 1);
  });
  return game("hexagons", n, n, { absent });
}

/** The dark squares of a board, as draughts has. */
export const dark = (size: number): GameInfo =>
  game("squares", size, size, {
    absent: Array.from({ length: size * size }, (_, cell) => cell).filter((cell) => (Math.floor(cell / size) + (cell % size)) % 2 === 0),
    look: look({ absent: "plain" }),
  });

/** Four boards of 4x4, as Shobu has. */
export const four = (ground: Ground = "squares"): GameInfo =>
  game(ground, 8, 8, {
    boards: [0, 4].flatMap((row) => [0, 4].map((column) => ({ row, column, rows: 4, columns: 4 }))),
  });
