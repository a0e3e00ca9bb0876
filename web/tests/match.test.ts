import assert from "node:assert/strict";
import { test } from "node:test";
import type { Move } from "../src/api";
import { Match, type Setup } from "../src/match";
import { mistakeOf } from "../src/mistakes";
import { Clock, clockText } from "../src/clock";

const setup: Setup = {
  game: "hex:size=5,swap=1",
  start: null,
  first: null,
  second: { player: "mcts", title: "Glaux", effort: { seconds: 1, iterations: null } },
  clock: null,
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

test("a move from an earlier position begins a variation, and nothing is lost", () => {
  const match = played(true, false, true, false);
  match.step(1);
  match.node.evaluation = { share: 0.1, outcome: null };
  match.play(move(9, false));
  assert.deepEqual(match.where().actions, [0, 9]);
  assert.ok(match.atEnd);
  assert.equal(match.line[1]?.evaluation?.share, 0.1);
  const [branch] = match.tree().variations;
  assert.deepEqual([branch?.ply, branch?.moves.map((one) => one.action)], [1, [1, 2, 3]]);
  match.visit(match.line[1]?.children[0]?.children[0] as never);
  assert.deepEqual([match.moves.map((one) => one.action), match.cursor], [[0, 1, 2, 3], 3]);
});

test("a resignation belongs to the end of its line", () => {
  const match = played(true, false, true, false);
  match.ended = { outcome: -1, reason: "resignation" };
  match.step(1);
  match.play(move(9, false));
  assert.ok(!match.ended, "a variation goes on");
  match.visit(match.line[1]?.children[0] as never);
  assert.deepEqual(match.ended, { outcome: -1, reason: "resignation" });
  match.undo();
  for (const [action, first] of [[0, true], [1, false], [2, true], [3, false]] as const) match.play(move(action, first));
  assert.ok(!match.ended, "who takes a move back plays on");
});

test("a tree is the same when it is written and read, variations of variations too", () => {
  const match = played(true, false, true, false);
  match.step(1);
  match.play(move(9, false));
  match.play(move(10, true));
  match.step(2);
  match.play(move(11, true));
  match.visit(match.root.children[0]?.children[0]?.children[0]?.children[0] as never);
  const again = new Match(setup);
  again.load(match.tree());
  assert.deepEqual(again.tree(), match.tree());
  assert.deepEqual(match.tree().variations[0]?.variations[0]?.moves.map((one) => one.action), [11]);
});

test("the same move again is a step", () => {
  const match = played(true, false, true);
  match.step(0);
  match.play(move(0, true));
  assert.deepEqual([match.cursor, match.length], [1, 3]);
});

test("what is taken back stays as a variation; what was only chosen does not", () => {
  const match = played(true, false);
  match.undo();
  assert.equal(match.root.children.length, 1);
  match.play(move(5, true));
  assert.equal(match.root.children.length, 2);
  match.cut(0);
  assert.equal(match.root.children.length, 1);
});

test("mistakes are what a move has cost its player", () => {
  const match = played(true, false);
  const share = (at: number, value: number) => ((match.line[at] as never as { evaluation: object }).evaluation = { share: value, outcome: null });
  share(0, 0.2);
  share(1, -0.2);
  share(2, 0.6);
  assert.deepEqual(mistakeOf(match.line[1] as never), { mark: "?", word: "mistake", lost: 20 });
  assert.equal(mistakeOf(match.line[2] as never)?.mark, "??");
  share(2, -0.3);
  assert.equal(mistakeOf(match.line[2] as never), null);
});

test("a clock runs for one side, adds for a turn and falls", () => {
  let now = 0;
  const clock = new Clock({ first: 10, second: 10 }, 2, () => now);
  clock.run(true);
  now = 4;
  assert.equal(clock.of(true), 6);
  clock.run(false);
  assert.equal(clock.of(true), 8);
  now = 20;
  assert.equal(clock.fallen(), false);
  assert.deepEqual([clockText(65), clockText(9.99), clockText(0)], ["1:05", "9.9", "0.0"]);
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
  assert.deepEqual(turns.map((turn) => [turn.first, turn.nodes[0]?.ply, turn.nodes.length]), [
    [true, 1, 3],
    [false, 4, 1],
    [true, 5, 1],
  ]);
});
