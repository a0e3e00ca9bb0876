// What the page does while the server is slow, or gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../src/advice";
import { Lost, type Move, type Position, type Room } from "../src/api";
import { Friend } from "../src/friend";
import { Match, type Setup } from "../src/match";
import { Positions } from "../src/positions";
import { Reach } from "../src/reach";
import { type Question, Thinker } from "../src/thinker";
import type { Thoughts } from "../src/thoughts";

const setup: Setup = { game: "hex", start: null, first: null, second: null, clock: null };
const move = (action: number): Move => ({ action, text: `m${action}`, path: [action], first: action % 2 === 0 });
const question: Question = { game: "hex", start: null, actions: [], player: "mcts", purpose: "move", seconds: 1, iterations: null };
const ignore = (): void => undefined;
const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

class Socket {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: () => void = ignore;
  onclose: () => void = ignore;

  constructor() {
    Socket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  open(): void {
    this.readyState = 1;
    this.onopen();
  }

  close(): void {
    this.readyState = 3;
    this.onclose();
  }
}

/** The waits until something is tried again, and what is tried; no time passes. */
const waits: number[] = [];
let again: () => void = ignore;

Object.assign(globalThis, {
  WebSocket: Socket,
  location: { href: "http://localhost:8000/" },
  document: { addEventListener: ignore },
  window: {
    addEventListener: ignore,
    setTimeout: (act: () => void, ms: number) => {
      again = act;
      return waits.push(ms);
    },
  },
});

/** Answer what is asked of the server from now on; undefined: it can't be reached. */
function serve(answer: (path: string, body: string | null) => unknown): void {
  globalThis.fetch = async (path, init) => {
    const found = await answer(String(path), (init?.body as string | undefined) ?? null);
    if (found === undefined) throw new TypeError("no");
    return found instanceof Response ? found : Response.json(found);
  };
}

test("questions while the socket opens wait for the same one, and only the last is asked", async () => {
  Socket.made = [];
  const thinker = new Thinker();
  const older = thinker.think(question, ignore);
  void thinker.think({ ...question, actions: [1] }, ignore);
  await turn();
  assert.equal(Socket.made.length, 1);
  const socket = Socket.made[0] as Socket;
  socket.open();
  assert.equal(await older, null);
  assert.deepEqual(socket.sent.map((text) => JSON.parse(text).actions), [[1]]);
});

test("after a lost connection the next question opens another socket", async () => {
  Socket.made = [];
  const thinker = new Thinker();
  const first = thinker.think(question, ignore);
  Socket.made[0]?.close();
  await assert.rejects(first, Lost);
  const second = thinker.think(question, ignore);
  Socket.made[1]?.open();
  await turn();
  assert.equal(Socket.made[1]?.sent.length, 1);
  Socket.made[1]?.close();
  await assert.rejects(second, Lost);
});

test("a server that can't be reached is asked less and less often, also where the position is known", async () => {
  waits.length = 0;
  const reach = new Reach(ignore);
  const lose = async () => {
    reach.answered();
    throw new Lost("gone");
  };
  for (let i = 0; i < 3; i++) await reach.guard(lose, () => true, ignore);
  assert.deepEqual(waits, [500, 1000, 2000]);
  await reach.guard(async () => reach.answered(), () => true, ignore);
  await reach.guard(lose, () => true, ignore);
  assert.equal(waits.at(-1), 500);
});

test("an evaluation that nobody wants any more leaves the position alone", async () => {
  let wanted = true;
  serve(async () => {
    wanted = false; // another match begins while the server answers
    return { outcome: null } as Position;
  });
  const match = new Match(setup);
  const shown: Position[] = [];
  const table = {
    match,
    positions: new Positions(match),
    thoughts: {} as Thoughts,
    show: (position: Position) => void shown.push(position),
    analysis: async () => null,
    wanted: () => wanted,
    draw: ignore,
  };
  assert.equal(await evaluate(table, 1), false);
  assert.deepEqual(shown, []);
});

const room = (changes: Partial<Room>): Room => ({ game: "hex", start: null, first: true, count: 0, moves: [], resigned: null, present: true, ...changes });

test("a resignation that was lost is told again", async () => {
  const asked: string[] = [];
  let reachable = false;
  serve((path) => {
    asked.push(path);
    return path.endsWith("resign") && !reachable ? undefined : room({});
  });
  const friend = new Friend("word", new Match(setup), { played: ignore, resigned: ignore, told: ignore });
  await turn();
  await friend.resign();
  reachable = true;
  again();
  await turn();
  await turn();
  assert.equal(asked.filter((path) => path.endsWith("resign")).length, 2);
  again();
  await turn();
  await turn();
  assert.equal(asked.filter((path) => path.endsWith("resign")).length, 2, "once it has arrived that is enough");
  friend.close();
});

test("a friend who resigns while a move is on its way has resigned", async () => {
  const match = new Match(setup);
  match.play(move(0));
  let resigned: boolean | null = null;
  serve((path) => {
    if (!path.endsWith("play")) return room({ resigned });
    resigned = false;
    return Response.json({ error: "The match is over." }, { status: 422 });
  });
  const told: boolean[] = [];
  const friend = new Friend("word", match, { played: ignore, resigned: (first) => void told.push(first), told: ignore });
  await turn();
  await turn();
  again();
  await turn();
  await turn();
  assert.deepEqual(told, [false]);
  friend.close();
});

test("nothing is told of a match that was left", async () => {
  serve(() => undefined);
  const told: string[] = [];
  const friend = new Friend("word", new Match(setup), { played: ignore, resigned: ignore, told: (sentence) => void told.push(sentence) });
  friend.close();
  await turn();
  await turn();
  assert.deepEqual(told, []);
});
