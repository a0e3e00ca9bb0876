import assert from "node:assert/strict";
import { test } from "node:test";
import { properties } from "../src/board/colours";
import { runs, starCells } from "../src/board/grounds";
import { boardOf, cubeNet, drops, hexLayout, labelSize, layoutOf, neighbour, onCrossings, presentCells, squareLayout, stickersOf, turned } from "../src/board/layout";
import { drawnLines } from "../src/board/paper";
import { spoken, standing } from "../src/board/pieces";
import { bare, isWall, middle, wallWords, wallsOf } from "../src/board/walls";
import { dark, four, game, hexagonal, look } from "./games";

const GAMES = [
  game("felt", 8, 8), game("hexagons", 5, 5), game("loops", 6, 6), game("frame", 6, 7), game("lines", 15, 15),
  game("floors", 5, 5), game("squares", 3, 4), hexagonal(4), dark(8), four(), four("lines"), game("paper", 16, 16), four("boards"), game("walls", 9, 9),
];

test("all cells lie apart and inside their board, whichever way it is turned", () => {
  for (const info of GAMES)
    for (const flip of [false, true]) {
      const layout = layoutOf(info, flip);
      const seen = new Set<string>();
      for (const cell of layout.cells) {
        const { x, y } = layout.centre(cell);
        const where = `${info.look.board.ground} ${cell}`;
        assert.ok(x > layout.radius && x < layout.width - layout.radius, where);
        assert.ok(y > layout.radius && y < layout.height - layout.radius, where);
        seen.add(`${x.toFixed(2)},${y.toFixed(2)}`);
      }
      assert.equal(seen.size, info.rows * info.columns - info.absent.length);
      assert.ok(layout.labels.every((label) => label.x > 0 && label.x < layout.width && label.y > 0 && label.y < layout.height));
    }
});

test("a board that is turned shows each cell where its opposite was", () => {
  const info = game("felt", 8, 8);
  assert.deepEqual(squareLayout(info, true, 50).centre(0), squareLayout(info, false, 50).centre(63));
  assert.equal(turned(info, 0, true), 63);
  for (const info of GAMES) {
    const [upright, over] = [layoutOf(info, false), layoutOf(info, true)];
    for (const cell of upright.cells) {
      const [a, b] = [upright.centre(cell), over.centre(cell)];
      assert.ok(Math.abs(a.x + b.x - upright.width) < 1e-6 && Math.abs(a.y + b.y - upright.height) < 1e-6);
    }
  }
});

test("the six neighbours of a hexagon are equally near", () => {
  const layout = hexLayout(game("hexagons", 5, 5), false);
  const middle = layout.centre(12);
  const distances = [11, 13, 7, 8, 16, 17].map((cell) => {
    const { x, y } = layout.centre(cell);
    return Math.round(Math.hypot(x - middle.x, y - middle.y));
  });
  assert.deepEqual(new Set(distances), new Set([100]));
});

test("a hexagon of hexagons is as wide as its longest row", () => {
  const layout = layoutOf(hexagonal(4), false);
  assert.equal(layout.cells.length, 37);
  assert.ok(Math.abs(layout.width - (7 * 100 + 2 * 78)) < 1e-6);
  assert.equal(layout.labels.length, 14);
  assert.ok(layout.labels.every((label) => label.owner === undefined));
  assert.ok(layoutOf({ ...game("hexagons", 3, 3), look: look({ ground: "hexagons", edges: true }) }, false).labels.every((label) => label.owner));
});

test("the name of a row ends before the edge, and in the picture", () => {
  for (const info of [game("hexagons", 11, 11), game("hexagons", 19, 19), hexagonal(10)])
    for (const flip of [false, true]) {
      const { labels, width, cells, centre } = hexLayout(info, flip);
      for (const { text, x } of labels.slice(0, info.rows)) {
        const row = info.row_names.indexOf(text);
        const first = cells.find((cell) => Math.floor(cell / info.columns) === row) as number;
        const half = (0.7 * labelSize(info.columns, width) * text.length) / 2;
        assert.ok(Math.abs(x - centre(first).x) - half > 70, `${text} is at the edge`);
        assert.ok(x - half >= 0 && x + half <= width, `${text} is cut off`);
      }
    }
});

test("several boards stand apart", () => {
  const info = four();
  const layout = layoutOf(info, false);
  const distance = (a: number, b: number) => layout.centre(b).x - layout.centre(a).x;
  assert.equal(distance(0, 3), 300);
  assert.ok(distance(3, 4) > 150);
  assert.deepEqual([0, 4, 32, 63].map((cell) => boardOf(info, cell)), [0, 1, 2, 3]);
  assert.equal(boardOf(game("squares", 3, 3), 4), -1);
});

test("lines run where there are cells, on one board, and stop at a river", () => {
  const ends = (info: ReturnType<typeof game>, downwards: boolean) => runs(info, layoutOf(info, false), downwards);
  assert.deepEqual(ends(game("lines", 2, 3), false), [[0, 2], [3, 5]]);
  assert.deepEqual(ends(game("lines", 2, 3), true), [[0, 3], [1, 4], [2, 5]]);
  assert.equal(ends(four("lines"), false).length, 16);
  const river = { ...game("lines", 4, 3), look: look({ ground: "lines", river: 2 }) };
  assert.deepEqual(ends(river, true), [[0, 9], [1, 4], [7, 10], [2, 11]]);
  assert.deepEqual(ends(game("lines", 1, 4, { absent: [1] }), false), [[0, 0], [2, 3]]);
});

test("star points are where Go has them", () => {
  const names = (n: number) => starCells({ rows: n, columns: n }).map((cell) => [Math.floor(cell / n) + 1, (cell % n) + 1].join());
  assert.deepEqual(names(9), ["3,3", "3,5", "3,7", "5,3", "5,5", "5,7", "7,3", "7,5", "7,7"]);
  assert.equal(names(19)[0], "4,4");
  assert.equal(names(19).length, 9);
  assert.deepEqual(names(7), []);
});

test("arrow keys pass over cells that are not there", () => {
  const info = dark(4);
  assert.deepEqual(presentCells(info), [1, 3, 4, 6, 9, 11, 12, 14]);
  assert.equal(neighbour(info, 1, [0, 1], false), 3);
  assert.equal(neighbour(info, 3, [0, 1], false), null);
  assert.equal(neighbour(info, 1, [1, 0], false), 9);
  assert.equal(neighbour(info, 14, [0, 1], true), 12);
});

test("grounds say whether pieces stand on crossings or drop", () => {
  assert.ok(onCrossings("lines") && onCrossings("loops") && !onCrossings("squares"));
  assert.ok(drops("frame") && !drops("hexagons"));
});

test("a cube is unfolded into six faces that do not touch", () => {
  for (const size of [2, 3]) {
    const net = cubeNet(size);
    assert.equal(new Set(net.map(({ x, y }) => `${x},${y}`)).size, 6 * size * size);
  }
});

test("the stickers of a cube are the letters of its state", () => {
  assert.deepEqual(stickersOf("UU/RR 4"), ["U", "U", "R", "R"]);
});

test("symbols are read by the look", () => {
  const read = (symbol: string, first = true) => standing(look(), symbol, first);
  const brief = (symbol: string, first = true) => {
    const { owner, acting, level } = read(symbol, first);
    return { owner, acting, level };
  };
  assert.deepEqual(brief("X"), { owner: "p1", acting: false, level: 0 });
  assert.deepEqual(brief("2o"), { owner: "p2", acting: true, level: 2 });
  assert.deepEqual(brief("4."), { owner: null, acting: false, level: 4 });
  assert.equal(read("4.").symbol, "");
  assert.equal(brief("m", false).owner, "p2");
  assert.equal(brief("m", true).owner, "p1");
  assert.equal(read("a").piece?.shape, "block");
  assert.equal(read("?").symbol, "?");
  const names = { p1: "black", p2: "white" };
  assert.equal(spoken(read("3X"), names), "level 3, black's piece");
  assert.equal(spoken(read("K"), names), "black's general");
  assert.equal(spoken(read("a"), names), "arrow");
  assert.equal(spoken(read("."), names), "empty");
});

test("the colours of a look are custom properties", () => {
  assert.deepEqual(properties({ colours: { first_dark: "#102030" }, night: { wood: "#405060" } }), [
    ["--look-first-dark", "#102030"],
    ["--night-wood", "#405060"],
  ]);
});

test("lines on paper are read from the points that they pass through, or from their segments", () => {
  const cells = new Array(256).fill(0);
  for (let i = 0; i < 10; i++) cells[16 + i] = 1 + 1; // two lines of five, one behind the other
  for (let i = 0; i < 5; i++) cells[40 + 15 * i] = 1 + 8; // down to the left
  const disjoint = { columns: 16, parameters: { length: 5, touching: 0 } };
  assert.deepEqual(drawnLines(disjoint, cells), [[16, 20], [21, 25], [40, 100]]);
  const touching = { columns: 16, parameters: { length: 5, touching: 1 } };
  assert.equal(drawnLines(touching, cells).length, 15);
  assert.deepEqual(drawnLines(touching, cells)[0], [16, 17]);
});

const SYMBOLS = ["..", "X.", "O.", ".-", "X-", "O-", ".|", "X|", "O|"];
const walled = game("walls", 3, 3, { symbols: SYMBOLS });

test("a wall is read from the cell at the lower left of its middle", () => {
  //  a3 b3 c3      0 1 2
  //  a2 b2 c2      3 4 5
  //  a1 b1 c1      6 7 8
  const cells = [0, 2, 0, 6, 0, 0, 0, 4, 0];
  assert.deepEqual(wallsOf(walled, cells), [[3, 4, 0, 1], [7, 4, 8, 5]]);
  assert.deepEqual(cells.map((code) => bare(walled, code)), [0, 2, 0, 0, 0, 0, 0, 1, 0]);
  assert.deepEqual(SYMBOLS.map((symbol) => standing(walled.look, symbol, true).owner), [null, "p1", "p2", null, "p1", "p2", null, "p1", "p2"]);
  assert.deepEqual(SYMBOLS.map((symbol) => standing(walled.look, symbol, true).symbol), ["", "X", "O", "", "X", "O", "", "X", "O"]);
  assert.deepEqual([wallWords("X-").length, wallWords(".|").length, wallWords("X.").length], [1, 1, 0]);
});

test("the middle of a wall is the same point whichever way the board is turned", () => {
  const paths = wallsOf(walled, [0, 0, 0, 6, 0, 0, 0, 3, 0]);
  const [plain, flipped] = [layoutOf(walled, false), layoutOf(walled, true)];
  for (const path of paths) {
    assert.ok(isWall(plain, path) && !isWall(layoutOf(game("squares", 3, 3), false), path));
    const [a, b] = [middle(path, plain), middle(path, flipped)];
    assert.ok(Math.abs(a.x + b.x - plain.width) < 0.01 && Math.abs(a.y + b.y - plain.height) < 0.01);
  }
});
