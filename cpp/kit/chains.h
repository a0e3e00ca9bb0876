// Stones in chains with liberties, kept up to date stone by stone, for random matches of Go.
//
// A chain is a circular list of its stones. Its pseudo-liberties are pairs of a stone and an empty cell
// beside it: their number, the sum of the cells and the sum of their squares change by a few additions for
// each stone, and say what matters. There is a liberty if the number n is not zero, and only one if all
// the pairs have the same cell, which is when n * (sum of squares) = (sum)^2: equality in Cauchy's
// inequality.
//
// Every chain and the whole board have a Zobrist hash, so that the hash of the position after a move is
// known before it is played. Cells have a margin of one around the board.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "core/board.h"
#include "core/rng.h"

namespace glaux {

// What does not change during a match: where the cells are on a board with a margin, and their hashes.
struct ChainTables {
  explicit ChainTables(const Board& board) : stride(board.columns + 1) {
    Rng rng(0x60b0a2d);
    cell_of.resize(static_cast<std::size_t>(place_of(board, board.rows, 0)) + 1, 0);
    for (int cell = 0; cell < board.cells(); ++cell) {
      const int place = place_of(board, board.row(cell), board.column(cell));
      places.push_back(static_cast<std::uint16_t>(place));
      cell_of[static_cast<std::size_t>(place)] = static_cast<std::uint16_t>(cell);
    }
    for (auto& hashes : zobrist) {
      hashes.resize(cell_of.size());
      for (std::uint64_t& hash : hashes) hash = rng.next();
    }
  }

  // Rows share the cell of the margin between them.
  static int place_of(const Board& board, int row, int column) {
    return (row + 1) * (board.columns + 1) + column + 1;
  }

  int stride;
  std::vector<std::uint16_t> places;   // of each cell
  std::vector<std::uint16_t> cell_of;  // of each place
  std::vector<std::uint64_t> zobrist[2];
};

template <class Set, int MaxSize>
class Chains {
 public:
  explicit Chains(const ChainTables& tables) : tables_(tables), steps_{-tables.stride, -1, 1, tables.stride} {
    colour_.fill(off);
    for (const std::uint16_t place : tables.places) {
      colour_[place] = empty;
      add_empty(place);
    }
  }

  const Set (&stones() const)[2] { return stones_; }
  std::uint64_t hash() const { return hash_; }
  int empty_count() const { return empty_count_; }
  int empty_place(int i) const { return empty_[static_cast<std::size_t>(i)]; }

  // What a move would do.
  struct Prospect {
    bool legal;          // it leaves its own chain a liberty
    std::uint64_t hash;  // of the position after it
  };

  [[gnu::always_inline]] Prospect prospect(int player, int place) const {
    Prospect found{false, hash_ ^ tables_.zobrist[player][static_cast<std::size_t>(place)]};
    int taken[4], n = 0;
    for (const int step : steps_) {
      const auto next = static_cast<std::size_t>(place + step);
      const int colour = colour_[next];
      if (colour == empty) {
        found.legal = true;
      } else if (colour != off) {
        const int root = root_[next];
        const bool last = last_liberty(chains_[static_cast<std::size_t>(root)]);
        found.legal |= last == (colour != player);
        if (last && colour != player) {
          bool twice = false;
          for (int i = 0; i < n; ++i) twice |= taken[i] == root;
          if (!twice) {
            taken[n++] = root;
            found.hash ^= chains_[static_cast<std::size_t>(root)].hash;
          }
        }
      }
    }
    return found;
  }

  // The stones after a move that is legal.
  void after(int player, int place, Set (&stones)[2]) const {
    stones[0] = stones_[0];
    stones[1] = stones_[1];
    stones[player].set(tables_.cell_of[static_cast<std::size_t>(place)]);
    for (const int step : steps_) {
      const auto next = static_cast<std::size_t>(place + step);
      if (colour_[next] != 1 - player || !last_liberty(chains_[root_[next]])) continue;
      each_stone(static_cast<int>(next), [&](int stone) {
        stones[1 - player].reset(tables_.cell_of[static_cast<std::size_t>(stone)]);
      });
    }
  }

  // Plays a legal move.
  [[gnu::always_inline]] void play(int player, int place) {
    const auto here = static_cast<std::size_t>(place);
    colour_[here] = static_cast<std::uint8_t>(player);
    remove_empty(place);
    stones_[player].set(tables_.cell_of[here]);
    hash_ ^= tables_.zobrist[player][here];
    root_[here] = next_[here] = static_cast<std::uint16_t>(place);
    Chain own{0, 0, 0, 1, tables_.zobrist[player][here]};
    for (const int step : steps_) {
      const auto next = static_cast<std::size_t>(place + step);
      if (colour_[next] == empty) {
        own.add(static_cast<int>(next));
      } else if (colour_[next] != off) {
        chains_[root_[next]].take(place);
      }
    }
    chains_[here] = own;
    for (const int step : steps_) {
      const auto next = static_cast<std::size_t>(place + step);
      if (colour_[next] == player) {
        if (root_[next] != root_[here]) join(root_[here], root_[next]);
      } else if (colour_[next] == 1 - player && chains_[root_[next]].liberties == 0) {
        remove(1 - player, static_cast<int>(next));
      }
    }
  }

 private:
  static constexpr int empty = 2, off = 3;
  static constexpr std::size_t capacity = (MaxSize + 2) * (MaxSize + 1) + 1;

  struct Chain {
    std::uint32_t liberties;  // pseudo-liberties
    std::uint32_t sum;
    std::uint32_t squares;
    std::uint32_t size;
    std::uint64_t hash;

    void add(int place) {
      ++liberties;
      sum += static_cast<std::uint32_t>(place);
      squares += static_cast<std::uint32_t>(place * place);
    }
    void take(int place) {
      --liberties;
      sum -= static_cast<std::uint32_t>(place);
      squares -= static_cast<std::uint32_t>(place * place);
    }
  };

  static bool last_liberty(const Chain& chain) {
    return std::uint64_t{chain.liberties} * chain.squares == std::uint64_t{chain.sum} * chain.sum;
  }

  template <class F>
  void each_stone(int place, F&& f) const {
    int stone = place;
    do {
      const int following = next_[static_cast<std::size_t>(stone)];
      f(stone);
      stone = following;
    } while (stone != place);
  }

  // Makes one chain of two; the stones of the smaller one get the root of the other.
  void join(int a, int b) {
    if (chains_[static_cast<std::size_t>(a)].size < chains_[static_cast<std::size_t>(b)].size)
      std::swap(a, b);
    Chain& chain = chains_[static_cast<std::size_t>(a)];
    const Chain& other = chains_[static_cast<std::size_t>(b)];
    chain.liberties += other.liberties;
    chain.sum += other.sum;
    chain.squares += other.squares;
    chain.size += other.size;
    chain.hash ^= other.hash;
    each_stone(b, [&](int stone) { root_[static_cast<std::size_t>(stone)] = static_cast<std::uint16_t>(a); });
    std::swap(next_[static_cast<std::size_t>(a)], next_[static_cast<std::size_t>(b)]);
  }

  void remove(int player, int place) {
    hash_ ^= chains_[root_[static_cast<std::size_t>(place)]].hash;
    each_stone(place, [&](int stone) {
      colour_[static_cast<std::size_t>(stone)] = empty;
      stones_[player].reset(tables_.cell_of[static_cast<std::size_t>(stone)]);
      add_empty(stone);
    });
    each_stone(place, [&](int stone) {
      for (const int step : steps_) {
        const auto next = static_cast<std::size_t>(stone + step);
        if (colour_[next] < empty) chains_[root_[next]].add(stone);
      }
    });
  }

  void add_empty(int place) {
    where_[static_cast<std::size_t>(place)] = static_cast<std::uint16_t>(empty_count_);
    empty_[static_cast<std::size_t>(empty_count_++)] = static_cast<std::uint16_t>(place);
  }

  void remove_empty(int place) {
    const std::uint16_t last = empty_[static_cast<std::size_t>(--empty_count_)];
    empty_[where_[static_cast<std::size_t>(place)]] = last;
    where_[last] = where_[static_cast<std::size_t>(place)];
  }

  const ChainTables& tables_;
  const int steps_[4];
  Set stones_[2];
  std::uint64_t hash_ = 0;
  int empty_count_ = 0;
  std::array<std::uint8_t, capacity> colour_;  // 0, 1, empty, or off
  std::array<std::uint16_t, capacity> empty_;  // the empty places, in any order
  std::array<std::uint16_t, capacity> where_;  // of each empty place, in that list
  std::array<std::uint16_t, capacity> root_, next_;
  std::array<Chain, capacity> chains_;  // of roots
};

}  // namespace glaux
