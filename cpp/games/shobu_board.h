// The four boards of Shobu as one bitboard of 8 x 8 cells on which nothing steps from one board to another,
// and who can move on them. No rule about turns or the end of a match is here.
//
// A move is a vector: a direction of compass.h by one cell, or by two. The aggressive moves of a vector are
// found for all stones at once, whatever the passive move was: it is made on other boards.
#pragma once

#include <array>
#include <cstdint>

#include "kit/bits.h"
#include "kit/compass.h"

namespace glaux::shobu {

using Set = Bits<1>;
inline constexpr int vectors = 16;  // the directions by one cell, then by two

inline constexpr Set dark{{0x0f0f0f0f0f0f0f0f}}, light{{0xf0f0f0f0f0f0f0f0}};

// The boards on which a player makes passive moves: the lower ones of the first, the upper ones of the
// second.
constexpr Set home(int player) {
  return Set{{player == 0 ? 0xffffffff00000000 : 0x00000000ffffffff}};
}

// One of the four boards, row by row.
constexpr Set quarter(int board) {
  return Set{{std::uint64_t{0x0f0f0f0f} << (board / 2 * 32 + board % 2 * 4)}};
}

// The cells from which a step in each direction stays on the same board.
inline constexpr auto inside = [] {
  constexpr std::uint64_t top = 0x000000ff000000ff, left = 0x1111111111111111;
  std::array<std::uint64_t, 8> sets{};
  for (std::size_t d = 0; d < 8; ++d) {
    sets[d] = ~std::uint64_t{0};
    if (direction_rows[d] < 0) sets[d] &= ~top;
    if (direction_rows[d] > 0) sets[d] &= ~(top << 24);
    if (direction_columns[d] < 0) sets[d] &= ~left;
    if (direction_columns[d] > 0) sets[d] &= ~(left << 3);
  }
  return sets;
}();

// One step on the same board; what would leave it is lost.
[[gnu::always_inline]] inline Set step(const Set& set, int d) {
  const std::uint64_t w = set.word[0] & inside[static_cast<std::size_t>(d)];
  const int by = 8 * direction_rows[d] + direction_columns[d];
  return Set{{by > 0 ? w << by : w >> -by}};
}

// The stones that can make an aggressive move on their boards.
[[gnu::always_inline]] inline Set aggressors(const Set& own, const Set& other, int v) {
  const int d = v % 8, back = opposite(d);
  const Set empty = ~(own | other), edge{{~inside[static_cast<std::size_t>(d)]}};
  const Set behind = edge | step(empty, back);  // cells with room behind them for a pushed stone
  const Set last = empty | (other & behind);
  if (v < 8) return own & step(last, back);
  const Set first = (empty & step(last, back)) | (other & step(empty & behind, back));
  return own & step(first, back);
}

// The stones on home boards that can make a passive move which can be followed.
[[gnu::always_inline]] inline Set passive_movers(const Set& own, const Set& other, int mover, int v) {
  const int back = opposite(v % 8);
  const Set empty = ~(own | other);
  const Set free = v < 8 ? empty : empty & step(empty, back);
  const Set movers = own & home(mover) & step(free, back);
  if (movers.none()) return movers;
  const Set followers = aggressors(own, other, v);
  Set allowed;
  if ((followers & light).any()) allowed |= dark;
  if ((followers & dark).any()) allowed |= light;
  return movers & allowed;
}

}  // namespace glaux::shobu
