// What the page does when it opens, and what its buttons and keys do.
import { type GameEntry, type GameInfo, Refused, type Run, api } from "./api";
import { App } from "./app";
import { byId, h } from "./dom";
import { type Linked, readLink } from "./link";
import type { Setup } from "./match";
import { RunsTab } from "./runs";
import { SetupDialog } from "./setup";
import { startTheme } from "./theme";

const DEFAULT_GAME = "connect_four";
const KEPT = "glaux-match";
const SURE_MS = 3000;

const ordinary = (info: GameInfo, changes: Partial<Setup> = {}): Setup => ({
  game: info.game,
  start: null,
  player: "mcts",
  playerTitle: "MCTS",
  effort: { seconds: 1, iterations: null },
  people: { first: true, second: false },
  ...changes,
});

/** Remember whom this page plays with, so that a reload goes on with the match. */
function keep(app: App): void {
  const link = app.link();
  history.replaceState(null, "", link);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ link, setup: app.match.setup }));
  } catch {
    // a browser that keeps nothing: a reload shows the position alone
  }
}

function kept(link: string): Setup | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as { link: string; setup: Setup } | null;
    return stored?.link === link ? stored.setup : null;
  } catch {
    return null;
  }
}

async function openLink(app: App, linked: Linked): Promise<void> {
  const info = await api.game(linked.game);
  const setup = kept(location.hash) ?? ordinary(info, { start: linked.start, people: { first: true, second: true } });
  const tags = [`[Game "${info.game}"]`, ...(linked.start ? [`[State "${linked.start}"]`] : [])];
  await api.position({ game: info.game, start: linked.start, actions: [] }); // is the start a state at all?
  const moves = linked.moves.length ? (await api.record(`${tags.join("\n")}\n\n${linked.moves.join(" ")}`, null)).moves : [];
  app.begin({ ...setup, game: info.game, start: linked.start }, info, moves, linked.at);
}

async function openFirst(app: App, games: GameEntry[]): Promise<void> {
  const linked = readLink(location.hash);
  if (linked) {
    try {
      await openLink(app, linked);
      return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      history.replaceState(null, "", location.pathname);
      await openDefault(app, games);
      app.complain(`This link can't be shown. ${error.message}`);
      return;
    }
  }
  await openDefault(app, games);
}

async function openDefault(app: App, games: GameEntry[]): Promise<void> {
  const name = games.some((game) => game.name === DEFAULT_GAME) ? DEFAULT_GAME : (games[0]?.name ?? DEFAULT_GAME);
  const info = await api.game(name);
  app.begin(ordinary(info), info);
}

function startTabs(runs: RunsTab): (name: "play" | "runs") => void {
  const names = ["play", "runs"] as const;
  const choose = (name: "play" | "runs") => {
    for (const one of names) {
      const tab = byId(`tab-${one}`);
      tab.setAttribute("aria-selected", String(one === name));
      tab.setAttribute("tabindex", one === name ? "0" : "-1");
      byId(`${one}-tab`).hidden = one !== name;
    }
    runs.visible(name === "runs");
  };
  names.forEach((name, i) => {
    const tab = byId(`tab-${name}`);
    tab.addEventListener("click", () => choose(name));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = names[(i + 1) % names.length] as "play" | "runs";
      choose(other);
      byId(`tab-${other}`).focus();
      event.stopPropagation();
    });
  });
  return choose;
}

/** A button that wants to be pressed twice. */
function sure(button: HTMLElement, question: string, act: () => void): void {
  const text = button.textContent ?? "";
  let timer: number | undefined;
  button.addEventListener("click", () => {
    if (timer !== undefined) act();
    clearTimeout(timer);
    const asking = timer === undefined;
    timer = undefined;
    button.textContent = asking ? question : text;
    if (asking)
      timer = window.setTimeout(() => {
        timer = undefined;
        button.textContent = text;
      }, SURE_MS);
  });
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    window.prompt("Copy this:", text);
  }
  setTimeout(() => (button.textContent = before), 1500);
}

function startButtons(app: App, setup: SetupDialog): void {
  const on = (id: string, act: () => void) => byId(id).addEventListener("click", act);
  on("new", () => void setup.open());
  on("undo", () => app.undo());
  on("analyse", () => app.analyse());
  on("now", () => app.moveNow());
  on("pause", () => app.pause());
  on("flip", () => app.turnBoard());
  on("evaluate", () => void app.evaluate());
  on("share", () => void copy(byId("share"), `${location.origin}/${app.link()}`));
  on("copy", () => void copy(byId("copy"), app.recordText()));
  sure(byId("resign"), "Sure?", () => app.resign());
  byId("type-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const input = byId<HTMLInputElement>("type");
    const complaint = app.type(input.value);
    if (complaint) app.complain(complaint);
    else input.value = "";
  });
  const keys: Record<string, () => void> = {
    u: () => app.undo(),
    a: () => app.analyse(),
    f: () => app.turnBoard(),
    n: () => void setup.open(),
    b: () => app.board.take(),
    ArrowLeft: () => app.go(app.match.cursor - 1),
    ArrowRight: () => app.go(app.match.cursor + 1),
    Home: () => app.go(0),
    End: () => app.go(Number.MAX_SAFE_INTEGER),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target as Element;
    const busy = target.closest("input, select, textarea, dialog[open]") || byId("play-tab").hidden;
    const act = keys[event.key];
    if (!act || busy || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}

function startLoading(app: App): void {
  const dialog = byId<HTMLDialogElement>("load-dialog");
  const text = byId<HTMLTextAreaElement>("load-text");
  byId("load").addEventListener("click", () => {
    byId("load-error").textContent = "";
    dialog.showModal();
  });
  byId("load-cancel").addEventListener("click", () => dialog.close());
  byId<HTMLInputElement>("load-file").addEventListener("change", async (event) => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file) text.value = await file.text();
  });
  byId("load-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const record = await api.record(text.value, app.game);
      const info = await api.game(record.game);
      dialog.close();
      app.begin(ordinary(info, { start: record.start, people: { first: true, second: true } }), info, record.moves, 0);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      byId("load-error").textContent = error.message;
    }
  });
}

async function start(): Promise<void> {
  startTheme();
  const app = new App(keep);
  let choose: (name: "play" | "runs") => void = () => undefined;
  const runs = new RunsTab((run: Run) => {
    choose("play");
    void api.game(run.game).then((info) =>
      app.begin(ordinary(info, { player: `run:${run.name}`, playerTitle: run.name }), info),
    );
  });
  choose = startTabs(runs);
  try {
    const { games } = await api.games();
    const setup = new SetupDialog(games, (chosen, info) => app.begin(chosen, info));
    await openFirst(app, games);
    startButtons(app, setup);
    startLoading(app);
    window.addEventListener("hashchange", () => {
      const linked = readLink(location.hash);
      if (linked && location.hash !== app.link())
        openLink(app, linked).catch((error: Error) => app.complain(`This link can't be shown. ${error.message}`));
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    byId("board").replaceChildren(h("p", { class: "nothing" }, error.message));
  }
  document.documentElement.dataset["ready"] = "true";
}

void start();
