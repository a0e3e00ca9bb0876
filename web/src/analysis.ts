// The panel that shows what the agent thinks, while it thinks.
import type { Move, Thought } from "./api";
import { chart } from "./chart";
import { byId, h } from "./dom";
import { bytes, duration, percent, plural, short, verdict } from "./words";

export interface AnalysisHandlers {
  /** show a variation on the board; none to take it away */
  hover: (variation: Move[]) => void;
  play: (move: Move) => void;
}

/** The position that is thought about: who is to move, after how many moves, and how the sides are called. */
export interface About {
  first: boolean;
  ply: number;
  name: (first: boolean) => string;
}

interface Sample {
  seconds: number;
  share: number;
}

const KEPT = 600;
const LISTED = 8;

export class Analysis {
  private samples: Sample[] = [];
  private hovered: string | null = null;

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
      this.clear("This player does not think.");
      return;
    }
    this.samples.push({ seconds: thought.seconds, share: thought.share });
    if (this.samples.length > KEPT) this.samples = this.samples.filter((_, i) => i % 2);
    this.head(thought, about);
    this.graph();
    this.rows(thought, about.first);
  }

  private head(thought: Thought, { ply, name }: About): void {
    const proven = thought.outcome;
    const ahead = thought.share >= 0;
    const big =
      proven === null ? `${percent(ahead ? thought.share : -thought.share)}%` : proven === 0 ? "Draw" : `${name(proven > 0)} wins`;
    const even = percent(thought.share) === 50;
    const small = proven !== null ? "proven" : even ? "even" : `for ${name(ahead)}`;
    const facts = [
      `move ${ply + 1}`,
      plural(thought.iterations, "iteration"),
      `depth ${thought.depth}`,
      duration(thought.seconds),
      bytes(thought.memory),
    ];
    byId("thinking-head").replaceChildren(
      h("p", { class: `big ${ahead ? "p1" : "p2"}${proven !== null ? " proven" : ""}` }, h("strong", {}, big), h("span", {}, small)),
      h("p", { class: "facts" }, facts.join(" · ")),
    );
  }

  private graph(): void {
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
            y: this.samples.map((sample) => percent(sample.share)),
            style: "value",
          },
        ],
        {
          label: "The chance of the first player over the time of thinking",
          height: 130,
          y: [0, 100],
          ticks: [0, 50, 100].map((at) => ({ at, text: `${at}%` })),
          xText: (seconds) => `${Number(seconds.toFixed(1))} s`,
          yText: (value) => `${Math.round(value)}% for the first player`,
          base: 50,
        },
      ),
    );
  }

  private rows(thought: Thought, first: boolean): void {
    const most = Math.max(1, ...thought.rows.map((row) => row.visits));
    const body = thought.rows.slice(0, LISTED).map((row) => {
      const move = row.variation[0] as Move;
      const enter = () => {
        this.hovered = move.text;
        this.handlers.hover(row.variation);
        byId("variation").textContent = row.variation.map((one) => one.text).join(" ");
      };
      const leave = () => {
        this.hovered = null;
        this.handlers.hover([]);
        byId("variation").textContent = "";
      };
      const word = verdict(row, first);
      const button = h(
        "button",
        {
          type: "button",
          class: "candidate",
          "data-move": move.text,
          "aria-label": `${move.text}: ${word}${row.outcome === null ? "" : " proven"}, ${short(row.visits)} visits. Play it.`,
          onclick: () => this.handlers.play(move),
          onpointerenter: enter,
          onpointerleave: leave,
          onfocus: enter,
          onblur: leave,
        },
        h("span", { class: "move-text" }, move.text),
        h("span", { class: `chance${row.outcome === null ? "" : ` proof ${word}`}` }, word),
        bar(row.visits / most),
        h("span", { class: "visits" }, short(row.visits)),
      );
      return h("li", {}, button);
    });
    const focused = (document.activeElement as HTMLElement | null)?.dataset["move"];
    byId("candidates").replaceChildren(...body);
    if (focused) byId("candidates").querySelector<HTMLElement>(`[data-move="${CSS.escape(focused)}"]`)?.focus();
    const hovered = thought.rows.find((row) => row.variation[0]?.text === this.hovered);
    if (hovered) this.handlers.hover(hovered.variation);
  }
}

function bar(share: number): HTMLElement {
  const filled = h("span", { class: "bar-filled" });
  filled.style.width = `${(share * 100).toFixed(1)}%`;
  return h("span", { class: "bar", "aria-hidden": true }, filled);
}
