// Setting up a position: what is chosen in the palette is put on the cells that are touched. Any position can be
// written as text; in games whose cells do not show all there is, only so.
import { type GameInfo, type Position, Refused, api } from "./api";
import { dress } from "./board/colours";
import { FACES, cubeText, layoutOf, stickersOf } from "./board/layout";
import { draw as drawPiece, gradients, spoken, standing, sticker } from "./board/pieces";
import { byId, h, s } from "./dom";

export interface EditorHandlers {
  /** show the board as it is now */
  show: (position: Position) => void;
  /** play from this start */
  use: (start: string) => void;
  cancel: () => void;
}

const isCube = (info: GameInfo): boolean => info.look.board.ground === "net";

export class Editor {
  /** by their codes; those of a cube are the numbers of its stickers' faces */
  private cells: number[] = [];
  private code = 0;
  private info: GameInfo | null = null;
  private position: Position | null = null;
  /** whether the cells were changed after the text */
  private painted = false;

  constructor(private readonly handlers: EditorHandlers) {
    byId("editor-clear").addEventListener("click", () => {
      const { info } = this;
      this.cells = this.cells.map((_, i) => (info && isCube(info) ? Math.floor((i * FACES.length) / this.cells.length) : 0));
      this.changed();
    });
    byId("editor-cancel").addEventListener("click", () => {
      this.close();
      this.handlers.cancel();
    });
    byId("editor-use").addEventListener("click", () => void this.use());
    byId("editor-first").addEventListener("change", () => this.changed());
    byId("editor-text").addEventListener("input", () => (this.painted = false));
    byId("editor-text").addEventListener("change", () => void this.read());
    byId("editor-more").addEventListener("toggle", () => this.painted && void this.read());
  }

  get active(): boolean {
    return this.info !== null;
  }

  open(info: GameInfo, position: Position): void {
    this.info = info;
    this.code = isCube(info) ? 0 : 1;
    const { first, second } = info.look.players;
    byId("editor-first").replaceChildren(
      h("option", { value: "first" }, `${first || "First"} to move`),
      h("option", { value: "second" }, `${second || "Second"} to move`),
    );
    byId("editor-turn").hidden = !info.editable;
    byId("editor-clear").hidden = !this.paints;
    byId("editor-clear").textContent = isCube(info) ? "Solved" : "Clear";
    byId("editor-why").hidden = this.paints;
    byId<HTMLDetailsElement>("editor-more").open = !this.paints;
    byId("editor").hidden = false;
    this.palette();
    this.take(position);
    for (const id of ["editor", "board"]) byId(id).scrollIntoView({ block: "nearest" });
  }

  /** Begin with a position. */
  private take(position: Position): void {
    const { info } = this;
    if (!info) return;
    this.position = position;
    this.cells = isCube(info) ? stickersOf(position.state).map((face) => FACES.indexOf(face)) : [...position.cells];
    this.painted = false;
    byId<HTMLSelectElement>("editor-first").value = position.first ? "first" : "second";
    byId<HTMLTextAreaElement>("editor-text").value = position.state;
    byId("editor-error").textContent = "";
    this.draw();
  }

  close(): void {
    this.info = null;
    byId("editor").hidden = true;
  }

  /** Put the chosen piece on a cell, or take it away if it is there. */
  paint(cell: number): void {
    if (!this.info || !this.paints) return;
    this.cells[cell] = this.cells[cell] === this.code && !isCube(this.info) ? 0 : this.code;
    this.changed();
  }

  /** Whether pieces can be put on cells. */
  private get paints(): boolean {
    return this.info !== null && (this.info.editable || isCube(this.info));
  }

  private get first(): boolean {
    return byId<HTMLSelectElement>("editor-first").value === "first";
  }

  private changed(): void {
    this.painted = true;
    this.draw();
  }

  /** Show the board as it is now. */
  draw(): void {
    const { info, position } = this;
    if (!info || !position) return;
    const bare = { ...position, actions: [], last: [], changed: [], winning: [] };
    const { first } = this;
    const actions = info.editable ? layoutOf(info, false).cells.map((cell) => ({ action: -1 - cell, text: "", path: [cell], first })) : [];
    this.handlers.show(isCube(info) ? { ...bare, state: this.cubeText } : { ...bare, cells: [...this.cells], first, actions });
  }

  private get cubeText(): string {
    return cubeText(this.cells.map((face) => FACES[face] ?? ""));
  }

  /** A button for each symbol of the game. */
  private palette(): void {
    const { info } = this;
    if (!info) return;
    const names = { p1: info.look.players.first || "first player", p2: info.look.players.second || "second player" };
    const layout = layoutOf(info, false);
    const symbols = isCube(info) ? FACES : this.paints ? info.symbols : [];
    byId("editor-palette").replaceChildren(
      ...symbols.flatMap((symbol, code) => {
        const what = standing(info.look, symbol, true);
        if (what.acting) return []; // one that has begun its turn looks like any other
        const piece = isCube(info) ? sticker(symbol, info.look.pieces[symbol]) : drawPiece(what, layout);
        const icon = s("svg", { class: "board palette-piece", viewBox: "-52 -52 104 104", "aria-hidden": true }, gradients(), piece);
        const choose = () => {
          this.code = code;
          this.palette();
          byId("editor-palette").querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
        };
        const label = spoken(what, names);
        return [
          h(
            "button",
            { type: "button", class: "palette-button", "aria-pressed": code === this.code, "aria-label": label, title: label, "data-code": code, onclick: choose },
            dress(icon, info.look),
          ),
        ];
      }),
    );
  }

  /** What is set up, as the rules see it, for something to be done with; or why they do not allow it. */
  private async asked(act: (position: Position) => void): Promise<void> {
    const { info } = this;
    if (!info) return;
    try {
      const written = byId<HTMLTextAreaElement>("editor-text").value.trim();
      const painted = async () => (isCube(info) ? this.cubeText : (await api.setUp(info.game, this.cells, this.first)).start);
      const position = await api.position({ game: info.game, start: this.painted ? await painted() : written, actions: [] });
      if (this.info === info) act(position);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      byId("editor-error").textContent = error.message;
    }
  }

  /** Let text and cells be the same position. */
  private read(): Promise<void> {
    return this.asked((position) => this.take(position));
  }

  private use(): Promise<void> {
    return this.asked(({ state }) => {
      this.close();
      this.handlers.use(state);
    });
  }
}
