// The Game of the Amazons on a board of N x N cells, N even.
//
// Each player has four amazons, which move like chess queens. A turn moves one of them and then shoots
// an arrow from where it arrived, again like a queen; the arrow stays, and nothing moves or shoots
// through arrows or amazons. A player none of whose amazons can move loses.
//
// A turn is three actions of the same player: choose an amazon that can move, its destination, the
// arrow's cell. Each of them is a cell, and the action is its number. A third of a turn has at most
// 4 N - 5 actions where a whole one has thousands.
//
// The state remembers how far the turn is, and with which amazon. Each complete turn leaves one arrow,
// so that the ply follows from the arrows and the stage of the turn.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "kit/bits.h"
#include "kit/planes.h"
#include "kit/rays.h"
#include "kit/results.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

template <int N>
class Amazons {
  static constexpr int cells_ = N * N;
  static constexpr int amazons_ = 4;  // of each player
  static constexpr int max_plies_ = 3 * (cells_ - 2 * amazons_);
  using Set = Bits<(cells_ + 63) / 64>;

  // What the player to move has to do next.
  enum Stage : std::uint8_t { choose, go, shoot };
  // Cell codes beyond those of an empty cell and the amazons of each player.
  enum Code : std::uint8_t { arrow = 3, must_go = 4, must_shoot = 5 };

 public:
  struct State {
    Set stones[2];  // the amazons of the first and the second player
    Set arrows;
    std::uint8_t player;  // to move: 0 the first, 1 the second
    std::uint8_t stage;
    std::uint8_t active;  // the cell of the amazon that has to go or to shoot; else 0
    Result result;
    std::uint32_t unused;
  };

  explicit Amazons(const Parameters&)
      : board_{N, N, Board::Shape::square, Board::Numbering::from_bottom},
        symmetries_(board_.square_symmetries()) {}

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = cells_;
    spec.max_actions = 4 * N - 5;  // a queen in the centre of an empty board
    // Each turn fills a cell, and there are matches that fill them all (docs/games/amazons.md).
    spec.max_plies = max_plies_;
    spec.symbols = symbols_;
    spec.planes = {"first player's amazons",    "second player's amazons",      "arrows",
                   "the amazon that has to go", "the amazon that has to shoot", "first player to move",
                   "ply / longest match"};
    spec.plane_rows = spec.plane_columns = N;
    spec.symmetries = symmetries_;
    spec.exchange = {symmetries_[0], {0, 2, 1, arrow, must_go, must_shoot}};
    spec.has_score = true;
    spec.max_score = cells_ - 2 * amazons_;
    return spec;
  }

  State initial() const {
    State s{};
    constexpr int low = N / 2 - 2, high = N - 1 - low;
    for (const int column : {low, high}) {
      s.stones[0].set((N - 1) * N + column);
      s.stones[1].set(column);
    }
    for (const int column : {0, N - 1}) {
      s.stones[0].set(high * N + column);
      s.stones[1].set(low * N + column);
    }
    s.result = ongoing;
    return s;
  }

  Status status(const State& s) const { return {player_of(s.player), s.result}; }

  Measures measures(const State& s) const {
    Measures m{ply(s), 0.0, {0, 0}};
    // At least 1: a win that leaves nothing to reach still scores above a loss.
    if (s.result != ongoing) m.score = s.result * std::max(1, territory(s.stones[1 - s.player], occupied(s)));
    return m;
  }

  int actions(const State& s, Action* out) const {
    int n = 0;
    options(s).for_each([&](int cell) { out[n++] = cell; });
    return n;
  }

  void apply(State& s, Action action) const {
    switch (s.stage) {
      case choose:
        s.active = static_cast<std::uint8_t>(action);
        s.stage = go;
        break;
      case go:
        s.stones[s.player].reset(s.active);
        s.stones[s.player].set(action);
        s.active = static_cast<std::uint8_t>(action);
        s.stage = shoot;
        break;
      default:
        s.arrows.set(action);
        s.active = 0;
        s.stage = choose;
        s.player ^= 1;
        s.result = result_of(s);
    }
  }

  // As random actions by apply() in a loop, a whole turn at a time and with the sets in registers.
  void playout(State& s, Rng& rng) const {
    while (s.stage != choose) apply(s, random_cell(options(s), rng));
    Set own = s.stones[s.player], other = s.stones[1 - s.player], blocked = occupied(s);
    int player = s.player;
    for (Set movable; (movable = movable_of(own, blocked)).any();) {
      const int from = random_cell(movable, rng);
      const int to = random_cell(open_cells(rays_[static_cast<std::size_t>(from)], blocked), rng);
      own.reset(from);
      own.set(to);
      blocked.reset(from);
      blocked.set(to);
      blocked.set(random_cell(open_cells(rays_[static_cast<std::size_t>(to)], blocked), rng));
      std::swap(own, other);
      player ^= 1;
    }
    s.stones[player] = own;
    s.stones[1 - player] = other;
    s.arrows = blocked & ~(own | other);
    s.player = static_cast<std::uint8_t>(player);
    s.result = loss_of(player);
  }

  void cells(const State& s, std::uint8_t* codes) const {
    stone_codes(s.stones, cells_, codes);
    s.arrows.for_each([&](int cell) { codes[cell] = arrow; });
    if (s.stage != choose) codes[s.active] = active_code(s);
  }
  void cell_bits(const State& s, std::uint64_t* bits) const {
    Set rows[3] = {s.stones[0] | s.arrows, s.stones[1] | s.arrows, {}};
    if (s.stage != choose) {
      for (int row = 0; row < 3; ++row) {
        rows[row].reset(s.active);
        if (active_code(s) >> row & 1) rows[row].set(s.active);
      }
    }
    for (const Set& row : rows) bits = std::copy(std::begin(row.word), std::end(row.word), bits);
  }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    planes.set(0, s.stones[0]);
    planes.set(1, s.stones[1]);
    planes.set(2, s.arrows);
    if (s.stage != choose) planes.set(s.stage == go ? 3 : 4, Set::of(s.active));
    if (s.player == 0) planes.fill(5, 1.0f);
    planes.fill(6, static_cast<float>(ply(s)) / max_plies_);
  }

  State transform(const State& s, int symmetry) const {
    const CellMap& map = symmetries_[static_cast<std::size_t>(symmetry)];
    State t = s;
    permute_stones(t.stones, map);
    t.arrows = permuted(s.arrows, map);
    if (s.stage != choose) t.active = static_cast<std::uint8_t>(map[s.active]);
    return t;
  }

  State exchange(const State& s) const { return exchanged_sides(s, symmetries_[0]); }
  Action exchange_action(Action action) const { return action; }

  Action transform_action(Action action, int symmetry) const {
    return symmetries_[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(action)];
  }

  std::string action_text(const State&, Action action) const { return board_.cell_text(action); }

  Cells action_cells(const State&, Action action) const { return {action}; }

  std::string state_text(const State& s) const {
    std::uint8_t codes[cells_];
    cells(s, codes);
    return format_state(board_, symbols_, codes, s.player == 0, ply(s));
  }

  State parse_state(std::string_view text) const {
    StateText parsed(text, board_, symbols_, max_plies_);
    parsed.expect_extra(0);
    State s{};
    s.player = parsed.first_player ? 0 : 1;
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      std::uint8_t& code = parsed.codes[cell];
      if (code == arrow) {
        s.arrows.set(static_cast<int>(cell));
        code = 0;
      } else if (code > arrow) {
        if (s.stage != choose) throw InvalidState("Only one amazon can be in the middle of its turn.");
        s.stage = code == must_go ? go : shoot;
        s.active = static_cast<std::uint8_t>(cell);
        code = parsed.first_player ? 1 : 2;
      }
    }
    stones_from_codes(parsed.codes, s.stones);
    s.result = result_of(s);
    if (parsed.ply != ply(s)) {
      throw InvalidState(
          "The ply must be three for each arrow plus one for each action of the current turn, here " +
          std::to_string(ply(s)) + ", not " + std::to_string(parsed.ply) + ".");
    }
    return s;
  }

  void validate(const State& s) const {
    if (s.player > 1 || s.stage > shoot || s.active >= cells_ || s.unused != 0 ||
        (s.stage == choose && s.active != 0) || !stones_fit(s.stones, cells_) ||
        (s.arrows & (s.stones[0] | s.stones[1] | ~Set::below(cells_))).any()) {
      throw InvalidState("These bytes are not an Amazons state.");
    }
    if (s.stones[0].count() != amazons_ || s.stones[1].count() != amazons_) {
      throw InvalidState("Each player has four amazons.");
    }
    if (s.stage != choose && !movable_of(s.stones[s.player], occupied(s)).test(s.active)) {
      throw InvalidState(
          "The amazon in the middle of its turn must be the player's and have an empty cell beside it.");
    }
    expect_result(s.result, result_of(s));
  }

 private:
  static Code active_code(const State& s) { return s.stage == go ? must_go : must_shoot; }

  static const inline std::vector<std::string> symbols_{".", "X", "O", "a", "m", "s"};
  static constexpr std::array<Rays<Set>, cells_> rays_ = make_rays<Set, N, N>();

  static int ply(const State& s) { return 3 * s.arrows.count() + s.stage; }

  [[gnu::always_inline]] static inline Set occupied(const State& s) {
    return s.stones[0] | s.stones[1] | s.arrows;
  }

  // The cells of a set and those that touch one of them.
  [[gnu::always_inline]] static inline Set widened(const Set& set) {
    constexpr Set not_left = all_but_column<Set, N, N>(0), not_right = all_but_column<Set, N, N>(N - 1);
    const Set row = set | ((set << 1) & not_left) | ((set >> 1) & not_right);
    return row | (row << N) | (row >> N);
  }

  [[gnu::always_inline]] static inline Set movable_of(const Set& amazons, const Set& blocked) {
    return amazons & widened(~blocked & Set::below(cells_));
  }

  [[gnu::noinline]] static Set options(const State& s) {
    return s.stage == choose ? movable_of(s.stones[s.player], occupied(s))
                             : open_cells(rays_[s.active], occupied(s));
  }

  // A player in the middle of a turn can always finish it.
  static Result result_of(const State& s) {
    return s.stage != choose || options(s).any() ? ongoing : loss_of(s.player);
  }

  // How many empty cells the amazons could reach in any number of moves of theirs alone.
  static int territory(const Set& amazons, const Set& blocked) {
    const Set empty = ~blocked & Set::below(cells_);
    Set reached = widened(amazons) & empty;
    for (Set before; before != reached;) {
      before = reached;
      reached = widened(reached) & empty;
    }
    return reached.count();
  }

  Board board_;
  std::vector<CellMap> symmetries_;
};

inline GameEntry amazons_entry() {
  return {{"amazons",
           "Amazons",
           "Move an amazon, then shoot an arrow that blocks a cell for good; a player who cannot move loses.",
           {{"size", 10, 6, 10, "rows and columns: 6, 8 or 10"}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            switch (p.at("size")) {
              case 6:
                return adapt<Amazons<6>>(info, p);
              case 8:
                return adapt<Amazons<8>>(info, p);
              case 10:
                return adapt<Amazons<10>>(info, p);
            }
            throw InvalidParameter("Amazons is played at size 6, 8 or 10, not " +
                                   std::to_string(p.at("size")) + ".");
          }};
}

}  // namespace glaux
