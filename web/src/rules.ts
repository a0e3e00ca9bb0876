// The rules of the game on the board, in a dialog: the section of its page in the docs, built in.
import { type Block, Refused, api } from "./api";
import type { App } from "./app";
import { byId, h } from "./dom";

/** A text with `code` in it. */
const words = (text: string): (HTMLElement | string)[] =>
  text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));

function block(content: Block): HTMLElement {
  if (typeof content === "string") return h("p", {}, ...words(content));
  if (content.every((one) => typeof one === "string")) return h("ul", {}, ...content.map((item) => h("li", {}, ...words(item as string))));
  const [head, ...rows] = content as string[][];
  const row = (cells: string[] | undefined, tag: "th" | "td") => h("tr", {}, ...(cells ?? []).map((cell) => h(tag, {}, ...words(cell))));
  return h("div", { class: "scrolled", tabindex: 0 }, h("table", {}, h("thead", {}, row(head, "th")), h("tbody", {}, ...rows.map((cells) => row(cells, "td")))));
}

export function startRules(app: App): void {
  const dialog = byId<HTMLDialogElement>("rules-dialog");
  byId("rules-close").addEventListener("click", () => dialog.close());
  byId("rules").addEventListener("click", async () => {
    byId("rules-title").textContent = app.info.title;
    let blocks: Block[] = [];
    try {
      blocks = (await api.rules())[app.info.name] ?? [];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      blocks = [error.message];
    }
    const nothing = "The rules of this game are in a file of its own. Where you can move is marked on the board.";
    const { first, second } = app.info.look.players;
    const sides = first && second ? [`On this page ${first} is the first player and ${second} the second.`] : [];
    byId("rules-text").replaceChildren(...(blocks.length ? blocks : [nothing]).map(block), ...sides.map(block));
    dialog.showModal();
  });
}
