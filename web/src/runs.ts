// The tab of training runs: a list, and the live learning curves of one of them.
import { type AboutRun, type Curve, type OpenedRecord, Refused, type Run, api } from "./api";
import { type Series, chart, merged, roomyTop, roundTicks, timeText, timeTicks } from "./chart";
import { byId, h } from "./dom";
import type { App } from "./app";
import { calledInFull } from "./games";
import { TrainingDialog } from "./training";
import { ago, duration, plural, scoreText, short } from "./words";

const EVERY_MS = 3000;
const COMPARED = 3;

interface Drawn {
  name: string;
  curve: Curve;
}

export class RunsTab {
  private chosen: string | null = null;
  private timer: number | undefined;
  private shownRuns = "";
  private shownCurve = "";
  private readonly compared = new Set<string>();
  /** how often it was looked: the answers to older looks fall silent */
  private looks = 0;

  constructor(
    private readonly play: (run: Run) => void,
    private readonly watch: (record: OpenedRecord) => void,
    app: () => App,
  ) {
    this.training = new TrainingDialog(app, (name) => {
      this.chosen = name;
      void this.look();
    });
  }

  private readonly training: TrainingDialog;

  /** Begin or cease to look. */
  visible(yes: boolean): void {
    clearTimeout(this.timer);
    if (yes) void this.look();
  }

  private async look(): Promise<void> {
    const look = ++this.looks;
    const wanted = () => look === this.looks;
    await this.training.look();
    try {
      const { runs } = await api.runs();
      if (!wanted()) return;
      this.list(runs);
      const run = runs.find((one) => one.name === this.chosen) ?? runs[0];
      if (run) {
        const names = [run.name, ...[...this.compared].filter((name) => name !== run.name && runs.some((one) => one.name === name))];
        const curves = await Promise.all(names.map(async (name) => ({ name, curve: await api.curve(name) })));
        if (!wanted()) return;
        await this.curve(run, curves, wanted);
      }
    } catch (error) {
      if (wanted() || !(error instanceof Refused)) this.fail(error);
    }
    if (!wanted()) return;
    clearTimeout(this.timer);
    if (!byId("runs-tab").hidden) this.timer = window.setTimeout(() => void this.look(), EVERY_MS);
  }

  /** Say in place of the list why the server gives none; it comes back, also if it is the same. */
  private fail(error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    this.shownRuns = "";
    byId("run-list").replaceChildren(h("li", { class: "empty" }, error.message));
  }

  private async open(name: string, match: number): Promise<void> {
    try {
      this.watch(await api.runMatch(name, match));
    } catch (error) {
      this.fail(error);
    }
  }

  private list(runs: Run[]): void {
    const key = JSON.stringify([runs, this.chosen, [...this.compared]]);
    if (key === this.shownRuns) return;
    this.shownRuns = key;
    byId("run-list").parentElement?.toggleAttribute("hidden", !runs.length);
    if (!runs.length) {
      this.shownCurve = "";
      byId("run-list").replaceChildren();
      byId("run-detail").replaceChildren(
        h(
          "div",
          { class: "nothing" },
          h("h2", {}, "No training runs yet"),
          h("p", {}, "A run appears here as soon as it starts. On the command line:"),
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
            h("span", { class: "run-game", title: run.game }, calledInFull(run.game)),
            h("span", { class: `run-when${run.live ? " live" : ""}` }, run.live ? "training" : ago(Date.now() / 1000 - run.changed)),
          ),
          runs.length > 1 && run.name !== chosen && this.comparison(run),
        ),
      ),
    );
  }

  /** A box that draws another run beside the chosen one. */
  private comparison(run: Run): HTMLElement {
    const change = (event: Event) => {
      if ((event.target as HTMLInputElement).checked) this.compared.add(run.name);
      else this.compared.delete(run.name);
      void this.look();
    };
    const full = !this.compared.has(run.name) && this.compared.size >= COMPARED;
    const box = h("input", { type: "checkbox", checked: this.compared.has(run.name), disabled: full, "aria-label": `Compare with ${run.name}`, onchange: change });
    return h("label", { class: "compare", title: "Draw its curves, too" }, box, h("span", {}, "compare"));
  }

  private async curve(run: Run, drawn: Drawn[], wanted: () => boolean): Promise<void> {
    const curve = (drawn[0] as Drawn).curve;
    const key = JSON.stringify([run.name, run.live, run.ready, drawn.map((one) => [one.name, one.curve.matches, one.curve.strength.length])]);
    if (key === this.shownCurve) return;
    const about = await api.about(run.name);
    if (!wanted()) return;
    this.shownCurve = key;
    const latest = curve.strength.at(-1);
    const facts: [string, string][] = [
      ["matches", short(curve.matches)],
      ["training time", duration(curve.elapsed)],
      ["positions evaluated", short(curve.evaluations)],
      ["score", latest ? scoreText(latest.score, curve.share) : "–"],
    ];
    const open = [...byId("run-detail").querySelectorAll("details[open]")].map((one) => one.id);
    byId("run-detail").replaceChildren(
      h(
        "header",
        { class: "run-head" },
        h("div", {}, h("h2", {}, run.name), h("p", { class: "run-game", title: run.game }, calledInFull(run.game))),
        h("button", { type: "button", class: "primary", disabled: !run.ready, onclick: () => this.play(run) }, "Play against it"),
      ),
      h("dl", { class: "figures" }, ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      drawn.length > 1 ? h("ul", { class: "legend" }, ...drawn.map(({ name }, i) => h("li", {}, h("span", { class: `legend-line c${i}`, "aria-hidden": true }), name))) : "",
      ...charts(drawn),
      this.matches(run, about),
      settingsOf(about),
    );
    for (const id of open) byId<HTMLDetailsElement>(id).open = true;
  }

  /** The latest matches that the run has played against itself. */
  private matches(run: Run, { matches }: AboutRun): HTMLElement {
    const result = (outcome: number | null) => (outcome === null ? "" : outcome > 0 ? ", first player won" : outcome < 0 ? ", second player won" : ", draw");
    return h(
      "details",
      { id: "run-matches" },
      h("summary", {}, "Self-play matches"),
      matches.length
        ? h(
            "ul",
            { class: "match-list" },
            ...matches.map(({ match, plies, outcome }) =>
              h("li", {}, h("button", { type: "button", onclick: () => void this.open(run.name, match) }, `${match}: ${plural(plies, "move")}${result(outcome)}`)),
            ),
          )
        : h("p", { class: "empty" }, "None yet."),
    );
  }
}

function settingsOf({ settings }: AboutRun): HTMLElement {
  const rows = settings.map(({ name, value, help }) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, name)), h("td", {}, value), h("td", {}, help)));
  const head = h("tr", {}, ...["setting", "value", "meaning"].map((text) => h("th", { scope: "col" }, text)));
  return h(
    "details",
    { id: "run-settings" },
    h("summary", {}, "Settings"),
    h("div", { class: "scrolled prose", tabindex: 0, role: "region", "aria-label": "Settings" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows))),
  );
}

function charts(drawn: Drawn[]): HTMLElement[] {
  if ((drawn[0]?.curve.curve.elapsed.length ?? 0) < 2) return [h("p", { class: "empty" }, "The curves appear after the first matches.")];
  const longest = Math.max(...drawn.map(({ curve }) => curve.curve.elapsed.at(-1) ?? 0), 1);
  const style = (i: number, own: string) => (drawn.length > 1 ? `c${i}` : own);
  const called = (name: string) => (drawn.length > 1 ? name : "");
  const axis = { x: [0, longest] as [number, number], xTicks: timeTicks(longest), xText: timeText(longest) };
  const figures = (value: number) => String(Number(value.toPrecision(3)));
  const lines = (title: string, note: string, column: "loss" | "plies") => {
    const series: Series[] = drawn.map(({ name, curve }, i) => ({ name: called(name), ...merged(curve.curve.elapsed, curve.curve[column]), style: style(i, column) }));
    const top = roomyTop(series.flatMap((one) => one.y));
    return figure(
      title,
      note,
      chart(series, {
        label: `${title} over the training run`,
        height: 170,
        ...axis,
        y: [0, top * 1.08],
        ticks: roundTicks(0, top, 3).map((at) => ({ at, text: figures(at) })),
        yText: figures,
      }),
    );
  };
  const parts: HTMLElement[] = [];
  const share = drawn.every(({ curve }) => curve.share);
  const strengths = drawn.flatMap(({ curve }) => curve.strength);
  const scores = strengths.flatMap(({ low, high }) => [low, high]);
  const [least, most] = share ? [0, 1] : [Math.min(0, ...scores), Math.max(1, ...scores)];
  const ticks = share ? [0, 0.25, 0.5, 0.75, 1] : roundTicks(least, most, 4);
  if (strengths.length > 1)
    parts.push(
      figure(
        "Score",
        `${share ? "against a fixed opponent" : "of the game"}, with 95% intervals`,
        chart(
          drawn.map(({ name, curve: { strength } }, i) => ({
            name: called(name),
            x: strength.map((point) => point.elapsed),
            y: strength.map((point) => point.score),
            low: strength.map((point) => point.low),
            high: strength.map((point) => point.high),
            style: style(i, "score"),
          })),
          {
            label: "Score over the training run",
            height: 230,
            ...axis,
            y: [least, most],
            ticks: ticks.map((at) => ({ at, text: scoreText(at, share) })),
            yText: (value) => scoreText(value, share),
            dots: true,
          },
        ),
      ),
    );
  parts.push(lines("Loss", "after each match", "loss"), lines("Match length", "in moves", "plies"));
  return parts;
}

function figure(title: string, note: string, content: HTMLElement): HTMLElement {
  return h("figure", {}, h("figcaption", {}, h("strong", {}, title), h("span", {}, ` ${note}`)), content);
}
