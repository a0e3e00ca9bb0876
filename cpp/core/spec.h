// What a game says of itself, before any state exists.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/board.h"

namespace glaux {

// An action is a number from 0 to Spec::action_count - 1, with the same meaning in every state.
using Action = std::int32_t;

// One setting of a game, such as its size. A flag is 0 or 1.
struct Parameter {
  std::string name;
  int default_value = 0;
  int low = 0;
  int high = 0;
  std::string help;
  bool flag = false;
  bool start = false;     // says only where a match starts: what is learned at one value holds at all
  bool encoding = false;  // changes only the planes: not the states, but what a network has learned of them
  int scale = 1;          // the numbers here are so many times those that people write: 2 for halves
};

// What the registry knows of a game: enough to list it and to check the settings asked for.
struct GameInfo {
  std::string name;     // the registry's name, such as "lines_of_action"
  std::string title;    // "Lines of Action"
  std::string summary;  // the goal in one line
  std::vector<Parameter> parameters;
};

// A value for every parameter of GameInfo, each within its range.
using Parameters = std::map<std::string, int>;

// How exchanging the two players maps the board of a game whose rules are the same for both: where each cell
// goes, and what becomes of each code. Twice is the identity. Empty where the rules are not the same.
struct Exchange {
  CellMap cells = {};
  std::vector<std::uint8_t> codes = {};
  std::vector<std::uint8_t> details = {};  // of each code of Game::details()
  bool empty() const { return codes.empty(); }
};

// The facts of one game at one setting.
struct Spec {
  std::string name;
  std::string title;
  Parameters parameters;
  int players = 2;
  // What a match is played for. With Aim::score, in a game of one player, the score counts: an end that
  // is neither won nor lost is 0 as a result, and its score says how good it is.
  enum class Aim { result, score };
  Aim aim = Aim::result;
  Board board;

  std::size_t state_size = 0;   // bytes, a multiple of 8
  int action_count = 0;         // actions are 0 .. action_count - 1
  int max_actions = 0;          // no state has more legal actions
  int max_plies = 0;            // P: no match has more actions
  bool max_plies_exact = true;  // some match has P actions; otherwise P is a bound

  // Cell codes: cells() gives a number below code_count(cell) for each of cell_count() cells, so always
  // 0 for one that is absent from the board.
  // symbols[code] is how the code is written in a state's text; all have the same width.
  std::vector<std::string> symbols;
  std::vector<int> code_counts;  // of each cell; empty: symbols.size() for all
  // What the codes of Game::details() mean, in words; the first is that of an empty cell. Empty: there are
  // none.
  std::vector<std::string> details;
  int cell_count() const { return board.cells(); }
  int code_count(int cell) const {
    if (!board.has(cell)) return 1;
    return code_counts.empty() ? static_cast<int>(symbols.size())
                               : code_counts[static_cast<std::size_t>(cell)];
  }
  // The words that hold one bit for each cell, and the bits that a code needs.
  std::size_t cell_words() const { return (static_cast<std::size_t>(cell_count()) + 63) / 64; }
  std::size_t code_bits() const {
    return symbols.size() < 2 ? 1 : static_cast<std::size_t>(std::bit_width(symbols.size() - 1));
  }

  // The cells that belong together with each cell, where they are not those that touch it on the board.
  CellLists neighbours;
  CellLists cell_neighbours() const { return neighbours.empty() ? board.neighbours() : neighbours; }

  // Planes: encode() gives float[planes.size()][plane_rows][plane_columns].
  std::vector<std::string> planes;
  int plane_rows = 0;
  int plane_columns = 0;
  std::size_t encoding_size() const {
    return planes.size() * static_cast<std::size_t>(plane_rows * plane_columns);
  }

  // Where each symmetry sends each cell; the identity comes first. Symmetries that also change what is
  // in the cells have no such map: then this is empty, state_symmetries is their number, and
  // Game::transform alone knows them.
  std::vector<CellMap> symmetries;
  int state_symmetries = 0;
  int symmetry_count() const {
    return state_symmetries > 0 ? state_symmetries : static_cast<int>(symmetries.size());
  }

  // If there is one, Game::exchange makes the states, and a state is worth to its first player what the
  // exchanged one is worth to its second.
  Exchange exchange;

  bool has_score = false;     // score() means something
  double max_score = 0;       // no score is larger or below its negative; 0: not known
  bool has_pieces = false;    // pieces() means something
  bool has_mobility = false;  // mobility() means something: the game was made with mobility on
  // The state remembers more of the past than the cells, the player to move and the ply show,
  // because a rule needs it (repetition). The planes do not show all of that part.
  bool has_history = false;
  // scramble() makes starts of matches, at ply 0, in a way of the game's own.
  bool has_scrambles = false;
  // reachable() means something: not every empty cell can be filled by the next action, and how the
  // board goes on depends on which can.
  bool has_reachable = false;

  // InvalidParameter unless the fields agree with one another. The games in the box are made to; this is for
  // specs from outside.
  void check() const;
};

}  // namespace glaux
