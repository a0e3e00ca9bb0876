// The tab of tournaments: each a ladder of its players with their ratings and how sure these are.
import { type Ladder, Refused, api } from "./api";
import { scale } from "./chart";
import { byId, h, s } from "./dom";
import { calledInFull } from "./games";
import { playerTitle } from "./words";

const WIDTH = 400;

/** A rating in words, with a minus sign that is as wide as a plus. */
const elo = (rating: number): string => String(Math.round(rating)).replace("-", "−");

const interval = ({ low, high }: Ladder["rows"][number]): string => `${elo(low)} to ${elo(high)}`;

/** A rating as a dot on its interval, on the scale of the whole tournament. */
function bar(row: Ladder["rows"][number], x: (elo: number) => number): SVGElement {
  return s(
    "svg",
    { class: "elo-bar", viewBox: `0 0 ${WIDTH} 16`, "aria-hidden": true },
    s("path", { class: "elo-line", d: `M0 8H${WIDTH}` }),
    s("path", { class: "elo-interval", d: `M${x(row.low).toFixed(1)} 8H${x(row.high).toFixed(1)}` }),
    s("circle", { class: "elo-dot", cx: x(row.elo), cy: 8, r: 5 }),
  );
}

function ladder({ name, game, rows }: Ladder): HTMLElement {
  const ends: [number, number] = [Math.min(...rows.map((row) => row.low)), Math.max(...rows.map((row) => row.high))];
  const x = scale(ends, [6, WIDTH - 6]);
  const head = ["rank", "player", "Elo", "95% interval", "chart", "won", "drawn", "lost"].map((text) =>
    h("th", { scope: "col", class: text === "chart" ? "elo-cell" : "" }, text === "rank" || text === "chart" ? h("span", { class: "sr-only" }, text) : text),
  );
  const body = rows.map((row, i) =>
    h(
      "tr",
      {},
      h("td", { class: "rank" }, String(i + 1)),
      h("th", { scope: "row", title: row.player }, playerTitle(row.player)),
      h("td", {}, h("strong", {}, elo(row.elo)), h("small", { class: "interval narrow" }, interval(row))),
      h("td", { class: "interval" }, interval(row)),
      h("td", { class: "elo-cell" }, bar(row, x)),
      ...[row.wins, row.draws, row.losses].map((count) => h("td", {}, String(count))),
    ),
  );
  return h(
    "section",
    { class: "card ladder" },
    h("h2", {}, name),
    h("p", { class: "run-game", title: game }, calledInFull(game)),
    h("div", { class: "scrolled prose", tabindex: 0, role: "region", "aria-label": `Ladder of ${name}` }, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body))),
  );
}

export async function showLadders(): Promise<void> {
  const place = byId("ladders");
  try {
    const { ladders } = await api.ladders();
    const nothing = h(
      "div",
      { class: "card nothing" },
      h("h2", {}, "No tournaments yet"),
      h("p", {}, "A tournament appears here when it is finished. Start one with:"),
      h("pre", {}, "glaux tournament GAME PLAYER PLAYER ..."),
    );
    place.replaceChildren(...(ladders.length ? ladders.map(ladder) : [nothing]));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    place.replaceChildren(h("p", { class: "complaint" }, error.message));
  }
}
