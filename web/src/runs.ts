// The tab of training runs: a list, and the live learning curves of one of them.
import { type Curve, Refused, type Run, api } from "./api";
import { chart, roundTicks } from "./chart";
import { byId, h } from "./dom";
import { ago, duration, plural, scoreText, short } from "./words";

const EVERY_MS = 3000;

export class RunsTab {
  private chosen: string | null = null;
  private timer: number | undefined;
  private shownRuns = "";
  private shownCurve = "";

  constructor(private readonly play: (run: Run) => void) {}

  /** Begin or cease to look. */
  visible(yes: boolean): void {
    clearTimeout(this.timer);
    if (yes) void this.look();
  }

  private async look(): Promise<void> {
    try {
      const { runs } = await api.runs();
      this.list(runs);
      const run = runs.find((one) => one.name === this.chosen) ?? runs[0];
      if (run) this.curve(run, await api.curve(run.name));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      byId("run-list").replaceChildren(h("li", { class: "empty" }, error.message));
    }
    clearTimeout(this.timer);
    if (!byId("runs-tab").hidden) this.timer = window.setTimeout(() => void this.look(), EVERY_MS);
  }

  private list(runs: Run[]): void {
    const key = JSON.stringify([runs, this.chosen]);
    if (key === this.shownRuns) return;
    this.shownRuns = key;
    if (!runs.length) {
      byId("run-list").replaceChildren();
      byId("run-detail").replaceChildren(
        h(
          "div",
          { class: "nothing" },
          h("h2", {}, "No runs yet"),
          h("p", {}, "A run appears here as soon as its training begins:"),
          h("pre", {}, "glaux train connect_four --minutes 5"),
        ),
      );
      return;
    }
    const chosen = this.chosen ?? runs[0]?.name;
    byId("run-list").replaceChildren(
      ...runs.map((run) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "run",
              "aria-current": run.name === chosen ? "true" : null,
              onclick: () => {
                this.chosen = run.name;
                this.shownRuns = "";
                void this.look();
              },
            },
            h("span", { class: "run-name" }, run.name),
            h("span", { class: "run-game" }, run.game),
            h("span", { class: `run-when${run.live ? " live" : ""}` }, run.live ? "training" : ago(Date.now() / 1000 - run.changed)),
          ),
        ),
      ),
    );
  }

  private curve(run: Run, curve: Curve): void {
    const key = JSON.stringify([run.name, run.live, run.ready, curve.matches, curve.strength.length]);
    if (key === this.shownCurve) return;
    this.shownCurve = key;
    const latest = curve.strength.at(-1);
    const facts: [string, string][] = [
      ["matches", short(curve.matches)],
      ["training", duration(curve.elapsed)],
      ["states looked at", short(curve.evaluations)],
      ["score", latest ? scoreText(latest.score, curve.share) : "–"],
    ];
    byId("run-detail").replaceChildren(
      h(
        "header",
        { class: "run-head" },
        h("div", {}, h("h2", {}, run.name), h("p", { class: "run-game" }, run.game)),
        h("button", { type: "button", class: "primary", disabled: !run.ready, onclick: () => this.play(run) }, "Play it"),
      ),
      h("dl", { class: "figures" }, ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      ...charts(curve),
    );
  }
}

const minutes = (seconds: number): number => seconds / 60;
const minuteText = (at: number): string => `${Number(at.toFixed(1))} min`;

function charts(curve: Curve): HTMLElement[] {
  if (curve.curve.elapsed.length < 2)
    return [h("p", { class: "empty" }, "The curves begin with the first matches.")];
  const x = curve.curve.elapsed.map(minutes);
  const range: [number, number] = [0, Math.max(...x)];
  const line = (title: string, note: string, y: number[], style: string) => {
    const top = Math.max(...y) || 1;
    return figure(
      title,
      note,
      chart([{ name: "", x, y, style }], {
        label: `${title} over the training`,
        height: 170,
        x: range,
        y: [0, top * 1.08],
        ticks: roundTicks(0, top, 3).map((at) => ({ at, text: String(Number(at.toPrecision(3))) })),
        xText: minuteText,
        yText: (value) => String(Number(value.toPrecision(3))),
      }),
    );
  };
  const parts: HTMLElement[] = [];
  const scores = curve.strength.flatMap(({ low, high }) => [low, high]);
  const [least, most] = curve.share ? [0, 1] : [Math.min(0, ...scores), Math.max(1, ...scores)];
  const ticks = curve.share ? [0, 0.25, 0.5, 0.75, 1] : roundTicks(least, most, 4);
  if (curve.strength.length > 1)
    parts.push(
      figure(
        "Score",
        `${curve.share ? "against the fixed opponent" : "of the game"}, with its 95% interval; ${plural(curve.strength.length, "measurement")}`,
        chart(
          [
            {
              name: "",
              x: curve.strength.map((point) => minutes(point.elapsed)),
              y: curve.strength.map((point) => point.score),
              low: curve.strength.map((point) => point.low),
              high: curve.strength.map((point) => point.high),
              style: "score",
            },
          ],
          {
            label: "The score over the training",
            height: 230,
            x: range,
            y: [least, most],
            ticks: ticks.map((at) => ({ at, text: scoreText(at, curve.share) })),
            xText: minuteText,
            yText: (value) => scoreText(value, curve.share),
            dots: true,
          },
        ),
      ),
    );
  parts.push(
    line("Loss", "of what was learned after each match", curve.curve.loss, "loss"),
    line("Length of matches", "in actions", curve.curve.plies, "plies"),
  );
  return parts;
}

function figure(title: string, note: string, content: HTMLElement): HTMLElement {
  return h("figure", {}, h("figcaption", {}, h("strong", {}, title), h("span", {}, ` ${note}`)), content);
}
