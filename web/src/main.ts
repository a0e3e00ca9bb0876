// What the page does when it opens, and what its buttons and keys do.
import { type Ending, type GameEntry, type GameInfo, type Line, Refused, type Run, api } from "./api";
import { App } from "./app";
import type { Times } from "./clock";
import { byId, h } from "./dom";
import { copy, startFiles } from "./files";
import { FRIEND, forFar, friendLink, readFriend } from "./friend";
import { keepGames } from "./games";
import { showLadders } from "./ladders";
import { type Linked, readLink } from "./link";
import type { Begun, Setup } from "./match";
import { startRules } from "./rules";
import { RunsTab } from "./runs";
import { SetupDialog, defaultAgent, trainedAgent } from "./setup";
import { startSound } from "./sound";
import { startTheme } from "./theme";

const DEFAULT_GAME = "connect_four";
const KEPT = "glaux-match";
const SURE_MS = 3000;
/** of a player in a record, in characters: as the server writes it again */
const LONGEST_NAME = 200;

/** how many links were followed: the answers to older ones fall silent */
let opened = 0;

/** What a page remembers of its match, so that a reload goes on with it. */
interface Kept {
  link: string;
  setup: Setup;
  line: Line;
  times: Times | null;
  ended: Ending | null;
}

const ordinary = (info: GameInfo, changes: Partial<Setup> = {}): Setup => ({
  game: info.game,
  start: null,
  first: null,
  second: defaultAgent(info),
  clock: null,
  ...changes,
});

function keep(app: App): void {
  const link = app.link();
  history.replaceState(null, "", link);
  try {
    const kept: Kept = { link, setup: app.match.setup, line: app.match.tree(), times: app.clock?.times() ?? null, ended: app.match.ended };
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // a browser that keeps nothing: a reload shows the position alone
  }
}

function kept(link: string): Kept | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Kept | null;
    return stored?.link === link ? stored : null;
  } catch {
    return null;
  }
}

/** Show what a link says, unless another one was followed meanwhile. */
async function openLink(app: App, linked: Linked, hash: string): Promise<void> {
  const ticket = ++opened;
  const info = await api.game(linked.game);
  const before = kept(hash);
  if (ticket !== opened) return;
  if (before) {
    app.begin(before.setup, info, { line: before.line, at: linked.at, times: before.times, ended: before.ended });
    return;
  }
  const tags = [`[Game "${info.game}"]`, ...(linked.start ? [`[Start ${JSON.stringify(linked.start)}]`] : [])];
  await api.position({ game: info.game, start: linked.start, actions: [] }); // is the start a state at all?
  const words = linked.moves.map((text) => JSON.stringify(text)).join(" ");
  const line = linked.moves.length ? await api.record(`${tags.join("\n")}\n\n${words}`, null) : { moves: [], variations: [] };
  if (ticket !== opened) return;
  app.begin(ordinary(info, { start: linked.start, second: null }), info, { line, at: linked.at });
}

/** Sit down at a seat of a match with a friend. */
async function sitDown(app: App, seat: string): Promise<void> {
  const ticket = ++opened;
  const room = await api.room(seat, 0);
  const info = await api.game(room.game);
  if (ticket !== opened) return;
  const sides = room.first ? { first: null, second: FRIEND } : { first: FRIEND, second: null };
  app.begin(ordinary(info, { start: room.start, ...sides, seat }), info, { line: { moves: room.moves, variations: [] } });
}

/** Begin a match of a game, unless a link was followed meanwhile. */
async function beginWith(app: App, game: string, changes: Partial<Setup>, begun?: Begun): Promise<void> {
  const ticket = ++opened;
  try {
    const info = await api.game(game);
    if (ticket === opened) app.begin(ordinary(info, changes), info, begun);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    app.complain(error.message);
  }
}

/** Open a room for a match with a friend, and show the link to it. */
async function invite(app: App, info: GameInfo): Promise<void> {
  try {
    const { seat, friend } = await api.openRoom(info.game, null, true);
    await sitDown(app, seat);
    byId<HTMLInputElement>("friend-link").value = `${location.origin}/${friendLink(friend)}`;
    byId("friend-far").replaceChildren(...forFar(location.hostname));
    byId<HTMLDialogElement>("friend-dialog").showModal();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    app.complain(error.message);
  }
}

async function openFirst(app: App, games: GameEntry[]): Promise<void> {
  const seat = readFriend(location.hash);
  if (seat) {
    try {
      await sitDown(app, seat);
      return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await openDefault(app, games);
      app.complain(error.message);
      return;
    }
  }
  const linked = readLink(location.hash);
  if (linked) {
    try {
      await openLink(app, linked, location.hash);
      return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      history.replaceState(null, "", location.pathname);
      await openDefault(app, games);
      app.complain(`This link can't be opened. ${error.message}`);
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

type Tab = "play" | "runs" | "ladders";

function startTabs(runs: RunsTab): (name: Tab) => void {
  const names: Tab[] = ["play", "runs", "ladders"];
  const choose = (name: Tab) => {
    for (const one of names) {
      const tab = byId(`tab-${one}`);
      tab.setAttribute("aria-selected", String(one === name));
      tab.setAttribute("tabindex", one === name ? "0" : "-1");
      byId(`${one}-tab`).hidden = one !== name;
    }
    runs.visible(name === "runs");
    if (name === "ladders") void showLadders();
  };
  names.forEach((name, i) => {
    const tab = byId(`tab-${name}`);
    tab.addEventListener("click", () => choose(name));
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: names.length - 1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      const other = names[(i + by) % names.length] as Tab;
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
    button.style.minWidth = `${button.getBoundingClientRect().width}px`; // a shorter question moves no button
    timer = undefined;
    button.textContent = asking ? question : text;
    if (asking)
      timer = window.setTimeout(() => {
        timer = undefined;
        button.textContent = text;
      }, SURE_MS);
  });
}

function startButtons(app: App, setup: SetupDialog): void {
  const on = (id: string, act: () => void) => byId(id).addEventListener("click", act);
  on("new", () => void setup.open({ info: app.info, setup: app.match.setup }));
  on("undo", () => app.undo());
  on("hint", () => void app.hint());
  on("edit", () => app.edit());
  on("analyse", () => app.analyse());
  on("now", () => app.moveNow());
  on("pause", () => app.pause());
  on("flip", () => app.turnBoard());
  on("letters", () => app.useLetters());
  on("zoom", () => app.zoom());
  on("evaluate", () => void app.evaluate());
  on("share", () => void copy(byId("share"), `${location.origin}/${app.link()}`));
  on("friend-copy", () => void copy(byId("friend-copy"), byId<HTMLInputElement>("friend-link").value));
  on("friend-close", () => byId<HTMLDialogElement>("friend-dialog").close());
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
    h: () => void app.hint(),
    a: () => app.analyse(),
    f: () => app.turnBoard(),
    n: () => byId("new").click(),
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

async function start(): Promise<void> {
  startTheme();
  startSound();
  let show: () => void = () => undefined;
  const shown = new Promise<void>((resolve) => (show = resolve));
  const app = new App((changed) => {
    keep(changed);
    show();
  });
  let choose: (name: Tab) => void = () => undefined;
  const runs = new RunsTab(
    (run: Run) => {
      choose("play");
      void beginWith(app, run.game, { second: trainedAgent(run.name) });
    },
    (record) => {
      choose("play");
      void beginWith(app, record.game, { start: record.start, second: null }, { line: record, at: 0 });
    },
    () => app,
  );
  choose = startTabs(runs);
  try {
    const { games, levels } = await api.games();
    keepGames(games);
    const setup = new SetupDialog(
      games,
      levels,
      (chosen, info) => app.begin(chosen, info),
      (info) => void invite(app, info),
    );
    await openFirst(app, games);
    startButtons(app, setup);
    const named = (name: string) => name.slice(0, LONGEST_NAME);
    startFiles(app, (info, { start, first, second }) =>
      ordinary(info, { start, second: null, names: { first: named(first), second: named(second) } }),
    );
    startRules(app);
    // The event knows the link: the address may already be that of the match on the table again, whose
    // position has just arrived.
    window.addEventListener("hashchange", ({ newURL }) => {
      const { hash } = new URL(newURL);
      const seat = readFriend(hash);
      if (seat) {
        sitDown(app, seat).catch((error: Error) => app.complain(error.message));
        return;
      }
      const linked = readLink(hash);
      if (linked && hash !== app.link())
        openLink(app, linked, hash).catch((error: Error) => app.complain(`This link can't be opened. ${error.message}`));
    });
    await shown; // a page is ready when there is a position on it, or a sentence that says why not
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    byId("board").replaceChildren(h("p", { class: "nothing" }, error.message));
  }
  document.documentElement.dataset["ready"] = "true";
}

void start();
