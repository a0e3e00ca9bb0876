// A match: its moves as a tree, who decides for whom, and what it was thought to be worth on the way.
//
// The line is what is being played or looked at, from the start to its end; whatever was played otherwise
// stays in the tree as a variation.
import type { Branch, Ending, Line, Move, Where } from "./api";
import type { Times } from "./clock";

export interface Effort {
  seconds: number | null;
  iterations: number | null;
  /** how strong, from 1 up; without one as strong as it can be */
  level?: number;
}

/** The value of a position: share is -1 to +1 for the first player. */
export interface Evaluation {
  share: number;
  outcome: number | null;
}

/** Who decides for a side: a person, or a player of the server. */
export interface Agent {
  player: string;
  title: string;
  effort: Effort;
}

export interface Setup {
  game: string;
  start: string | null;
  /** the agent of each side; null: a person */
  first: Agent | null;
  second: Agent | null;
  /** seconds of each side for the whole match, and for each turn on top; null: no clock */
  clock: { seconds: number; plus: number } | null;
  /** the word of one's seat, where the other side is a friend on another page */
  seat?: string;
  /** who has played, where a record says so */
  names?: Names | undefined;
}

/** What a match begins with besides its setup. */
export interface Begun {
  line?: Line;
  at?: number | null;
  times?: Times | null;
  ended?: Ending | null;
}

export interface Names {
  first: string;
  second: string;
}

export interface Turn {
  first: boolean;
  nodes: Node[];
}

/** A position of the tree: the move that led to it, and what was played from it. */
export class Node {
  readonly children: Node[] = [];
  evaluation: Evaluation | null = null;
  /** how the match ended here, if not by the rules */
  ending: Ending | null = null;
  readonly ply: number;

  constructor(
    readonly move: Move | null,
    readonly parent: Node | null,
  ) {
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** The child by this move, which is made if it is not there. */
  child(move: Move): Node {
    const found = this.children.find((one) => one.move?.action === move.action);
    if (found) return found;
    const made = new Node(move, this);
    this.children.push(made);
    return made;
  }
}

export class Match {
  readonly root = new Node(null, null);
  line: Node[] = [this.root];
  /** the number of moves before the position that is shown */
  cursor = 0;

  constructor(readonly setup: Setup) {}

  get node(): Node {
    return this.line[this.cursor] as Node;
  }

  get length(): number {
    return this.line.length - 1;
  }

  /** How the line ended, if not by the rules. */
  get ended(): Ending | null {
    return this.last.ending;
  }

  set ended(ending: Ending | null) {
    this.last.ending = ending;
  }

  private get last(): Node {
    return this.line[this.length] as Node;
  }

  get moves(): Move[] {
    return this.line.slice(1).map((node) => node.move as Move);
  }

  get atEnd(): boolean {
    return this.cursor === this.length;
  }

  where(ply = this.cursor): Where {
    const actions = this.moves.slice(0, ply).map((move) => move.action);
    return { game: this.setup.game, start: this.setup.start, actions };
  }

  agent(first: boolean): Agent | null {
    return first ? this.setup.first : this.setup.second;
  }

  /** Whether a person decides for this side. */
  decides(first: boolean): boolean {
    return this.agent(first) === null;
  }

  get watched(): boolean {
    return !this.decides(true) && !this.decides(false);
  }

  /** Play a move in the position that is shown; what followed before stays as a variation. */
  play(move: Move): void {
    const next = this.node.child(move);
    if (next !== this.line[this.cursor + 1]) this.line = [...this.line.slice(0, this.cursor + 1), next];
    this.cursor++;
  }

  /** Go back to the last earlier position in which a person decides; false if there is none. */
  undo(): boolean {
    for (let ply = this.cursor - 1; ply >= 0; ply--) {
      const move = this.line[ply + 1]?.move;
      if (move && this.decides(move.first)) {
        this.end(ply);
        return true;
      }
    }
    return false;
  }

  /** Let the line end here; what followed stays as a variation. */
  private end(ply: number): void {
    this.ended = null;
    this.line = this.line.slice(0, ply + 1);
    this.cursor = Math.min(this.cursor, ply);
  }

  /** Take back the moves from this one on for good, as a piece that was only chosen. */
  cut(ply: number): void {
    const gone = this.line[ply + 1];
    this.end(ply);
    if (gone) this.node.children.splice(this.node.children.indexOf(gone), 1);
  }

  step(to: number): void {
    this.cursor = Math.max(0, Math.min(this.length, to));
  }

  /** Go to a position, wherever it is in the tree. */
  visit(node: Node): void {
    if (this.line[node.ply] !== node) {
      const path: Node[] = [];
      for (let at: Node | null | undefined = node; at; at = at.parent) path.unshift(at);
      for (let at = node.children[0]; at; at = at.children[0]) path.push(at);
      this.line = path;
    }
    this.cursor = node.ply;
  }

  /** The moves as turns: those in a row by one player. */
  turns(): Turn[] {
    return turnsOf(this.line.slice(1));
  }

  /** The line with its variations, as the server writes it. What was taken back at its end is left out. */
  tree(): Line {
    return { moves: this.moves, variations: branches(this.line, this.length) };
  }

  /** Take in a line with its variations. */
  load(line: Line): void {
    this.line = [this.root, ...grow(this.root, line)];
  }
}

/** The variations of a line of nodes that replace its first so many moves. */
function branches(line: Node[], length: number): Branch[] {
  const first = (line[0] as Node).ply;
  return line.slice(0, length).flatMap((node, i) =>
    node.children
      .filter((child) => child !== line[i + 1])
      .map((child) => {
        const path = [node, child];
        for (let at = child.children[0]; at; at = at.children[0]) path.push(at);
        const moves = path.slice(1).map((one) => one.move as Move);
        return { ply: node.ply - first, moves, variations: branches(path.slice(1), path.length - 2).map((one) => ({ ...one, ply: one.ply + 1 })) };
      }),
  );
}

function grow(from: Node, { moves, variations }: Line): Node[] {
  const made: Node[] = [];
  let at = from;
  for (const move of moves) {
    at = at.child(move);
    made.push(at);
  }
  for (const branch of variations) grow([from, ...made][branch.ply] ?? from, branch);
  return made;
}

export function turnsOf(nodes: Node[]): Turn[] {
  const turns: Turn[] = [];
  for (const node of nodes) {
    const first = node.move?.first ?? true;
    const last = turns.at(-1);
    if (last && last.first === first) last.nodes.push(node);
    else turns.push({ first, nodes: [node] });
  }
  return turns;
}
