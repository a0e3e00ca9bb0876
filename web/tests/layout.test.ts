import assert from "node:assert/strict";
import { test } from "node:test";
import type { GameInfo } from "../src/api";
import { cubeNet, hexLayout, kindOf, layoutOf, squareLayout, stickerCount, stickersOf, turned } from "../src/board/layout";
import { spoken, standing } from "../src/board/pieces";

const info = (name: string, rows: number, columns: number, hexagonal = false): GameInfo => ({
  game: name,
  name,
  title: name,
  players: 2,
  parameters: {},
  rows,
  columns,
  hexagonal,
  row_names: Array.from({ length: rows }, (_, i) => String(i + 1)),
  column_names: Array.from({ length: columns }, (_, i) => String.fromCharCode(97 + i)),
  symbols: [".", "X", "O"],
  opponents: [],
});

test("all cells lie apart and inside their board, whichever way it is turned", () => {
  const games = [info("othello", 8, 8), info("hex", 5, 5, true), info("surakarta", 6, 6), info("connect_four", 6, 7),
    info("outer_open_gomoku", 15, 15), info("santorini", 5, 5), info("own_game", 3, 4)];
  for (const game of games)
    for (const flip of [false, true]) {
      const layout = layoutOf(game, flip);
      const seen = new Set<string>();
      for (let cell = 0; cell < game.rows * game.columns; cell++) {
        const { x, y } = layout.centre(cell);
        assert.ok(x > layout.radius && x < layout.width - layout.radius, `${game.name} ${cell}`);
        assert.ok(y > layout.radius && y < layout.height - layout.radius, `${game.name} ${cell}`);
        seen.add(`${x.toFixed(2)},${y.toFixed(2)}`);
      }
      assert.equal(seen.size, game.rows * game.columns);
    }
});

test("a board that is turned shows each cell where its opposite was", () => {
  const game = info("othello", 8, 8);
  assert.deepEqual(squareLayout(game, true, 50).centre(0), squareLayout(game, false, 50).centre(63));
  assert.equal(turned(game, 0, true), 63);
});

test("the six neighbours of a hexagon are equally near", () => {
  const layout = hexLayout(info("hex", 5, 5, true), false);
  const middle = layout.centre(12);
  const distances = [11, 13, 7, 8, 16, 17].map((cell) => {
    const { x, y } = layout.centre(cell);
    return Math.round(Math.hypot(x - middle.x, y - middle.y));
  });
  assert.deepEqual(new Set(distances), new Set([100]));
});

test("a cube is unfolded into six faces that do not touch", () => {
  for (const [stickers, size] of [[24, 2], [54, 3]] as const) {
    const net = cubeNet(stickers);
    assert.equal(net.size, size);
    assert.equal(new Set(net.at.map(({ x, y }) => `${x},${y}`)).size, stickers);
    assert.equal(stickerCount({ name: `rubik${size}` }), stickers);
  }
});

test("the stickers of a cube are the letters of its state", () => {
  assert.deepEqual(stickersOf("UU/RR 4"), ["U", "U", "R", "R"]);
});

test("a game that is not known gets the board that its shape asks for", () => {
  assert.equal(kindOf({ name: "havannah", hexagonal: true }), "hex");
  assert.equal(kindOf({ name: "my_game", hexagonal: false }), "checker");
  assert.equal(kindOf({ name: "rubik3", hexagonal: false }), "cube");
});

test("symbols are read by their convention", () => {
  assert.deepEqual(standing("hex", "X", true), { owner: "p1", acting: false, level: 0, other: null });
  assert.deepEqual(standing("santorini", "2o", true), { owner: "p2", acting: true, level: 2, other: null });
  assert.deepEqual(standing("santorini", "4.", true), { owner: null, acting: false, level: 4, other: null });
  assert.equal(standing("amazons", "m", false).owner, "p2");
  assert.equal(standing("amazons", "a", false).other, "a");
  const names = { p1: "black", p2: "white" };
  assert.equal(spoken(standing("santorini", "3X", true), names), "level 3, black");
  assert.equal(spoken(standing("othello", ".", true), names), "empty");
});
