// A river across a board of lines, with what is written in it, and the corners that mark crossings.
import type { GameInfo } from "../api";
import { s } from "../dom";
import { drawable, inscription } from "./glyphs";
import type { Layout } from "./layout";

/** how far the water is from the lines around it */
const BANK = 3;

/** The water, and the words in it, one after the other from the left. */
export function riverOf(info: GameInfo, layout: Layout): SVGElement[] {
  const { river, words } = info.look.board;
  if (!river) return [];
  const [first, last] = [layout.centre((river - 1) * info.columns), layout.centre(river * info.columns + info.columns - 1)];
  const [left, width, y] = [Math.min(first.x, last.x), Math.abs(last.x - first.x), (first.y + last.y) / 2];
  const height = Math.abs(last.y - first.y) - 2 * BANK;
  const water = s("rect", { class: "river", x: left + BANK, y: y - height / 2, width: width - 2 * BANK, height });
  if (![...words.join("")].every(drawable)) return [water]; // better no words than empty boxes
  return [water, ...words.flatMap((word, i) => inscription(word, left + ((i + 0.5) * width) / words.length, y))];
}

/** Four corners around a crossing, or the two of them that are on the board. */
export function corners(layout: Layout, cell: number): SVGElement {
  const { x, y } = layout.centre(cell);
  const xs = layout.cells.map((one) => layout.centre(one).x);
  const sides = [-1, 1].filter((side) => (side < 0 ? x > Math.min(...xs) : x < Math.max(...xs)));
  const path = sides.flatMap((side) => [-1, 1].map((up) => `M${x + 22 * side} ${y + 8 * up}h${-14 * side}v${14 * up}`));
  return s("path", { class: "mark mark-corners", d: path.join("") });
}
