// Setting up a position: what is chosen in the palette is put on the cells that are touched.
import { type GameInfo, type Position, Refused, api } from "./api";
import { dress } from "./board/colours";
import { layoutOf } from "./board/layout";
import { draw as drawPiece, gradients, spoken, standing } from "./board/pieces";
import { byId, h, s } from "./dom";

export interface EditorHandlers {
  /** show the board as it is now */
  show: (position: Position) => void;
  /** play from this start */
  use: (start: string) => void;
  cancel: () => void;
}

export class Editor {
  private cells: number[] = [];
  private code = 0;
  private info: GameInfo | null = null;
  private position: Position | null = null;

  constructor(private readonly handlers: EditorHandlers) {
    byId("editor-clear").addEventListener("click", () => {
      this.cells = this.cells.map(() => 0);
      this.draw();
    });
    byId("editor-cancel").addEventListener("click", () => {
      this.close();
      this.handlers.cancel();
    });
    byId("editor-use").addEventListener("click", () => void this.use());
    byId("editor-first").addEventListener("change", () => this.draw());
  }

  get active(): boolean {
    return this.info !== null;
  }

  open(info: GameInfo, position: Position): void {
    this.info = info;
    this.position = position;
    this.cells = [...position.cells];
    this.code = 1;
    const { first, second } = info.look.players;
    byId("editor-first").replaceChildren(
      h("option", { value: "first" }, `${first || "First"} to move`),
      h("option", { value: "second" }, `${second || "Second"} to move`),
    );
    byId<HTMLSelectElement>("editor-first").value = position.first ? "first" : "second";
    byId("editor-error").textContent = "";
    byId("editor").hidden = false;
    this.palette();
    this.draw();
    for (const id of ["editor", "board"]) byId(id).scrollIntoView({ block: "nearest" });
  }

  close(): void {
    this.info = null;
    byId("editor").hidden = true;
  }

  /** Put the chosen piece on a cell, or take it away if it is there. */
  paint(cell: number): void {
    this.cells[cell] = this.cells[cell] === this.code ? 0 : this.code;
    this.draw();
  }

  private get first(): boolean {
    return byId<HTMLSelectElement>("editor-first").value === "first";
  }

  /** Show the board as it is now. */
  draw(): void {
    const { info, position } = this;
    if (!info || !position) return;
    const actions = layoutOf(info, false).cells.map((cell) => ({ action: -1 - cell, text: "", path: [cell], first: this.first }));
    this.handlers.show({ ...position, cells: [...this.cells], first: this.first, actions, last: [], changed: [], winning: [] });
  }

  /** A button for each symbol of the game. */
  private palette(): void {
    const { info } = this;
    if (!info) return;
    const names = { p1: info.look.players.first || "first player", p2: info.look.players.second || "second player" };
    const layout = layoutOf(info, false);
    byId("editor-palette").replaceChildren(
      ...info.symbols.flatMap((symbol, code) => {
        const what = standing(info.look, symbol, true);
        if (what.acting) return []; // one that has begun its turn looks like any other
        const piece = drawPiece(what, layout);
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

  private async use(): Promise<void> {
    if (!this.info) return;
    try {
      const { start } = await api.setUp(this.info.game, this.cells, this.first);
      this.close();
      this.handlers.use(start);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      byId("editor-error").textContent = error.message;
    }
  }
}
