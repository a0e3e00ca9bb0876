import assert from "node:assert/strict";
import { test } from "node:test";
import { ways } from "../src/board/marks";
import type { Move } from "../src/api";
import { candidates, nextCells, placeless, stepTo, touch, typed } from "../src/selection";

const move = (action: number, text: string, ...path: number[]): Move => ({ action, text, path, first: true });
const steps = [move(0, "a1a2", 0, 5), move(1, "a1b2", 0, 6), move(2, "b1b2", 1, 6)];

test("one cell plays at once where an action is a cell", () => {
  const actions = [move(7, "d3", 3), move(8, "d4", 4)];
  assert.deepEqual(touch(actions, [], 4), { prefix: [], played: actions[1] });
  assert.deepEqual(touch(actions, [], 9), { prefix: [], played: null });
});

test("a piece is chosen first, then where it goes", () => {
  const chosen = touch(steps, [], 0);
  assert.deepEqual(chosen, { prefix: [0], played: null });
  assert.deepEqual([...nextCells(steps, chosen.prefix)], [5, 6]);
  assert.equal(touch(steps, [0], 6).played?.text, "a1b2");
});

test("touching another piece chooses that one, and the same one again takes the choice back", () => {
  assert.deepEqual(touch(steps, [0], 1), { prefix: [1], played: null });
  assert.deepEqual(touch(steps, [0], 0), { prefix: [], played: null });
  assert.deepEqual(touch(steps, [0], 99), { prefix: [], played: null });
});

test("actions without cells are never meant by a touch", () => {
  const actions = [...steps, move(9, "pass")];
  assert.equal(candidates(actions, []).length, 3);
  assert.deepEqual(placeless(actions).map((one) => one.text), ["pass"]);
});

test("a typed move may be written in capitals", () => {
  assert.equal(typed(steps, " A1B2 ")?.action, 1);
  assert.equal(typed(steps, "a1"), null);
});

test("where a player has one piece, touching its goal is a step", () => {
  const wall = { ...move(7, "a1h"), path: [0, 3, 1, 4] };
  assert.equal(stepTo([wall, ...steps], steps[0]?.path[1] as number), steps[0]);
  assert.equal(stepTo([wall], 3), null);
});

test("a piece goes its way through a turn, stones that are put down go none", () => {
  const standing = (cell: number) => cell < 10;
  assert.deepEqual(ways([[1], [20], [30]], standing), [[1, 20], [20, 30]]); // chosen, moved, shot
  assert.deepEqual(ways([[1, 20], [30]], standing), [[1, 20], [20, 30]]); // moved, built
  assert.deepEqual(ways([[1, 20], [2, 21]], standing), [[1, 20], [2, 21]]); // two pieces
  assert.deepEqual(ways([[1, 20], [20, 30]], standing), [[1, 20], [20, 30]]); // one piece twice
  assert.deepEqual(ways([[11], [12], [13]], standing), []);
});
