// The pieces of Arimaa on their board: the numbers of actions, who can go where, and what a move does. The
// set-up, turns and the end of a match are not here.
//
// Actions: 0 to 63 placements; 64 the pass; then steps, from * 4 + d; then pushes, (from * 4 + d) * 4 + e:
// the pusher goes in direction d and the piece there in direction e; then pulls, the same: the puller goes in
// direction d and draws the piece that is in direction e behind it. Directions: north, east, south, west.
#pragma once

#include <cstdint>

#include "core/rules.h"
#include "kit/bits.h"

namespace glaux::arimaa {

using Set = Bits<1>;

inline constexpr Action pass = 64, steps = 65, pushes = steps + 64 * 4, pulls = pushes + 64 * 16;
inline constexpr int step_of[4] = {-8, 1, 8, -1};
inline constexpr int kinds = 6, most_steps = 4;
inline constexpr Set traps{{std::uint64_t{0x0000240000240000}}};

constexpr int opposite(int d) {
  return d ^ 2;
}

struct Parts {
  int from, d, e;
};
inline Parts parts(Action action) {
  if (action < pushes) return {(action - steps) / 4, (action - steps) % 4, 0};
  const int rest = action - (action < pulls ? pushes : pulls);
  return {rest / 16, rest / 4 % 4, rest % 4};
}
inline int cost(Action action) {
  return action < pushes ? 1 : 2;
}

// The cells one step further in a direction; what leaves the board is lost.
constexpr Set shift(const Set& set, int d) {
  constexpr std::uint64_t first_column = 0x0101010101010101, last_column = first_column << 7;
  const std::uint64_t w = set.word[0];
  const std::uint64_t shifted[4] = {w >> 8, (w & ~last_column) << 1, w << 8, (w & ~first_column) >> 1};
  return Set{{shifted[d]}};
}
constexpr Set beside(const Set& set) {
  return shift(set, 0) | shift(set, 1) | shift(set, 2) | shift(set, 3);
}

// The pieces that can make each step, push or pull.
struct Choices {
  Set steps[4];
  Set pushes[16], pulls[16];

  int count() const {
    int n = 0;
    for (const Set& set : steps) n += set.count();
    for (const Set& set : pushes) n += set.count();
    for (const Set& set : pulls) n += set.count();
    return n;
  }
  Action nth(int i) const {
    for (int d = 0; d < 4; i -= steps[d++].count()) {
      if (i < steps[d].count()) return arimaa::steps + steps[d].nth(i) * 4 + d;
    }
    for (int way = 0; way < 16; i -= pushes[way++].count()) {
      if (i < pushes[way].count()) return arimaa::pushes + pushes[way].nth(i) * 16 + way;
    }
    int way = 0;
    for (; i >= pulls[way].count(); ++way) i -= pulls[way].count();
    return arimaa::pulls + pulls[way].nth(i) * 16 + way;
  }
  // Who can pull can step.
  bool any() const {
    for (const Set& set : steps) {
      if (set.any()) return true;
    }
    for (const Set& set : pushes) {
      if (set.any()) return true;
    }
    return false;
  }
};

struct Pieces {
  Set sides[2];     // the pieces of both players
  Set kind[kinds];  // and of both together by their kind: rabbits, cats, dogs, horses, camels, elephants

  Set all() const { return sides[0] | sides[1]; }
  int side_at(int cell) const { return sides[0].test(cell) ? 0 : 1; }
  int kind_at(int cell) const {
    int k = 0;
    while (k < kinds - 1 && !kind[k].test(cell)) ++k;
    return k;
  }
  void put(int side, int k, int cell) {
    sides[side].set(cell);
    kind[k].set(cell);
  }

  // What a player can do with so many steps left.
  Choices choices(int player, int steps_left) const {
    Choices c;
    const Set own = sides[player], other = sides[1 - player], empty = ~(own | other);
    const Set rabbits = own & kind[0];
    Set weaker[4];  // the pieces with a weaker enemy in each direction
    Set stronger = other & ~kind[0], frozen = rabbits & beside(stronger), below;
    for (int k = 1; k < kinds; ++k) {
      below |= other & kind[k - 1];
      stronger &= ~kind[k];
      const Set these = own & kind[k];
      if (these.none()) continue;
      frozen |= these & beside(stronger);
      for (int d = 0; d < 4; ++d) weaker[d] |= these & shift(below, opposite(d));
    }
    const Set movers = own & ~(frozen & ~beside(own));
    for (int d = 0; d < 4; ++d) {
      const bool back = d == (player == 0 ? 2 : 0);
      c.steps[d] = (back ? movers & ~rabbits : movers) & shift(empty, opposite(d));
    }
    if (steps_left < 2) return c;
    for (int d = 0; d < 4; ++d) {
      const Set pushers = movers & weaker[d];
      if (pushers.none()) continue;
      for (int e = 0; e < 4; ++e) {
        if (e == opposite(d)) continue;
        c.pushes[4 * d + e] = pushers & shift(shift(empty, opposite(e)), opposite(d));
      }
      // As pullers they leave in another direction.
      for (int away = 0; away < 4; ++away) {
        if (away != d) c.pulls[4 * away + d] = pushers & c.steps[away];
      }
    }
    return c;
  }

  // One or two steps, each followed by what the traps take.
  void move(Action action) {
    const auto [from, d, e] = parts(action);
    const int to = from + step_of[d];
    if (action < pushes) {
      step(from, to);
    } else if (action < pulls) {
      step(to, to + step_of[e]);
      step(from, to);
    } else {
      step(from, to);
      step(from + step_of[e], from);
    }
  }
  void step(int from, int to) {
    const Set change = Set::of(from) ^ Set::of(to);
    const int k = kind_at(from);
    sides[side_at(from)] ^= change;
    kind[k] ^= change;
    for (Set& pieces : sides) {
      const Set lost = pieces & traps & ~beside(pieces);
      if (lost.none()) continue;
      pieces ^= lost;
      for (Set& of_kind : kind) of_kind &= ~lost;
    }
  }
};

}  // namespace glaux::arimaa
