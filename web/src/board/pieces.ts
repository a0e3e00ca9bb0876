// What stands on a cell, read from the symbol of its code.
//
// A leading digit of a symbol is the level on which it all stands, a dot is nothing, and the rest is what
// the look of the game says: by convention X or x is a piece of the first player, O or o of the second
// (small letters are pieces about to act). A - or | at the end is a wall, which is none of it.
import type { Look, PieceLook } from "../api";
import { s } from "../dom";
import { ANIMALS } from "./animals";
import { written } from "./glyphs";
import type { Layout } from "./layout";

export interface Standing {
  owner: "p1" | "p2" | null;
  /** whether it has to act in the rest of the turn */
  acting: boolean;
  level: number;
  /** the symbol without its level; empty: nothing stands there */
  symbol: string;
  /** what the look says of it */
  piece: PieceLook | null;
}

export function standing(look: Pick<Look, "pieces">, symbol: string, firstToMove: boolean): Standing {
  const raised = symbol.length > 1 && /\d/.test(symbol[0] ?? "");
  const level = raised ? Number(symbol[0]) : 0;
  const core = (raised ? symbol.slice(1) : symbol).trim().replace(/(?<=.)[-|.]$/, "").replace(/^[.]*$/, "");
  const piece = look.pieces[core] ?? null;
  const owners = { first: "p1", second: "p2", mover: firstToMove ? "p1" : "p2" } as const;
  const owner = piece?.owner ? owners[piece.owner] : null;
  return { owner, acting: piece?.acting ?? false, level, symbol: core, piece };
}

/** The words for a screen reader. */
export function spoken(what: Standing, names: { p1: string; p2: string }): string {
  const floor = what.level ? `level ${what.level}` : "";
  const piece = what.piece?.name || (what.owner ? "piece" : what.symbol);
  return [floor, what.owner ? `${names[what.owner]}'s ${piece}` : piece].filter(Boolean).join(", ") || "empty";
}

const CROWN = "M-19 14 L-23 -12 L-11 -1 L0 -19 L11 -1 L23 -12 L19 14 Z";

function stone(owner: string, r: number): SVGElement[] {
  return [
    s("circle", { class: "shade", r, cy: 4 }),
    s("circle", { class: `stone ${owner}`, r, fill: `url(#${owner})` }),
    s("circle", { class: `gleam ${owner}`, r: r - 1.5 }),
  ];
}

function marked(piece: PieceLook, symbol: string, owner: "p1" | "p2", radius: number): SVGElement[] {
  const text = piece.text ? [s("text", { class: `piece-text ${owner}` }, written(piece.text, symbol))] : [];
  switch (piece.mark) {
    case "crown":
      return [s("path", { class: `crown ${owner}`, d: CROWN }), s("path", { class: `crown ${owner}`, d: "M-19 19H19" })];
    case "chevron":
      return [s("path", { class: `chevron ${owner}`, d: owner === "p1" ? "M-14 7 L0 -8 L14 7" : "M-14 -7 L0 8 L14 -7" })];
    case "ring":
      return [s("circle", { class: `ring ${owner}${piece.text ? " around" : ""}`, r: radius - (piece.text ? 7 : 12) }), ...text];
    case "":
      return text;
    default:
      return [s("path", { class: `animal ${owner}`, d: ANIMALS[piece.mark] ?? "" })];
  }
}

function owned(piece: PieceLook, symbol: string, owner: "p1" | "p2", radius: number): SVGElement[] {
  if (piece.shape === "cross") return [s("path", { class: `cross ${owner}`, d: "M-17 -17L17 17M17 -17L-17 17" })];
  if (piece.shape !== "worker") return [...stone(owner, radius), ...marked(piece, symbol, owner, radius)];
  return [
    s("ellipse", { class: "shade", rx: 20, ry: 7, cy: 22 }),
    s("path", {
      class: `worker ${owner}`,
      d: "M-20 21 Q-17 2 -7 -3 A13 13 0 1 1 7 -3 Q17 2 20 21 Q0 29 -20 21Z",
      fill: `url(#${owner})`,
    }),
  ];
}

/** A blocked cell. */
function block(colour: string): SVGElement[] {
  const body = s("rect", { class: "blocked", x: -38, y: -38, width: 76, height: 76, rx: 14 });
  body.style.fill = colour;
  return [body, s("path", { class: "blocked-mark", d: "M-13 -13L13 13M13 -13L-13 13" })];
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
export function draw(what: Standing, layout: Layout): SVGElement | null {
  const parts: SVGElement[] = [];
  if (what.level) parts.push(...tower(what.level), ...(what.level < 4 ? [s("text", { class: "level", x: 4 * what.level - 33, y: 33 - 4 * what.level }, String(what.level))] : []));
  if (what.owner && what.piece && what.piece.shape !== "text")
    parts.push(s("g", { class: `piece${what.acting ? " acting" : ""}` }, ...owned(what.piece, what.symbol, what.owner, layout.radius)));
  else if (what.piece?.shape === "block") parts.push(s("g", { class: "piece" }, ...block(what.piece.colour)));
  else if (what.symbol) parts.push(s("text", { class: "symbol" }, what.piece?.text || what.symbol));
  return parts.length ? s("g", {}, ...parts) : null;
}

/** A sticker of a cube, by the letter of the face where it is at home. */
export function sticker(face: string, piece: PieceLook | undefined): SVGElement {
  return s("rect", { class: "sticker", "data-face": face, x: -45, y: -45, width: 90, height: 90, rx: 13, fill: piece?.colour ?? "" });
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
