// The rules of the game on the board, in a dialog: the section of its page in the docs, built in.
import { type Block, Refused, type Rules, api } from "./api";
import type { App } from "./app";
import { byId, h } from "./dom";

/** A text with `code` in it. */
const words = (text: string): (HTMLElement | string)[] =>
  text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));

const NUMBER = /^\d+\. /;

/** Items, which may be numbered. */
const list = (items: string[]): HTMLElement =>
  h(NUMBER.test(items[0] ?? "") ? "ol" : "ul", {}, ...items.map((item) => h("li", {}, ...words(item.replace(NUMBER, "")))));

function block(content: Block): HTMLElement {
  if (typeof content === "string") return h("p", {}, ...words(content));
  if (content.every((one) => typeof one === "string")) return list(content as string[]);
  const [head, ...rows] = content as string[][];
  const row = (cells: string[] | undefined, tag: "th" | "td") => h("tr", {}, ...(cells ?? []).map((cell) => h(cell ? tag : "td", {}, ...words(cell)))); // no empty heads
  return h("div", { class: "scrolled", tabindex: 0 }, h("table", {}, h("thead", {}, row(head, "th")), h("tbody", {}, ...rows.map((cells) => row(cells, "td")))));
}

export function startRules(app: App): void {
  const dialog = byId<HTMLDialogElement>("rules-dialog");
  byId("rules-close").addEventListener("click", () => dialog.close());
  byId("rules").addEventListener("click", async () => {
    const { title, name, look } = app.info;
    byId("rules-title").textContent = title;
    let told: Rules = { rules: ["This game has no rules in the documentation. The board marks where you can move."], details: [] };
    try {
      told = (await api.rules())[name] ?? told;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      told.rules = [error.message];
    }
    const { first, second } = look.players;
    const sides = first && second ? [`${first} plays first, ${second} second.`] : [];
    byId("rules-text").replaceChildren(
      ...[...sides, ...told.rules].map(block),
      ...(told.details.length ? [h("details", {}, h("summary", {}, "Details"), ...told.details.map(block))] : []),
    );
    dialog.showModal();
  });
}
