// What games have in common in which the players in turn place stones on empty cells, and stones stay:
// the state, its text, its cell codes and the common planes.
//
// A turn is one stone or, as in Connect6, so many, except that the very first turn is one. So the ply says
// who is to move, if one knows who began: the first player in every match, the second where the players
// have been exchanged. The rules of such a game derive from Placement and add what is theirs.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/errors.h"
#include "core/game.h"
#include "kit/bits.h"
#include "kit/planes.h"
#include "kit/results.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

template <int Words, int PerTurn = 1>
class Placement {
 public:
  using Set = Bits<Words>;

  struct State {
    Set stones[2];  // of the first and the second player
    std::uint32_t ply;
    Result result;
    std::uint8_t starter;  // who has made the first move: 0, or 1 with the players exchanged
    std::uint8_t unused[2];
  };

  State initial() const {
    State s{};
    s.result = ongoing;
    return s;
  }

  Status status(const State& s) const { return {player_of(player(s)), s.result}; }

  Measures measures(const State& s) const {
    Measures m;
    m.ply = static_cast<int>(s.ply);
    return m;
  }

  void cells(const State& s, std::uint8_t* codes) const { stone_codes(s.stones, board_.cells(), codes); }
  void cell_bits(const State& s, std::uint64_t* bits) const { stone_bits(s.stones, board_.cells(), bits); }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    common_planes(s, planes, 4);
  }

  State transform(const State& s, int symmetry) const {
    State t = s;
    permute_stones(t.stones, symmetries_[static_cast<std::size_t>(symmetry)]);
    return t;
  }

  State exchange(const State& s) const {
    State t = s;
    exchange_stones(t.stones, exchange_);
    t.starter ^= 1;
    t.result = exchanged(s.result);
    return t;
  }

  Action exchange_action(Action action) const {
    const auto i = static_cast<std::size_t>(action);
    return i < exchange_.size() ? exchange_[i] : action;
  }

  std::string state_text(const State& s) const {
    std::uint8_t codes[Set::capacity];
    cells(s, codes);
    return format_state(board_, stone_symbols, codes, player(s) == 0, static_cast<int>(s.ply));
  }

 protected:
  Placement(const Board& board, std::vector<CellMap> symmetries, int max_plies)
      : board_(board),
        symmetries_(std::move(symmetries)),
        exchange_(board.identity()),
        max_plies_(max_plies) {
    for (int cell = 0; cell < board_.cells(); ++cell) {
      if (board_.has(cell)) there_.set(cell);
    }
  }

  static int player_at(std::uint32_t ply) { return static_cast<int>((ply + PerTurn - 1) / PerTurn & 1); }
  static int player(const State& s) { return player_at(s.ply) ^ s.starter; }  // to move

  static Set occupied(const State& s) { return s.stones[0] | s.stones[1]; }
  Set empty(const State& s) const { return ~occupied(s) & there_; }

  // The empty cells of a random match, in any order: stones are put where one is drawn.
  class EmptyCells {
   public:
    explicit EmptyCells(const Set& cells) {
      cells.for_each([&](int cell) { cells_[count_++] = static_cast<std::uint16_t>(cell); });
    }

    bool none() const { return count_ == 0; }

    [[gnu::always_inline]] int draw(Rng& rng) {
      std::uint16_t& choice = cells_[rng.below(static_cast<std::uint32_t>(count_))];
      const int cell = choice;
      choice = cells_[--count_];
      return cell;
    }

   private:
    std::uint16_t cells_[Set::capacity];
    int count_ = 0;
  };

  // All but the actions.
  Spec common_spec() const {
    Spec spec;
    spec.board = board_;
    spec.max_plies = max_plies_;
    spec.symbols = stone_symbols;
    spec.planes = {"first player's stones", "second player's stones", "first player to move",
                   "ply / longest match"};
    spec.plane_rows = board_.rows;
    spec.plane_columns = board_.columns;
    spec.symmetries = symmetries_;
    spec.exchange = stone_exchange(exchange_);
    return spec;
  }

  // The stones are the first two of `count` planes, the player to move and the ply the last two.
  void common_planes(const State& s, Planes& planes, int count) const {
    planes.set(0, s.stones[0]);
    planes.set(1, s.stones[1]);
    if (player(s) == 0) planes.fill(count - 2, 1.0f);
    planes.fill(count - 1, static_cast<float>(s.ply) / static_cast<float>(max_plies_));
  }

  Action mapped_cell(int cell, int symmetry) const {
    return symmetries_[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(cell)];
  }

  // The state of a text, its result left to the caller.
  State parse_stones(std::string_view text) const {
    const StateText parsed(text, board_, stone_symbols, max_plies_);
    parsed.expect_extra(0);
    State s = initial();
    stones_from_codes(parsed.codes, s.stones);
    s.ply = static_cast<std::uint32_t>(parsed.ply);
    s.starter = parsed.first_player == (player(s) == 0) ? 0 : 1;
    return s;
  }

  void validate_stones(const State& s) const {
    if (s.starter > 1 || s.unused[0] || s.unused[1] || !stones_fit(s.stones, there_)) {
      throw InvalidState("These bytes are not a state of this game.");
    }
  }

  // The stones are those of so many placements, the first of them by the starter.
  static void validate_counts(const State& s) { validate_counts(s, s.ply, s.starter); }
  // By the player `starter`.
  static void validate_counts(const State& s, std::uint32_t plies, int starter) {
    const auto of_starter = static_cast<std::uint32_t>(s.stones[starter].count());
    const auto of_other = static_cast<std::uint32_t>(s.stones[1 - starter].count());
    const std::uint32_t rest = plies > 0 ? plies - 1 : 0;  // after the first stone, the other's turns first
    const std::uint32_t others =
        rest / (2 * PerTurn) * PerTurn + std::min<std::uint32_t>(rest % (2 * PerTurn), PerTurn);
    if (of_other != others || of_starter + of_other != plies) {
      throw InvalidState("The numbers of stones do not match the ply and the player to move.");
    }
  }

  Board board_;
  std::vector<CellMap> symmetries_;
  CellMap exchange_;  // where the stones go when the players are exchanged
  int max_plies_;
  Set there_;  // the cells of the board
};

}  // namespace glaux
