// The eight directions of a square board, clockwise from the top as the board is printed, and what
// moves along them need: rays, neighbours, and how a symmetry turns a direction.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "core/board.h"

namespace glaux {

inline constexpr int direction_rows[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
inline constexpr int direction_columns[8] = {0, 1, 1, 1, 0, -1, -1, -1};

constexpr int opposite(int direction) {
  return direction ^ 4;
}

// For each symmetry of a board of at least 3 x 3 cells, where it sends each direction.
inline std::vector<std::array<std::uint8_t, 8>> direction_maps(const Board& board,
                                                               const std::vector<CellMap>& symmetries) {
  assert(board.rows >= 3 && board.columns >= 3);
  std::vector<std::array<std::uint8_t, 8>> maps;
  for (const CellMap& map : symmetries) {
    const auto image = [&](int row, int column) {
      return map[static_cast<std::size_t>(board.cell(row, column))];
    };
    const int centre = image(1, 1);
    maps.emplace_back();
    for (std::size_t d = 0; d < 8; ++d) {
      const int target = image(1 + direction_rows[d], 1 + direction_columns[d]);
      for (std::size_t e = 0; e < 8; ++e) {
        if (board.row(target) - board.row(centre) == direction_rows[e] &&
            board.column(target) - board.column(centre) == direction_columns[e]) {
          maps.back()[d] = static_cast<std::uint8_t>(e);
        }
      }
    }
  }
  return maps;
}

template <class Set>
class Compass {
 public:
  explicit Compass(const Board& board)
      : columns_(board.columns), cells_(static_cast<std::size_t>(board.cells())) {
    for (int d = 0; d < 8; ++d) steps_[d] = direction_rows[d] * board.columns + direction_columns[d];
    for (int cell = 0; cell < board.cells(); ++cell) {
      Cell& entry = cells_[static_cast<std::size_t>(cell)];
      for (int d = 0; d < 8; ++d) {
        int row = board.row(cell) + direction_rows[d], column = board.column(cell) + direction_columns[d];
        for (; board.contains(row, column); row += direction_rows[d], column += direction_columns[d]) {
          entry.rays[d].set(board.cell(row, column));
          ++entry.room[d];
        }
        if (entry.room[d] > 0) entry.neighbours.set(cell + steps_[d]);
      }
      if (board.column(cell) > 0) not_first_column_.set(cell);
      if (board.column(cell) < board.columns - 1) not_last_column_.set(cell);
    }
  }

  // From a cell to the next one in the direction, if there is room.
  int step(int direction) const { return steps_[direction]; }
  // How many cells lie ahead up to the edge, and which.
  int room(int cell, int direction) const { return at(cell).room[direction]; }
  const Set& ray(int cell, int direction) const { return at(cell).rays[direction]; }

  const Set& neighbours(int cell) const { return at(cell).neighbours; }
  // The cells next to any of the set, as far as they are in `within`, a part of the board.
  Set neighbours(const Set& set, const Set& within) const {
    const Set sides = ((set & not_last_column_) << 1) | ((set & not_first_column_) >> 1);
    const Set rows = sides | set;
    return (sides | (rows << columns_) | (rows >> columns_)) & within;
  }

 private:
  struct Cell {
    Set rays[8];
    Set neighbours;
    std::uint8_t room[8]{};
  };
  const Cell& at(int cell) const { return cells_[static_cast<std::size_t>(cell)]; }

  int columns_;
  int steps_[8];
  Set not_first_column_, not_last_column_;
  std::vector<Cell> cells_;
};

}  // namespace glaux
