// Straight lines of a given length: rows, columns and both diagonals.
//
// All the lines of one direction are found at once: after `run &= run >> step` the set has the
// cells that begin a run of two, and so on. A run must not wrap from one row to the next, so only
// the cells count that have room for a line in this direction.
#pragma once

#include <algorithm>
#include <vector>

#include "core/board.h"
#include "core/errors.h"
#include "core/game.h"
#include "kit/results.h"

namespace glaux {

template <class Set>
class Lines {
 public:
  Lines(const Board& board, int length) {
    const int rows[] = {0, 1, 1, 1}, columns[] = {1, 0, 1, -1};
    for (int d = 0; d < 4; ++d) {
      Set starts;
      for (int cell = 0; cell < board.cells(); ++cell) {
        const int row = board.row(cell) + rows[d] * (length - 1);
        const int column = board.column(cell) + columns[d] * (length - 1);
        if (board.contains(row, column)) starts.set(cell);
      }
      if (starts) directions_[direction_count_++] = {starts, rows[d] * board.columns + columns[d]};
    }
    // Doubling the length of the runs as far as the target and the shifts of Bits (up to 63) allow.
    const int longest_step = board.columns + 1;
    for (int run = 1; run < length;) {
      const int more = std::min({run, length - run, 63 / longest_step});
      multiples_.push_back(more);
      run += more;
    }
  }

  // Some line of the length, or a longer one, lies within the set.
  [[gnu::always_inline]] bool any_in(const Set& set) const {
    Set found;
    for (int d = 0; d < direction_count_; ++d) {
      Set run = set;
      for (const int multiple : multiples_) run &= run >> (multiple * directions_[d].step);
      found |= run & directions_[d].starts;
    }
    return found.any();
  }

 private:
  struct Direction {
    Set starts;
    int step = 0;
  };
  Direction directions_[4];
  int direction_count_ = 0;
  std::vector<int> multiples_;
};

// The result after a stone of the player, whose stones are `own`, if the first line wins and a full
// board without any is a draw.
template <class Set>
[[gnu::always_inline]] inline Result line_result_after(const Lines<Set>& lines, const Set& own, int player,
                                                       bool full) {
  if (lines.any_in(own)) return win_of(player);
  return full ? Result{0} : ongoing;
}

// The same for a whole state, from its stones alone.
template <class Set, class State>
Result line_result(const Lines<Set>& lines, const State& s, int cells) {
  const bool full = static_cast<int>(s.ply) == cells;
  const Result first = line_result_after(lines, s.stones[0], 0, full);
  const Result second = line_result_after(lines, s.stones[1], 1, full);
  if (first == 1 && second == -1) throw InvalidState("Both players have a winning line.");
  return first == 1 ? first : second;
}

}  // namespace glaux
