// The chequered board of draughts, whose dark squares have numbers.
import { s } from "../dom";
import type { Drawing } from "./grounds";
import { UNIT, numbered } from "./layout";

/** The number of a dark square: there is one in every two cells. */
export const squareNumber = (cell: number): number => Math.floor(cell / 2) + 1;

export const draughts: Drawing = (info, layout) => {
  const tile = (name: string, cell: number): SVGElement => {
    const { x, y } = layout.centre(cell);
    return s("rect", { class: name, x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT });
  };
  const number = (cell: number): SVGElement => {
    const { x, y } = layout.centre(cell);
    return s("text", { class: "square-number", x: x - 46, y: y - 46 }, String(squareNumber(cell)));
  };
  return [
    s("rect", { class: "wood", width: layout.width, height: layout.height, rx: 16 }),
    ...info.absent.map((cell) => tile("light-square", cell)),
    ...layout.cells.map((cell) => tile("dark-square", cell)),
    ...(numbered(info) ? layout.cells.map(number) : []),
  ];
};
