// Boards on which a cell is empty or holds a stone of one of the two players: stones[0] are the
// cells of the first player, stones[1] those of the second; the cell codes are 0, 1 and 2.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/game.h"

namespace glaux {

inline const std::vector<std::string> stone_symbols{".", "X", "O"};

template <class Set>
void stone_codes(const Set (&stones)[2], int cells, std::uint8_t* codes) {
  std::fill_n(codes, cells, std::uint8_t{0});
  stones[0].for_each([&](int cell) { codes[cell] = 1; });
  stones[1].for_each([&](int cell) { codes[cell] = 2; });
}

// The codes 0, 1 and 2 have the bits 00, 01 and 10: the two sets are the rows of Game::cell_bits.
template <class Set>
void stone_bits(const Set (&stones)[2], int cells, std::uint64_t* bits) {
  for (const Set& set : stones) bits = std::copy_n(set.word, (cells + 63) / 64, bits);
}

template <class Set>
void stones_from_codes(const std::vector<std::uint8_t>& codes, Set (&stones)[2]) {
  for (std::size_t cell = 0; cell < codes.size(); ++cell) {
    if (codes[cell] > 0) stones[codes[cell] - 1].set(static_cast<int>(cell));
  }
}

template <class Set>
void permute_stones(Set (&stones)[2], const CellMap& map) {
  for (Set& set : stones) set = permuted(set, map);
}

// Exchanging the players of such a board, where what is on a cell goes by the map.
inline Exchange stone_exchange(CellMap map) {
  return {std::move(map), {0, 2, 1}};
}

template <class Set>
void exchange_stones(Set (&stones)[2], const CellMap& map) {
  permute_stones(stones, map);
  std::swap(stones[0], stones[1]);
}

// Of a state that says whose move it is.
template <class State>
State exchanged_sides(State s, const CellMap& map) {
  exchange_stones(s.stones, map);
  s.player ^= 1;
  s.result = exchanged(s.result);
  return s;
}

// No stone lies off these cells, and no two on one cell.
template <class Set>
bool stones_fit(const Set (&stones)[2], const Set& cells) {
  return ((stones[0] | stones[1]) & ~cells).none() && (stones[0] & stones[1]).none();
}

template <class Set>
bool stones_fit(const Set (&stones)[2], int cells) {
  return stones_fit(stones, Set::below(cells));
}

}  // namespace glaux
