// From touched cells to an action: an action is played when all the cells of its path are touched.
import type { Move } from "./api";

export interface Touched {
  /** the cells chosen so far */
  prefix: number[];
  /** the action that is complete now */
  played: Move | null;
}

const begins = (path: number[], prefix: number[]): boolean => prefix.every((cell, i) => path[i] === cell);

/** The actions that can still be meant. */
export function candidates(actions: Move[], prefix: number[]): Move[] {
  return actions.filter((move) => move.path.length > 0 && begins(move.path, prefix));
}

/** The cells that can be touched next. */
export function nextCells(actions: Move[], prefix: number[]): Set<number> {
  const cells = candidates(actions, prefix).map((move) => move.path[prefix.length]);
  return new Set(cells.filter((cell) => cell !== undefined));
}

/** The action of two cells that ends on a cell: where a player has one piece, touching its goal is enough. */
export const stepTo = (actions: Move[], cell: number): Move | null =>
  actions.find((move) => move.path.length === 2 && move.path[1] === cell) ?? null;

/** What touching a cell does: goes on, plays, begins anew from that cell, or takes the choice back. */
export function touch(actions: Move[], prefix: number[], cell: number): Touched {
  const longer = [...prefix, cell];
  const meant = candidates(actions, longer);
  const whole = meant.find((move) => move.path.length === longer.length);
  if (whole) return { prefix: [], played: whole };
  if (meant.length) return { prefix: longer, played: null };
  if (prefix.length && prefix.at(-1) !== cell) return touch(actions, [], cell);
  return { prefix: [], played: null };
}

/** The actions without cells, which need buttons. */
export const placeless = (actions: Move[]): Move[] => actions.filter((move) => move.path.length === 0);

/** The action with this text, as somebody types it. */
export function typed(actions: Move[], text: string): Move | null {
  const wanted = text.trim().toLowerCase();
  return actions.find((move) => move.text.toLowerCase() === wanted) ?? null;
}

/** The whole turn with which a variation begins: a player may have several actions. */
export const turnOf = (variation: Move[]): Move[] => {
  const end = variation.findIndex((move) => move.first !== variation[0]?.first);
  return end < 0 ? variation : variation.slice(0, end);
};
