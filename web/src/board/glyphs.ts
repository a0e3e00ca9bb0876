// Characters on pieces and boards: whether this machine can draw them, and letters for who cannot read them.
import { s } from "../dom";

const KEY = "glaux-letters";
const known = new Map<string, boolean>();
let wanted: boolean | null = null;

/** The pixels of a text; a character that no font has looks like any other such one. */
function picture(text: string): string {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [40, 40];
  const context = canvas.getContext("2d");
  if (!context) return text; // no way to tell: take it as drawable
  context.font = "32px serif";
  context.fillText(text, 2, 32);
  return canvas.toDataURL();
}

/** Whether some font of this machine has the characters of a text. */
export function drawable(text: string): boolean {
  const found = known.get(text) ?? picture(text) !== picture("\u{10fffe}");
  known.set(text, found);
  return found;
}

const foreign = (text: string): boolean => /[^\u0000-\u024f]/.test(text);

/** Whether letters can stand for characters that this machine draws. */
export const hasCharacters = (pieces: Record<string, { text: string }>): boolean =>
  Object.values(pieces).some(({ text }) => foreign(text) && drawable(text));

/** Whether somebody has asked for letters. */
export function letters(): boolean {
  if (wanted === null) {
    try {
      wanted = localStorage.getItem(KEY) === "yes";
    } catch {
      wanted = false;
    }
  }
  return wanted;
}

export function setLetters(on: boolean): void {
  wanted = on;
  try {
    localStorage.setItem(KEY, on ? "yes" : "no");
  } catch {
    // a browser that keeps nothing: the choice holds for this page
  }
}

/** What is written on a piece: its text, or the letter of its symbol. */
export function written(text: string, symbol: string): string {
  return foreign(text) && (letters() || !drawable(text)) ? symbol.toUpperCase() : text;
}

/** Words on the ground, where the machine has their characters. */
export function inscription(text: string, x: number, y: number): SVGElement[] {
  return drawable(text) ? [s("text", { class: "inscription", x, y }, text)] : [];
}
