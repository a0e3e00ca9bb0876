// Loose tiles in a dark tray, and walls where there is none: Ataxx.
import { s } from "../dom";
import type { Drawing } from "./grounds";

export const tiles: Drawing = (info, layout) => {
  const square = (name: string, cell: number, half: number, radius: number): SVGElement => {
    const { x, y } = layout.centre(cell);
    return s("rect", { class: name, x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: radius });
  };
  const wall = (cell: number): SVGElement[] => {
    const { x, y } = layout.centre(cell);
    const brick = `M${x - 40} ${y - 14}h80M${x - 40} ${y + 14}h80M${x} ${y - 40}v26M${x - 20} ${y - 14}v28M${x + 20} ${y - 14}v28M${x} ${y + 14}v26`;
    return [square("wall", cell, 42, 6), s("path", { class: "wall-joint", d: brick })];
  };
  return [
    s("rect", { class: "tray", width: layout.width, height: layout.height, rx: 30 }),
    ...layout.cells.map((cell) => square("tile", cell, 46, 13)),
    ...info.absent.flatMap(wall),
  ];
};
