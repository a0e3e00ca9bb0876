// The rules that the page shows: the section "Rules" of each game's page in the docs, without what is for programmers.
import { readFile, readdir } from "node:fs/promises";
import { basename } from "node:path";

const FOLDER = "../docs/games";
const FOR_PROGRAMMERS = /^(Longest match|Heuristic|There is no score|`limit` can be used)/;
/** what else of a text is about the code: its symbols, its files and its decisions */
const ABOUT_THE_CODE = [
  [/, the first with `X` and the second with `O`,/g, ""],
  [/ \(`[XO]`\)/g, ""],
  [/, `[XO]`\)/g, ")"],
  [/[:;] `cpp\/[^`]*`[^.]*/g, ""],
  [/ `game\.\w+\([^`]*` [^.]*\./g, ""],
  [/ Decision \d+ [^.]*\./g, ""],
  [/ \(why\)/g, ""],
];
/** games that are another one on a board of its own */
const LIKE = { brazilian_draughts: "international_draughts", canadian_draughts: "international_draughts" };

/** By the names of the games: the rules, and the details for who wants them all. */
export async function rules() {
  const found = {};
  for (const name of (await readdir(FOLDER)).filter((file) => file.endsWith(".md")).sort()) {
    const text = (await readFile(`${FOLDER}/${name}`, "utf8")).split(/^## Rules\n/m)[1]?.split(/^## /m)[0] ?? "";
    const [main = "", ...sections] = text.split(/^### /m);
    const details = sections.find((section) => section.startsWith("Details\n")) ?? "";
    const all = blocksOf(main);
    const table = all.findIndex((block) => block[0]?.[0] === "parameter");
    const end = table < 0 ? all.length : table;
    found[basename(name, ".md")] = {
      rules: all.slice(0, end),
      details: [...all.slice(end), ...blocksOf(details.replace(/^.*\n/, ""))],
    };
  }
  for (const [name, other] of Object.entries(LIKE)) found[name].rules.push(...found[other].rules);
  return JSON.stringify(found);
}

const plain = (text) => {
  const linked = text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*?([^*]+)\*\*?/g, "$1");
  return ABOUT_THE_CODE.reduce((sofar, [what, instead]) => sofar.replace(what, instead), linked).trim();
};

/** Paragraphs (texts), lists (of texts) and tables (of rows). */
const blocksOf = (text) => text.split(/\n\s*\n/).flatMap(blocks).filter((block) => block.length);

function blocks(part) {
  const lines = part.trim().split("\n").filter(Boolean);
  if (lines[0]?.startsWith("|")) {
    const rows = lines.filter((line) => !/^[|\s:-]+$/.test(line) && !line.includes("planes"));
    return [rows.map((line) => line.slice(1, line.lastIndexOf("|")).split("|").map(plain))];
  }
  const items = (mark) => lines.filter((line) => mark.test(line)).map((line) => plain(line.replace(/^- /, "")));
  const paragraphs = lines.filter((line) => !/^(- |!|\d+\. )/.test(line)).map(plain);
  return [...paragraphs, items(/^\d+\. /), items(/^- /).filter((item) => !FOR_PROGRAMMERS.test(item))];
}
