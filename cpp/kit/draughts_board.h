// The dark squares of a draughts board as bitboards, and what pieces can see and jump on them.
//
// The squares of N x N cells are numbered row by row from the top, N / 2 to a row, with one bit left out
// after every second row. So a step in each of the four directions is the same shift from every square,
// and what leaves the board on either side comes down on a bit that is left out:
//
//      . 0 . 1 . 2 . 3 . 4
//      5 . 6 . 7 . 8 . 9 .   (10)         down to the left + 5, to the right + 6
//      .11 .12 .13 .14 .15
//
// All that takes a piece's square off the occupied ones while it jumps is done by the caller.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/board.h"
#include "kit/bits.h"
#include "kit/boards.h"

namespace glaux {

template <int Size>
class DraughtsBoard {
 public:
  static constexpr int half = Size / 2;
  static constexpr int bits = half * (Size + 1);
  static constexpr int squares = half * Size;
  using Set = Bits<(bits + 63) / 64>;

  // Up to the left, up to the right, down to the left, down to the right; up are the lower bits.
  static constexpr int directions = 4;

  DraughtsBoard() : board_(dark_squares(Size, Size)) {
    for (int row = 0; row < Size; ++row) {
      rows_[row] = {};
      for (int i = 0; i < half; ++i) {
        const int bit = row / 2 * (Size + 1) + row % 2 * half + i;
        const int cell = board_.cell(row, 2 * i + (row + 1) % 2);
        const int square = row * half + i;
        cell_of_[static_cast<std::size_t>(bit)] = static_cast<std::uint8_t>(cell);
        square_of_[static_cast<std::size_t>(bit)] = static_cast<std::uint8_t>(square);
        bit_of_[static_cast<std::size_t>(square)] = static_cast<std::uint8_t>(bit);
        rows_[row].set(bit);
        all_.set(bit);
      }
    }
    all_.for_each([&](int bit) {
      ray<0>(bit, rays_[static_cast<std::size_t>(bit)]);
      ray<1>(bit, rays_[static_cast<std::size_t>(bit)]);
      ray<2>(bit, rays_[static_cast<std::size_t>(bit)]);
      ray<3>(bit, rays_[static_cast<std::size_t>(bit)]);
    });
  }

  const Board& board() const { return board_; }
  const Set& all() const { return all_; }
  const Set& row(int row) const { return rows_[row]; }

  // Between the bit of a square, its number from 0 as people count them, and its cell on the board.
  int square(int bit) const { return square_of_[static_cast<std::size_t>(bit)]; }
  int bit(int square) const { return bit_of_[static_cast<std::size_t>(square)]; }
  int cell(int bit) const { return cell_of_[static_cast<std::size_t>(bit)]; }
  int bit_of_cell(int cell) const { return bit(cell / Size * half + cell % Size / 2); }

  // The names of the squares as the text of a state has them, for ReversibleMoves.
  std::string cell_text(int bit) const { return board_.cell_text(cell(bit)); }
  std::optional<int> parse_cell(std::string_view text) const {
    const auto cell = board_.parse_cell(text);
    return cell ? std::optional(bit_of_cell(*cell)) : std::nullopt;
  }

  // A set of squares as cells of the board: bit i % 64 of word i / 64 for cell i.
  void spread(const Set& set, std::uint64_t* words) const {
    std::fill_n(words, (Size * Size + 63) / 64, std::uint64_t{0});
    set.for_each([&](int bit) { words[cell(bit) / 64] |= std::uint64_t{1} << cell(bit) % 64; });
  }

  // One step; squares off the board are to be masked.
  template <int D>
  static constexpr Set step(const Set& set) {
    constexpr int n = D == 0 || D == 3 ? half + 1 : half;
    if constexpr (D < 2) {
      return set >> n;
    } else {
      return set << n;
    }
  }

  // Calls f<D>() for every direction.
  template <class F>
  [[gnu::always_inline]] static void for_directions(F&& f) {
    f.template operator()<0>();
    f.template operator()<1>();
    f.template operator()<2>();
    f.template operator()<3>();
  }

  // The pieces of a set that can jump as men do: over an enemy beside them to the free square behind.
  [[gnu::always_inline]] static Set jumpers(const Set& pieces, const Set& enemy, const Set& free) {
    Set found{};
    for_directions([&]<int D>() { found |= step<3 - D>(step<D>(pieces) & enemy & step<3 - D>(free)); });
    return found & pieces;
  }

  // The free squares ahead of a piece up to the first that is occupied.
  template <int D>
  [[gnu::always_inline]] Set sight(int bit, const Set& occupied) const {
    const Set& ray = rays_[static_cast<std::size_t>(bit)][D];
    const Set met = ray & occupied;
    if (met.none()) return ray;
    const int first = D < 2 ? met.highest().first() : met.first();
    return ray ^ rays_[static_cast<std::size_t>(first)][D] ^ Set::of(first);
  }

  // Where a king can go without a capture.
  [[gnu::always_inline]] Set flights(int bit, const Set& occupied) const {
    return sight<0>(bit, occupied) | sight<1>(bit, occupied) | sight<2>(bit, occupied) |
           sight<3>(bit, occupied);
  }

  // What stands between two squares of one diagonal, out of a set.
  Set between(int from, int to, const Set& set) const {
    Set found{};
    for_directions([&]<int D>() {
      const Set& ray = rays_[static_cast<std::size_t>(from)][D];
      if (ray.test(to)) found = ray & ~rays_[static_cast<std::size_t>(to)][D] & ~Set::of(to) & set;
    });
    return found;
  }
  bool aligned(int from, int to) const {
    const auto& rays = rays_[static_cast<std::size_t>(from)];
    return (rays[0] | rays[1] | rays[2] | rays[3]).test(to);
  }

  // Calls f(landings, taken) for each enemy that a piece can jump: where it comes down, and whom it takes.
  template <class F>
  [[gnu::always_inline]] void for_each_jump(int bit, bool king, const Set& enemy, const Set& occupied,
                                            F&& f) const {
    for_directions([&]<int D>() {
      if (king) {
        const Set met = rays_[static_cast<std::size_t>(bit)][D] & occupied;
        const Set first = D < 2 ? met.highest() : met.lowest();
        if ((first & enemy).none()) return;
        const int taken = first.first();
        if (const Set landings = sight<D>(taken, occupied); landings.any()) f(landings, taken);
      } else {
        const Set first = step<D>(Set::of(bit)) & enemy;
        const Set landing = step<D>(first) & all_ & ~occupied;
        if (landing.any()) f(landing, first.first());
      }
    });
  }

  bool can_jump(int bit, bool king, const Set& enemy, const Set& occupied) const {
    bool found = false;
    for_each_jump(bit, king, enemy, occupied, [&](const Set&, int) { found = true; });
    return found;
  }

  // The most pieces that can be taken in a row from here. Whoever is taken stays in the way, and is not
  // taken twice.
  int longest(int bit, bool king, const Set& enemy, const Set& occupied) const {
    int best = 0;
    for_each_jump(bit, king, enemy, occupied, [&](const Set& landings, int taken) {
      landings.for_each(
          [&](int to) { best = std::max(best, 1 + longest(to, king, enemy ^ Set::of(taken), occupied)); });
    });
    return best;
  }

 private:
  template <int D>
  void ray(int bit, std::array<Set, directions>& rays) const {
    for (Set next = step<D>(Set::of(bit)) & all_; next.any(); next = step<D>(next) & all_) rays[D] |= next;
  }

  Board board_;
  Set all_;
  Set rows_[Size];
  std::array<std::uint8_t, bits> cell_of_{}, square_of_{};
  std::array<std::uint8_t, squares> bit_of_{};
  std::array<std::array<Set, directions>, bits> rays_{};
};

}  // namespace glaux
