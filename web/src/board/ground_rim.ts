// The rim of a hexagon of hexagons: its edges and its corners, which are goals in some games.
import type { Shape } from "./layout";

/** What a cell is on its board, by how many of its six neighbours are missing: two on an edge, three in a corner. */
export function rimOf(info: Pick<Shape, "rows" | "columns" | "absent">): (cell: number) => "" | "edge" | "corner" {
  const absent = new Set(info.absent);
  const steps = [
    [-1, 0],
    [-1, 1],
    [0, 1],
    [1, 0],
    [1, -1],
    [0, -1],
  ];
  return (cell) => {
    const [row, column] = [Math.floor(cell / info.columns), cell % info.columns];
    const missing = steps.filter(([down = 0, right = 0]) => {
      const [r, c] = [row + down, column + right];
      return r < 0 || r >= info.rows || c < 0 || c >= info.columns || absent.has(r * info.columns + c);
    }).length;
    return missing >= 3 ? "corner" : missing > 0 ? "edge" : "";
  };
}
