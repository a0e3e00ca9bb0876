// Outer-Open Gomoku on a board of n x n cells.
//
// The players place stones on empty cells; the first line of five own stones or more, in a row, a
// column or a diagonal, wins, and a full board is a draw. To take away the first player's
// advantage, the very first stone must go on one of the two outermost lines of the board.
//
// Actions: the cell of the stone.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/registry.h"
#include "core/rules.h"
#include "kit/lines.h"
#include "kit/placement.h"

namespace glaux {

template <int Words>
class OuterOpenGomoku : public Placement<Words> {
  using Base = Placement<Words>;
  using Base::board_;
  using Base::max_plies_;
  static constexpr int length_ = 5, max_size = 19;

 public:
  using typename Base::Set;
  using typename Base::State;

  explicit OuterOpenGomoku(const Parameters& p)
      : OuterOpenGomoku(
            Board{p.at("size"), p.at("size"), Board::Shape::square, Board::Numbering::from_bottom}) {}

  Spec spec() const {
    Spec spec = Base::common_spec();
    spec.action_count = board_.cells();
    spec.max_actions = board_.cells() - 1;  // the centre is closed at first, a stone's cell afterwards
    return spec;
  }

  int actions(const State& s, Action* out) const {
    int n = 0;
    open_cells(s).for_each([&](int cell) { out[n++] = cell; });
    return n;
  }

  Action random_action(const State& s, Rng& rng) const {
    const Set open = open_cells(s);
    return open.nth(static_cast<int>(rng.below(static_cast<std::uint32_t>(open.count()))));
  }

  void playout(State& s, Rng& rng) const {
    if (s.ply == 0) apply(s, random_action(s, rng));
    // Each player's stones as one word per line, of which a new stone changes four.
    std::uint32_t lines[2][6 * max_size] = {};
    for (int player : {0, 1}) {
      s.stones[player].for_each([&](int cell) { add(cell, lines[player]); });
    }
    std::uint16_t empty[Set::capacity];
    int n = 0;
    Base::empty(s).for_each([&](int cell) { empty[n++] = static_cast<std::uint16_t>(cell); });
    int player = Base::player(s);
    while (s.result == ongoing) {
      std::uint16_t& choice = empty[rng.below(static_cast<std::uint32_t>(n))];
      const int cell = choice;
      choice = empty[--n];
      s.stones[player].set(cell);
      if (add(cell, lines[player])) {
        s.result = Base::win_of(player);
      } else if (n == 0) {
        s.result = 0;
      }
      player ^= 1;
    }
    s.ply = static_cast<std::uint32_t>(board_.cells() - n);
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
    Base::validate_counts(s, s.ply, 0);
    if (s.result != line_result(lines_, s, max_plies_)) {
      throw InvalidState("The result in these bytes does not belong to their board.");
    }
  }

 private:
  // The place of a cell in the row, the column and the two diagonals through it: line lines[i] of
  // the 6 n - 2 lines of the board, bit bits[i] of that line.
  struct Place {
    std::uint8_t lines[4], bits[4];
  };

  explicit OuterOpenGomoku(const Board& board)
      : Base(board, board.square_symmetries(), board.cells()), lines_(board, length_) {
    const int n = board.rows;
    for (int cell = 0; cell < board.cells(); ++cell) {
      const int row = board.row(cell), column = board.column(cell);
      if (std::min({row, column, n - 1 - row, n - 1 - column}) < 2) outer_.set(cell);
      const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
      places_.push_back(
          {{byte(row), byte(n + column), byte(2 * n + row + column), byte(4 * n - 1 + row + n - 1 - column)},
           {byte(column), byte(row), byte(column), byte(column)}});
    }
  }

  Set open_cells(const State& s) const { return s.ply == 0 ? outer_ : Base::empty(s); }

  // Adds a stone to the lines of its player and says whether one of them now has five in a row.
  [[gnu::always_inline]] bool add(int cell, std::uint32_t* lines) const {
    const Place& place = places_[static_cast<std::size_t>(cell)];
    std::uint32_t five = 0;
    for (int i = 0; i < 4; ++i) {
      std::uint32_t& line = lines[place.lines[i]];
      line |= std::uint32_t{1} << place.bits[i];
      const std::uint32_t two = line & line >> 1;
      five |= two & two >> 2 & line >> 4;
    }
    return five != 0;
  }

  Lines<Set> lines_;
  Set outer_;
  std::vector<Place> places_;
};

inline GameEntry outer_open_gomoku_entry() {
  return {{"outer_open_gomoku",
           "Outer-Open Gomoku",
           "Five in a row wins; the first stone goes on one of the two outermost lines.",
           {{"size", 15, 5, 19, "rows and columns"}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            return adapt_sized<OuterOpenGomoku, 1, 2, 4, 6>(p.at("size") * p.at("size"), info, p);
          }};
}

}  // namespace glaux
