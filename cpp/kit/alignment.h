// Games in which the players place stones until somebody has a line of so many, as Gomoku and Connect6: all
// but the names of the games, their sizes and where the very first stone may go.
//
// Such a line or a longer one wins, in a row, a column or a diagonal; a full board without any is a draw.
//
// Actions: the cell of the stone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/board.h"
#include "core/errors.h"
#include "core/rng.h"
#include "kit/lines.h"
#include "kit/placement.h"

namespace glaux {

template <int Words, int Length, int PerTurn = 1>
class Alignment : public Placement<Words, PerTurn> {
  using Base = Placement<Words, PerTurn>;

 protected:
  using Base::board_;
  using Base::max_plies_;
  static constexpr int max_size = 19;

 public:
  using typename Base::Set;
  using typename Base::State;

  Spec spec() const {
    Spec spec = Base::common_spec();
    spec.action_count = board_.cells();
    // An opening that is not the whole board leaves fewer than the second stone has.
    spec.max_actions = opening_.count() == board_.cells() ? board_.cells() : board_.cells() - 1;
    if constexpr (PerTurn > 1) spec.planes.insert(spec.planes.begin() + 2, "another stone in this turn");
    return spec;
  }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    if constexpr (PerTurn == 1) {
      Base::common_planes(s, planes, 4);
    } else {
      Base::common_planes(s, planes, 5);
      if (s.ply > 0 && Base::player_at(s.ply + 1) == Base::player_at(s.ply)) planes.fill(2, 1.0f);
    }
  }

  int actions(const State& s, Action* out) const {
    int n = 0;
    open_cells(s).for_each([&](int cell) { out[n++] = cell; });
    return n;
  }

  Action random_action(const State& s, Rng& rng) const { return random_cell(open_cells(s), rng); }

  void playout(State& s, Rng& rng) const {
    if (s.ply == 0) apply(s, random_action(s, rng));
    // Each player's stones as one word per line, of which a new stone changes four.
    std::uint32_t lines[2][6 * max_size] = {};
    for (int player : {0, 1}) {
      s.stones[player].for_each([&](int cell) { add(cell, lines[player]); });
    }
    typename Base::EmptyCells empty(Base::empty(s));
    const int starter = s.starter;
    std::uint32_t ply = s.ply;
    while (s.result == ongoing) {
      const int player = Base::player_at(ply++) ^ starter;
      const int cell = empty.draw(rng);
      s.stones[player].set(cell);
      if (add(cell, lines[player])) {
        s.result = win_of(player);
      } else if (empty.none()) {
        s.result = 0;
      }
    }
    s.ply = ply;
  }

  void apply(State& s, Action cell) const {
    const int player = Base::player(s);
    s.stones[player].set(cell);
    ++s.ply;
    s.result = line_result_after(lines_, s.stones[player], player, static_cast<int>(s.ply) == max_plies_);
  }

  Action transform_action(Action cell, int symmetry) const { return Base::mapped_cell(cell, symmetry); }

  std::string action_text(const State&, Action cell) const { return board_.cell_text(cell); }

  Cells action_cells(const State&, Action cell) const { return {cell}; }

  State parse_state(std::string_view text) const {
    State s = Base::parse_stones(text);
    s.result = line_result(lines_, s, max_plies_);
    return s;
  }

  void validate(const State& s) const {
    Base::validate_stones(s);
    Base::validate_counts(s);
    expect_result(s.result, line_result(lines_, s, max_plies_));
  }

 protected:
  Alignment(int size, Set opening)
      : Alignment(Board{size, size, Board::Shape::square, Board::Numbering::from_bottom}, opening) {}

 private:
  // The place of a cell in the row, the column and the two diagonals through it: line lines[i] of
  // the 6 n - 2 lines of the board, bit bits[i] of that line.
  struct Place {
    std::uint8_t lines[4], bits[4];
  };

  Alignment(const Board& board, Set opening)
      : Base(board, board.square_symmetries(), board.cells()), lines_(board, Length), opening_(opening) {
    const int n = board.rows;
    for (int cell = 0; cell < board.cells(); ++cell) {
      const int row = board.row(cell), column = board.column(cell);
      const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
      places_.push_back(
          {{byte(row), byte(n + column), byte(2 * n + row + column), byte(4 * n - 1 + row + n - 1 - column)},
           {byte(column), byte(row), byte(column), byte(column)}});
    }
  }

  Set open_cells(const State& s) const { return s.ply == 0 ? opening_ : Base::empty(s); }

  // Adds a stone to the lines of its player and says whether one of them now is long enough.
  [[gnu::always_inline]] bool add(int cell, std::uint32_t* lines) const {
    static_assert(Length == 5 || Length == 6);
    const Place& place = places_[static_cast<std::size_t>(cell)];
    std::uint32_t found = 0;
    for (int i = 0; i < 4; ++i) {
      std::uint32_t& line = lines[place.lines[i]];
      line |= std::uint32_t{1} << place.bits[i];
      const std::uint32_t two = line & line >> 1;
      found |= two & two >> 2 & (Length == 5 ? line : two) >> 4;
    }
    return found != 0;
  }

  Lines<Set> lines_;
  Set opening_;  // where the first stone may go
  std::vector<Place> places_;
};

}  // namespace glaux
