// The squared paper of Morpion Solitaire: the cross in its middle, what is drawn on it, and which lines can
// be drawn next.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/board.h"
#include "kit/bits.h"

namespace glaux::morpion {

// Right, down, down right, down left: a step is always to a later cell.
inline constexpr int directions = 4;
inline constexpr int rows[directions] = {0, 1, 1, 1}, columns[directions] = {1, 0, 1, -1};
inline constexpr int longest_side = 24;

template <int Words>
struct Drawn {
  using Set = Bits<Words>;
  Set points;
  Set segments[directions];  // the first point of each
};

template <int Words>
class Sheet {
 public:
  using Set = Bits<Words>;

  Sheet(int line_length, bool lines_touch, int side)
      : length(line_length),
        touching(lines_touch),
        size(side),
        board{side, side, Board::Shape::square, Board::Numbering::from_bottom},
        cross(make_cross()) {
    for (int d = 0; d < directions; ++d) {
      steps[d] = rows[d] * size + columns[d];
      for (int cell = 0; cell < board.cells(); ++cell) {
        const int last = length - 1;
        if (board.contains(board.row(cell) + last * rows[d], board.column(cell) + last * columns[d])) {
          starts[d].set(cell);
        }
      }
    }
  }

  // The points or segments of a line that no other line of its direction may have.
  int width() const { return touching ? length - 1 : length; }

  // The points on lines of a direction, or the segments: what further lines must leave alone.
  Set taken(const Drawn<Words>& drawn, int d) const {
    return touching ? drawn.segments[d] : drawn.segments[d] | drawn.segments[d] << steps[d];
  }

  // The first points of the lines of a direction that can be drawn. All of them at once: after i shifts
  // bit p stands for the i-th point of the line that begins at p.
  Set lines(const Drawn<Words>& drawn, int d) const {
    Set points = drawn.points, blocks = taken(drawn, d);
    Set one_empty, two_empty, blocked;
    for (int i = 0; i < length; ++i) {
      if (i > 0) {
        points = points >> steps[d];
        blocks = blocks >> steps[d];
      }
      two_empty |= one_empty & ~points;
      one_empty |= ~points;
      if (!touching || i < length - 1) blocked |= blocks;
    }
    return one_empty & ~two_empty & ~blocked & starts[d];
  }

  // The point that a line adds.
  int missing(const Drawn<Words>& drawn, int start, int d) const {
    while (drawn.points.test(start)) start += steps[d];
    return start;
  }

  void draw(Drawn<Words>& drawn, int start, int point, int d) const {
    drawn.points.set(point);
    for (int i = 0; i < length - 1; ++i) drawn.segments[d].set(start + i * steps[d]);
  }

  const int length;  // points of a line
  const bool touching;
  const int size;
  const Board board;
  const Set cross;
  int steps[directions];
  Set starts[directions];  // of the lines that fit on the sheet

 private:
  // The outline of a Greek cross whose edges have length - 1 points each: the points of the cross that do
  // not have the whole of it around them.
  Set make_cross() const {
    const int edge = length - 2, margin = (size - 1 - 3 * edge) / 2;
    const auto inside = [&](int row, int column) {
      const bool middle_row = edge <= row && row <= 2 * edge,
                 middle_column = edge <= column && column <= 2 * edge;
      return (middle_row && 0 <= column && column <= 3 * edge) ||
             (middle_column && 0 <= row && row <= 3 * edge);
    };
    Set found;
    for (int row = 0; row <= 3 * edge; ++row) {
      for (int column = 0; column <= 3 * edge; ++column) {
        int around = 0;
        for (int i = 0; i < 9; ++i) around += inside(row + i / 3 - 1, column + i % 3 - 1);
        if (inside(row, column) && around < 9) found.set(board.cell(row + margin, column + margin));
      }
    }
    return found;
  }
};

}  // namespace glaux::morpion
