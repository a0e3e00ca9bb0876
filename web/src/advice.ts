// What the agent tells people who ask: a hint, and what it thinks of every position of the match.
import type { Position, Thought } from "./api";
import { byId } from "./dom";
import type { Match } from "./match";
import type { Positions } from "./positions";
import type { Thoughts } from "./thoughts";

const GLANCE_SECONDS = 0.25;
const HINT_SECONDS = 1;

/** The table, as who gives advice sees it. */
export interface Advised {
  readonly match: Match;
  readonly positions: Positions;
  readonly thoughts: Thoughts;
  /** take a position as that at the cursor */
  show: (position: Position) => void;
  /** what the agent thinks of the position that is shown; null if nobody wants it any more */
  analysis: (seconds: number, turn: number) => Promise<Thought | null>;
  /** whether nothing else has been asked for since */
  wanted: (turn: number) => boolean;
  draw: () => void;
}

/** Show a good move, and leave it to the person to play it. */
export async function hint(table: Advised, turn: number): Promise<void> {
  byId("status").textContent = "Looking for a good move …";
  const thought = await table.analysis(HINT_SECONDS, turn);
  const best = thought?.rows[0];
  if (!thought || !best) return;
  table.thoughts.rows = [best];
  table.draw();
  byId("status").textContent = `Hint: ${thought.move.text}.`;
}

/** Think a moment about every position of the match; true if it was about all of them. */
export async function evaluate(table: Advised, turn: number): Promise<boolean> {
  const { match } = table;
  for (let ply = 0; ply <= match.length; ply++) {
    match.step(ply);
    const position = await table.positions.of(match.node);
    if (!table.wanted(turn)) return false;
    table.show(position);
    const { outcome } = position;
    if (outcome !== null) match.node.evaluation = { share: outcome, outcome };
    else if (!(await table.analysis(GLANCE_SECONDS, turn))) return false;
    table.draw();
  }
  return true;
}
