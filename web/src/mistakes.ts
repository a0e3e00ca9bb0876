// Marks for moves that gave something away, by the evaluations before and after them.
import type { Node } from "./match";

export interface Mistake {
  mark: "?!" | "?" | "??";
  word: "inaccuracy" | "mistake" | "blunder";
  /** the chance that it cost, in percent */
  lost: number;
}

const GRADES: { least: number; mark: Mistake["mark"]; word: Mistake["word"] }[] = [
  { least: 30, mark: "??", word: "blunder" },
  { least: 15, mark: "?", word: "mistake" },
  { least: 8, mark: "?!", word: "inaccuracy" },
];

/** What was wrong with the move that led to a position; null: nothing, or it is not known. */
export function mistakeOf(node: Node): Mistake | null {
  const [before, after] = [node.parent?.evaluation, node.evaluation];
  if (!before || !after || !node.move) return null;
  const lost = 50 * (before.share - after.share) * (node.move.first ? 1 : -1);
  const grade = GRADES.find(({ least }) => lost >= least);
  return grade ? { mark: grade.mark, word: grade.word, lost: Math.round(lost) } : null;
}
