// Several small boards: those on the left are dark, those on the right light, and a rope lies between what
// is home of the one player and of the other: Shobu.
import { s } from "../dom";
import { type Drawing, tile, wooden } from "./grounds";
import { boardOf } from "./layout";

export const boards: Drawing = (info, layout) => {
  const left = (cell: number): boolean => (info.boards[boardOf(info, cell)]?.column ?? 0) === 0;
  const rope = layout.height / 2;
  return [
    ...wooden(info, layout, 14),
    ...layout.cells.map((cell) => tile(`board-tile ${left(cell) ? "dark-square" : "light-square"}`, layout.centre(cell))),
    s("path", { class: "rope", d: `M20 ${rope.toFixed(1)}H${(layout.width - 20).toFixed(1)}` }),
  ];
};
