// Connect6 on a board of n x n cells.
//
// The first player places one stone on an empty cell; from then on the players in turn place two. The first
// line of six own stones or more, in a row, a column or a diagonal, wins, also with the first stone of a
// turn. A full board is a draw.
//
// Actions: the cell of a stone; the two stones of a turn are two actions of the same player.
#pragma once

#include "core/registry.h"
#include "core/rules.h"
#include "kit/alignment.h"

namespace glaux {

template <int Words>
class Connect6 : public Alignment<Words, 6, 2> {
  using Base = Alignment<Words, 6, 2>;

 public:
  explicit Connect6(const Parameters& p)
      : Base(p.at("size"), Base::Set::below(p.at("size") * p.at("size"))) {}
};

inline GameEntry connect6_entry() {
  return {{"connect6",
           "Connect6",
           "Get six or more stones in a row; place one stone in the first turn, two in every other.",
           {{"size", 19, 6, 19, "rows and columns"}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            return adapt_sized<Connect6, 1, 2, 4, 6>(p.at("size") * p.at("size"), info, p);
          }};
}

}  // namespace glaux
