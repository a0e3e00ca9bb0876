import assert from "node:assert/strict";
import { test } from "node:test";
import { merged, roomyTop, timeText, timeTicks } from "../src/chart";
import { friendLink, readFriend } from "../src/friend";
import { apng, chunksOf } from "../src/picture";

test("an axis is set by most of the values and not by one that sticks out", () => {
  const usual = Array.from({ length: 100 }, (_, i) => 1 + (i % 7) / 10);
  assert.equal(roomyTop(usual), 1.6);
  assert.ok(roomyTop([1000, ...usual]) < 3);
  assert.equal(roomyTop([]), 1);
});

test("times have one unit for the whole axis, at round numbers", () => {
  assert.deepEqual(timeTicks(100).map(timeText(100)), ["0 s", "20 s", "40 s", "60 s", "80 s", "100 s"]);
  assert.deepEqual(timeTicks(600).map(timeText(600)), ["0 min", "2 min", "4 min", "6 min", "8 min", "10 min"]);
  assert.equal(timeText(20_000)(7200), "2 h");
});

test("an animation is a PNG with its frames behind one another, numbered in order", () => {
  const chunk = (kind: string, data: number[]) => [0, 0, 0, data.length, ...Buffer.from(kind), ...data, 0, 0, 0, 0];
  const head = [0, 0, 0, 2, 0, 0, 0, 3, 8, 6, 0, 0, 0];
  const frame = (row: number) =>
    new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, ...chunk("IHDR", head), ...chunk("IDAT", [row]), ...chunk("IEND", [])]);
  const found = chunksOf(apng([frame(1), frame(2), frame(3)], [100, 100, 500]));
  assert.deepEqual(found.map((one) => one.kind), ["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"]);
  const numbers = found.filter((one) => /fcTL|fdAT/.test(one.kind)).map((one) => one.data[3]);
  assert.deepEqual(numbers, [0, 1, 2, 3, 4]);
  assert.deepEqual([...(found[5]?.data ?? [])], [0, 0, 0, 2, 2]);
});

test("the link of a seat is read back, and nothing else is one", () => {
  assert.equal(readFriend(friendLink("aB-_9")), "aB-_9");
  assert.equal(readFriend("#friend=a&b"), null);
  assert.equal(readFriend("#game=hex"), null);
});

test("points at the same time are one point, at their mean", () => {
  assert.deepEqual(merged([1, 1, 2, 3, 3], [2, 4, 5, 1, 0]), { x: [1, 2, 3], y: [3, 5, 0.5] });
  assert.deepEqual(merged([], []), { x: [], y: [] });
});
