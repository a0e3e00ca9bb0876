// The panel that shows what the agent thinks, while it thinks.
import type { Move, Row, Thought } from "./api";
import { chart } from "./chart";
import { byId, h } from "./dom";
import { turnOf } from "./selection";
import { bytes, chanceOf, chanceText, duration, percent, person, plural, resultText, short } from "./words";

export interface AnalysisHandlers {
  /** show a variation on the board; none to take it away */
  hover: (variation: Move[]) => void;
  play: (move: Move) => void;
}

/** The position that is thought about: after how many moves, whose chances are told, and how the sides are called. */
export interface About {
  ply: number;
  /** whether all numbers are the first player's chances */
  pov: boolean;
  name: (first: boolean) => string;
}

interface Sample {
  seconds: number;
  share: number;
}

const KEPT = 600;
const LISTED = 5;

export class Analysis {
  private samples: Sample[] = [];
  private hovered: string | null = null;
  private readonly views: Candidate[] = [];

  constructor(private readonly handlers: AnalysisHandlers) {
    this.clear("");
  }

  /** Nothing is thought about; a sentence may say why. */
  clear(sentence: string): void {
    this.samples = [];
    this.hovered = null;
    byId("thinking-head").replaceChildren(h("p", { class: "empty" }, sentence));
    byId("thinking-chart").replaceChildren();
    byId("candidates").replaceChildren();
    byId("variation").textContent = "";
  }

  /** A new search begins: its values over time begin anew. */
  begin(): void {
    this.samples = [];
  }

  /** Show a thought. */
  show(thought: Thought, about: About): void {
    if (thought.value === null) {
      this.clear("This player does not search.");
      return;
    }
    this.samples.push({ seconds: thought.seconds, share: thought.share });
    if (this.samples.length > KEPT) this.samples = this.samples.filter((_, i) => i % 2);
    this.head(thought, about);
    this.graph(about);
    this.rows(thought, about);
  }

  private head(thought: Thought, { ply, pov, name }: About): void {
    const proven = thought.outcome;
    const mine = percent(pov ? thought.share : -thought.share);
    const big = proven === null ? `${mine}%` : resultText(proven, name);
    const facts = [
      `move ${ply + 1}`,
      plural(thought.iterations, "iteration"),
      `depth ${thought.depth}`,
      duration(thought.seconds),
      ...(thought.full ? ["memory full"] : []),
    ];
    byId("thinking-head").replaceChildren(
      h("p", { class: `big${proven !== null ? " proven" : ""}` }, h("strong", {}, big), h("span", {}, proven !== null ? "proven" : `for ${person(name(pov))}`)),
      h("p", { class: "facts", title: `${bytes(thought.memory)} of memory` }, facts.join(" · ")),
    );
  }

  private graph({ pov, name }: About): void {
    if (this.samples.length < 3) {
      byId("thinking-chart").replaceChildren();
      return;
    }
    byId("thinking-chart").replaceChildren(
      chart(
        [
          {
            name: "",
            x: this.samples.map((sample) => sample.seconds),
            y: this.samples.map((sample) => percent(pov ? sample.share : -sample.share)),
            style: "value",
          },
        ],
        {
          label: `${chanceOf(name(pov))} while it is thinking`,
          height: 120,
          y: [0, 100],
          ticks: [0, 50, 100].map((at) => ({ at, text: `${at}%` })),
          xText: (seconds) => `${Number(seconds.toFixed(1))} s`,
          yText: (value) => chanceText(value, name(pov)),
          base: 50,
        },
      ),
    );
  }

  /** Rows are changed in place: a button that is pressed while the thoughts go on stays that button. */
  private rows(thought: Thought, about: About): void {
    const most = Math.max(1, ...thought.rows.map((row) => row.visits));
    const listed = thought.rows.slice(0, LISTED);
    const list = byId("candidates");
    while (this.views.length < listed.length) {
      const view = new Candidate(
        (row) => this.point(row),
        (move) => this.handlers.play(move),
      );
      this.views.push(view);
    }
    this.views.length = Math.min(this.views.length, listed.length);
    listed.forEach((row, i) => this.views[i]?.set(row, about, row.visits / most));
    if (list.childElementCount !== listed.length) list.replaceChildren(...this.views.map((view) => view.item));
    const hovered = listed.find((row) => row.variation[0]?.text === this.hovered);
    if (hovered) this.point(hovered);
  }

  /** Show how a candidate would go on; none: nothing any more. */
  private point(row: Row | null): void {
    this.hovered = row?.variation[0]?.text ?? null;
    this.handlers.hover(row?.variation ?? []);
    byId("variation").textContent = row?.variation.map((one) => one.text).join(" ") ?? "";
  }
}

const TOLD = 4;
const turnText = (variation: Move[]): string => {
  const texts = turnOf(variation).map((move) => move.text);
  return texts.length > TOLD ? `${texts.slice(0, TOLD).join(" ")} …` : texts.join(" ");
};

/** A candidate in the list. A finger has no way to point: its first touch shows, its second plays. */
class Candidate {
  private readonly text = h("span", { class: "move-text" });
  private readonly chance = h("span", { class: "chance" });
  private readonly filled = h("span", { class: "bar-filled" });
  private readonly visits = h("span", { class: "visits" });
  private readonly button: HTMLButtonElement;
  readonly item: HTMLLIElement;
  private row: Row | null = null;
  private pressed: Row | null = null;
  private touched: string | null = null;
  private byTouch = false;

  constructor(point: (row: Row | null) => void, play: (move: Move) => void) {
    const mouse = (event: PointerEvent) => event.pointerType === "mouse";
    this.button = h(
      "button",
      {
        type: "button",
        class: "candidate",
        onpointerenter: (event: PointerEvent) => mouse(event) && point(this.row),
        onpointerleave: (event: PointerEvent) => mouse(event) && point(null),
        onpointerdown: (event: PointerEvent) => {
          this.byTouch = !mouse(event);
          this.pressed = this.row;
        },
        onfocus: () => point(this.row),
        onblur: () => {
          this.touched = null;
          point(null);
        },
        onclick: () => {
          const row = this.pressed ?? this.row;
          const move = row?.variation[0];
          this.pressed = null;
          if (!move) return;
          if (this.byTouch && this.touched !== move.text) {
            this.touched = move.text;
            point(row);
          } else play(move);
          this.byTouch = false;
        },
      },
      this.text,
      this.chance,
      h("span", { class: "bar", "aria-hidden": true }, this.filled),
      this.visits,
      h("span", { class: "sr-only" }, " visits"),
    );
    this.item = h("li", {}, this.button);
  }

  /** Show a row, for one point of view; share is the part of its visits in those of the most visited. */
  set(row: Row, { pov, name }: About, share: number): void {
    const move = row.variation[0] as Move;
    const { outcome } = row;
    const proven = outcome !== null;
    this.row = row;
    this.button.dataset["move"] = move.text;
    this.text.textContent = turnText(row.variation);
    this.text.title = turnText(row.variation);
    this.chance.textContent = proven ? resultText(outcome, name) : `${percent(pov ? row.share : -row.share)}%`;
    const mine = outcome !== null && outcome !== 0 && name(pov) === "You"; // green and red are for a person
    this.chance.className = proven ? `chance proof${mine ? (outcome > 0 === pov ? " win" : " loss") : ""}` : "chance";
    this.chance.title = proven ? "proven" : "";
    this.filled.style.width = `${(share * 100).toFixed(1)}%`;
    this.visits.textContent = row.prior === null ? short(row.visits) : `${short(row.visits)} · ${Math.round(row.prior * 100)}%`;
    this.visits.title = row.prior === null ? "visits" : "visits and prior probability";
  }
}
