// The board of Xiangqi: where its pieces may stand, how they move, and what they attack. No rule about the
// end of a match is here.
//
// 10 rows of 9 cells, the first player's at the bottom. Codes of cells: 0 empty, 1 to 7 the first player's
// pieces in the order of Kind, 8 to 14 the second's. So bit 3 of a code is the owner.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

#include "kit/bits.h"
#include "kit/rays.h"

namespace glaux::xiangqi {

inline constexpr int rows = 10, columns = 9, cells = rows * columns;
using Set = Bits<2>;

enum Kind { general, advisor, elephant, horse, rook, cannon, soldier };
inline constexpr int kinds = 7;
inline constexpr int pieces_each[kinds] = {1, 2, 2, 2, 2, 2, 5};

constexpr int code_of(int player, int kind) {
  return 7 * player + kind + 1;
}
constexpr int kind_of(int code) {
  return (code - 1) % 7;
}
constexpr int owner_of(int code) {
  return code > 7;
}

// A soldier's step forward, after which no position of before can come back.
constexpr bool cannot_be_undone(int kind, int from, int to) {
  return kind == soldier && from / columns != to / columns;
}

// A step or a jump: to a cell, if the cell that it leads over is empty. Steps lead over the cell `nowhere`,
// which is none of the board's; a jump that leaves the board or its zone goes there.
inline constexpr int nowhere = cells;
struct Leap {
  std::uint8_t over, to;
};

constexpr bool on_board(int row, int column) {
  return 0 <= row && row < rows && 0 <= column && column < columns;
}

// Whether a piece of the player may ever stand on a cell.
constexpr bool may_stand(int player, int kind, int cell) {
  const int row = player == 0 ? cell / columns : rows - 1 - cell / columns;  // as the first player sees it
  const int column = cell % columns;
  switch (kind) {
    case general:
      return row >= 7 && 3 <= column && column <= 5;
    case advisor:
      return row >= 7 && 3 <= column && column <= 5 && (row + column) % 2 == 0;
    case elephant:  // two cells diagonally from its two places, on its side of the river
      return row >= 5 && row % 2 == 1 && column % 4 == (row == 7 ? 0 : 2);
    case soldier:  // in its column until it has crossed the river
      return row <= 4 || (row <= 6 && column % 2 == 0);
    default:
      return true;
  }
}

struct Tables {
  Leap leaps[2][kinds][cells][8];  // of all but rooks and cannons
  Set zones[2][kinds];             // where a piece may stand
  Set horse_zone[cells];           // from where a horse may attack a cell, if its leg is free
  std::uint8_t leg[cells][cells];  // of a horse on the second cell that attacks the first, or nowhere
  Set soldier_zone[2][cells];      // from where a soldier of the other player attacks a cell of the player's
  Set lines[cells];                // row and column, without the cell itself
  Set exposed[cells];              // a move from or to other cells opens no line of attack on the cell
  std::array<Rays<Set>, cells> rays;
};

// Where all but rooks and cannons go.
constexpr void make_leaps(Tables& t) {
  constexpr int straight[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
  constexpr int diagonal[4][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  const auto add = [&](int player, int kind, int from, int way, int over, int row, int column) {
    const int to = row * columns + column;
    if (on_board(row, column) && may_stand(player, kind, to)) {
      t.leaps[player][kind][from][way] = {static_cast<std::uint8_t>(over), static_cast<std::uint8_t>(to)};
    }
  };
  for (int player = 0; player < 2; ++player) {
    for (int from = 0; from < cells; ++from) {
      const int row = from / columns, column = from % columns;
      for (auto& of_kind : t.leaps[player]) {
        for (Leap& leap : of_kind[from]) leap = {nowhere, nowhere};
      }
      for (int d = 0; d < 4; ++d) {
        const auto [dr, dc] = straight[d];
        const auto [er, ec] = diagonal[d];
        add(player, general, from, d, nowhere, row + dr, column + dc);
        add(player, advisor, from, d, nowhere, row + er, column + ec);
        add(player, elephant, from, d, (row + er) * columns + column + ec, row + 2 * er, column + 2 * ec);
        for (int side = 0; side < 2; ++side) {
          const int turn = side == 0 ? -1 : 1;
          const int r = row + 2 * dr + turn * dc, c = column + 2 * dc + turn * dr;
          add(player, horse, from, 2 * d + side, (row + dr) * columns + column + dc, r, c);
        }
        // Forward first; to the sides once it has crossed the river.
        const bool forward = dr == (player == 0 ? -1 : 1), crossed = player == 0 ? row <= 4 : row >= 5;
        if (forward || (dr == 0 && crossed)) {
          add(player, soldier, from, forward ? 0 : 1 + (dc > 0), nowhere, row + dr, column + dc);
        }
      }
    }
  }
}

// From where a cell is attacked, as the leaps say.
constexpr void make_attacks(Tables& t) {
  for (auto& of_cell : t.leg) {
    for (auto& cell : of_cell) cell = nowhere;
  }
  for (int from = 0; from < cells; ++from) {
    for (const Leap& leap : t.leaps[0][horse][from]) {
      if (leap.to == nowhere) continue;
      t.horse_zone[leap.to].set(from);
      t.leg[leap.to][from] = leap.over;
    }
    for (int player = 0; player < 2; ++player) {
      for (const Leap& leap : t.leaps[1 - player][soldier][from]) {
        if (leap.to != nowhere && may_stand(1 - player, soldier, from))
          t.soldier_zone[player][leap.to].set(from);
      }
    }
  }
}

constexpr Tables make_tables() {
  Tables t{};
  t.rays = make_rays<Set, rows, columns>();
  make_leaps(t);
  make_attacks(t);
  for (int cell = 0; cell < cells; ++cell) {
    for (int player = 0; player < 2; ++player) {
      for (int kind = 0; kind < kinds; ++kind) {
        if (may_stand(player, kind, cell)) t.zones[player][kind].set(cell);
      }
    }
    const Rays<Set>& rays = t.rays[static_cast<std::size_t>(cell)];
    t.lines[cell] = rays.up[0] | rays.down[0] | rays.up[2] | rays.down[2];
    t.exposed[cell] = t.lines[cell] | Set::of(cell);
    for (const int row : {cell / columns - 1, cell / columns + 1}) {
      for (const int column : {cell % columns - 1, cell % columns + 1}) {
        if (on_board(row, column)) t.exposed[cell].set(row * columns + column);
      }
    }
  }
  return t;
}

inline constexpr Tables tables = make_tables();

// What stands where: the codes of the cells, a set for each of their bits.
struct Pieces {
  Set code[4];

  int at(int cell) const {
    int code_at = 0;
    for (int bit = 0; bit < 4; ++bit) code_at |= code[bit].test(cell) << bit;
    return code_at;
  }
  Set occupied() const { return code[0] | code[1] | code[2] | code[3]; }
  Set of(int player) const { return player == 1 ? code[3] : (code[0] | code[1] | code[2]) & ~code[3]; }
  Set of(int player, int kind) const {
    const int wanted = code_of(player, kind);
    Set set = Set::below(cells);
    for (int bit = 0; bit < 4; ++bit) set &= (wanted >> bit & 1) != 0 ? code[bit] : ~code[bit];
    return set;
  }

  void put(int cell, int what) {
    for (int bit = 0; bit < 4; ++bit) {
      code[bit].reset(cell);
      if ((what >> bit & 1) != 0) code[bit].set(cell);
    }
  }
  // Whatever stands on the second cell is gone.
  void move(int from, int to) {
    for (Set& set : code) {
      const bool there = set.test(from);
      set.reset(from);
      set.reset(to);
      if (there) set.set(to);
    }
  }

  friend bool operator==(const Pieces&, const Pieces&) = default;
};

// The nearest cells of a set on one of the four straight rays, as sets: the first, and the second behind it.
struct Nearest {
  Set first, second;
};
template <bool Up>
[[gnu::always_inline]] inline Nearest nearest(const Set& ray, const Set& occupied) {
  const Set met = ray & occupied;
  const Set first = Up ? met.lowest() : met.highest(), rest = met ^ first;
  return {first, Up ? rest.lowest() : rest.highest()};
}

// Calls f(ray, nearest) for the four straight rays of a cell.
template <class F>
[[gnu::always_inline]] inline void along_lines(int cell, const Set& occupied, F&& f) {
  const Rays<Set>& rays = tables.rays[static_cast<std::size_t>(cell)];
  for (const int d : {0, 2}) {
    f(rays.up[d], nearest<true>(rays.up[d], occupied));
    f(rays.down[d], nearest<false>(rays.down[d], occupied));
  }
}

// Where a piece of this kind can go from a cell, self-check apart: `own` are its player's cells.
inline Set targets(int player, int kind, int from, const Set& own, const Set& occupied) {
  Set reached;
  if (kind == rook || kind == cannon) {
    along_lines(from, occupied, [&](const Set& ray, const Nearest& met) {
      const bool up = met.first.first() > from;
      const Set open = met.first.none() ? ray : ray & (up ? met.first.all_below() : met.first.all_above());
      reached |= open;
      reached |= kind == rook ? met.first : met.second;
    });
  } else {
    for (const Leap& leap : tables.leaps[player][kind][from]) {
      if (leap.to != nowhere && (leap.over == nowhere || !occupied.test(leap.over))) reached.set(leap.to);
    }
  }
  return reached & ~own;
}

// The two generals stand on one column with nothing between them.
inline bool facing(const Pieces& pieces) {
  const Set first = pieces.of(0, general), second = pieces.of(1, general);
  if (first.none() || second.none()) return false;
  const int above = second.first(), below = first.first();
  if (above % columns != below % columns) return false;
  return nearest<false>(tables.rays[static_cast<std::size_t>(below)].down[2], pieces.occupied()).first ==
         second;
}

// The general of the player is attacked, also by the other general along an open column.
inline bool in_check(const Pieces& pieces, int player) {
  const int other = 1 - player, cell = pieces.of(player, general).first();
  if ((pieces.of(other, soldier) & tables.soldier_zone[player][cell]).any()) return true;
  const Set occupied = pieces.occupied();
  bool found = false;
  (pieces.of(other, horse) & tables.horse_zone[cell]).for_each([&](int from) {
    found = found || !occupied.test(tables.leg[cell][from]);
  });
  if (found) return true;
  const Set rooks = pieces.of(other, rook) | pieces.of(other, general), cannons = pieces.of(other, cannon);
  if (((rooks | cannons) & tables.lines[cell]).none()) return false;
  Set hits;
  along_lines(cell, occupied,
              [&](const Set&, const Nearest& met) { hits |= (met.first & rooks) | (met.second & cannons); });
  return hits.any();
}

}  // namespace glaux::xiangqi
