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

// The result of a state of which the first line wins and a full board draws, from its stones.
template <class Set, class State>
Result line_result(const Lines<Set>& lines, const State& s, int cells) {
  const bool first = lines.any_in(s.stones[0]), second = lines.any_in(s.stones[1]);
  if (first && second) throw InvalidState("Both players have a winning line.");
  if (first || second) return first ? 1 : -1;
  return static_cast<int>(s.ply) == cells ? Result{0} : ongoing;
}

}  // namespace glaux
