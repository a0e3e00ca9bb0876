// The positions of a match as the server tells them; each is asked for once.
import { type Position, api } from "./api";
import type { Match, Node } from "./match";

export class Positions {
  private readonly known = new WeakMap<Node, Position>();

  constructor(private readonly match: Match) {}

  /** The position of a node of the line. */
  async of(node: Node): Promise<Position> {
    const known = this.known.get(node);
    if (known) return known;
    const position = await api.position(this.match.where(node.ply));
    this.known.set(node, position);
    return position;
  }

  /** The position of a node, if it was asked for. */
  seen(node: Node): Position | undefined {
    return this.known.get(node);
  }

  /** Every position of the line. */
  async line(): Promise<Position[]> {
    const found: Position[] = [];
    for (const node of this.match.line) found.push(await this.of(node));
    return found;
  }
}
