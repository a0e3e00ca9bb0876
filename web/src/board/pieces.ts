// What stands on a cell, read from the symbol of its code.
//
// Symbols follow a convention, so that a game needs no code here: X or x is a piece of the first player, O
// or o of the second (small letters are pieces about to act), a dot is nothing, and a leading digit is the
// level on which it all stands. What the convention leaves open is said for single games below.
import type { GameInfo } from "../api";
import { s } from "../dom";
import type { Kind, Layout } from "./layout";

export interface Standing {
  owner: "p1" | "p2" | null;
  /** whether it has to act in the rest of the turn */
  acting: boolean;
  level: number;
  /** a symbol with another meaning */
  other: string | null;
}

const NOTHING: Standing = { owner: null, acting: false, level: 0, other: null };

export function standing(game: string, symbol: string, firstToMove: boolean): Standing {
  const level = symbol.length > 1 && /\d/.test(symbol[0] ?? "") ? Number(symbol[0]) : 0;
  const core = (symbol.length > 1 && /\d/.test(symbol[0] ?? "") ? symbol.slice(1) : symbol).trim();
  if (game === "amazons" && (core === "m" || core === "s"))
    return { owner: firstToMove ? "p1" : "p2", acting: true, level, other: null };
  switch (core) {
    case "X":
    case "x":
      return { owner: "p1", acting: core === "x", level, other: null };
    case "O":
    case "o":
      return { owner: "p2", acting: core === "o", level, other: null };
    default:
      return /^[.]*$/.test(core) ? { ...NOTHING, level } : { ...NOTHING, level, other: core };
  }
}

/** The words for a screen reader. */
export function spoken(what: Standing, names: { p1: string; p2: string }): string {
  const floor = what.level ? `level ${what.level}` : "";
  const piece = what.owner ? names[what.owner] : what.other === "a" ? "arrow" : (what.other ?? "");
  return [floor, piece].filter(Boolean).join(", ") || "empty";
}

const CROWN = "M-19 14 L-23 -12 L-11 -1 L0 -19 L11 -1 L23 -12 L19 14 Z";

function stone(owner: string, r: number): SVGElement[] {
  return [
    s("circle", { class: "shade", r, cy: 4 }),
    s("circle", { class: `stone ${owner}`, r, fill: `url(#${owner})` }),
    s("circle", { class: `gleam ${owner}`, r: r - 1.5 }),
  ];
}

function piece(kind: Kind, game: string, owner: "p1" | "p2", layout: Layout): SVGElement[] {
  if (kind === "floors")
    return [
      s("ellipse", { class: "shade", rx: 20, ry: 7, cy: 22 }),
      s("path", {
        class: `worker ${owner}`,
        d: "M-20 21 Q-17 2 -7 -3 A13 13 0 1 1 7 -3 Q17 2 20 21 Q0 29 -20 21Z",
        fill: `url(#${owner})`,
      }),
    ];
  const parts = stone(owner, layout.radius);
  if (game === "amazons") parts.push(s("path", { class: `crown ${owner}`, d: CROWN }), s("path", { class: `crown ${owner}`, d: "M-19 19H19" }));
  if (game === "breakthrough")
    parts.push(s("path", { class: `chevron ${owner}`, d: owner === "p1" ? "M-14 7 L0 -8 L14 7" : "M-14 -7 L0 8 L14 -7" }));
  if (kind === "frame") parts.push(s("circle", { class: `ring ${owner}`, r: layout.radius - 12 }));
  return parts;
}

/** The floors of a tower seen from above: each a step smaller than the one below, then the dome. */
function tower(level: number): SVGElement[] {
  const parts: SVGElement[] = [];
  for (let floor = 1; floor <= Math.min(level, 3); floor++) {
    const half = 50 - floor * 5.5;
    parts.push(
      s("rect", { class: "floor-shade", x: -half, y: -half + 5, width: 2 * half, height: 2 * half, rx: 9 }),
      s("rect", { class: `floor floor-${floor}`, x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 9 }),
    );
  }
  if (level >= 4) parts.push(s("circle", { class: "dome", r: 27, fill: "url(#dome)" }));
  return parts;
}

/** All that is on a cell, around the origin; nothing if the cell is bare. */
export function draw(info: GameInfo, kind: Kind, what: Standing, layout: Layout): SVGElement | null {
  const parts: SVGElement[] = [];
  if (what.level) parts.push(...tower(what.level), ...(what.level < 4 ? [s("text", { class: "level", x: -24, y: 25 }, String(what.level))] : []));
  if (what.owner) parts.push(s("g", { class: `piece${what.acting ? " acting" : ""}` }, ...piece(kind, info.name, what.owner, layout)));
  else if (what.other === "a")
    parts.push(
      s("g", { class: "piece" }, s("rect", { class: "blocked", x: -38, y: -38, width: 76, height: 76, rx: 14 }),
        s("path", { class: "blocked-mark", d: "M-13 -13L13 13M13 -13L-13 13" })),
    );
  else if (what.other)
    parts.push(s("text", { class: "symbol" }, what.other));
  return parts.length ? s("g", {}, ...parts) : null;
}

/** A sticker of a cube in the colour of a face. */
export function sticker(face: string): SVGElement {
  return s("rect", { class: `sticker sticker-${face}`, x: -45, y: -45, width: 90, height: 90, rx: 13 });
}

/** The gradients of stones; their colours are set by the style sheet for each game and theme. */
export function gradients(): SVGElement {
  const gradient = (id: string) =>
    s(
      "radialGradient",
      { id, cx: "36%", cy: "30%", r: "75%" },
      s("stop", { offset: "0", class: `${id}-light` }),
      s("stop", { offset: "0.55", class: `${id}-mid` }),
      s("stop", { offset: "1", class: `${id}-dark` }),
    );
  return s("defs", {}, gradient("p1"), gradient("p2"), gradient("dome"));
}
