import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest, roundTicks, scale } from "../src/chart";
import { agentTitle, gameText } from "../src/setup";
import { ago, bytes, duration, percent, playerTitle, plural, scoreText, short, moveText, resultText } from "../src/words";

test("numbers are short", () => {
  assert.equal(short(999), "999");
  assert.equal(short(9999), "9,999");
  assert.equal(short(123_456), "123.5K");
  assert.equal(plural(1, "match"), "1 match");
  assert.equal(duration(0.25), "0.3 s");
  assert.equal(duration(600), "10 min");
  assert.equal(duration(7200), "2.0 h");
  assert.equal(scoreText(0.667, true), "67%");
  assert.equal(scoreText(72.25, false), "72.3");
  assert.equal(bytes(1), "1 kB");
  assert.equal(bytes(64 << 20), "64 MB");
  assert.equal(ago(7200), "2 h ago");
});

test("a chance is that of one side, and a proof says what the move does for whoever plays it", () => {
  assert.equal(percent(-1), 0);
  assert.equal(moveText({ share: 0.5, outcome: null }, true, false), "75%");
  assert.equal(moveText({ share: 0.5, outcome: null }, false, false), "25%");
  for (const forFirst of [true, false]) {
    assert.equal(moveText({ share: -1, outcome: -1 }, forFirst, false), "wins");
    assert.equal(moveText({ share: -1, outcome: -1 }, forFirst, true), "loses");
    assert.equal(moveText({ share: 0, outcome: 0 }, forFirst, true), "draws");
  }
});

test("a result names who wins", () => {
  const name = (first: boolean) => (first ? "You" : "Glaux");
  assert.deepEqual([1, -1, 0].map((outcome) => resultText(outcome, name)), ["You win", "Glaux wins", "Draw"]);
});

test("ticks are round and cover the range", () => {
  assert.deepEqual(roundTicks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(roundTicks(0, 0.23, 3).map((tick) => Number(tick.toFixed(3))), [0, 0.1, 0.2]);
  assert.deepEqual(roundTicks(3, 3, 5), [3]);
});

test("scales and the nearest point", () => {
  const map = scale([0, 10], [100, 0]);
  assert.equal(map(0), 100);
  assert.equal(map(5), 50);
  assert.equal(scale([2, 2], [0, 1])(2), 0);
  assert.equal(nearest([0, 1, 5, 9], 6), 2);
});

test("the text of a game and the sides of people", () => {
  assert.equal(gameText("hex", { size: 7, swap: 1 }), "hex:size=7,swap=1");
  assert.equal(gameText("own", {}), "own");
  assert.equal(agentTitle({ name: "mcts", title: "MCTS", summary: "" }), "Glaux");
  assert.equal(agentTitle({ name: "run:a/b", title: "a/b", summary: "" }), "a/b");
});

test("players of the command line have names for people, and people their own", () => {
  assert.equal(playerTitle("zoo:level=3"), "Glaux, level 3");
  assert.equal(playerTitle("random"), "Random moves");
  assert.equal(playerTitle("mcts:iterations=1000,seconds=0.5"), "mcts, 1,000 iterations, 0.5 s");
  assert.equal(playerTitle("Anna, 3 dan"), "Anna, 3 dan");
});
