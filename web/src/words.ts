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

/** A value for the reader: a proof in a word, or the chance of a side. */
export function verdict(value: Evaluation, forFirst: boolean): string {
  if (value.outcome === null) return `${percent(forFirst ? value.share : -value.share)}%`;
  if (value.outcome === 0) return "draw";
  return value.outcome > 0 === forFirst ? "win" : "loss";
}

/** A score of a run: a share of the games, or the points of a game that is played for them. */
export const scoreText = (score: number, share: boolean): string =>
  share ? `${Math.round(score * 100)}%` : String(Number(score.toPrecision(3)));

export function ago(seconds: number): string {
  if (seconds < 90) return "just now";
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}

export function plural(n: number, word: string): string {
  return `${short(n)} ${word}${n === 1 ? "" : "s"}`;
}
