// Outer-Open Gomoku on a board of n x n cells.
//
// The players place stones on empty cells; the first line of five own stones or more, in a row, a
// column or a diagonal, wins, and a full board is a draw. To take away the first player's
// advantage, the very first stone must go on one of the two outermost lines of the board.
//
// Actions: the cell of the stone.
#pragma once

#include <algorithm>

#include "core/registry.h"
#include "core/rules.h"
#include "kit/alignment.h"

namespace glaux {

template <int Words>
class OuterOpenGomoku : public Alignment<Words, 5> {
  using Base = Alignment<Words, 5>;

 public:
  explicit OuterOpenGomoku(const Parameters& p) : Base(p.at("size"), outermost(p.at("size"))) {}

 private:
  // The two outermost lines on all four sides.
  static typename Base::Set outermost(int n) {
    typename Base::Set outer;
    for (int row = 0; row < n; ++row) {
      for (int column = 0; column < n; ++column) {
        if (std::min({row, column, n - 1 - row, n - 1 - column}) < 2) outer.set(row * n + column);
      }
    }
    return outer;
  }
};

inline GameEntry outer_open_gomoku_entry() {
  return {{"outer_open_gomoku",
           "Outer-Open Gomoku",
           "Get five or more stones in a row; the first stone must go on one of the two outermost lines.",
           {{"size", 15, 5, 19, "rows and columns"}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            return adapt_sized<OuterOpenGomoku, 1, 2, 4, 6>(p.at("size") * p.at("size"), info, p);
          }};
}

}  // namespace glaux
