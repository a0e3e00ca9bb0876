// Santorini without power cards on a board of N x N cells.
//
// The first player places two workers one after the other, then the second player two. A turn has
// two actions by one player: a worker moves to an adjacent cell, up by one level at most, down by
// any number, never onto a worker or a dome (level 4); then it builds one level on an adjacent cell
// without a worker or a dome. Moving onto level 3 wins at once; no move at the start of a turn loses.
// After any other move a build is possible: on the cell that the worker has left.
//
// Actions: the cell of a placement or a build; N * N + from * 8 + direction (compass.h) of a move.
// The player to move and the ply follow from the workers and the levels: every turn adds a level.
// The builder is the worker that has moved in this turn; after a winning move it stays marked.
#pragma once

#include <algorithm>
#include <string>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "kit/bits.h"
#include "kit/compass.h"
#include "kit/planes.h"
#include "kit/results.h"
#include "kit/text.h"

namespace glaux {

class Santorini {
  using Set = Bits<1>;
  static constexpr std::uint8_t no_builder = 255;

 public:
  struct State {
    Set workers[2];        // of the first and the second player
    Set levels[4];         // levels[i]: the cells of level i + 1 or more
    std::uint8_t player;   // to act: 0 the first, 1 the second
    std::uint8_t builder;  // the cell of the worker that has to build (or has just won), or no_builder
    Result result;
    std::uint8_t unused[5];
  };

  explicit Santorini(const Parameters& p)
      : size_(p.at("size")),
        board_{size_, size_, Board::Shape::square, Board::Numbering::from_bottom},
        all_(Set::below(board_.cells())),
        symmetries_(board_.square_symmetries()),
        direction_maps_(direction_maps(board_, symmetries_)),
        compass_(board_) {}

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = board_.cells() * 9;
    spec.max_actions = std::max(board_.cells(), 2 * 8);
    spec.max_plies = max_plies();
    spec.max_plies_exact = true;
    spec.symbols = symbols_;
    spec.planes = {"first player's workers",   "second player's workers", "level 1 or more",
                   "level 2 or more",          "level 3 or more",         "dome",
                   "worker that has to build", "first player to move",    "ply / longest match"};
    spec.plane_rows = spec.plane_columns = size_;
    spec.symmetries = symmetries_;
    return spec;
  }

  State initial() const {
    State s{};
    s.builder = no_builder;
    s.result = ongoing;
    return s;
  }

  Status status(const State& s) const { return {glaux::player_of(s.player), s.result}; }

  Measures measures(const State& s) const { return {ply(s)}; }

  int actions(const State& s, Action* out) const {
    int n = 0;
    if (s.builder != no_builder) {
      builds(s, s.builder).for_each([&](int cell) { out[n++] = cell; });
    } else if (placing(s)) {
      free_cells(s).for_each([&](int cell) { out[n++] = cell; });
    } else {
      s.workers[s.player].for_each([&](int from) {
        const Set targets = moves(s, from);
        for (int d = 0; d < 8; ++d) {
          if (compass_.room(from, d) > 0 && targets.test(from + compass_.step(d))) {
            out[n++] = board_.cells() + from * 8 + d;
          }
        }
      });
    }
    return n;
  }

  // As random actions by apply() in a loop, a whole turn at a time.
  void playout(State& s, Rng& rng) const {
    while (s.result == ongoing && (placing(s) || s.builder != no_builder)) {
      const Set choices = s.builder != no_builder ? builds(s, s.builder) : free_cells(s);
      apply(s, random_cell(choices, rng));
    }
    while (s.result == ongoing) {
      const int one = s.workers[s.player].first(), two = s.workers[s.player].highest().first();
      const Set targets_of_one = moves(s, one), targets_of_two = moves(s, two);
      const int count = targets_of_one.count();
      const int choice =
          static_cast<int>(rng.below(static_cast<std::uint32_t>(count + targets_of_two.count())));
      if (choice < count) {
        move(s, one, targets_of_one.nth(choice));
      } else {
        move(s, two, targets_of_two.nth(choice - count));
      }
      if (s.result == ongoing) build(s, random_cell(builds(s, s.builder), rng));
    }
  }

  void apply(State& s, Action action) const {
    if (action >= board_.cells()) {
      const int from = (action - board_.cells()) / 8;
      move(s, from, from + compass_.step((action - board_.cells()) % 8));
    } else if (s.builder != no_builder) {
      build(s, action);
    } else {
      s.workers[s.player].set(action);
      s.player = s.workers[0].count() == 2 && s.workers[1].count() < 2;
      if (!placing(s) && !can_move(s)) s.result = loss_of(s.player);
    }
  }

  void cells(const State& s, std::uint8_t* codes) const {
    for (int cell = 0; cell < board_.cells(); ++cell) {
      const int level = level_of(s, cell);
      int holder = s.workers[0].test(cell) ? 1 : s.workers[1].test(cell) ? 2 : 0;
      if (cell == s.builder) holder += 2;
      codes[cell] = code(level, holder);
    }
  }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    for (int i = 0; i < 2; ++i) planes.set(i, s.workers[i]);
    for (int i = 0; i < 4; ++i) planes.set(2 + i, s.levels[i]);
    if (s.builder != no_builder) planes.set(6, Set::of(s.builder));
    if (s.player == 0) planes.fill(7, 1.0f);
    planes.fill(8, static_cast<float>(ply(s)) / static_cast<float>(max_plies()));
  }

  State transform(const State& s, int symmetry) const {
    const CellMap& map = symmetries_[static_cast<std::size_t>(symmetry)];
    State t = s;
    for (Set& set : t.workers) set = permuted(set, map);
    for (Set& set : t.levels) set = permuted(set, map);
    if (s.builder != no_builder) t.builder = static_cast<std::uint8_t>(map[s.builder]);
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    const auto k = static_cast<std::size_t>(symmetry);
    if (action < board_.cells()) return symmetries_[k][static_cast<std::size_t>(action)];
    const auto move = static_cast<std::size_t>(action - board_.cells());
    return board_.cells() + symmetries_[k][move / 8] * 8 + direction_maps_[k][move % 8];
  }

  std::string action_text(const State&, Action action) const {
    if (action < board_.cells()) return board_.cell_text(action);
    const int from = (action - board_.cells()) / 8;
    return board_.cell_text(from) + board_.cell_text(from + compass_.step((action - board_.cells()) % 8));
  }

  Cells action_cells(const State&, Action action) const {
    if (action < board_.cells()) return {action};
    const int from = (action - board_.cells()) / 8;
    return {from, from + compass_.step((action - board_.cells()) % 8)};
  }

  std::string state_text(const State& s) const {
    std::uint8_t codes[64];
    cells(s, codes);
    return format_state(board_, symbols_, codes, s.player == 0, ply(s));
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board_, symbols_, max_plies());
    parsed.expect_extra(0);
    State s = initial();
    for (int cell = 0; cell < board_.cells(); ++cell) {
      const int code = parsed.codes[static_cast<std::size_t>(cell)];
      const auto [level, holder] = meaning(code);
      for (int i = 0; i < level; ++i) s.levels[i].set(cell);
      if (holder > 0) s.workers[(holder - 1) % 2].set(cell);
      if (holder > 2) {
        if (s.builder != no_builder) throw InvalidState("Only one worker can be about to build.");
        s.builder = static_cast<std::uint8_t>(cell);
      }
    }
    s.player = player_of(s);
    if (parsed.first_player != (s.player == 0) || parsed.ply != ply(s)) {
      throw InvalidState("With this board, " + std::string(s.player == 0 ? "X" : "O") + " is to act at ply " +
                         std::to_string(ply(s)) + ".");
    }
    validate_board(s);
    s.result = result_of(s);
    return s;
  }

  void validate(const State& s) const {
    for (const auto byte : s.unused) {
      if (byte != 0) throw InvalidState("These bytes are not a Santorini state.");
    }
    validate_board(s);
    if (s.player != player_of(s) || s.result != result_of(s)) {
      throw InvalidState("The player or the result in these bytes does not match the board.");
    }
  }

 private:
  // Cell codes: level 0 to 2 with one of five holders (nobody, X, O, and X or O that has to build);
  // level 3 with nobody or the worker that has won by moving there; a dome.
  static inline const std::vector<std::string> symbols_{"0.", "0X", "0O", "0x", "0o", "1.", "1X",
                                                        "1O", "1x", "1o", "2.", "2X", "2O", "2x",
                                                        "2o", "3.", "3x", "3o", "4."};
  static std::uint8_t code(int level, int holder) {
    if (level == 4) return 18;
    if (level == 3) return static_cast<std::uint8_t>(holder == 0 ? 15 : 13 + holder);
    return static_cast<std::uint8_t>(5 * level + holder);
  }
  struct Meaning {
    int level, holder;
  };
  static Meaning meaning(int code) {
    if (code == 18) return {4, 0};
    if (code >= 15) return {3, code == 15 ? 0 : code - 13};
    return {code / 5, code % 5};
  }

  // When the last move wins, the winner stands on level 3, the other workers on level 2 at most, the
  // cell that it left has level 2, and the others 4 at most: 4 placements, two actions a level, and
  // that move. A match that ends for want of a move has no more levels, since the cell left by the
  // last move has level 3 at most, and not the move. Matches of this length exist at every size.
  int max_plies() const { return 4 + 2 * (4 * (board_.cells() - 5) + 3 + 2 + 3 * 2) + 1; }

  static bool placing(const State& s) { return s.workers[1].count() < 2; }
  static int level_of(const State& s, int cell) {
    return s.levels[0].test(cell) + s.levels[1].test(cell) + s.levels[2].test(cell) + s.levels[3].test(cell);
  }
  static int built(const State& s) {
    return s.levels[0].count() + s.levels[1].count() + s.levels[2].count() + s.levels[3].count();
  }
  static int ply(const State& s) {
    return s.workers[0].count() + s.workers[1].count() + 2 * built(s) + (s.builder != no_builder);
  }
  static std::uint8_t player_of(const State& s) {
    if (s.workers[0].count() < 2) return 0;
    return static_cast<std::uint8_t>(placing(s) ? 1 : built(s) % 2);
  }

  Set free_cells(const State& s) const { return all_ & ~(s.workers[0] | s.workers[1]); }

  // Where a worker on level 0 to 2 can go.
  [[gnu::always_inline]] Set moves(const State& s, int from) const {
    const Set& too_high = s.levels[1 + s.levels[0].test(from) + s.levels[1].test(from)];
    return compass_.neighbours(from) & ~(s.workers[0] | s.workers[1] | too_high);
  }
  [[gnu::always_inline]] Set builds(const State& s, int builder) const {
    return compass_.neighbours(builder) & ~(s.workers[0] | s.workers[1] | s.levels[3]);
  }

  bool can_move(const State& s) const {
    const Set& own = s.workers[s.player];
    return (moves(s, own.first()) | moves(s, own.highest().first())).any();
  }

  [[gnu::always_inline]] void move(State& s, int from, int to) const {
    s.workers[s.player] ^= Set::of(from) ^ Set::of(to);
    s.builder = static_cast<std::uint8_t>(to);
    if (s.levels[2].test(to)) s.result = win_of(s.player);
  }

  [[gnu::always_inline]] void build(State& s, int cell) const {
    s.levels[level_of(s, cell)].set(cell);
    s.builder = no_builder;
    s.player ^= 1;
    if (!can_move(s)) s.result = loss_of(s.player);
  }

  // The result of a state without its field of that name.
  Result result_of(const State& s) const {
    if (s.builder != no_builder) return s.levels[2].test(s.builder) ? win_of(s.player) : ongoing;
    return placing(s) || can_move(s) ? ongoing : loss_of(s.player);
  }

  // Throws InvalidState unless the workers, the levels and the builder can belong together. What it
  // asks of the cell left by the last move also keeps every match within max_plies().
  void validate_board(const State& s) const {
    const Set workers = s.workers[0] | s.workers[1];
    Set inside = all_;
    for (const Set& level : s.levels) {
      if ((level & ~inside).any()) throw InvalidState("These bytes are not a Santorini state.");
      inside = level;
    }
    if ((workers & ~all_).any() || (s.workers[0] & s.workers[1]).any()) {
      throw InvalidState("These bytes are not a Santorini state.");
    }
    const int first = s.workers[0].count(), second = s.workers[1].count();
    if (first > 2 || second > 2 || (first < 2 && second > 0)) {
      throw InvalidState("Each player has two workers, and the first player places both before the second.");
    }
    if (placing(s)) {
      if (built(s) > 0 || s.builder != no_builder) {
        throw InvalidState("Nobody moves or builds before all the workers are placed.");
      }
      return;
    }
    const int actor = player_of(s);
    if (s.builder != no_builder) {
      if (s.builder >= board_.cells() || !s.workers[actor].test(s.builder)) {
        throw InvalidState("The worker that has to build does not belong to the player to act.");
      }
      if (s.levels[3].test(s.builder) || (workers & s.levels[2] & ~Set::of(s.builder)).any()) {
        throw InvalidState("No worker can stand on level 3 before the last move, or on a dome.");
      }
      // From where the builder has come: a free cell of level 2 at most, and not two levels below.
      Set origins = compass_.neighbours(s.builder) & ~workers & ~s.levels[2];
      if (const int level = level_of(s, s.builder); level > 1) origins &= s.levels[level - 2];
      if (origins.none())
        throw InvalidState("There is no cell from which the worker that has to build can have come.");
      return;
    }
    if ((workers & s.levels[2]).any()) {
      throw InvalidState("No worker can stand on level 3 before the last move, or on a dome.");
    }
    if (built(s) > 0) {
      const Set left = compass_.neighbours(s.workers[1 - actor], all_) & ~workers & ~s.levels[3];
      if (left.none())
        throw InvalidState("There is no cell from which the last worker to move can have come.");
    }
  }

  int size_;
  Board board_;
  Set all_;
  std::vector<CellMap> symmetries_;
  std::vector<std::array<std::uint8_t, 8>> direction_maps_;
  Compass<Set> compass_;
};

inline GameEntry santorini_entry() {
  return {{"santorini",
           "Santorini",
           "Move a worker, then build with it; the first to move a worker up to level 3 wins.",
           {{"size", 5, 3, 8, "rows and columns"}}},
          [](const GameInfo& info, const Parameters& p) { return adapt<Santorini>(info, p); }};
}

}  // namespace glaux
