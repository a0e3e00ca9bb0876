// Straight lines on a square board: the rays from each cell in the eight directions, and how far they
// are open. For pieces that move like a chess queen.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "kit/bits.h"

namespace glaux {

// The rays of one cell, without the cell itself: towards higher cells (right, down left, down, down
// right) and opposite to that, towards lower ones.
template <class Set>
struct Rays {
  Set up[4], down[4];
};

template <class Set, int Rows, int Columns>
constexpr std::array<Rays<Set>, Rows * Columns> make_rays() {
  std::array<Rays<Set>, Rows * Columns> all{};
  constexpr int row_steps[] = {0, 1, 1, 1}, column_steps[] = {1, -1, 0, 1};
  for (int cell = 0; cell < Rows * Columns; ++cell) {
    Rays<Set>& rays = all[static_cast<std::size_t>(cell)];
    for (int d = 0; d < 4; ++d) {
      for (const int sign : {1, -1}) {
        const int row_step = sign * row_steps[d], column_step = sign * column_steps[d];
        int row = cell / Columns + row_step, column = cell % Columns + column_step;
        for (; 0 <= row && row < Rows && 0 <= column && column < Columns;
             row += row_step, column += column_step) {
          (sign > 0 ? rays.up[d] : rays.down[d]).set(row * Columns + column);
        }
      }
    }
  }
  return all;
}

// What a step to the left or the right may come to: it must not run over the edge into the next row.
template <class Set, int Rows, int Columns>
constexpr Set all_but_column(int column) {
  Set set;
  for (int cell = 0; cell < Rows * Columns; ++cell) {
    if (cell % Columns != column) set.set(cell);
  }
  return set;
}

// The cells up to the lowest cell of a set, and those down to the highest, that one included; every
// cell for an empty set. Without branches, whose outcome would be a coin toss.
template <int Words>
constexpr Bits<Words> up_to_lowest(const Bits<Words>& b) {
  Bits<Words> result;
  std::uint64_t open = ~std::uint64_t{0};
  for (int i = 0; i < Words; ++i) {
    result.word[i] = (b.word[i] ^ (b.word[i] - 1)) & open;
    if (i + 1 < Words) open &= ~std::uint64_t{0} + (b.word[i] != 0);
  }
  return result;
}
template <int Words>
constexpr Bits<Words> down_to_highest(const Bits<Words>& b) {
  Bits<Words> result;
  std::uint64_t open = ~std::uint64_t{0};
  for (int i = Words - 1; i >= 0; --i) {
    result.word[i] = ~std::uint64_t{0} << (63 - std::countl_zero(b.word[i] | 1)) & open;
    if (i > 0) open &= ~std::uint64_t{0} + (b.word[i] != 0);
  }
  return result;
}

// The cells of the rays before the first occupied one in each direction.
template <class Set>
[[gnu::always_inline]] inline Set open_cells(const Rays<Set>& rays, const Set& occupied) {
  Set reached;
  for (int d = 0; d < 4; ++d) {
    reached |= rays.up[d] & up_to_lowest(rays.up[d] & occupied);
    reached |= rays.down[d] & down_to_highest(rays.down[d] & occupied);
  }
  return reached & ~occupied;
}

}  // namespace glaux
