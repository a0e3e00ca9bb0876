// Connect Four on a board of any size, for lines of any length.
//
// The players drop stones into columns, where they fall to the lowest empty cell. The first line of
// `length` own stones or more, in a row, a column or a diagonal, wins; a full board is a draw.
//
// Actions: the column, from 0.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/registry.h"
#include "core/rules.h"
#include "kit/lines.h"
#include "kit/placement.h"

namespace glaux {

template <int Words>
class ConnectFour : public Placement<Words> {
  using Base = Placement<Words>;
  using Base::board_;
  using Base::max_plies_;

 public:
  using typename Base::Set;
  using typename Base::State;

  explicit ConnectFour(const Parameters& p)
      : ConnectFour(Board{p.at("rows"), p.at("columns"), Board::Shape::square, Board::Numbering::from_bottom},
                    p.at("length")) {}

  Spec spec() const {
    Spec spec = Base::common_spec();
    spec.action_count = spec.max_actions = board_.columns;
    spec.has_reachable = true;
    return spec;
  }

  int actions(const State& s, Action* out) const {
    int n = 0;
    (top_row_ & ~Base::occupied(s)).for_each([&](int cell) { out[n++] = cell; });
    return n;
  }

  Set reachable(const State& s) const {
    return s.result == ongoing ? landing_cells(Base::occupied(s)) : Set{};
  }

  // As random actions by apply() in a loop, with the stones in registers.
  void playout(State& s, Rng& rng) const {
    int player = Base::player(s), ply = static_cast<int>(s.ply);
    Set own = s.stones[player], other = s.stones[1 - player];
    while (s.result == ongoing) {
      own.set(random_cell(landing_cells(own | other), rng));
      s.result = line_result_after(lines_, own, player, ++ply == max_plies_);
      std::swap(own, other);
      player ^= 1;
    }
    s.ply = static_cast<std::uint32_t>(ply);
    s.stones[player] = own;
    s.stones[1 - player] = other;
  }

  void apply(State& s, Action column) const {
    const int player = Base::player(s);
    Set& own = s.stones[player];
    own |= landing_cells(Base::occupied(s)) & columns_[static_cast<std::size_t>(column)];
    ++s.ply;
    s.result = line_result_after(lines_, own, player, static_cast<int>(s.ply) == max_plies_);
  }

  Action transform_action(Action column, int symmetry) const {
    return Base::mapped_cell(column, symmetry);  // the column's cell in the top row has its number
  }

  std::string action_text(const State&, Action column) const { return std::to_string(column + 1); }

  Cells action_cells(const State& s, Action column) const {
    return {(landing_cells(Base::occupied(s)) & columns_[static_cast<std::size_t>(column)]).first()};
  }

  State parse_state(std::string_view text) const {
    State s = Base::parse_stones(text);
    s.result = line_result(lines_, s, max_plies_);
    return s;
  }

  void validate(const State& s) const {
    Base::validate_stones(s);
    Base::validate_counts(s);
    const Set stones = Base::occupied(s);
    if ((stones & ~supported(stones)).any()) {
      throw InvalidState("A stone has an empty cell below it.");
    }
    expect_result(s.result, line_result(lines_, s, max_plies_));
  }

 private:
  ConnectFour(const Board& board, int length)
      : Base(board, {board.identity(), board.mirror_columns()}, board.cells()),
        lines_(board, length),
        top_row_(Set::below(board.columns)),
        columns_(static_cast<std::size_t>(board.columns)) {
    for (int cell = 0; cell < board.cells(); ++cell) {
      columns_[static_cast<std::size_t>(board.column(cell))].set(cell);
      if (board.row(cell) == board.rows - 1) bottom_row_.set(cell);
    }
  }

  // The cells of the bottom row and above stones.
  Set supported(const Set& stones) const { return (stones >> board_.columns) | bottom_row_; }

  // One cell of each column that is not full.
  Set landing_cells(const Set& stones) const { return supported(stones) & ~stones; }

  Lines<Set> lines_;
  Set top_row_, bottom_row_;
  std::vector<Set> columns_;
};

inline GameEntry connect_four_entry() {
  return {{"connect_four",
           "Connect Four",
           "Drop stones into the columns; the first to get four in a row wins.",
           {{"rows", 6, 2, 16, "rows"},
            {"columns", 7, 2, 16, "columns"},
            {"length", 4, 3, 16, "stones in a winning line, at most the longer side of the board"}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            const int rows = p.at("rows"), columns = p.at("columns"), length = p.at("length");
            if (length > std::max(rows, columns)) {
              throw InvalidParameter("No line of " + std::to_string(length) + " fits a board of " +
                                     std::to_string(rows) + " rows and " + std::to_string(columns) +
                                     " columns.");
            }
            return adapt_sized<ConnectFour, 1, 2, 4>(rows * columns, info, p);
          }};
}

}  // namespace glaux
