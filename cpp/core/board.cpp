#include "core/board.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace glaux {
namespace {

template <class F>
CellMap make_map(const Board& board, F&& target) {
  CellMap map(static_cast<std::size_t>(board.cells()));
  for (int row = 0; row < board.rows; ++row) {
    for (int column = 0; column < board.columns; ++column) {
      const auto [r, c] = target(row, column);
      map[static_cast<std::size_t>(board.cell(row, column))] = static_cast<std::uint16_t>(board.cell(r, c));
    }
  }
  return map;
}

}  // namespace

std::string Board::column_text(int column) const {
  std::string letters(1, static_cast<char>('a' + column % 26));
  return column < 26 ? letters : column_text(column / 26 - 1) + letters;
}

std::string Board::cell_text(int cell) const {
  const int number = numbering == Numbering::from_top ? row(cell) + 1 : rows - row(cell);
  return column_text(column(cell)) + std::to_string(number);
}

std::optional<int> Board::parse_cell(std::string_view text) const {
  int column = 0;
  std::size_t letters = 0;
  for (; letters < text.size() && letters < 3; ++letters) {
    const char c = text[letters] >= 'A' && text[letters] <= 'Z' ? static_cast<char>(text[letters] - 'A' + 'a')
                                                                : text[letters];
    if (c < 'a' || c > 'z') break;
    column = 26 * column + (c - 'a' + 1);
  }
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + letters, end, number);
  if (letters == 0 || error != std::errc{} || rest != end || number < 1 || number > rows) return std::nullopt;
  const int r = numbering == Numbering::from_top ? number - 1 : rows - number;
  if (!contains(r, column - 1)) return std::nullopt;
  return cell(r, column - 1);
}

CellLists Board::neighbours() const {
  CellLists result(static_cast<std::size_t>(cells()));
  for (int i = 0; i < cells(); ++i) {
    for (int dr = -1; dr <= 1; ++dr) {
      for (int dc = -1; dc <= 1; ++dc) {
        // On the rhombus of Hex the two cells on the long diagonal do not touch.
        const bool adjacent = shape == Shape::square ? (dr != 0 || dc != 0) : dr != dc;
        if (adjacent && contains(row(i) + dr, column(i) + dc)) {
          result[static_cast<std::size_t>(i)].push_back(
              static_cast<std::uint16_t>(cell(row(i) + dr, column(i) + dc)));
        }
      }
    }
  }
  return result;
}

CellMap Board::identity() const {
  return make_map(*this, [](int r, int c) { return std::pair{r, c}; });
}

CellMap Board::mirror_columns() const {
  return make_map(*this, [this](int r, int c) { return std::pair{r, columns - 1 - c}; });
}

CellMap Board::half_turn() const {
  return make_map(*this, [this](int r, int c) { return std::pair{rows - 1 - r, columns - 1 - c}; });
}

std::vector<CellMap> Board::square_symmetries() const {
  std::vector<CellMap> maps;
  for (const bool transpose : {false, true}) {
    if (transpose && rows != columns) break;
    for (const bool flip_rows : {false, true}) {
      for (const bool flip_columns : {false, true}) {
        maps.push_back(make_map(*this, [&](int r, int c) {
          if (flip_rows) r = rows - 1 - r;
          if (flip_columns) c = columns - 1 - c;
          return transpose ? std::pair{c, r} : std::pair{r, c};
        }));
      }
    }
  }
  return maps;
}

}  // namespace glaux
