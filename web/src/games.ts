// The games that the server has, and how people call a game with its parameters.
import type { GameEntry, Parameter } from "./api";

const known = new Map<string, GameEntry>();

/** Keep what the server says of its games. */
export function keepGames(games: GameEntry[]): void {
  for (const game of games) known.set(game.name, game);
}

/** All of them, in the server's order. */
export const allGames = (): GameEntry[] => [...known.values()];

export interface Called {
  title: string;
  settings: string;
}

/** What shapes the board is always told, the rest where it is not as usual. */
const SHAPE = ["size", "columns", "rows"];

const usual = (parameter: Parameter | undefined, value: number): boolean =>
  parameter ? value === parameter.default : value === 0;

/** The words of parameters: "size 7, no swap". */
export function settingsText(parameters: Record<string, number>, specs: Parameter[]): string {
  const spec = (name: string) => specs.find((one) => one.name === name);
  const { columns, rows } = parameters;
  const both = columns !== undefined && rows !== undefined;
  const told = (name: string, value: number): string => {
    const words = name.replaceAll("_", " ");
    if (spec(name)?.flag) return value ? words : `no ${words}`;
    return `${words} ${value}`;
  };
  const names = Object.keys(parameters).filter((name) => !(both && ["columns", "rows"].includes(name)));
  const shaping = (name: string) => Number(!SHAPE.includes(name));
  return [
    ...(both ? [`${columns} × ${rows}`] : []),
    ...names
      .sort((one, other) => shaping(one) - shaping(other))
      .filter((name) => SHAPE.includes(name) || !usual(spec(name), parameters[name] as number))
      .map((name) => told(name, parameters[name] as number)),
  ].join(", ");
}

/** What is told of a game as the server knows it; a game that it does not list is told as it is written. */
export function settingsOf(name: string, parameters: Record<string, number>): string {
  return settingsText(parameters, known.get(name)?.parameters ?? []);
}

/** How people call a game that is written with its parameters, as in a link. */
export function called(text: string): Called {
  const [name = "", written = ""] = text.split(":", 2);
  const entry = known.get(name);
  if (!entry) return { title: text, settings: "" };
  const pairs = written.split(",").filter(Boolean).map((pair) => pair.split("=") as [string, string]);
  const parameters = Object.fromEntries(pairs.map(([key, value]) => [key, Number(value)]));
  if (Object.values(parameters).some(Number.isNaN)) return { title: entry.title, settings: written };
  return { title: entry.title, settings: settingsText(parameters, entry.parameters) };
}

/** The same in one line. */
export function calledInFull(text: string): string {
  const { title, settings } = called(text);
  return settings ? `${title}, ${settings}` : title;
}
