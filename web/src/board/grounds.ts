// The boards without anything on them.
import type { GameInfo } from "../api";
import { s } from "../dom";
import { type Kind, type Layout, type Point, UNIT, hexagon, loopReach, points, stickerCount } from "./layout";

type Ground = (info: GameInfo, layout: Layout, flip: boolean) => SVGElement[];

const cellsOf = (info: GameInfo): number[] => Array.from({ length: info.rows * info.columns }, (_, i) => i);

function wooden(layout: Layout, radius = 22): SVGElement {
  return s("rect", { class: "wood", width: layout.width, height: layout.height, rx: radius });
}

const checker: Ground = (info, layout) => [
  wooden(layout),
  ...cellsOf(info).map((cell) => {
    const { x, y } = layout.centre(cell);
    const dark = (Math.floor(cell / info.columns) + (cell % info.columns)) % 2;
    return s("rect", { class: dark ? "dark-square" : "light-square", x: x - 50, y: y - 50, width: 100, height: 100 });
  }),
];

const felt: Ground = (info, layout) => {
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

/** Lines through the centres of all the cells, from border to border. */
function grid(info: GameInfo, layout: Layout): SVGElement[] {
  const first = layout.centre(0);
  const last = layout.centre(info.rows * info.columns - 1);
  const result: SVGElement[] = [];
  for (let row = 0; row < info.rows; row++) {
    const { y } = layout.centre(row * info.columns);
    result.push(s("path", { class: "line", d: `M${first.x} ${y}H${last.x}` }));
  }
  for (let column = 0; column < info.columns; column++) {
    const { x } = layout.centre(column);
    result.push(s("path", { class: "line", d: `M${x} ${first.y}V${last.y}` }));
  }
  return result;
}

const lines: Ground = (info, layout) => {
  const far = info.rows >= 13 ? 3 : 2;
  const middle = (info.rows - 1) / 2;
  const at = [far, middle, info.rows - 1 - far].filter(Number.isInteger);
  const stars =
    info.rows < 9
      ? []
      : at.flatMap((row) =>
          at.map((column) => {
            const { x, y } = layout.centre(row * info.columns + column);
            return s("circle", { class: "star", cx: x, cy: y, r: 8 });
          }),
        );
  return [wooden(layout), ...grid(info, layout), ...stars];
};

/** Surakarta: at each corner the i-th lines from it are joined by three quarters of a circle. */
const loops: Ground = (info, layout) => {
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
  const dots = cellsOf(info).map((cell) => {
    const { x, y } = layout.centre(cell);
    return s("circle", { class: "knot", cx: x, cy: y, r: 7 });
  });
  return [
    wooden(layout, loopReach(info) * 0.7),
    s("rect", { class: "border-line", x: left, y: top, width: right - left, height: bottom - top }),
    ...arcs,
    ...dots,
  ];
};

/** Santorini: an island of grass with a paved square for each cell. */
const floors: Ground = (info, layout) => [
  s("rect", { class: "sea", width: layout.width, height: layout.height, rx: 34 }),
  ...cellsOf(info).map((cell) => {
    const { x, y } = layout.centre(cell);
    const dark = (Math.floor(cell / info.columns) + (cell % info.columns)) % 2;
    return s("rect", { class: `grass grass-${dark}`, x: x - 50, y: y - 50, width: 100, height: 100 });
  }),
];

/** Hex: the first player's edges are the upper and lower ones, the second player's the sides. */
const hex: Ground = (info, layout, flip) => {
  const { rows, columns } = info;
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
    ...cellsOf(info).map((cell) => {
      const tone = ((cell % columns) - Math.floor(cell / columns) + rows * 3) % 3;
      return s("polygon", { class: `hexagon tone-${tone}`, points: points(layout.outline(cell)) });
    }),
  ];
};

/** Connect Four: only the back of the frame, the front goes over the stones. */
const frame: Ground = (_, layout) => [
  s("rect", { class: "frame-back", width: layout.width, height: layout.height, rx: 40 }),
];

/** The front of the frame of Connect Four: a plate with holes. */
export function frameFront(info: GameInfo, layout: Layout): SVGElement[] {
  const hole = (cell: number): string => {
    const { x, y } = layout.centre(cell);
    return `M${x - 42} ${y}a42 42 0 1 0 84 0a42 42 0 1 0 -84 0Z`;
  };
  const { width, height } = layout;
  const plate = `M40 0H${width - 40}a40 40 0 0 1 40 40V${height - 40}a40 40 0 0 1 -40 40H40a40 40 0 0 1 -40 -40V40a40 40 0 0 1 40 -40Z`;
  const rims = cellsOf(info).map((cell) => {
    const { x, y } = layout.centre(cell);
    return s("circle", { class: "rim", cx: x, cy: y, r: 43.5 });
  });
  return [s("path", { class: "plate", "fill-rule": "evenodd", d: plate + cellsOf(info).map(hole).join("") }), ...rims];
}

const cube: Ground = (info, layout) =>
  Array.from({ length: stickerCount(info) }, (_, cell) => {
    const { x, y } = layout.centre(cell);
    return s("rect", { class: "plastic", x: x - 52, y: y - 52, width: 104, height: 104, rx: 4 });
  });

export const grounds: Record<Kind, Ground> = { checker, felt, lines, loops, floors, hex, frame, cube };
