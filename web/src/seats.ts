// The two seats at the board, and the bar of the evaluation beside it.
import type { Look, Position } from "./api";
import { dress } from "./board/colours";
import { byId, h, s } from "./dom";
import type { Evaluation } from "./match";
import { percent } from "./words";

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
  if (pieces !== undefined) parts.push(h("span", { class: "seat-pieces", "aria-label": `${pieces} pieces` }, String(pieces)));
  return parts;
}

export function showSeats(seats: Seats): void {
  const place = (id: string, first: boolean) => byId(id).replaceChildren(chip(first, seats), ...seat(first, seats));
  place("seat-bottom", !seats.flip);
  if (seats.players > 1) place("seat-top", seats.flip);
  else byId("seat-top").replaceChildren();
}

/** The bar: the part of the first player grows from below. */
export function showEvaluation(value: Evaluation | null, look: Look, flip: boolean): void {
  const chance = value ? percent(value.share) : 50;
  const element = dress(byId("eval"), look);
  element.setAttribute("class", `eval${value === null ? " unknown" : ""}${flip ? " flipped" : ""}`);
  element.style.setProperty("--chance", String(chance));
  const words = value === null ? "Nothing evaluated yet" : value.outcome !== null ? "Proven" : `${chance}% for the first player`;
  element.setAttribute("aria-label", words);
  byId("eval-text").textContent = value === null ? "" : value.outcome === null ? `${chance}` : value.outcome === 0 ? "=" : "#";
}
