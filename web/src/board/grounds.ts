// The boards without anything on them.
import type { GameInfo, Ground } from "../api";
import { s } from "../dom";
import { rimOf } from "./ground_rim";
import { boards } from "./boards";
import { type Layout, type Point, UNIT, boardOf, hexagon, loopReach, points } from "./layout";
import { draughts } from "./draughts";
import { corners, riverOf } from "./river";
import { paper } from "./paper";
import { tiles } from "./tiles";
import { walls } from "./walls";

export type Drawing = (info: GameInfo, layout: Layout, flip: boolean) => SVGElement[];

const parity = (info: GameInfo, cell: number): number => (Math.floor(cell / info.columns) + (cell % info.columns)) % 2;

/** The wood under the board, or under each of several boards. */
export function wooden(info: GameInfo, layout: Layout, radius = 22): SVGElement[] {
  if (!info.boards.length) return [s("rect", { class: "wood", width: layout.width, height: layout.height, rx: radius })];
  return info.boards.map((_, board) => {
    const at = layout.cells.filter((cell) => boardOf(info, cell) === board).map(layout.centre);
    const [left, right] = [Math.min(...at.map((p) => p.x)), Math.max(...at.map((p) => p.x))];
    const [top, bottom] = [Math.min(...at.map((p) => p.y)), Math.max(...at.map((p) => p.y))];
    const edge = UNIT / 2 + 12;
    return s("rect", { class: "wood", x: left - edge, y: top - edge, width: right - left + 2 * edge, height: bottom - top + 2 * edge, rx: radius });
  });
}

export const tile = (name: string, { x, y }: Point): SVGElement => s("rect", { class: name, x: x - 50, y: y - 50, width: 100, height: 100 });

const squares: Drawing = (info, layout) => [
  ...wooden(info, layout),
  ...(info.look.board.absent === "plain" ? info.absent.map((cell) => tile("light-square", layout.centre(cell))) : []),
  ...layout.cells.map((cell) => tile(parity(info, cell) ? "dark-square" : "light-square", layout.centre(cell))),
];

const felt: Drawing = (info, layout) => {
  const [left, top] = [layout.width / 2 - (info.columns * UNIT) / 2, layout.height / 2 - (info.rows * UNIT) / 2];
  const [width, height] = [info.columns * UNIT, info.rows * UNIT];
  const lines: SVGElement[] = [];
  for (let i = 1; i < info.columns; i++)
    lines.push(s("path", { class: "felt-line", d: `M${left + i * UNIT} ${top}v${height}` }));
  for (let i = 1; i < info.rows; i++)
    lines.push(s("path", { class: "felt-line", d: `M${left} ${top + i * UNIT}h${width}` }));
  const dots =
    info.rows >= 6
      ? [2, info.rows - 2].flatMap((row) =>
          [2, info.columns - 2].map((column) =>
            s("circle", { class: "felt-dot", cx: left + column * UNIT, cy: top + row * UNIT, r: 8 }),
          ),
        )
      : [];
  return [
    s("rect", { class: "felt-frame", width: layout.width, height: layout.height, rx: 24 }),
    s("rect", { class: "felt", x: left, y: top, width, height, rx: 6 }),
    ...lines,
    ...dots,
  ];
};

/** Where lines run from cell to cell: along runs of cells that are there, on one board. */
export function runs(info: GameInfo, layout: Layout, downwards: boolean): [number, number][] {
  const there = new Set(layout.cells);
  const { rows, columns } = info;
  const { river } = info.look.board;
  const cell = (line: number, i: number): number => (downwards ? i * columns + line : line * columns + i);
  const found: [number, number][] = [];
  for (let line = 0; line < (downwards ? columns : rows); line++) {
    let first = -1;
    for (let i = 0; i <= (downwards ? rows : columns); i++) {
      const here = i < (downwards ? rows : columns) && there.has(cell(line, i));
      const apart = first >= 0 && here && boardOf(info, cell(line, i)) !== boardOf(info, cell(line, i - 1));
      // The banks of a river are lines all the way.
      const wet = downwards && river > 0 && i === river && line > 0 && line < columns - 1;
      if (first >= 0 && (!here || apart || wet)) {
        found.push([cell(line, first), cell(line, i - 1)]);
        first = -1;
      }
      if (here && first < 0) first = i;
    }
  }
  return found;
}

const line = (name: string, cells: number[], layout: Layout): SVGElement =>
  s("polyline", { class: name, points: points(cells.map(layout.centre)) });

/** Star points: near the corners and, where there is a middle, on the middle lines. */
export function starCells({ rows, columns }: { rows: number; columns: number }): number[] {
  if (Math.min(rows, columns) < 9) return [];
  const far = Math.min(rows, columns) >= 13 ? 3 : 2;
  const at = (n: number): number[] => [far, (n - 1) / 2, n - 1 - far].filter(Number.isInteger);
  return at(rows).flatMap((row) => at(columns).map((column) => row * columns + column));
}

const lines: Drawing = (info, layout) => [
  ...wooden(info, layout),
  ...[false, true].flatMap((downwards) => runs(info, layout, downwards).map((ends) => line("line", ends, layout))),
  ...(info.look.board.stars ? starCells(info) : []).map((cell) => {
    const { x, y } = layout.centre(cell);
    return s("circle", { class: "star", cx: x, cy: y, r: 11 });
  }),
];

/** At each corner the i-th lines from it are joined by three quarters of a circle. */
const loops: Drawing = (info, layout) => {
  const size = info.rows;
  const [a, b] = [layout.centre(0), layout.centre(size * size - 1)];
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  const arcs: SVGElement[] = [];
  for (let i = 1; i < size / 2; i++) {
    const r = i * UNIT;
    const arc = (x: number, y: number, dx: number, dy: number, sweep: number) =>
      arcs.push(
        s("path", {
          class: `loop loop-${i}`,
          d: `M${x} ${y + dy * r}A${r} ${r} 0 1 ${sweep} ${x + dx * r} ${y}`,
        }),
      );
    arc(left, top, 1, 1, 1);
    arc(right, top, -1, 1, 0);
    arc(left, bottom, 1, -1, 0);
    arc(right, bottom, -1, -1, 1);
    const [low, high] = [top + r, bottom - r];
    for (const y of [low, high]) arcs.push(s("path", { class: `loop loop-${i}`, d: `M${left} ${y}H${right}` }));
    for (const x of [left + r, right - r]) arcs.push(s("path", { class: `loop loop-${i}`, d: `M${x} ${top}V${bottom}` }));
  }
  const dots = layout.cells.map((cell) => {
    const { x, y } = layout.centre(cell);
    return s("circle", { class: "knot", cx: x, cy: y, r: 7 });
  });
  return [
    ...wooden(info, layout, loopReach(info) * 0.7),
    s("rect", { class: "border-line", x: left, y: top, width: right - left, height: bottom - top }),
    ...arcs,
    ...dots,
  ];
};

/** An island of grass with a paved square for each cell. */
const floors: Drawing = (info, layout) => [
  s("rect", { class: "sea", width: layout.width, height: layout.height, rx: 34 }),
  ...layout.cells.map((cell) => tile(`grass grass-${parity(info, cell)}`, layout.centre(cell))),
];

const hexagons: Drawing = (info, layout, flip) => {
  const rim = info.look.board.rim ? rimOf(info) : () => "";
  return [
    ...(info.look.board.edges ? goalEdges(info, layout, flip) : []),
    ...layout.cells.map((cell) => {
      const tone = ((cell % info.columns) - Math.floor(cell / info.columns) + info.rows * 3) % 3;
      const place = rim(cell);
      return s("polygon", { class: `hexagon tone-${tone}${place && ` rim-${place}`}`, points: points(layout.outline(cell)) });
    }),
  ];
};

/** The edges of a rhombus: the upper and lower ones are the first player's, the sides the second's. */
function goalEdges({ rows, columns }: GameInfo, layout: Layout, flip: boolean): SVGElement[] {
  const corner = (row: number, column: number): Point[] => {
    const shown = flip ? (rows - 1 - row) * columns + columns - 1 - column : row * columns + column;
    return hexagon(layout.centre(shown));
  };
  const pick = (list: Point[], ...which: number[]): Point[] => which.map((i) => list[i] ?? { x: 0, y: 0 });
  const across = Array.from({ length: columns }, (_, i) => i);
  const down = Array.from({ length: rows }, (_, i) => i);
  const edge = (owner: string, list: Point[]) => s("polyline", { class: `edge ${owner}`, points: points(list) });
  return [
    edge("p1", across.flatMap((c) => pick(corner(0, c), 5, 0, 1))),
    edge("p1", across.flatMap((c) => pick(corner(rows - 1, c), 4, 3, 2))),
    edge("p2", down.flatMap((r) => pick(corner(r, 0), 5, 4, 3)).slice(0, -1)),
    edge("p2", down.flatMap((r) => pick(corner(r, columns - 1), 0, 1, 2)).slice(1)),
  ];
}

/** Only the back of the frame: the front goes over the stones. */
const frame: Drawing = (_, layout) => [
  s("rect", { class: "frame-back", width: layout.width, height: layout.height, rx: 40 }),
];

/** The front of a frame: a plate with holes. */
export function frameFront(layout: Layout): SVGElement[] {
  const hole = (cell: number): string => {
    const { x, y } = layout.centre(cell);
    return `M${x - 42} ${y}a42 42 0 1 0 84 0a42 42 0 1 0 -84 0Z`;
  };
  const { width, height } = layout;
  const plate = `M40 0H${width - 40}a40 40 0 0 1 40 40V${height - 40}a40 40 0 0 1 -40 40H40a40 40 0 0 1 -40 -40V40a40 40 0 0 1 40 -40Z`;
  const rims = layout.cells.map((cell) => {
    const { x, y } = layout.centre(cell);
    return s("circle", { class: "rim", cx: x, cy: y, r: 43.5 });
  });
  return [s("path", { class: "plate", "fill-rule": "evenodd", d: plate + layout.cells.map(hole).join("") }), ...rims];
}

const net: Drawing = (_, layout) =>
  layout.cells.map((cell) => {
    const { x, y } = layout.centre(cell);
    return s("rect", { class: "plastic", x: x - 52, y: y - 52, width: 104, height: 104, rx: 4 });
  });

const drawings: Record<Ground, Drawing> = { squares, felt, lines, loops, floors, hexagons, frame, net, paper, draughts, tiles, boards, walls };

/** What a look adds to single cells. */
function decorations(info: GameInfo, layout: Layout): SVGElement[] {
  const { marks, lines: strokes } = info.look.board;
  const shapes: Record<string, string> = {
    dot: "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0Z",
    ring: "M-30 0a30 30 0 1 0 60 0a30 30 0 1 0 -60 0Z",
    cross: "M-14 0H14M0 -14V14",
    trap: "M-32 -32H32V32H-32Z",
  };
  return [
    ...strokes.map((stroke) => line("line", stroke.cells, layout)),
    ...marks.flatMap((mark) =>
      mark.cells.map((cell) => {
        const { x, y } = layout.centre(cell);
        const shape = mark.shape ?? "dot";
        if (shape === "corners") return corners(layout, cell);
        return s("path", { class: `mark mark-${shape}`, transform: `translate(${x} ${y})`, d: shapes[shape] ?? "" });
      }),
    ),
  ];
}

/** The board of a game without anything on it. */
export function groundOf(info: GameInfo, layout: Layout, flip: boolean): SVGElement[] {
  return [...drawings[info.look.board.ground](info, layout, flip), ...decorations(info, layout), ...riverOf(info, layout)];
}
