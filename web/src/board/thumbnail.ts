// A small picture of each game for the cards of the dialog.
import { s } from "../dom";

type Stone = [x: number, y: number, owner: 1 | 2];

const STONES: Record<string, Stone[]> = {
  othello: [[1, 1, 2], [2, 1, 1], [1, 2, 1], [2, 2, 2], [3, 1, 1]],
  breakthrough: [[0, 3, 1], [1, 3, 1], [3, 2, 1], [0, 0, 2], [2, 0, 2], [3, 0, 2]],
  clobber: [[0, 0, 1], [1, 0, 2], [2, 0, 1], [3, 0, 2], [0, 1, 2], [2, 1, 2], [3, 1, 1], [1, 2, 2], [2, 2, 1], [0, 3, 2], [3, 3, 1]],
  lines_of_action: [[1, 0, 1], [2, 0, 1], [0, 1, 2], [3, 1, 2], [0, 2, 2], [2, 2, 1], [1, 3, 1]],
  surakarta: [[0, 3, 1], [1, 3, 1], [2, 2, 1], [1, 0, 2], [2, 0, 2], [3, 0, 2]],
  outer_open_gomoku: [[0, 1, 1], [1, 1, 2], [1, 2, 1], [2, 2, 2], [2, 3, 1]],
  connect_four: [[0, 3, 1], [1, 3, 2], [2, 3, 1], [1, 2, 1], [2, 2, 2], [3, 3, 2]],
};

const circle = ([x, y, owner]: Stone) => s("circle", { class: `t${owner}`, cx: 8 + x * 16, cy: 8 + y * 16, r: 6.2 });

function squares(): SVGElement[] {
  return Array.from({ length: 16 }, (_, i) => {
    const [x, y] = [i % 4, Math.floor(i / 4)];
    return s("rect", { class: (x + y) % 2 ? "tdark" : "tlight", x: x * 16, y: y * 16, width: 16, height: 16 });
  });
}

function grid(): SVGElement[] {
  return [8, 24, 40, 56].flatMap((at) => [s("path", { class: "tline", d: `M8 ${at}H56M${at} 8V56` })]);
}

function hexagons(): SVGElement[] {
  const owners = [0, 0, 2, 0, 1, 0, 2, 1, 0, 1, 0, 2];
  return owners.map((owner, i) => {
    const [x, y] = [13 + (i % 4) * 13 - Math.floor(i / 4) * 6.5 + 10, 15 + Math.floor(i / 4) * 16];
    const list = [0, 1, 2, 3, 4, 5].map((k) => {
      const angle = (Math.PI / 3) * k + Math.PI / 6;
      return `${(x - 4 + 7 * Math.cos(angle)).toFixed(1)},${(y + 9 * Math.sin(angle)).toFixed(1)}`;
    });
    return s("polygon", { class: owner ? `h${owner}` : "h0", points: list.join(" ") });
  });
}

function towers(): SVGElement[] {
  const levels = [1, 0, 2, 3, 4, 1, 0, 2, 0];
  return levels.flatMap((level, i) => {
    const [x, y] = [11 + (i % 3) * 21, 11 + Math.floor(i / 3) * 21];
    const floors = Array.from({ length: Math.min(3, level) }, (_, k) => {
      const half = 9 - k * 2.2;
      return s("rect", { class: `tfloor${k}`, x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 2 });
    });
    return [
      s("rect", { class: "tgrass", x: x - 10, y: y - 10, width: 20, height: 20, rx: 2 }),
      ...floors,
      level === 4 && s("circle", { class: "tdome", cx: x, cy: y, r: 5 }),
    ].filter((part): part is Exclude<typeof part, false> => part !== false);
  });
}

function amazons(): SVGElement[] {
  return [
    ...squares(),
    ...([[1, 0, 2], [0, 3, 1], [3, 2, 1]] as Stone[]).map(circle),
    ...[[2, 1], [1, 2], [3, 0]].map(([x = 0, y = 0]) => s("rect", { class: "tblock", x: x * 16 + 3, y: y * 16 + 3, width: 10, height: 10, rx: 2 })),
  ];
}

function cube(): SVGElement[] {
  const faces = [[1, 0], [0, 1], [1, 1], [2, 1], [3, 1], [1, 2]];
  return faces.map(([x = 0, y = 0], i) => s("rect", { class: `sticker sticker-${i}`, x: x * 16 + 0.8, y: y * 16 + 8.8, width: 14.4, height: 14.4, rx: 2.5 }));
}

const GRIDS = new Set(["surakarta", "outer_open_gomoku"]);

export function thumbnail(name: string): SVGSVGElement {
  const stones = (STONES[name] ?? [[1, 1, 1], [2, 2, 2]]).map((stone) => circle(stone as Stone));
  const parts =
    name === "hex" ? hexagons()
    : name === "santorini" ? towers()
    : name === "amazons" ? amazons()
    : name.startsWith("rubik") ? cube()
    : [...(GRIDS.has(name) ? grid() : squares()), ...stones];
  return s("svg", { class: `thumbnail thumb-${name}`, viewBox: "0 0 64 64", "aria-hidden": true }, ...parts);
}
