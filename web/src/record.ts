// The panel of the record: the evaluation over the match, the moves with their variations, and steps through them.
import type { Look } from "./api";
import { dress } from "./board/colours";
import { chart } from "./chart";
import { byId, h } from "./dom";
import { type Match, type Node, type Turn, turnsOf } from "./match";
import { mistakeOf } from "./mistakes";
import { chanceOf, chanceText, percent } from "./words";

export class RecordPanel {
  private at = 0;

  constructor(
    go: (ply: number) => void,
    private readonly visit: (node: Node) => void,
  ) {
    const steps: [string, (match: number) => number][] = [
      ["to-start", () => 0],
      ["back", (at) => at - 1],
      ["forward", (at) => at + 1],
      ["to-end", () => Number.MAX_SAFE_INTEGER],
    ];
    for (const [id, to] of steps) byId(id).addEventListener("click", () => go(to(this.at)));
    this.go = go;
  }

  private readonly go: (ply: number) => void;

  /** Show the moves; with marks for mistakes where all the positions were evaluated. */
  show(match: Match, look: Look, marks: boolean): void {
    this.at = match.cursor;
    const list = dress(byId("moves"), look);
    list.replaceChildren(...this.items(match, marks));
    if (!match.root.children.length) list.append(h("li", { class: "empty" }, "No moves yet."));
    const current = list.querySelector<HTMLElement>("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    for (const id of ["to-start", "back"]) byId<HTMLButtonElement>(id).disabled = match.cursor === 0;
    for (const id of ["forward", "to-end"]) byId<HTMLButtonElement>(id).disabled = match.atEnd;
    byId("ply").textContent = `${match.cursor} / ${match.length}`;
  }

  /** The evaluation over the match, all from one point of view. */
  graph(match: Match, pov: boolean, name: string): void {
    const known = match.line.filter((node) => node.evaluation);
    if (known.length < 2) {
      byId("match-chart").replaceChildren(
        h("p", { class: "empty" }, "A graph of who is ahead appears here as positions are evaluated."),
      );
      return;
    }
    const sign = pov ? 1 : -1;
    byId("match-chart").replaceChildren(
      chart(
        [
          {
            name: "",
            x: known.map((node) => node.ply),
            y: known.map((node) => percent(sign * (node.evaluation?.share ?? 0))),
            style: "value",
          },
        ],
        {
          label: `${chanceOf(name)} over the match`,
          height: 130,
          x: [0, Math.max(match.length, 4)],
          y: [0, 100],
          ticks: [0, 50, 100].map((at) => ({ at, text: `${at}%` })),
          xText: (ply) => `${Math.round(ply)}`,
          yText: (value) => chanceText(value, name),
          cursor: match.cursor,
          base: 50,
          pick: (x) => this.go(Math.round(x)),
        },
      ),
    );
  }

  /** The turns of the line; behind each the variations of its moves. */
  private items(match: Match, marks: boolean): HTMLElement[] {
    const others = (node: Node | null, next: Node | undefined) => (node?.children ?? []).filter((child) => child !== next);
    const items = match.turns().flatMap((turn) => [
      this.turn(turn, match, marks),
      ...turn.nodes.flatMap((node) => others(node.parent, node).map((child) => this.variation(child, match))),
    ]);
    return [...items, ...others(match.line[match.length] as Node, undefined).map((child) => this.variation(child, match))];
  }

  private turn(turn: Turn, match: Match, marks: boolean): HTMLElement {
    const side = turn.first ? "first" : "second";
    return h(
      "li",
      { class: turn.first ? "p1" : "p2" },
      h("span", { class: "turn-chip", "aria-hidden": true }),
      ...turn.nodes.map((node) => {
        const mistake = marks ? mistakeOf(node) : null;
        const said = mistake ? `, ${mistake.word}, ${mistake.lost}% lost` : "";
        return h(
          "button",
          {
            type: "button",
            class: `move${mistake ? ` ${mistake.word}` : ""}`,
            "aria-current": match.node === node ? "step" : null,
            "aria-label": `Move ${node.ply}, ${side} player: ${node.move?.text}${said}`,
            title: mistake ? `${mistake.word}: ${mistake.lost}% lost` : null,
            onclick: () => this.visit(node),
          },
          `${node.move?.text}${mistake?.mark ?? ""}`,
        );
      }),
    );
  }

  /** A variation as it would go on, in parentheses, those inside of it too. */
  private variation(from: Node, match: Match): HTMLElement {
    const path: Node[] = [];
    for (let node: Node | undefined = from; node; node = node.children[0]) path.push(node);
    const parts = turnsOf(path).flatMap((turn) =>
      turn.nodes.flatMap((node) => [
        h(
          "button",
          {
            type: "button",
            class: `move ${turn.first ? "p1" : "p2"}`,
            "aria-label": `Variation, move ${node.ply}: ${node.move?.text}`,
            onclick: () => this.visit(node),
          },
          node.move?.text ?? "",
        ),
        ...(node === from ? [] : (node.parent?.children ?? []).filter((child) => child !== node).map((child) => this.variation(child, match))),
      ]),
    );
    return h(from.parent === match.line[from.ply - 1] ? "li" : "span", { class: "variation-moves" }, "(", ...parts, ")");
  }
}
