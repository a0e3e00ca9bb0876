// Boards that are no plain rectangles.
#pragma once

#include <cstdlib>

#include "core/board.h"

namespace glaux {

// A hexagon of hexagonal cells with so many on each side, in a square of 2 * side - 1 rows and columns.
inline Board hexagon(int side) {
  const int size = 2 * side - 1;
  Board board{size, size, Board::Shape::hexagonal, Board::Numbering::from_top};
  for (int cell = 0; cell < board.cells(); ++cell) {
    board.present.push_back(std::abs(board.row(cell) + board.column(cell) - (size - 1)) < side);
  }
  return board;
}

// The dark squares of a chequered board, on which the one at the bottom left is dark.
inline Board dark_squares(int rows, int columns) {
  Board board{rows, columns, Board::Shape::square, Board::Numbering::from_bottom};
  for (int cell = 0; cell < board.cells(); ++cell) {
    board.present.push_back((rows - 1 - board.row(cell) + board.column(cell)) % 2 == 0);
  }
  return board;
}

// Equal boards of so many rows and columns, `down` of them one above the other and `across` side by side.
inline Board several_boards(int down, int across, int rows, int columns) {
  Board board{down * rows, across * columns};
  for (int i = 0; i < down * across; ++i) {
    board.boards.push_back({i / across * rows, i % across * columns, rows, columns});
  }
  return board;
}

}  // namespace glaux
