// The dialog of a new match: game, size, opponent, side, time.
import { type GameEntry, type GameInfo, type Opponent, type Parameter, Refused, api } from "./api";
import { byId, h } from "./dom";
import { thumbnail } from "./board/thumbnail";
import type { Agent, Effort, Setup } from "./match";

/** What an agent has for a move, at a level and where nobody chooses another. */
const EFFORT: Effort = { seconds: 1, iterations: null };

/** How strong an agent plays, for people: the server has these levels. */
function levelTexts(count: number): { text: string }[] {
  const words = (level: number) => (level === 1 ? " (easiest)" : level === count ? " (full strength)" : "");
  return Array.from({ length: count }, (_, i) => ({ text: `${i + 1}${words(i + 1)}` }));
}

/** Exactly how long it thinks for an action, for who wants to know. */
export const EFFORTS: { text: string; effort: Effort }[] = [
  { text: "0.1 s", effort: { seconds: 0.1, iterations: null } },
  { text: "0.5 s", effort: { seconds: 0.5, iterations: null } },
  { text: "1 s", effort: { seconds: 1, iterations: null } },
  { text: "3 s", effort: { seconds: 3, iterations: null } },
  { text: "10 s", effort: { seconds: 10, iterations: null } },
  { text: "30 s", effort: { seconds: 30, iterations: null } },
  { text: "100 iterations", effort: { seconds: null, iterations: 100 } },
  { text: "1,000 iterations", effort: { seconds: null, iterations: 1000 } },
  { text: "10,000 iterations", effort: { seconds: null, iterations: 10_000 } },
];

const CLOCKS: { text: string; clock: Setup["clock"] }[] = [
  { text: "None", clock: null },
  { text: "1 min", clock: { seconds: 60, plus: 0 } },
  { text: "3 min + 2 s", clock: { seconds: 180, plus: 2 } },
  { text: "5 min + 3 s", clock: { seconds: 300, plus: 3 } },
  { text: "10 min + 5 s", clock: { seconds: 600, plus: 5 } },
  { text: "30 min", clock: { seconds: 1800, plus: 0 } },
];
const KEY = "glaux-setup";

type Side = "first" | "second" | "both" | "friend" | "none";

interface Agents {
  player?: string;
  rival?: string;
}

interface Stored extends Agents {
  name: string;
  parameters: Record<string, number>;
  side: Side;
  level: number;
  rivalLevel: number;
  clock: number;
}

/** The text of a game with parameters. */
export function gameText(name: string, parameters: Record<string, number>): string {
  const settings = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  return settings.length ? `${name}:${settings.join(",")}` : name;
}

/** The agent that ships with the server, and the search that stands for Glaux where there is none. */
const BOXED = "zoo";
const PLAIN = "mcts";

/** The names of agents for people: who has learned, who only searches, and who does neither. */
export function agentTitle({ name, title }: Opponent): string {
  if (name.startsWith("run:")) return title;
  return name === PLAIN || name === BOXED ? "Glaux" : name === "random" ? "Random moves" : title;
}

/** Who plays where nobody chooses: the agent that ships with the server, if it has one of this game. */
export function defaultAgent(info: GameInfo): Agent {
  const boxed = info.opponents.some((one) => one.name === BOXED);
  return { player: boxed ? BOXED : PLAIN, title: "Glaux", effort: EFFORT };
}

/** What has learned in a run, as an opponent. */
export const trainedAgent = (name: string): Agent => ({ player: `run:${name}`, title: name, effort: EFFORT });

export class SetupDialog {
  private readonly dialog = byId<HTMLDialogElement>("setup");
  private name = "";
  private parameters: Record<string, number> = {};
  private info: GameInfo | null = null;
  private asked = 0;
  /** what the server is being asked about the game as it is chosen now */
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly games: GameEntry[],
    private readonly levels: number,
    private readonly start: (setup: Setup, info: GameInfo) => void,
    private readonly invite: (info: GameInfo) => void,
  ) {
    const grid = byId("setup-games");
    for (const game of games)
      grid.append(
        h(
          "button",
          { type: "button", class: "game-card", "data-game": game.name, "aria-pressed": false, onclick: () => void this.choose(game.name) },
          thumbnail(game.look),
          h("span", {}, game.title),
        ),
      );
    const fill = (id: string, options: { text: string }[]) => options.forEach(({ text }, i) => byId(id).append(h("option", { value: i }, text)));
    fill("setup-level", levelTexts(this.levels));
    fill("setup-rival-level", levelTexts(this.levels));
    fill("setup-clock", CLOCKS);
    fill("setup-effort", EFFORTS);
    for (const input of this.dialog.querySelectorAll("input[name=side]")) input.addEventListener("change", () => this.arrange());
    byId("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.submit();
    });
    byId("setup-cancel").addEventListener("click", () => this.dialog.close());
    byId("setup-more").addEventListener("toggle", () => this.dialog.scrollTo({ top: this.dialog.scrollHeight }));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  /** Ask for a new match: of the game on the board and against the same opponent, unless others are chosen. */
  async open({ info, setup }: { info: GameInfo; setup: Setup }): Promise<void> {
    const last = remembered();
    const set = (id: string, value: number) => (byId<HTMLSelectElement>(id).value = String(value));
    set("setup-level", last?.level ?? this.levels - 1);
    set("setup-rival-level", last?.rivalLevel ?? this.levels - 1);
    set("setup-clock", last?.clock ?? 0);
    byId<HTMLSelectElement>("setup-effort").value = "";
    byId<HTMLSelectElement>("setup-search").value = "";
    this.dialog.showModal();
    if (last) this.side(last.side);
    this.arrange();
    const before: Agents = last?.name === info.name ? last : {};
    const [player, rival] = [setup.second ?? setup.first, setup.first ?? setup.second].map((agent) => agent?.player);
    const name = this.games.some((game) => game.name === info.name) ? info.name : (this.games[0]?.name ?? "");
    await this.choose(name, info.parameters, { player: player ?? before.player ?? "", rival: rival ?? before.rival ?? "" });
  }

  /** Show what the side that is chosen needs. */
  private arrange(): void {
    this.dialog.classList.toggle("watch", this.side() === "none" && !this.dialog.classList.contains("alone"));
    this.dialog.classList.toggle("people", this.side() === "both" || this.side() === "friend");
    this.dialog.classList.toggle("friend", this.side() === "friend");
    const watch = this.dialog.classList.contains("watch");
    const { first, second } = this.info?.look.players ?? { first: "", second: "" };
    byId("setup-who").textContent = watch ? first || "First" : this.info?.players === 1 ? "Agent" : "Opponent";
    byId("setup-rival-who").textContent = second || "Second";
  }

  private side(side?: Side): Side {
    const inputs = [...this.dialog.querySelectorAll<HTMLInputElement>("input[name=side]")];
    if (side) for (const input of inputs) input.checked = input.value === side;
    return (inputs.find((input) => input.checked)?.value ?? "first") as Side;
  }

  private async choose(name: string, parameters?: Record<string, number>, agents: Agents = {}): Promise<void> {
    const entry = this.games.find((game) => game.name === name);
    if (!entry) return;
    this.name = name;
    const defaults = Object.fromEntries(entry.parameters.map((one) => [one.name, one.default]));
    const known = Object.entries(parameters ?? {}).filter(([key]) => key in defaults);
    this.parameters = { ...defaults, ...Object.fromEntries(known) };
    for (const card of this.dialog.querySelectorAll<HTMLElement>(".game-card"))
      card.setAttribute("aria-pressed", String(card.dataset["game"] === name));
    this.dialog.querySelector(".game-card[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    byId("setup-summary").textContent = entry.summary;
    byId("setup-parameters").replaceChildren(...entry.parameters.map((one) => this.field(one)));
    await this.look({ player: "", ...agents }); // who has learned the game stands first
  }

  private field(parameter: Parameter): HTMLElement {
    const id = `parameter-${parameter.name}`;
    const value = this.parameters[parameter.name] ?? parameter.default;
    const change = (event: Event) => {
      const input = event.target as HTMLInputElement;
      this.parameters[parameter.name] = parameter.flag ? Number(input.checked) : Number.parseFloat(input.value);
      void this.look();
    };
    const input = parameter.flag
      ? h("input", { id, type: "checkbox", checked: value !== 0, onchange: change })
      : h("input", { id, type: "number", min: parameter.low, max: parameter.high, step: parameter.step, value, inputmode: parameter.step < 1 ? "decimal" : "numeric", onchange: change });
    const words = parameter.name.replaceAll("_", " ");
    const name = words[0]?.toUpperCase() + words.slice(1);
    return h("label", { class: parameter.flag ? "field flag" : "field", for: id, title: parameter.help }, h("span", {}, name), input);
  }

  /** Ask the server about the game as it is chosen now: whether it exists, and who plays it. Until it answers, people go on choosing. */
  private look(agents: Agents = {}): Promise<void> {
    this.dialog.setAttribute("aria-busy", "true");
    this.looking = this.ask(++this.asked, agents);
    return this.looking;
  }

  private async ask(asked: number, { player, rival }: Agents): Promise<void> {
    const complaint = byId("setup-error");
    const button = byId<HTMLButtonElement>("setup-start");
    try {
      const info = await api.game(gameText(this.name, this.parameters));
      if (asked !== this.asked) return;
      this.info = info;
      complaint.textContent = "";
      button.disabled = false;
      const plain = (one: Opponent) => learned(one) || one.name === PLAIN || one.name === "random";
      for (const [id, wanted] of [["setup-opponent", player], ["setup-rival", rival]] as const) {
        const list = byId<HTMLSelectElement>(id);
        const before = wanted ?? list.value;
        list.replaceChildren(...info.opponents.filter(plain).map((agent) => h("option", { value: agent.name, title: agent.summary }, agentOption(agent))));
        if ([...list.options].some((option) => option.value === before)) list.value = before;
      }
      const search = byId<HTMLSelectElement>("setup-search");
      const chosen = search.value;
      search.replaceChildren(
        h("option", { value: "" }, "Automatic"),
        ...info.opponents.filter((one) => !learned(one)).map((one) => h("option", { value: one.name, title: one.summary }, one.title)),
      );
      search.value = info.opponents.some((one) => one.name === chosen) ? chosen : "";
      this.dialog.classList.toggle("alone", info.players === 1);
      const alone = info.players === 1;
      if (alone && this.side() !== "none") this.side("first"); // the other sides are not there
      byId("setup-first").textContent = alone ? "Yourself" : "First";
      byId("setup-first-name").textContent = alone ? "" : info.look.players.first;
      byId("setup-second-name").textContent = info.look.players.second;
      byId("setup-watch").textContent = alone ? "an agent" : "two agents";
      this.arrange();
    } catch (error) {
      if (asked !== this.asked || !(error instanceof Refused)) return;
      this.info = null;
      complaint.textContent = error.message;
      button.disabled = true;
    } finally {
      if (asked === this.asked) this.dialog.removeAttribute("aria-busy");
    }
  }

  /** Begin what is chosen: the answer about it may still be on its way, and the last one was about another game. */
  private async submit(): Promise<void> {
    while (this.dialog.hasAttribute("aria-busy")) await this.looking;
    const info = this.info;
    if (!info || !this.dialog.open) return;
    const side = this.side();
    const value = (id: string) => byId<HTMLSelectElement>(id).value;
    const [player, rival, search, exact] = ["setup-opponent", "setup-rival", "setup-search", "setup-effort"].map(value) as [string, string, string, string];
    const [level, rivalLevel, clock] = ["setup-level", "setup-rival-level", "setup-clock"].map((id) => Number(value(id))) as [number, number, number];
    remember({ name: this.name, parameters: this.parameters, player, rival, side, level, rivalLevel, clock });
    this.dialog.close();
    if (side === "friend") {
      this.invite(info);
      return;
    }
    const agent = (name: string, at: number): Agent => {
      const found = info.opponents.find((one) => one.name === name);
      const effort = (exact && EFFORTS[Number(exact)]?.effort) || { ...EFFORT, level: at + 1 };
      return { player: name, title: found ? agentTitle(found) : name, effort };
    };
    const opponent = agent(search || player, level);
    const other = side === "none" && info.players > 1 ? agent(rival, rivalLevel) : opponent;
    this.start(
      {
        game: info.game,
        start: null,
        first: side === "first" || side === "both" ? null : opponent,
        second: side === "second" || side === "both" ? null : other,
        clock: CLOCKS[clock]?.clock ?? null,
      },
      info,
    );
  }
}

/** Whether an agent has learned its game. */
const learned = ({ name }: Opponent): boolean => name.startsWith("run:") || name === BOXED;

function agentOption(agent: Opponent): string {
  if (agent.name.startsWith("run:")) return `${agentTitle(agent)} (trained)`;
  return agent.name === PLAIN ? "Glaux (untrained)" : agentTitle(agent);
}

function remembered(): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Stored | null;
  } catch {
    return null;
  }
}

function remember(stored: Stored): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // a browser that keeps nothing
  }
}
