#include "core/spec.h"

#include <algorithm>
#include <cmath>

#include "core/errors.h"

namespace glaux {
namespace {

void require(bool holds, const std::string& sentence) {
  if (!holds) throw InvalidParameter(sentence);
}

bool is_permutation_of_cells(const CellMap& map, int cells) {
  std::vector<bool> reached(static_cast<std::size_t>(cells));
  if (map.size() != reached.size()) return false;
  for (const std::uint16_t cell : map) {
    if (cell >= cells || reached[cell]) return false;
    reached[cell] = true;
  }
  return true;
}

template <class Map>
bool is_involution(const Map& map) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] >= map.size() || map[map[i]] != i) return false;
  }
  return true;
}

}  // namespace

void Spec::check() const {
  constexpr std::size_t largest_state = 1 << 20;
  constexpr int most = 1 << 28;
  board.check();
  require(state_size > 0 && state_size % 8 == 0 && state_size <= largest_state,
          "A state has a multiple of 8 bytes, up to " + std::to_string(largest_state) + ", not " +
              std::to_string(state_size) + ".");
  require(players == 1 || players == 2, "A game has one player or two.");
  require(action_count >= 1 && action_count < most && max_actions >= 1 && max_actions <= action_count,
          "A game has 1 to " + std::to_string(most - 1) + " actions, and no state can have more.");
  require(max_plies >= 1, "A match has at least one action.");
  require(!symbols.empty() && symbols.size() <= 256, "A game has 1 to 256 cell codes.");
  require(code_counts.empty() || (code_counts.size() == static_cast<std::size_t>(cell_count()) &&
                                  std::all_of(code_counts.begin(), code_counts.end(),
                                              [this](int count) {
                                                return count >= 1 &&
                                                       static_cast<std::size_t>(count) <= symbols.size();
                                              })),
          "Each cell has 1 to " + std::to_string(symbols.size()) + " codes.");
  require(neighbours.empty() || (neighbours.size() == static_cast<std::size_t>(cell_count()) &&
                                 std::all_of(neighbours.begin(), neighbours.end(),
                                             [this](const auto& cells) {
                                               return std::all_of(
                                                   cells.begin(), cells.end(),
                                                   [this](int cell) { return cell < cell_count(); });
                                             })),
          "The neighbours of each cell must be cells of the board.");
  require(plane_rows >= 1 && plane_columns >= 1 && plane_rows <= Board::most_cells / plane_columns &&
              !planes.empty() && planes.size() <= 4096,
          "A game has planes of 1 to " + std::to_string(Board::most_cells) + " cells.");
  require(state_symmetries >= 0 && state_symmetries <= 4096 && (state_symmetries > 0 || !symmetries.empty()),
          "A game has at least one symmetry, the identity.");
  require(std::all_of(symmetries.begin(), symmetries.end(),
                      [this](const CellMap& map) { return is_permutation_of_cells(map, cell_count()); }),
          "A symmetry must map the cells one to one.");
  require(
      exchange.empty() || (players == 2 && is_permutation_of_cells(exchange.cells, cell_count()) &&
                           exchange.codes.size() == symbols.size() && is_involution(exchange.cells) &&
                           is_involution(exchange.codes)),
      "Exchanging the players must map cells and codes one to one, and doing it twice must change nothing.");
  require(std::isfinite(max_score), "The largest score must be a finite number.");
  require(details.empty(), "Only built-in games can have details of their cells.");
  require(!has_reachable, "Only built-in games can say which cells are reachable.");
}

}  // namespace glaux
