// Numbers and results in words.
import type { Evaluation } from "./match";

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const plain = new Intl.NumberFormat("en");

export const short = (n: number): string => (n < 10_000 ? plain.format(n) : compact.format(n));

/** An amount of memory. */
export const bytes = (n: number): string => (n < 1 << 20 ? `${Math.ceil(n / 1024)} kB` : `${Math.round(n / (1 << 20))} MB`);

export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** The chance of the first player that a share stands for, in percent. */
export const percent = (share: number): number => Math.round(50 + 50 * share);

/** A side in the middle of a sentence. */
export const person = (name: string): string => (name === "You" ? "you" : name);

/** What numbers are about: the chance of a side by its name. */
export const chanceOf = (name: string): string => (name === "You" ? "Your winning chance" : `Winning chance of ${name}`);

export const chanceText = (value: number, name: string): string => `${Math.round(value)}% for ${person(name)}`;

/** What a move does for whoever plays it, if that is proven. */
export const provenMove = (outcome: number, byFirst: boolean): "wins" | "draws" | "loses" =>
  outcome === 0 ? "draws" : outcome > 0 === byFirst ? "wins" : "loses";

/** The value of a move for its mark on the board: the chance of a side, or what the move is proven to do. */
export const moveText = ({ share, outcome }: Evaluation, forFirst: boolean, byFirst: boolean): string =>
  outcome === null ? `${percent(forFirst ? share : -share)}%` : provenMove(outcome, byFirst);

/** A proven result as a sentence, by the names of the sides. */
export function resultText(outcome: number, name: (first: boolean) => string): string {
  const winner = name(outcome > 0);
  return outcome === 0 ? "Draw" : winner === "You" ? "You win" : `${winner} wins`;
}

/** A score of a run: a share of the games, or the points of a game that is played for them. */
export const scoreText = (score: number, share: boolean): string =>
  share ? `${Math.round(score * 100)}%` : String(Number(score.toPrecision(3)));

const PLAYERS: Record<string, string> = { zoo: "Glaux", random: "Random moves" };

/** A player that is written as on the command line, for people: "mcts, 1,000 iterations". Others have names. */
export function playerTitle(written: string): string {
  const [name = "", ...settings] = written.split(/[:,]/);
  if (!settings.every((setting) => /^\w+=/.test(setting))) return written;
  const told = settings.map((setting) => {
    const [key = "", value = ""] = setting.split("=", 2);
    if (key === "seconds") return `${value} s`;
    if (key === "iterations" || key === "evaluations") return `${Number(value) ? plain.format(Number(value)) : value} ${key}`;
    return `${key.replaceAll("_", " ")} ${value}`.trim();
  });
  return [PLAYERS[name] ?? name, ...told].join(", ");
}

export function ago(seconds: number): string {
  if (seconds < 90) return "just now";
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h ago`;
  return `${plural(Math.round(seconds / 86_400), "day")} ago`;
}

export function plural(n: number, word: string): string {
  return `${short(n)} ${word}${n === 1 ? "" : "s"}`;
}
