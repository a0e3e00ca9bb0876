// Breakthrough on a board of rows x columns cells.
//
// Each player starts with two full rows of pawns, the first at the bottom moving up, the second at
// the top moving down. A pawn steps one row forward: straight onto an empty cell, or diagonally onto
// an empty cell or an opposing pawn, which is captured. Reaching the far row wins; so does capturing
// the last opposing pawn.
//
// Actions: from * 3 + d, where d is 0 for the diagonal step to the column on the left, 1 for the
// straight one and 2 for the diagonal to the right, left and right as the board is printed.
//
// A player to move always can: nothing of their own stands before the most advanced pawn, so that
// its diagonal steps are free, and with two columns or more it has one.
// Every step brings a pawn one row forward and no pawn ever gets a step back, which bounds the match:
// see steps_left(). Captures hide how many steps were made, so that the state carries the ply.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "kit/bits.h"
#include "kit/planes.h"
#include "kit/results.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

template <int Words>
class Breakthrough {
  using Set = Bits<Words>;

 public:
  struct State {
    Set stones[2];  // the pawns of the first and the second player
    std::uint32_t ply;
    std::uint8_t player;  // to move: 0 the first, 1 the second; in a match, the parity of the ply
    Result result;
    std::uint16_t unused;
  };

  explicit Breakthrough(const Parameters& p)
      : board_{p.at("rows"), p.at("columns"), Board::Shape::square, Board::Numbering::from_bottom},
        symmetries_{board_.identity(), board_.mirror_columns()},
        exchange_(board_.mirror_rows()),
        full_(Set::below(board_.cells())),
        last_row_{row(0), row(board_.rows - 1)},
        not_left_(full_),
        not_right_(full_),
        max_plies_(2 * board_.columns * (2 * board_.rows - 5) + 1) {
    for (int r = 0; r < board_.rows; ++r) {
      not_left_.reset(board_.cell(r, 0));
      not_right_.reset(board_.cell(r, board_.columns - 1));
    }
  }

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = 3 * board_.cells();
    spec.max_actions = 6 * board_.columns;
    // Up to the row before the last, a pawn of the front row has rows - 3 steps and one of the back
    // row one more; one further step wins. From five rows on, matches exist in which no step is lost
    // (docs/games/breakthrough.md); on four rows the first move has to capture a pawn that has one left.
    spec.max_plies = max_plies_;
    spec.max_plies_exact = board_.rows >= 5;
    spec.symbols = stone_symbols;
    spec.planes = {"first player's pawns", "second player's pawns", "first player to move",
                   "ply / longest match"};
    spec.plane_rows = board_.rows;
    spec.plane_columns = board_.columns;
    spec.symmetries = symmetries_;
    spec.exchange = stone_exchange(exchange_);
    spec.has_pieces = true;
    return spec;
  }

  State initial() const {
    State s{};
    s.stones[0] = row(board_.rows - 1) | row(board_.rows - 2);
    s.stones[1] = row(0) | row(1);
    s.result = ongoing;
    return s;
  }

  Status status(const State& s) const { return {player_of(s.player), s.result}; }

  Measures measures(const State& s) const {
    return {static_cast<int>(s.ply), 0.0, {s.stones[0].count(), s.stones[1].count()}};
  }

  int actions(const State& s, Action* out) const {
    const Movers movers =
        s.player == 0 ? movers_of<0>(s.stones[0], s.stones[1]) : movers_of<1>(s.stones[1], s.stones[0]);
    int n = 0;
    s.stones[s.player].for_each([&](int from) {
      for (int d = 0; d < 3; ++d) {
        if (movers.to[d].test(from)) out[n++] = 3 * from + d;
      }
    });
    return n;
  }

  void apply(State& s, Action action) const {
    const int from = action / 3, to = target(action, s.player);
    Set& own = s.stones[s.player];
    own.reset(from);
    own.set(to);
    s.stones[1 - s.player].reset(to);
    s.player ^= 1;
    ++s.ply;
    s.result = result_of(s);
  }

  // As random actions by apply() in a loop, with the pawns in registers and the direction of the steps
  // known to the compiler.
  void playout(State& s, Rng& rng) const {
    if (s.result != ongoing) return;
    Set first = s.stones[0], second = s.stones[1];
    std::uint32_t ply = s.ply;
    const std::uint32_t begun = ply;
    const auto first_wins = [&] { return ++ply, random_step<0>(first, second, rng); };
    const auto second_wins = [&] { return ++ply, random_step<1>(second, first, rng); };
    bool over = s.player == 1 && second_wins();
    while (!over) over = first_wins() || second_wins();
    s.stones[0] = first;
    s.stones[1] = second;
    s.ply = ply;
    s.player = static_cast<std::uint8_t>(s.player ^ ((ply - begun) % 2));
    s.result = win_of(1 - s.player);
  }

  void cells(const State& s, std::uint8_t* codes) const { stone_codes(s.stones, board_.cells(), codes); }
  void cell_bits(const State& s, std::uint64_t* bits) const { stone_bits(s.stones, board_.cells(), bits); }

  void encode(const State& s, float* out) const {
    Planes(out, board_).set_stones(s.stones, s.player == 0, static_cast<int>(s.ply), max_plies_);
  }

  State transform(const State& s, int symmetry) const {
    State t = s;
    permute_stones(t.stones, symmetries_[static_cast<std::size_t>(symmetry)]);
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    const int from = symmetries_[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(action / 3)];
    return 3 * from + (symmetry == 0 ? action % 3 : 2 - action % 3);
  }

  State exchange(const State& s) const { return exchanged_sides(s, exchange_); }

  Action exchange_action(Action action) const {
    return 3 * exchange_[static_cast<std::size_t>(action / 3)] + action % 3;
  }

  std::string action_text(const State& s, Action action) const {
    const int to = target(action, s.player);
    const bool captures = s.stones[1 - s.player].test(to);
    return board_.cell_text(action / 3) + (captures ? "x" : "") + board_.cell_text(to);
  }

  Cells action_cells(const State& s, Action action) const { return {action / 3, target(action, s.player)}; }

  std::string state_text(const State& s) const {
    std::uint8_t codes[Set::capacity];
    cells(s, codes);
    return format_state(board_, stone_symbols, codes, s.player == 0, static_cast<int>(s.ply));
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board_, stone_symbols, max_plies_);
    parsed.expect_extra(0);
    State s{};
    stones_from_codes(parsed.codes, s.stones);
    s.player = parsed.first_player ? 0 : 1;
    s.ply = static_cast<std::uint32_t>(parsed.ply);
    s.result = result_of(s);
    return s;
  }

  void validate(const State& s) const {
    if (s.player > 1 || s.unused != 0 || !stones_fit(s.stones, board_.cells())) {
      throw InvalidState("These bytes are not a Breakthrough state.");
    }
    for (const Set& pawns : s.stones) {
      if (pawns.count() > 2 * board_.columns) {
        throw InvalidState("A player has at most " + std::to_string(2 * board_.columns) + " pawns.");
      }
    }
    if ((s.stones[s.player] & last_row_[s.player]).any() || s.stones[1 - s.player].none()) {
      throw InvalidState(
          "The player to move cannot have won: the match ends when a pawn reaches the far "
          "row or the last pawn of a player is captured.");
    }
    expect_result(s.result, result_of(s));
    const int most = max_plies_ - steps_left(s) - (s.result == ongoing ? 1 : 0);
    if (s.ply > static_cast<std::uint32_t>(most)) {
      throw InvalidState("The ply can be at most " + std::to_string(most) + " with these pawns.");
    }
  }

 private:
  Set row(int r) const {
    Set set;
    for (int column = 0; column < board_.columns; ++column) set.set(board_.cell(r, column));
    return set;
  }

  int target(Action action, int player) const {
    return action / 3 + (player == 0 ? -board_.columns : board_.columns) + action % 3 - 1;
  }

  // The pawns that can step to the left, straight and to the right.
  struct Movers {
    Set to[3];
  };
  template <int Player>
  [[gnu::always_inline]] Movers movers_of(const Set& own, const Set& other) const {
    const Set open = full_ & ~own, empty = open & ~other;
    const int forward = board_.columns;
    // The cell from which a cell is reached is behind it: below it for the first player.
    if constexpr (Player == 0) {
      return {{own & not_left_ & (open << (forward + 1)), own & (empty << forward),
               own & not_right_ & (open << (forward - 1))}};
    } else {
      return {{own & not_left_ & (open >> (forward - 1)), own & (empty >> forward),
               own & not_right_ & (open >> (forward + 1))}};
    }
  }

  // Plays one of the player's actions, uniformly, and says whether it wins.
  template <int Player>
  [[gnu::always_inline]] bool random_step(Set& own, Set& other, Rng& rng) const {
    const Movers movers = movers_of<Player>(own, other);
    const int left = movers.to[0].count(), straight = movers.to[1].count(), right = movers.to[2].count();
    const auto k = static_cast<int>(rng.below(static_cast<std::uint32_t>(left + straight + right)));
    // Without branches, whose outcome would be a coin toss.
    const int d = (k >= left) + (k >= left + straight);
    const int before[3] = {0, left, left + straight};
    const int from = movers.to[d].nth(k - before[d]);
    const int to = from + (Player == 0 ? -board_.columns : board_.columns) + d - 1;
    own.reset(from);
    own.set(to);
    other.reset(to);
    return last_row_[Player].test(to) || other.none();
  }

  // The steps that the pawns have before them, up to the row before the last. A move takes at least one
  // away, except for the move that ends the match by reaching the last row.
  int steps_left(const State& s) const {
    int steps = 0;
    s.stones[0].for_each([&](int cell) { steps += std::max(0, board_.row(cell) - 1); });
    s.stones[1].for_each([&](int cell) { steps += std::max(0, board_.rows - 2 - board_.row(cell)); });
    return steps;
  }

  // From the pawns after a move of the player who is not to move.
  Result result_of(const State& s) const {
    const int mover = 1 - s.player;
    const bool wins = (s.stones[mover] & last_row_[mover]).any() || s.stones[s.player].none();
    return wins ? win_of(mover) : ongoing;
  }

  Board board_;
  std::vector<CellMap> symmetries_;
  CellMap exchange_;  // the players see the board from opposite sides
  Set full_;
  Set last_row_[2];           // where each player wins
  Set not_left_, not_right_;  // all but the first and the last column: a diagonal step stays on the board
  int max_plies_;
};

inline GameEntry breakthrough_entry() {
  return {{"breakthrough",
           "Breakthrough",
           "Be the first to bring a pawn to the far side of the board.",
           {{"rows", 8, 4, 16, "rows; each player starts with two rows of pawns"},
            {"columns", 8, 2, 16, "columns"}}},
          [](const GameInfo& info, const Parameters& p) {
            return adapt_sized<Breakthrough, 1, 2, 4>(p.at("rows") * p.at("columns"), info, p);
          }};
}

}  // namespace glaux
