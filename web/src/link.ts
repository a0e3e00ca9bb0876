// A position as the part of an address after #: game, start and moves as texts, readable by people.

export interface Linked {
  game: string;
  start: string | null;
  moves: string[];
  /** the number of moves before the position that was shown */
  at: number | null;
}

const keep = (text: string): string =>
  encodeURIComponent(text).replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%3D/g, "=").replace(/%2F/g, "/");

export function writeLink(linked: Linked): string {
  const parts = [`game=${keep(linked.game)}`];
  if (linked.start !== null) parts.push(`start=${keep(linked.start)}`);
  if (linked.moves.length) parts.push(`moves=${keep(linked.moves.join("_"))}`);
  if (linked.at !== null && linked.at !== linked.moves.length) parts.push(`at=${linked.at}`);
  return `#${parts.join("&")}`;
}

/** What a link says, or null if it is none of a position. */
export function readLink(hash: string): Linked | null {
  const parts = new Map<string, string>();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const cut = part.indexOf("=");
    if (cut < 0) continue;
    try {
      parts.set(part.slice(0, cut), decodeURIComponent(part.slice(cut + 1)));
    } catch {
      return null;
    }
  }
  const game = parts.get("game");
  if (!game) return null;
  const at = Number.parseInt(parts.get("at") ?? "", 10);
  return {
    game,
    start: parts.get("start") ?? null,
    moves: (parts.get("moves") ?? "").split("_").filter(Boolean),
    at: Number.isNaN(at) ? null : at,
  };
}
