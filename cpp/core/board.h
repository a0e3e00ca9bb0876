// The geometry of a board: cells, their names, their neighbours and the symmetries of its shape.
//
// Cells are numbered row by row from the top left as the board is printed: cell = row * columns +
// column. Cells of this rectangle can be absent, as around a hexagon or between the dark squares, and
// the rectangle can be made of several boards: an absent cell has a number, but no neighbours, and cells
// of different boards do not touch. Nothing here knows a rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glaux {

// A permutation of the cells: map[i] is where cell i goes.
using CellMap = std::vector<std::uint16_t>;
// Some cells for each cell.
using CellLists = std::vector<std::vector<std::uint16_t>>;

struct Board {
  enum class Shape { square, hexagonal };
  enum class Numbering { from_top, from_bottom };

  // One of several boards: a rectangle of the cells.
  struct Part {
    int row, column;  // of its top left cell
    int rows, columns;
    bool contains(int r, int c) const {
      return row <= r && r < row + rows && column <= c && c < column + columns;
    }
  };

  int rows = 0;
  int columns = 0;
  Shape shape = Shape::square;
  Numbering numbering = Numbering::from_top;

  std::vector<bool> present = {};  // of each cell; empty: all of them
  std::vector<Part> boards = {};   // which share no cell and hold all that are there; empty: one board
  int first_row = 1;               // the number of the first row, by the numbering
  bool skips_i = false;            // the letters of the columns go on with j after h, as in Go

  // A cell's number fits into 16 bits, and all the cells into lists.
  static constexpr int most_cells = 1 << 15;
  // InvalidParameter unless the fields agree with one another: every function below needs that.
  void check() const;
  void check_cell(int cell) const;  // InvalidParameter unless the board has a cell of this number

  int cells() const { return rows * columns; }
  int cell(int row, int column) const { return row * columns + column; }
  int row(int cell) const { return cell / columns; }
  int column(int cell) const { return cell % columns; }
  bool contains(int row, int column) const {
    return 0 <= row && row < rows && 0 <= column && column < columns;
  }

  bool has(int cell) const { return present.empty() || present[static_cast<std::size_t>(cell)]; }
  int board_of(int cell) const;  // its number in boards; -1 if it is in none of them

  // "c": a to z, with i or without, then aa, ab, ...
  std::string column_text(int column) const;
  // "c4": the column, then the row as the game numbers it.
  std::string cell_text(int cell) const;
  std::optional<int> parse_cell(std::string_view text) const;

  // Adjacent cells of each cell: 8 on a square board, 6 on a hexagonal one, fewer at the edge.
  CellLists neighbours() const;

  // All the symmetries of the shape that keep rows and columns apart or, on a board with as many
  // rows as columns, exchange them: 8, 4 on a rectangle, fewer if they move absent cells to present
  // ones or take a board apart. The identity comes first.
  std::vector<CellMap> square_symmetries() const;
  // Those of the hexagonal grid around the middle of the board: 12 on a hexagon, 4 on a rhombus.
  std::vector<CellMap> hexagonal_symmetries() const;
  CellMap identity() const;
  CellMap mirror_columns() const;  // left and right change places
  CellMap half_turn() const;
  CellMap mirror_rows() const;  // top and bottom change places
  CellMap transposed() const;   // rows and columns do, of a board with as many of both

 private:
  bool keeps(const CellMap& map) const;  // present cells, and which of them share a board
};

// The set of the cells that the cells of b go to.
template <class Bits>
Bits permuted(const Bits& b, const CellMap& map) {
  Bits result{};
  b.for_each([&](int cell) { result.set(map[static_cast<std::size_t>(cell)]); });
  return result;
}

}  // namespace glaux
