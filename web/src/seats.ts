// The two seats at the board, and the bar of the evaluation beside it.
import type { Look, Position } from "./api";
import { dress } from "./board/colours";
import { byId, h, s } from "./dom";
import { type Clock, clockText } from "./clock";
import type { Evaluation } from "./match";
import { chanceText, percent } from "./words";

export interface Seats {
  flip: boolean;
  name: (first: boolean) => string;
  position: Position;
  thinking: boolean | null;
  over: boolean;
  result: number | null;
  players: number;
  look: Look;
}

function chip(first: boolean, seats: Seats): SVGElement {
  const owner = first ? "p1" : "p2";
  const stone = s("circle", { class: `chip-stone ${owner}`, cx: 12, cy: 12, r: 10 });
  return dress(s("svg", { class: "chip", viewBox: "0 0 24 24", "aria-hidden": true }, stone), seats.look);
}

function seat(first: boolean, seats: Seats): HTMLElement[] {
  const { position } = seats;
  const toMove = !seats.over && position.first === first;
  const pieces = position.pieces?.[first ? 0 : 1];
  const won = seats.result !== null && seats.result !== 0 && seats.result > 0 === first;
  const words = seats.thinking === first ? "thinking" : toMove ? "to move" : won ? "wins" : "";
  const parts = [
    h("span", { class: `seat-name${toMove ? " to-move" : ""}${won ? " won" : ""}` }, seats.name(first)),
    h("span", { class: `seat-state${seats.thinking === first ? " busy" : ""}${won ? " won" : ""}` }, words),
  ];
  parts.push(h("span", { class: "seat-clock", "data-side": first ? "first" : "second", role: "timer", hidden: true }));
  if (pieces !== undefined) parts.push(h("span", { class: "seat-pieces", title: `${pieces} ${seats.look.players.counted || "pieces"}`, "aria-label": `${pieces} ${seats.look.players.counted || "pieces"}` }, String(pieces)));
  return parts;
}

export function showSeats(seats: Seats): void {
  const place = (id: string, first: boolean) => byId(id).replaceChildren(chip(first, seats), ...seat(first, seats));
  place("seat-bottom", !seats.flip);
  if (seats.players > 1) place("seat-top", seats.flip);
  else byId("seat-top").replaceChildren();
}

/** The time of both sides. */
export function showClocks(clock: Clock, flip: boolean): void {
  for (const first of [true, false]) {
    const shown = byId(first === flip ? "seat-top" : "seat-bottom").querySelector<HTMLElement>(".seat-clock");
    if (!shown) continue;
    const left = clock.of(first);
    shown.hidden = false;
    shown.classList.toggle("hurry", left < 20);
    shown.textContent = clockText(left);
  }
}

/** The bar: the part of the first player grows from below; the words are from one point of view. */
export function showEvaluation(value: Evaluation | null, look: Look, flip: boolean, pov: boolean, name: string): void {
  const chance = value ? percent(value.share) : 50;
  const element = dress(byId("eval"), look);
  element.setAttribute("class", `eval${value === null ? " unknown" : ""}${flip ? " flipped" : ""}`);
  element.style.setProperty("--chance", String(chance));
  const mine = chanceText(pov ? chance : 100 - chance, name);
  const words = value === null ? "Not evaluated yet" : value.outcome !== null ? "Proven" : mine;
  element.setAttribute("aria-label", words);
  element.title = words;
}
