import assert from "node:assert/strict";
import { test } from "node:test";
import { type Linked, readLink, writeLink } from "../src/link";

const cases: Linked[] = [
  { game: "hex:size=7,swap=1", start: null, moves: ["d4", "swap", "e5"], at: null },
  { game: "amazons:size=6", start: ".O..O./O....O X 0", moves: [], at: null },
  { game: "lines_of_action:size=8", start: null, moves: ["d8b6", "a6xc8"], at: 1 },
  { game: "odd & strange#name", start: "50% a=b_c", moves: ["1"], at: 0 },
];

test("a link is read back as it was written", () => {
  for (const linked of cases) {
    const { at, ...rest } = readLink(writeLink(linked)) as Linked;
    assert.deepEqual(rest, { game: linked.game, start: linked.start, moves: linked.moves });
    assert.equal(at, linked.at);
  }
});

test("a link is readable", () => {
  assert.equal(writeLink(cases[0] as Linked), "#game=hex:size=7,swap=1&moves=d4_swap_e5");
});

test("what is no link of a position is refused", () => {
  for (const hash of ["", "#", "#board", "#moves=d4", "#game=%E0%A4%A", "#game="]) assert.equal(readLink(hash), null);
});
