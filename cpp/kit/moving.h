// What games have in common in which stones of two colours move on a square board, the first player's at even
// plies, and the state keeps a run of moves that can be undone (reversible.h): whose move it is, cell codes,
// planes, symmetries and the text of a state.
//
// The rules of such a game derive from MovingStones and add what is theirs. Their State has stones[2], ply,
// run and result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/game.h"
#include "kit/planes.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

class MovingStones {
 public:
  template <class State>
  Status status(const State& s) const {
    return {player_of(player(s)), s.result};
  }

  template <class State>
  void cells(const State& s, std::uint8_t* codes) const {
    stone_codes(s.stones, board_.cells(), codes);
  }
  template <class State>
  void cell_bits(const State& s, std::uint64_t* bits) const {
    stone_bits(s.stones, board_.cells(), bits);
  }

  template <class State>
  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    planes.set_stones(s.stones, player(s) == 0, static_cast<int>(s.ply), max_plies_);
    planes.fill(4, static_cast<float>(s.run.count) / static_cast<float>(run_limit_));
  }

  template <class State>
  State transform(const State& s, int symmetry) const {
    State t = s;
    permute_stones(t.stones, map(symmetry));
    t.run.permute(map(symmetry));
    return t;
  }

  template <class State>
  std::string state_text(const State& s) const {
    return stones_text(s.stones, static_cast<int>(s.ply)) + " " + s.run.text(board_);
  }

 protected:
  // No match has more plies, no run more moves.
  MovingStones(const Board& board, int max_plies, int run_limit)
      : board_(board), symmetries_(board.square_symmetries()), max_plies_(max_plies), run_limit_(run_limit) {}

  // All but the actions. What the stones are called, and what ends a run.
  Spec moving_spec(const std::string& stones, const std::string& end) const {
    Spec spec;
    spec.board = board_;
    spec.max_plies = max_plies_;
    spec.max_plies_exact = false;
    spec.symbols = stone_symbols;
    spec.planes = {"first player's " + stones, "second player's " + stones, "first player to move",
                   "ply / longest match", "plies since the last " + end + " / the most there can be"};
    spec.plane_rows = board_.rows;
    spec.plane_columns = board_.columns;
    spec.symmetries = symmetries_;
    spec.has_pieces = spec.has_history = true;
    return spec;
  }

  template <class State>
  static int player(const State& s) {
    return static_cast<int>(s.ply & 1);
  }

  const CellMap& map(int symmetry) const { return symmetries_[static_cast<std::size_t>(symmetry)]; }

  // The common part of a state's text, of these stones at a ply.
  template <class Set>
  std::string stones_text(const Set (&stones)[2], int ply) const {
    std::uint8_t codes[Set::capacity];
    stone_codes(stones, board_.cells(), codes);
    return format_state(board_, stone_symbols, codes, ply % 2 == 0, ply);
  }

  // The text of a state with so many fields of the game's own, the first of which is the run.
  StateText parsed(std::string_view text, std::size_t fields) const {
    StateText result(text, board_, stone_symbols, max_plies_);
    result.expect_extra(fields);
    result.expect_first_at_even_plies();
    return result;
  }

  // The state of such a text, its result and the other fields left to the caller.
  template <class State>
  State state_of(const StateText& text) const {
    State s{};
    stones_from_codes(text.codes, s.stones);
    s.ply = static_cast<decltype(s.ply)>(text.ply);
    s.run = decltype(s.run)::parse(text.extra[0], board_);
    return s;
  }

  Board board_;
  std::vector<CellMap> symmetries_;
  int max_plies_;
  int run_limit_;
};

}  // namespace glaux
