// Records and pictures: what is opened from files, and what is copied and saved.
import { type GameInfo, type OpenedRecord, Refused, api, numbers } from "./api";
import type { App } from "./app";
import { Board } from "./board/board";
import { byId, h } from "./dom";
import type { Agent, Setup } from "./match";
import { apng, download, png, svgText } from "./picture";
import { plural } from "./words";

const ACROSS = 1200;
const ACROSS_MOVING = 560;
const FRAME_MS = 700;
const LAST_MS = 2500;
const FRAMES = 200;

export async function copy(button: HTMLElement, text: string): Promise<void> {
  const before = (button.dataset["label"] ??= button.textContent ?? "");
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    window.prompt("Copy this:", text);
  }
  setTimeout(() => (button.textContent = before), 1500);
}

/** The match as the server writes it. */
async function written(app: App, form: "text" | "sgf"): Promise<string> {
  const { setup, ended } = app.match;
  const name = (agent: Agent | null, recorded: string | undefined) => agent?.player ?? (recorded || "you");
  const answer = await api.write({
    game: setup.game,
    start: setup.start,
    ...numbers(app.match.tree()),
    first: name(setup.first, setup.names?.first),
    second: name(setup.second, setup.names?.second),
    verdict: ended?.outcome ?? null,
    reason: ended?.reason ?? "",
    form,
  });
  return answer.text;
}

const boardOf = (holder: Element): SVGSVGElement => holder.querySelector("svg.board") as SVGSVGElement;

/** The match as a picture that moves: a board of its own is drawn once for each turn. */
async function animation(app: App): Promise<Uint8Array> {
  const board = new Board({ touch: () => undefined, aim: () => undefined, cancel: () => undefined, play: () => undefined });
  const stage = h("div", { class: "offstage", "aria-hidden": true }, board.element);
  document.body.append(stage);
  try {
    const all = await app.positions.line();
    const shown = all.filter((position, i) => i === 0 || i === all.length - 1 || all[i + 1]?.first !== position.first || i % 4 === 0);
    const every = Math.ceil(shown.length / FRAMES);
    const frames: Uint8Array[] = [];
    board.set(app.info, app.flip);
    const chosen = shown.filter((_, i) => i % every === 0 || i === shown.length - 1);
    for (const position of chosen) {
      board.show(position, { open: false, prefix: [], rows: [], variation: [], aimed: null, pov: true });
      const picture = await png(boardOf(stage), ACROSS_MOVING);
      frames.push(new Uint8Array(await picture.arrayBuffer()));
    }
    return apng(frames, chosen.map((_, i) => (i === chosen.length - 1 ? LAST_MS : FRAME_MS)));
  } finally {
    stage.remove();
  }
}

function startSaving(app: App): void {
  const dialog = byId<HTMLDialogElement>("save-dialog");
  const name = () => `${app.info.name}-${app.match.length}`;
  const forms: Record<string, () => Promise<void>> = {
    text: async () => download(`${name()}.txt`, await written(app, "text"), "text/plain"),
    sgf: async () => download(`${name()}.sgf`, await written(app, "sgf"), "application/x-go-sgf"),
    svg: async () => download(`${name()}.svg`, svgText(boardOf(byId("board"))), "image/svg+xml"),
    png: async () => download(`${name()}.png`, await png(boardOf(byId("board")), ACROSS), "image/png"),
    apng: async () => download(`${name()}-match.png`, (await animation(app)) as Uint8Array<ArrayBuffer>, "image/apng"),
  };
  byId("save").addEventListener("click", () => {
    byId("save-error").textContent = "";
    byId<HTMLButtonElement>("save-sgf").hidden = !app.info.sgf;
    dialog.showModal();
  });
  for (const [form, act] of Object.entries(forms)) {
    const button = byId<HTMLButtonElement>(`save-${form}`);
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await act();
        dialog.close();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        byId("save-error").textContent = error.message;
      } finally {
        button.disabled = false;
      }
    });
  }
  byId("save-cancel").addEventListener("click", () => dialog.close());
  byId("copy").addEventListener("click", async () => {
    try {
      await copy(byId("copy"), await written(app, "text"));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      app.complain(error.message);
    }
  });
}

/** The dialog that opens records: a text or a file with one or many of them. */
function startOpening(app: App, setupOf: (info: GameInfo, record: OpenedRecord) => Setup): void {
  const dialog = byId<HTMLDialogElement>("load-dialog");
  const text = byId<HTMLTextAreaElement>("load-text");
  const choice = byId<HTMLSelectElement>("load-choice");
  let listed = "";
  let asked = 0;
  let reading: Promise<void> = Promise.resolve();

  const guarded = async (act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      byId("load-error").textContent = error.message;
    }
  };
  /** Show which games the text has; a choice where there are several. */
  const list = async (): Promise<void> => {
    const mine = ++asked;
    const { records, count } = await api.records(text.value, app.game);
    if (mine !== asked) return;
    listed = text.value;
    byId("load-error").textContent = "";
    choice.replaceChildren(
      ...records.map(({ game, first, second, result }, i) =>
        h("option", { value: i }, `${i + 1}. ${first || "?"} – ${second || "?"}  ${result === "*" ? "" : result}  ${game}`),
      ),
    );
    byId("load-games").hidden = count < 2;
    byId("load-count").textContent = count > records.length ? `The first ${records.length} of ${plural(count, "game")}` : plural(count, "game");
  };
  const show = (record: OpenedRecord, info: GameInfo): void => {
    dialog.close();
    app.begin(setupOf(info, record), info, { line: record, at: 0, ended: record.ended });
  };
  byId("load").addEventListener("click", () => {
    byId("load-error").textContent = "";
    dialog.showModal();
  });
  byId("load-cancel").addEventListener("click", () => dialog.close());
  text.addEventListener("input", () => {
    byId("load-games").hidden = true;
  });
  byId<HTMLInputElement>("load-file").addEventListener("change", async (event) => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (!file) return;
    reading = file.text().then((content) => {
      text.value = content;
    });
    await reading;
    await guarded(list);
  });
  byId("load-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void guarded(async () => {
      await reading; // a file that was chosen just now
      if (listed !== text.value) {
        await list();
        if (choice.options.length > 1) return; // which of them?
      }
      const record = await api.record(text.value, app.game, Number(choice.value || 0));
      show(record, await api.game(record.game));
    });
  });
}

export function startFiles(app: App, setupOf: (info: GameInfo, record: OpenedRecord) => Setup): void {
  startOpening(app, setupOf);
  startSaving(app);
}
