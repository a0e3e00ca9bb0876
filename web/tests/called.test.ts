import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameter } from "../src/api";
import { called, calledInFull, keepGames, settingsOf } from "../src/games";
import { look } from "./games";

const parameter = (name: string, usual: number, flag = false): Parameter => ({ name, default: usual, low: 0, high: 99, step: 1, flag, help: "" });
const entry = (name: string, title: string, parameters: Parameter[]) => ({ name, title, summary: "", parameters, look: look() });

keepGames([
  entry("hex", "Hex", [parameter("size", 11), parameter("swap", 1, true)]),
  entry("lines", "Lines", [parameter("limit", 100), parameter("mover_wins", 0, true), parameter("size", 8)]),
  entry("four", "Four in a Row", [parameter("rows", 6), parameter("columns", 7), parameter("length", 4)]),
]);

test("the size of a board is always told, the rest where it is not as usual", () => {
  assert.equal(settingsOf("hex", { size: 11, swap: 1 }), "size 11");
  assert.equal(settingsOf("hex", { size: 7, swap: 0 }), "size 7, no swap");
  assert.equal(settingsOf("lines", { limit: 50, mover_wins: 1, size: 8 }), "size 8, limit 50, mover wins");
  assert.equal(settingsOf("four", { columns: 7, length: 4, rows: 6 }), "7 × 6");
  assert.equal(settingsOf("unlisted", { depth: 3, off: 0 }), "depth 3");
});

test("a game is called by its title", () => {
  assert.deepEqual(called("hex:size=7,swap=1"), { title: "Hex", settings: "size 7" });
  assert.equal(calledInFull("four:columns=5,length=4,rows=4"), "Four in a Row, 5 × 4");
  assert.equal(calledInFull("hex"), "Hex");
  assert.equal(calledInFull("my_game.py:Mine"), "my_game.py:Mine");
});
