// Writes sets of cells and constants into the planes of one state: float[planes][rows][columns],
// all zero before.
#pragma once

#include <algorithm>

#include "core/board.h"

namespace glaux {

class Planes {
 public:
  // With a margin the planes have that many more rows and columns on every side of the board.
  Planes(float* out, const Board& board, int margin = 0)
      : out_(out),
        board_(board),
        margin_(margin),
        columns_(board.columns + 2 * margin),
        size_((board.rows + 2 * margin) * columns_) {}

  template <class Bits>
  void set(int plane, const Bits& cells, float value = 1.0f) {
    float* start = out_ + plane * size_;
    if (margin_ == 0) {
      cells.for_each([&](int cell) { start[cell] = value; });
    } else {
      cells.for_each([&](int cell) {
        start[(board_.row(cell) + margin_) * columns_ + board_.column(cell) + margin_] = value;
      });
    }
  }

  void set_cell(int plane, int row, int column, float value = 1.0f) {
    out_[plane * size_ + (row + margin_) * columns_ + column + margin_] = value;
  }

  // The usual planes of a board of two colours: first player's stones, second player's, first player
  // to move, ply / longest match.
  template <class Bits>
  void set_stones(const Bits (&stones)[2], bool first_player, int ply, int longest) {
    set(0, stones[0]);
    set(1, stones[1]);
    if (first_player) fill(2, 1.0f);
    fill(3, static_cast<float>(ply) / static_cast<float>(longest));
  }

  // All the cells that the board has, and the margin of a board that has them all.
  void fill(int plane, float value) {
    if (board_.present.empty()) {
      std::fill_n(out_ + plane * size_, size_, value);
      return;
    }
    for (int cell = 0; cell < board_.cells(); ++cell) {
      if (board_.has(cell)) set_cell(plane, board_.row(cell), board_.column(cell), value);
    }
  }

 private:
  float* out_;
  const Board& board_;
  int margin_, columns_, size_;
};

}  // namespace glaux
