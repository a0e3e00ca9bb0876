// What the server answers, and how it is asked.

export interface Parameter {
  name: string;
  default: number;
  low: number;
  high: number;
  step: number;
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

export type Ground = "squares" | "felt" | "lines" | "loops" | "floors" | "hexagons" | "frame" | "net" | "paper" | "draughts" | "tiles" | "boards" | "walls";

/** What a symbol stands for; empty texts are not said. */
export interface PieceLook {
  owner: "" | "first" | "second" | "mover";
  acting: boolean;
  name: string;
  shape: "stone" | "worker" | "block" | "sticker" | "text" | "cross";
  mark: "" | "crown" | "chevron" | "ring" | "rabbit" | "cat" | "dog" | "horse" | "camel" | "elephant";
  text: string;
  colour: string;
}

/** How a game looks: docs/looks.md explains every key. */
export interface Look {
  board: {
    ground: Ground;
    flip: "seat" | "asked" | "never";
    edges: boolean;
    rim: boolean;
    absent: "hidden" | "plain";
    stars: boolean;
    river: number;
    words: string[];
    ghosts: boolean;
    wins: "" | "line" | "chain";
    size: number;
    marks: Decoration[];
    lines: Decoration[];
  };
  pieces: Record<string, PieceLook>;
  colours: Record<string, string>;
  night: Record<string, string>;
  /** what the players are called, and what is counted beside their names */
  players: { first: string; second: string; counted: string };
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
  /** whether SGF has the game */
  sgf: boolean;
  /** whether positions can be set up cell by cell */
  editable: boolean;
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
  /** the line or chain that won, if it can be said */
  winning: number[];
  state: string;
}

/** One candidate of a search; share is a value for the eye, -1 to +1 for the first player. */
export interface Row {
  value: number;
  share: number;
  visits: number;
  /** what the policy says, of a player that has one */
  prior: number | null;
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

/** What else there is to see of a run. */
export interface AboutRun {
  settings: { name: string; value: string; help: string }[];
  matches: { match: number; plies: number; outcome: number | null }[];
}

/** The players of a tournament, the strongest first. */
export interface Ladder {
  name: string;
  game: string;
  rows: { player: string; elo: number; low: number; high: number; games: number; wins: number; draws: number; losses: number }[];
}

/** A match with a friend as it stands, with the moves from a ply on. */
export interface Room {
  game: string;
  start: string | null;
  first: boolean;
  count: number;
  moves: Move[];
  resigned: boolean | null;
  present: boolean;
}

/** Whether a training may be started here, and what it can be. */
export interface TrainingStatus {
  allowed: boolean;
  running: string | null;
  failure: string;
  presets: { name: string; about: string; minutes: number }[];
}

/** Moves, and what could be played instead. */
export interface Line {
  moves: Move[];
  variations: Branch[];
}

/** A variation: it replaces the moves of its line from a ply on. */
export interface Branch extends Line {
  ply: number;
}

/** What a record of a file says of itself. */
export interface Outline {
  game: string;
  first: string;
  second: string;
  result: string;
}

export interface OpenedRecord extends Line {
  game: string;
  start: string | null;
  first: string;
  second: string;
  ended: Ending | null;
}

/** How a match ended other than by the rules: +1, 0 or -1 for the first player, and why. */
export interface Ending {
  outcome: number;
  /** "resignation", "time", or a sentence */
  reason: string;
}

/** A paragraph, a list or a table of the rules. */
export type Block = string | string[] | string[][];

export interface Rules {
  rules: Block[];
  /** parameters, and what settles every question */
  details: Block[];
}

export interface Where {
  game: string;
  start: string | null;
  actions: number[];
}

interface WrittenLine {
  actions: number[];
  variations: (WrittenLine & { ply: number })[];
}

/** A match to be written as a record. */
export interface Written extends WrittenLine {
  game: string;
  start: string | null;
  first: string;
  second: string;
  verdict: number | null;
  reason: string;
  form: "text" | "sgf";
}

/** A line by the numbers of its actions. */
export const numbers = (line: Line): WrittenLine => ({
  actions: line.moves.map((move) => move.action),
  variations: line.variations.map((one) => ({ ply: one.ply, ...numbers(one) })),
});

/** A mistake that the server has put into a sentence. */
export class Refused extends Error {}

/** The server can't be reached: it may be a moment later. */
export class Lost extends Refused {}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Lost("The server does not answer. Is glaux serve still running?");
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  throw new Refused((answer as { error?: string }).error ?? `The server answered ${response.status}.`);
}

export const api = {
  games: () => ask<{ version: string; levels: number; games: GameEntry[] }>("/api/games"),
  game: (text: string) => ask<GameInfo>(`/api/game?text=${encodeURIComponent(text)}`),
  position: (where: Where) => ask<Position>("/api/position", where),
  records: (text: string, game: string | null) => ask<{ records: Outline[]; count: number }>("/api/records", { text, game }),
  record: (text: string, game: string | null, number = 0) => ask<OpenedRecord>("/api/record", { text, game, number }),
  write: (match: Written) => ask<{ text: string }>("/api/write", match),
  rules: () => ask<Record<string, Rules>>("/static/rules.json"),
  runs: () => ask<{ runs: Run[] }>("/api/runs"),
  ladders: () => ask<{ ladders: Ladder[] }>("/api/ladders"),
  setUp: (game: string, cells: number[], first: boolean) => ask<{ start: string }>("/api/setup", { game, cells, first }),
  openRoom: (game: string, start: string | null, first: boolean) => ask<{ seat: string; friend: string }>("/api/rooms", { game, start, first }),
  room: (seat: string, after: number) => ask<Room>(`/api/rooms?seat=${encodeURIComponent(seat)}&after=${after}`),
  playInRoom: (seat: string, ply: number, action: number) => ask<object>("/api/rooms/play", { seat, ply, action }),
  leaveRoom: (seat: string) => ask<object>("/api/rooms/resign", { seat }),
  trainings: (game: string) => ask<TrainingStatus>(`/api/trainings?game=${encodeURIComponent(game)}`),
  train: (game: string, preset: string, minutes: number, name: string) => ask<TrainingStatus>("/api/trainings/start", { game, preset, minutes, name }),
  stopTraining: () => ask<TrainingStatus>("/api/trainings/stop", {}),
  about: (name: string) => ask<AboutRun>(`/api/runs/about?name=${encodeURIComponent(name)}`),
  runMatch: (name: string, match: number) => ask<OpenedRecord>(`/api/runs/match?name=${encodeURIComponent(name)}&match=${match}`),
  curve: (name: string) => ask<Curve>(`/api/runs/curve?name=${encodeURIComponent(name)}`),
};
