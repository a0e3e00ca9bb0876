// What the server answers, and how it is asked.

export interface Parameter {
  name: string;
  default: number;
  low: number;
  high: number;
  flag: boolean;
  help: string;
}

export interface GameEntry {
  name: string;
  title: string;
  summary: string;
  parameters: Parameter[];
  look: Look;
}

/** A decoration of cells: marks on them, or a line through them. */
export interface Decoration {
  shape?: string;
  cells: number[];
}

export type Ground = "squares" | "felt" | "lines" | "loops" | "floors" | "hexagons" | "frame" | "net";

/** What a symbol stands for; empty texts are not said. */
export interface PieceLook {
  owner: "" | "first" | "second" | "mover";
  acting: boolean;
  name: string;
  shape: "stone" | "worker" | "block" | "sticker" | "text";
  mark: "" | "crown" | "chevron" | "ring";
  text: string;
  colour: string;
}

/** How a game looks: docs/looks.md explains every key. */
export interface Look {
  board: {
    ground: Ground;
    flip: "seat" | "asked" | "never";
    edges: boolean;
    absent: "hidden" | "plain";
    stars: boolean;
    river: number;
    ghosts: boolean;
    size: number;
    marks: Decoration[];
    lines: Decoration[];
  };
  pieces: Record<string, PieceLook>;
  colours: Record<string, string>;
  night: Record<string, string>;
  players: { first: string; second: string };
  thumbnail: string[];
}

/** One of several boards: a rectangle of the cells. */
export interface Part {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

export interface Opponent {
  name: string;
  title: string;
  summary: string;
}

export interface GameInfo {
  game: string;
  name: string;
  title: string;
  players: number;
  /** what a game of one player is played for */
  aim: "result" | "score";
  parameters: Record<string, number>;
  rows: number;
  columns: number;
  row_names: string[];
  column_names: string[];
  /** cells of the rectangle that are not there */
  absent: number[];
  /** several boards that are shown apart; none: it is all one */
  boards: Part[];
  symbols: string[];
  look: Look;
  opponents: Opponent[];
}

/** An action: its number, text, the cells that it touches, and whether the first player takes it. */
export interface Move {
  action: number;
  text: string;
  path: number[];
  first: boolean;
}

export interface Position {
  game: string;
  cells: number[];
  first: boolean;
  ply: number;
  outcome: number | null;
  score: number | null;
  pieces: [number, number] | null;
  actions: Move[];
  last: Move[];
  changed: number[];
  state: string;
}

/** One candidate of a search; share is a value for the eye, -1 to +1 for the first player. */
export interface Row {
  value: number;
  share: number;
  visits: number;
  outcome: number | null;
  variation: Move[];
}

export interface Thought {
  type: "thought" | "done";
  id: number;
  move: Move;
  value: number | null;
  share: number;
  outcome: number | null;
  iterations: number;
  evaluations: number;
  depth: number;
  memory: number;
  /** whether memory was used up: the search can't grow any more */
  full: boolean;
  seconds: number;
  actions: number;
  rows: Row[];
}

export interface Run {
  name: string;
  game: string;
  ready: boolean;
  live: boolean;
  changed: number;
}

export interface Curve {
  matches: number;
  elapsed: number;
  evaluations: number;
  curve: { elapsed: number[]; match: number[]; loss: number[]; plies: number[] };
  strength: { elapsed: number; score: number; low: number; high: number }[];
  /** whether the scores are shares of the games; otherwise points of a game that is played for them */
  share: boolean;
}

export interface Where {
  game: string;
  start: string | null;
  actions: number[];
}

/** A mistake that the server has put into a sentence. */
export class Refused extends Error {}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refused("The server does not answer. Is glaux serve still running?");
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  throw new Refused((answer as { error?: string }).error ?? `The server answered ${response.status}.`);
}

export const api = {
  games: () => ask<{ version: string; games: GameEntry[] }>("/api/games"),
  game: (text: string) => ask<GameInfo>(`/api/game?text=${encodeURIComponent(text)}`),
  position: (where: Where) => ask<Position>("/api/position", where),
  record: (text: string, game: string | null) => ask<{ game: string; start: string | null; moves: Move[] }>("/api/record", { text, game }),
  runs: () => ask<{ runs: Run[] }>("/api/runs"),
  curve: (name: string) => ask<Curve>(`/api/runs/curve?name=${encodeURIComponent(name)}`),
};
