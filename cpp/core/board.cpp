#include "core/board.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "core/errors.h"

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

std::string_view letters(bool skips_i) {
  return skips_i ? "abcdefghjklmnopqrstuvwxyz" : "abcdefghijklmnopqrstuvwxyz";
}

}  // namespace

void Board::check() const {
  if (rows < 1 || columns < 1 || rows > most_cells || columns > most_cells / rows) {
    throw InvalidParameter("A board has 1 to " + std::to_string(most_cells) + " cells, not " +
                           std::to_string(rows) + " x " + std::to_string(columns) + ".");
  }
  if (!present.empty() && present.size() != static_cast<std::size_t>(cells())) {
    throw InvalidParameter("A board must say for each of its " + std::to_string(cells()) +
                           " cells whether it is present, not for " + std::to_string(present.size()) + ".");
  }
  if (first_row < -most_cells || first_row > most_cells) {
    throw InvalidParameter("The first row of a board can't have the number " + std::to_string(first_row) +
                           ".");
  }
  for (const Part& part : boards) {
    const bool inside = 0 <= part.row && part.row < rows && 0 <= part.column && part.column < columns &&
                        1 <= part.rows && part.rows <= rows - part.row && 1 <= part.columns &&
                        part.columns <= columns - part.column;
    if (!inside) throw InvalidParameter("One of the boards lies outside the rectangle that holds them.");
  }
}

void Board::check_cell(int cell) const {
  if (cell < 0 || cell >= cells()) {
    throw InvalidParameter("This board has the cells 0 to " + std::to_string(cells() - 1) + ", not " +
                           std::to_string(cell) + ".");
  }
}

std::string Board::column_text(int column) const {
  const std::string_view all = letters(skips_i);
  const auto count = static_cast<int>(all.size());
  const std::string last(1, all[static_cast<std::size_t>(column % count)]);
  return column < count ? last : column_text(column / count - 1) + last;
}

std::string Board::cell_text(int cell) const {
  const int number = first_row + (numbering == Numbering::from_top ? row(cell) : rows - 1 - row(cell));
  return column_text(column(cell)) + std::to_string(number);
}

std::optional<int> Board::parse_cell(std::string_view text) const {
  const std::string_view all = letters(skips_i);
  int column = 0;
  std::size_t length = 0;
  for (; length < text.size() && length < 3; ++length) {
    const char c = text[length];
    const std::size_t letter = all.find(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    if (letter == all.npos) break;
    column = static_cast<int>(all.size()) * column + static_cast<int>(letter) + 1;
  }
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + length, end, number);
  if (length == 0 || error != std::errc{} || rest != end || number < first_row || number >= first_row + rows)
    return std::nullopt;
  const int r = numbering == Numbering::from_top ? number - first_row : rows - 1 - (number - first_row);
  if (!contains(r, column - 1) || !has(cell(r, column - 1))) return std::nullopt;
  return cell(r, column - 1);
}

int Board::board_of(int cell) const {
  const auto part = std::find_if(boards.begin(), boards.end(),
                                 [&](const Part& p) { return p.contains(row(cell), column(cell)); });
  return part == boards.end() ? -1 : static_cast<int>(part - boards.begin());
}

CellLists Board::neighbours() const {
  CellLists result(static_cast<std::size_t>(cells()));
  for (int i = 0; i < cells(); ++i) {
    if (!has(i)) continue;
    for (int dr = -1; dr <= 1; ++dr) {
      for (int dc = -1; dc <= 1; ++dc) {
        // On the rhombus of Hex the two cells on the long diagonal do not touch.
        const bool adjacent = shape == Shape::square ? (dr != 0 || dc != 0) : dr != dc;
        if (!adjacent || !contains(row(i) + dr, column(i) + dc)) continue;
        const int other = cell(row(i) + dr, column(i) + dc);
        if (!has(other) || board_of(other) != board_of(i)) continue;
        result[static_cast<std::size_t>(i)].push_back(static_cast<std::uint16_t>(other));
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

CellMap Board::mirror_rows() const {
  return make_map(*this, [this](int r, int c) { return std::pair{rows - 1 - r, c}; });
}

CellMap Board::transposed() const {
  return make_map(*this, [](int r, int c) { return std::pair{c, r}; });
}

std::vector<CellMap> Board::square_symmetries() const {
  std::vector<CellMap> maps;
  for (const bool transpose : {false, true}) {
    if (transpose && rows != columns) break;
    for (const bool flip_rows : {false, true}) {
      for (const bool flip_columns : {false, true}) {
        CellMap map = make_map(*this, [&](int r, int c) {
          if (flip_rows) r = rows - 1 - r;
          if (flip_columns) c = columns - 1 - c;
          return transpose ? std::pair{c, r} : std::pair{r, c};
        });
        if (keeps(map)) maps.push_back(std::move(map));
      }
    }
  }
  return maps;
}

// In cube coordinates x + y + z = 0 around the middle, where two cells touch if they differ by (1, -1, 0)
// in some order, the symmetries are the permutations of the three and their negatives. To keep whole
// numbers on boards of even size, the coordinates are doubled.
std::vector<CellMap> Board::hexagonal_symmetries() const {
  static constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
  std::vector<CellMap> maps;
  for (const auto& order : orders) {
    for (const int sign : {1, -1}) {
      bool inside = true;
      CellMap map = make_map(*this, [&](int r, int c) {
        if (!has(cell(r, c))) return std::pair{r, c};
        const int x = 2 * c - (columns - 1), z = 2 * r - (rows - 1);
        const int cube[3] = {x, -x - z, z};
        const int column = sign * cube[order[0]] + columns - 1, row = sign * cube[order[2]] + rows - 1;
        const bool whole = column % 2 == 0 && row % 2 == 0 && contains(row / 2, column / 2);
        inside = inside && whole;
        return whole ? std::pair{row / 2, column / 2} : std::pair{r, c};
      });
      if (inside && keeps(map)) maps.push_back(std::move(map));
    }
  }
  return maps;
}

bool Board::keeps(const CellMap& map) const {
  std::map<int, int> images;  // where each board goes
  for (int i = 0; i < cells(); ++i) {
    const int target = map[static_cast<std::size_t>(i)];
    if (has(i) != has(target)) return false;
    if (has(i) && images.try_emplace(board_of(i), board_of(target)).first->second != board_of(target)) {
      return false;
    }
  }
  return true;
}

}  // namespace glaux
