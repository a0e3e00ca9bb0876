// The panel of the record: the evaluation over the match, the moves, and steps through them.
import { chart } from "./chart";
import { byId, h } from "./dom";
import type { Match } from "./match";
import { percent } from "./words";

export class RecordPanel {
  constructor(private readonly go: (ply: number) => void) {
    const steps: [string, (match: number) => number][] = [
      ["to-start", () => 0],
      ["back", (at) => at - 1],
      ["forward", (at) => at + 1],
      ["to-end", () => Number.MAX_SAFE_INTEGER],
    ];
    for (const [id, to] of steps) byId(id).addEventListener("click", () => this.go(to(this.at)));
  }

  private at = 0;

  show(match: Match): void {
    this.at = match.cursor;
    this.list(match);
    for (const id of ["to-start", "back"]) byId<HTMLButtonElement>(id).disabled = match.cursor === 0;
    for (const id of ["forward", "to-end"]) byId<HTMLButtonElement>(id).disabled = match.atEnd;
    byId("ply").textContent = `${match.cursor} / ${match.moves.length}`;
  }

  /** The evaluation over the match. */
  graph(match: Match): void {
    const known = match.evaluations.map((value, ply) => ({ value, ply })).filter((point) => point.value);
    if (known.length < 2) {
      byId("match-chart").replaceChildren(
        h("p", { class: "empty" }, "The evaluation over the match appears here as the agent thinks."),
      );
      return;
    }
    byId("match-chart").replaceChildren(
      chart(
        [
          {
            name: "",
            x: known.map((point) => point.ply),
            y: known.map((point) => percent(point.value?.share ?? 0)),
            style: "value",
          },
        ],
        {
          label: "The chance of the first player over the match",
          height: 150,
          x: [0, Math.max(match.moves.length, 4)],
          y: [0, 100],
          ticks: [0, 50, 100].map((at) => ({ at, text: `${at}%` })),
          xText: (ply) => `${Math.round(ply)}`,
          yText: (value) => `${Math.round(value)}% for the first player`,
          cursor: match.cursor,
          base: 50,
          pick: (x) => this.go(Math.round(x)),
        },
      ),
    );
  }

  private list(match: Match): void {
    const turns = match.turns().map((turn) =>
      h(
        "li",
        { class: turn.first ? "p1" : "p2" },
        ...turn.moves.map((move, i) => {
          const ply = turn.from + i + 1;
          return h(
            "button",
            {
              type: "button",
              class: "move",
              "aria-current": match.cursor === ply ? "step" : null,
              "aria-label": `Move ${ply}, ${turn.first ? "first" : "second"} player: ${move.text}`,
              onclick: () => this.go(ply),
            },
            move.text,
          );
        }),
      ),
    );
    const list = byId("moves");
    list.replaceChildren(...turns);
    if (!turns.length) list.append(h("li", { class: "empty" }, "No move yet."));
    const current = list.querySelector<HTMLElement>("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }
}
