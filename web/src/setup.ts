// The dialog of a new match: game, size, opponent, side, time.
import { type GameEntry, type GameInfo, type Parameter, Refused, api } from "./api";
import { byId, h } from "./dom";
import { thumbnail } from "./board/thumbnail";
import type { Effort, Setup } from "./match";

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
const DEFAULT_EFFORT = 2;
const KEY = "glaux-setup";

type Side = "first" | "second" | "both" | "none";

interface Stored {
  name: string;
  parameters: Record<string, number>;
  player: string;
  side: Side;
  effort: number;
}

/** The text of a game with parameters. */
export function gameText(name: string, parameters: Record<string, number>): string {
  const settings = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  return settings.length ? `${name}:${settings.join(",")}` : name;
}

export const peopleOf = (side: Side): Setup["people"] => ({
  first: side === "first" || side === "both",
  second: side === "second" || side === "both",
});

export class SetupDialog {
  private readonly dialog = byId<HTMLDialogElement>("setup");
  private name = "";
  private parameters: Record<string, number> = {};
  private info: GameInfo | null = null;
  private asked = 0;

  constructor(
    private readonly games: GameEntry[],
    private readonly start: (setup: Setup, info: GameInfo) => void,
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
    EFFORTS.forEach((effort, i) => byId("setup-effort").append(h("option", { value: i }, effort.text)));
    byId("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    byId("setup-cancel").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  async open(): Promise<void> {
    const last = remembered();
    byId<HTMLSelectElement>("setup-effort").value = String(last?.effort ?? DEFAULT_EFFORT);
    this.dialog.showModal();
    const name = this.games.some((game) => game.name === last?.name) ? (last?.name as string) : (this.games[0]?.name ?? "");
    await this.choose(this.name || name, this.name ? this.parameters : last?.parameters, last?.player);
    if (last) this.side(last.side);
  }

  private side(side?: Side): Side {
    const inputs = [...this.dialog.querySelectorAll<HTMLInputElement>("input[name=side]")];
    if (side) for (const input of inputs) input.checked = input.value === side;
    return (inputs.find((input) => input.checked)?.value ?? "first") as Side;
  }

  private async choose(name: string, parameters?: Record<string, number>, player?: string): Promise<void> {
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
    await this.look(player ?? ""); // who has learned the game stands first
  }

  private field(parameter: Parameter): HTMLElement {
    const id = `parameter-${parameter.name}`;
    const value = this.parameters[parameter.name] ?? parameter.default;
    const change = (event: Event) => {
      const input = event.target as HTMLInputElement;
      this.parameters[parameter.name] = parameter.flag ? Number(input.checked) : Number.parseInt(input.value, 10);
      void this.look();
    };
    const input = parameter.flag
      ? h("input", { id, type: "checkbox", checked: value !== 0, onchange: change })
      : h("input", { id, type: "number", min: parameter.low, max: parameter.high, value, inputmode: "numeric", onchange: change });
    const name = parameter.name[0]?.toUpperCase() + parameter.name.slice(1);
    return h("label", { class: parameter.flag ? "field flag" : "field", for: id, title: parameter.help }, h("span", {}, name), input);
  }

  /** Ask the server about the game as it is chosen now: whether it exists, and who plays it. */
  private async look(player?: string): Promise<void> {
    const asked = ++this.asked;
    const select = byId<HTMLSelectElement>("setup-opponent");
    const wanted = player ?? select.value;
    const complaint = byId("setup-error");
    const button = byId<HTMLButtonElement>("setup-start");
    try {
      const info = await api.game(gameText(this.name, this.parameters));
      if (asked !== this.asked) return;
      this.info = info;
      complaint.textContent = "";
      button.disabled = false;
      select.replaceChildren(
        ...info.opponents.map((one) => h("option", { value: one.name, title: one.summary }, one.name.startsWith("run:") ? `${one.title} (learned)` : one.title)),
      );
      if (info.opponents.some((one) => one.name === wanted)) select.value = wanted;
      this.dialog.classList.toggle("alone", info.players === 1);
      byId("setup-first").textContent = info.players === 1 ? "Yourself" : "First";
      byId("setup-who").textContent = info.players === 1 ? "Agent" : "Opponent";
    } catch (error) {
      if (asked !== this.asked || !(error instanceof Refused)) return;
      this.info = null;
      complaint.textContent = error.message;
      button.disabled = true;
    }
  }

  private submit(): void {
    const info = this.info;
    if (!info) return;
    const side = this.side();
    const effort = Number(byId<HTMLSelectElement>("setup-effort").value);
    const player = byId<HTMLSelectElement>("setup-opponent").value;
    remember({ name: this.name, parameters: this.parameters, player, side, effort });
    this.dialog.close();
    this.start(
      {
        game: info.game,
        start: null,
        player,
        playerTitle: info.opponents.find((one) => one.name === player)?.title ?? player,
        effort: EFFORTS[effort]?.effort ?? { seconds: 1, iterations: null },
        people: peopleOf(side),
      },
      info,
    );
  }
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
