// The board of Quoridor: where pawns can step between walls, and where a wall can be put.
//
// A wall is two cells long and known by its middle, a point where four cells meet; points are numbered row by
// row from the top left, n - 1 in a row. It can shut a region only if it joins what is already there: if at
// least two of its ends and its middle touch walls or the edge. For such walls alone the paths are looked
// for, by flooding sets of cells from the pawns.
#pragma once

#include <cstdint>

#include "core/board.h"
#include "kit/bits.h"

namespace glaux {

class QuoridorBoard {
 public:
  static constexpr int largest = 9;

  using Set = Bits<2>;            // of cells
  using Points = std::uint64_t;   // a set of points
  enum Kind { lying, standing };  // of walls
  using Walls = Points[2];        // those of each kind, by their middles

  // Where pawns can step: from a cell of `down` to the one below it, from one of `right` to the one at its
  // right, and back.
  struct Ways {
    Set down, right;
  };

  // The places where a wall of each kind neither overlaps nor crosses another, and those of them where it
  // might shut something.
  struct Places {
    Points free[2] = {}, doubtful[2] = {};
  };

  explicit QuoridorBoard(int size)
      : n_(size), board_{n_, n_, Board::Shape::square, Board::Numbering::from_bottom} {
    const int m = n_ - 1;
    for (int point = 0; point < m * m; ++point) {
      const Points bit = Points{1} << point;
      grid_ |= bit;
      if (point % m == 0) left_ |= bit;
      if (point % m == m - 1) right_ |= bit;
      if (point / m == 0) top_ |= bit;
      if (point / m == m - 1) bottom_ |= bit;
    }
    for (int cell = 0; cell < board_.cells(); ++cell) {
      if (board_.row(cell) < m) bare_.down.set(cell);
      if (board_.column(cell) < m) bare_.right.set(cell);
      if (board_.row(cell) == 0) goals_[0].set(cell);
      if (board_.row(cell) == m) goals_[1].set(cell);
    }
  }

  const Board& board() const { return board_; }
  int cells() const { return n_ * n_; }
  int points() const { return (n_ - 1) * (n_ - 1); }
  const Ways& bare() const { return bare_; }                    // without walls
  const Set& goal(int player) const { return goals_[player]; }  // the highest row is the first player's
  int upper_left(int point) const { return point + point / (n_ - 1); }
  int lower_left(int point) const { return upper_left(point) + n_; }
  int mirrored(int point) const { return point + n_ - 2 - 2 * (point % (n_ - 1)); }

  void block(Ways& ways, Kind kind, int point) const {
    const int cell = upper_left(point);
    if (kind == lying) {
      ways.down.reset(cell);
      ways.down.reset(cell + 1);
    } else {
      ways.right.reset(cell);
      ways.right.reset(cell + n_);
    }
  }

  Ways ways_of(const Walls& walls) const {
    Ways ways = bare_;
    for (const Kind kind : {lying, standing}) {
      Bits<1>{{walls[kind]}}.for_each([&](int point) { block(ways, kind, point); });
    }
    return ways;
  }

  // The cells that a pawn can go to if the other one stands there.
  Set steps(const Ways& ways, int own, int other) const {
    Set found;
    for (int d = 0; d < directions; ++d) {
      if (!open(ways, own, d)) continue;
      const int to = beside(own, d);
      if (to != other) {
        found.set(to);
      } else if (open(ways, other, d)) {
        found.set(beside(other, d));
      } else {
        for (const int aside : {d ^ 1, d ^ 3}) {
          if (open(ways, other, aside)) found.set(beside(other, aside));
        }
      }
    }
    return found;
  }

  // Whether both pawns, each as if it were alone, can walk to their goals.
  bool have_paths(const Ways& ways, const std::uint8_t (&pawns)[2]) const {
    return reaches(ways, pawns[0], goals_[0]) && reaches(ways, pawns[1], goals_[1]);
  }

  bool overlap(const Walls& walls) const {
    return ((walls[lying] & (walls[standing] | along(walls[lying], lying))) |
            (walls[standing] & along(walls[standing], standing))) != 0;
  }
  bool fit(const Walls& walls) const { return ((walls[lying] | walls[standing]) & ~grid_) == 0; }

  Places places(const Walls& walls) const {
    const Points all = walls[lying] | walls[standing];
    const Points ends[2] = {along(walls[lying], lying), along(walls[standing], standing)};
    const Points touched = all | ends[lying] | ends[standing];
    const Points edges[2][2] = {{left_, right_}, {top_, bottom_}};
    Places places;
    for (const Kind kind : {lying, standing}) {
      places.free[kind] = grid_ & ~(all | ends[kind]);
      const Points one = edges[kind][0] | behind(touched, kind), two = edges[kind][1] | before(touched, kind);
      places.doubtful[kind] = places.free[kind] & ((one & two) | (touched & (one | two)));
    }
    return places;
  }

 private:
  // Up, left, down, right.
  static constexpr int directions = 4;
  int beside(int cell, int direction) const {
    const int by = direction % 2 == 0 ? n_ : 1;
    return direction < 2 ? cell - by : cell + by;
  }
  // No cell of the last column is in ways.right, so nothing runs over the edge.
  bool open(const Ways& ways, int cell, int direction) const {
    const Set& set = direction % 2 == 0 ? ways.down : ways.right;
    const int from = direction < 2 ? beside(cell, direction) : cell;
    return from >= 0 && set.test(from);
  }

  bool reaches(const Ways& ways, int from, const Set& goal) const {
    for (Set found = Set::of(from);;) {
      Set more = found | ((found & ways.down) << n_) | ((found >> n_) & ways.down);
      more |= ((more & ways.right) << 1) | ((more >> 1) & ways.right);
      if ((more & goal).any()) return true;
      if (more == found) return false;
      found = more;
    }
  }

  // The points one before and one behind each, along walls of a kind.
  Points before(Points set, Kind kind) const { return kind == lying ? (set & ~left_) >> 1 : set >> (n_ - 1); }
  Points behind(Points set, Kind kind) const {
    return kind == lying ? (set & ~right_) << 1 : (set << (n_ - 1)) & grid_;
  }
  Points along(Points set, Kind kind) const { return before(set, kind) | behind(set, kind); }

  int n_;
  Board board_;
  Points grid_ = 0, left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  Ways bare_;
  Set goals_[2];
};

}  // namespace glaux
