// Cells that touch by a side, as sets: neighbours of a whole set at once, and what is joined.
//
// Beside the cells in its row and its column a cell touches, on the hexagonal grid, the one above to the
// right and the one below to the left.
#pragma once

#include <vector>

#include "core/board.h"

namespace glaux {

template <class Set, Board::Shape shape>
class Grid {
 public:
  explicit Grid(const Board& board) : columns_(board.columns) {
    for (int cell = 0; cell < board.cells(); ++cell) {
      if (board.column(cell) > 0) with_left_.set(cell);
      if (board.column(cell) < columns_ - 1) with_right_.set(cell);
      if (board.has(cell)) there_.set(cell);
    }
    for (int cell = 0; cell < board.cells(); ++cell) {
      neighbours_.push_back(grown(Set::of(cell)) & ~Set::of(cell) & there_);
    }
  }

  const Set& there() const { return there_; }

  // The cells that touch a cell of the board.
  const Set& neighbours(int cell) const { return neighbours_[static_cast<std::size_t>(cell)]; }

  // The set with all the cells that touch it, and perhaps bits beyond the board.
  [[gnu::always_inline]] Set grown(const Set& set) const {
    const Set up = set >> columns_, down = set << columns_;
    Set near_left = set, near_right = set;
    if constexpr (shape == Board::Shape::hexagonal) {
      near_left |= down;
      near_right |= up;
    }
    return set | up | down | ((near_left & with_left_) >> 1) | ((near_right & with_right_) << 1);
  }

  // The cells of `through` that are joined with those of `from`, a part of `through`.
  [[gnu::always_inline]] Set connected(Set from, const Set& through) const {
    for (;;) {
      const Set more = grown(from) & through;
      if (more == from) return from;
      from = more;
    }
  }

 private:
  int columns_;
  Set there_;
  Set with_left_, with_right_;  // the cells that have a neighbour in their row on that side
  std::vector<Set> neighbours_;
};

}  // namespace glaux
