import assert from "node:assert/strict";
import { test } from "node:test";
import type { Move } from "../src/api";
import { Match, type Setup } from "../src/match";

const setup: Setup = {
  game: "hex:size=5,swap=1",
  start: null,
  player: "mcts",
  playerTitle: "MCTS",
  effort: { seconds: 1, iterations: null },
  people: { first: true, second: false },
};
const move = (action: number, first: boolean): Move => ({ action, text: `m${action}`, path: [action], first });

function played(...firsts: boolean[]): Match {
  const match = new Match(setup);
  firsts.forEach((first, i) => match.play(move(i, first)));
  return match;
}

test("undo goes back to the last decision of a person", () => {
  const match = played(true, false, true, false);
  assert.equal(match.undo(), true);
  assert.deepEqual(match.where().actions, [0, 1]);
  assert.equal(match.undo(), true);
  assert.equal(match.moves.length, 0);
  assert.equal(match.undo(), false);
});

test("undo in the middle of a turn takes one action back", () => {
  const match = played(true, false, false, true, true);
  match.undo();
  assert.equal(match.moves.length, 4);
});

test("a move from an earlier position drops what came after, evaluations too", () => {
  const match = played(true, false, true, false);
  match.evaluations[1] = { share: 0.1, outcome: null };
  match.evaluations[3] = { share: 0.9, outcome: null };
  match.step(1);
  match.play(move(9, false));
  assert.deepEqual(match.where().actions, [0, 9]);
  assert.equal(match.evaluations[3], undefined);
  assert.equal(match.evaluations[1]?.share, 0.1);
  assert.ok(match.atEnd);
});

test("steps stay within the match", () => {
  const match = played(true, false);
  match.step(-4);
  assert.equal(match.cursor, 0);
  match.step(Number.MAX_SAFE_INTEGER);
  assert.equal(match.cursor, 2);
});

test("turns are the moves in a row by one player", () => {
  const turns = played(true, true, true, false, true).turns();
  assert.deepEqual(turns.map((turn) => [turn.first, turn.from, turn.moves.length]), [
    [true, 0, 3],
    [false, 3, 1],
    [true, 4, 1],
  ]);
});

test("the record says the game, the players, the result and the moves", () => {
  const text = played(true, false).text(-1);
  assert.match(text, /^\[Game "hex:size=5,swap=1"\]\n/);
  assert.match(text, /\[First "you"\]\n\[Second "mcts"\]\n\[Result "0-1"\]\n\nm0 m1\n$/);
});
