#include "core/board.h"

#include <algorithm>
#include <charconv>
#include <map>
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
