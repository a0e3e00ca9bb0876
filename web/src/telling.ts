// What the page says of a match in words, and which of its buttons are of use now.
import type { GameInfo, Move, Position } from "./api";
import { hasCharacters, letters } from "./board/glyphs";
import { byId, h } from "./dom";
import type { Match, Names } from "./match";
import { placeless } from "./selection";
import { playerTitle } from "./words";

const LONGEST_NAME = 40;

/** Who has played a side of a record; "you" was whoever wrote it. */
function recordedName(names: Names | undefined, first: boolean): string {
  const name = (first ? names?.first : names?.second) ?? "";
  return /^(you|\?)$/i.test(name) ? "" : playerTitle(name).slice(0, LONGEST_NAME);
}

/** How a side is called: "You", the title of an agent, the name in a record, or its colour. */
export function nameOf(match: Match, info: GameInfo, first: boolean): string {
  const [agent, other] = [match.agent(first), match.agent(!first)];
  if (info.players === 1) return match.setup.first?.title ?? "You";
  const { players } = info.look;
  const colour = first ? players.first || "First" : players.second || "Second";
  if (agent) return other && other.title === agent.title ? `${agent.title} (${colour})` : agent.title;
  return other ? "You" : recordedName(match.setup.names, first) || colour;
}

export interface Told {
  info: GameInfo;
  match: Match;
  position: Position;
  result: number | null;
  thinkingFor: boolean | null;
  paused: boolean;
  name: (first: boolean) => string;
}

/** The status of a match in a sentence. */
export function sentence({ info, match, position, result, thinkingFor, paused, name }: Told): string {
  const turn = position.last;
  const last = turn.length ? `${name(turn[0]?.first ?? true)}: ${turn.map((move) => move.text).join(" ")}. ` : "";
  const wins = (first: boolean) => (name(first) === "You" ? "You win" : `${name(first)} wins`);
  if (match.ended && match.atEnd) {
    const { outcome, reason } = match.ended;
    const lost = { resignation: "resigned", time: "lost on time" }[reason];
    if (lost && outcome) return `${name(outcome < 0)} ${lost}.`;
    return `${outcome ? wins(outcome > 0) : "A draw"}${reason ? ` (${reason})` : ""}.`;
  }
  if (result !== null && match.atEnd) {
    const score = position.score === null ? "" : ` Score ${position.score > 0 ? "+" : ""}${position.score}.`;
    if (info.aim === "score") return `Game over.${score}`;
    if (info.players === 1) return result > 0 ? "Solved." : "Game over.";
    return `${last}${result === 0 ? "A draw" : wins(result > 0)}.${score}`;
  }
  if (thinkingFor !== null) return `${name(thinkingFor)} is thinking.`;
  if (!match.atEnd) return `Move ${match.cursor} of ${match.length}.`;
  if (paused && !match.decides(position.first)) return "Paused.";
  const mover = name(position.first);
  const again = info.players > 1 && position.last[0]?.first === position.first;
  if (mover === "You") return `${last}${again ? "Still your turn." : "Your turn."}`;
  return `${last}${mover} to move${again ? " again" : ""}.`;
}

export interface Buttons {
  info: GameInfo;
  match: Match;
  position: Position;
  failed: boolean;
  open: boolean;
  over: boolean;
  paused: boolean;
  thinking: boolean;
  aimed: number | null;
}

export interface Acts {
  retry: () => void;
  touch: (cell: number) => void;
  play: (move: Move) => void;
}

export function showButtons({ info, match, position, failed, open, over, paused, thinking, aimed }: Buttons, acts: Acts): void {
  const enable = (id: string, yes: boolean) => (byId<HTMLButtonElement>(id).disabled = !yes);
  const friend = match.setup.seat !== undefined;
  enable("undo", !friend && match.moves.slice(0, match.cursor).some((move) => match.decides(move.first)));
  byId("resign").hidden = info.players === 1;
  enable("resign", !over && !match.watched && match.atEnd);
  enable("hint", open && !friend);
  byId("flip").hidden = info.look.board.flip === "never";
  const alone = !friend || over || match.ended !== null;
  enable("evaluate", match.length > 0 && alone);
  enable("analyse", alone);
  enable("edit", !friend);
  byId("letters").hidden = !hasCharacters(info.look.pieces);
  byId("letters").setAttribute("aria-pressed", String(letters()));
  byId("now").hidden = friend || match.watched || (match.decides(true) && match.decides(false));
  enable("now", thinking);
  byId("pause").hidden = !match.watched;
  enable("pause", !over);
  byId("pause").textContent = paused ? "Resume" : "Pause";
  const moves = open ? position.actions : [];
  const extra = (text: string, act: () => void, attributes: Record<string, string> = {}) =>
    h("button", { type: "button", class: "extra", ...attributes, onclick: act }, text);
  byId("extras").replaceChildren(
    ...(failed ? [extra("Try again", acts.retry)] : []),
    ...(aimed === null ? [] : [extra(`Play ${cellName(info, aimed)}`, () => acts.touch(aimed), { class: "extra primary", id: "confirm" })]),
    ...placeless(moves).map((move) => extra(move.text, () => acts.play(move), { "data-move": move.text })),
  );
  byId("legal-moves").replaceChildren(...moves.slice(0, 200).map((move) => h("option", { value: move.text })));
  const example = moves[Math.floor(moves.length / 2)];
  if (example) byId<HTMLInputElement>("type").placeholder = `e.g. ${example.text}`;
}

const cellName = ({ columns, column_names, row_names }: GameInfo, cell: number): string =>
  `${column_names[cell % columns]}${row_names[Math.floor(cell / columns)]}`;
