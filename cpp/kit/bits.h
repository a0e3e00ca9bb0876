// A set of cells as a bitboard of a fixed number of 64-bit words: cell i is bit i % 64 of word i / 64.
//
// With one word every operation compiles to the plain instruction on std::uint64_t, so that rules
// can be written once for all board sizes and instantiated for the smallest number of words that fits.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <type_traits>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "core/rng.h"

namespace glaux {

// The position of the k-th lowest bit that is set, counted from 0, in a word with more than k.
constexpr int nth_bit(std::uint64_t w, int k) {
#ifdef __BMI2__
  if (!std::is_constant_evaluated()) return std::countr_zero(_pdep_u64(std::uint64_t{1} << k, w));
#endif
  while (k-- > 0) w &= w - 1;
  return std::countr_zero(w);
}

template <int Words>
struct Bits {
  static constexpr int capacity = 64 * Words;
  std::uint64_t word[Words]{};

  static constexpr Bits of(int cell) {
    Bits b;
    b.set(cell);
    return b;
  }

  // The cells 0 .. n-1.
  static constexpr Bits below(int n) {
    Bits b;
    for (int i = 0; i < Words; ++i) {
      const int rest = n - 64 * i;
      if (rest >= 64) {
        b.word[i] = ~std::uint64_t{0};
      } else if (rest > 0) {
        b.word[i] = (std::uint64_t{1} << rest) - 1;
      }
    }
    return b;
  }

  constexpr bool test(int cell) const { return (word[cell >> 6] >> (cell & 63)) & 1; }
  constexpr void set(int cell) { word[cell >> 6] |= std::uint64_t{1} << (cell & 63); }
  constexpr void reset(int cell) { word[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }
  constexpr void flip(int cell) { word[cell >> 6] ^= std::uint64_t{1} << (cell & 63); }

  constexpr bool any() const {
    std::uint64_t all = 0;
    for (int i = 0; i < Words; ++i) all |= word[i];
    return all != 0;
  }
  constexpr bool none() const { return !any(); }
  explicit constexpr operator bool() const { return any(); }

  constexpr int count() const {
    int n = 0;
    for (int i = 0; i < Words; ++i) n += std::popcount(word[i]);
    return n;
  }

  // The lowest cell of a set that is not empty.
  constexpr int first() const {
    for (int i = 0; i < Words - 1; ++i) {
      if (word[i]) return 64 * i + std::countr_zero(word[i]);
    }
    return 64 * (Words - 1) + std::countr_zero(word[Words - 1]);
  }

  // The lowest or the highest cell alone; nothing of an empty set. Without branches for one word:
  // where these are used, the outcome of a branch would be a coin toss.
  constexpr Bits lowest() const {
    Bits b;
    for (int i = 0; i < Words; ++i) {
      b.word[i] = word[i] & (~word[i] + 1);
      if (Words > 1 && word[i]) break;
    }
    return b;
  }
  constexpr Bits highest() const {
    Bits b;
    for (int i = Words - 1; i >= 0; --i) {
      b.word[i] = (std::uint64_t{1} << 63 >> std::countl_zero(word[i] | 1)) & word[i];
      if (Words > 1 && word[i]) break;
    }
    return b;
  }

  // The cells below or above the only cell of a set; nothing of an empty set.
  constexpr Bits all_below() const {
    Bits b;
    for (int i = Words - 1; i >= 0; --i) {
      const bool filled = Words > 1 && i + 1 < Words && (b.word[i + 1] || word[i + 1]);
      b.word[i] = filled ? ~std::uint64_t{0} : word[i] - (word[i] != 0);
    }
    return b;
  }
  constexpr Bits all_above() const {
    Bits b;
    bool found = false;
    for (int i = 0; i < Words; ++i) {
      b.word[i] = found ? ~std::uint64_t{0} : ~(word[i] << 1) + 1;
      found = found || word[i];
    }
    return b;
  }

  // The k-th lowest cell, counted from 0, of a set with more than k cells.
  constexpr int nth(int k) const {
    int i = 0;
    if constexpr (Words > 1) {
      for (; i < Words - 1; ++i) {
        const int n = std::popcount(word[i]);
        if (k < n) break;
        k -= n;
      }
    }
    return 64 * i + nth_bit(word[i], k);
  }

  // Calls f(cell) for every cell, in ascending order.
  template <class F>
  constexpr void for_each(F&& f) const {
    for (int i = 0; i < Words; ++i) {
      for (std::uint64_t w = word[i]; w; w &= w - 1) f(64 * i + std::countr_zero(w));
    }
  }

  constexpr Bits& operator&=(const Bits& o) {
    for (int i = 0; i < Words; ++i) word[i] &= o.word[i];
    return *this;
  }
  constexpr Bits& operator|=(const Bits& o) {
    for (int i = 0; i < Words; ++i) word[i] |= o.word[i];
    return *this;
  }
  constexpr Bits& operator^=(const Bits& o) {
    for (int i = 0; i < Words; ++i) word[i] ^= o.word[i];
    return *this;
  }
  friend constexpr Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend constexpr Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend constexpr Bits operator^(Bits a, const Bits& b) { return a ^= b; }

  // The complement covers all the words: mask it with the board.
  constexpr Bits operator~() const {
    Bits b;
    for (int i = 0; i < Words; ++i) b.word[i] = ~word[i];
    return b;
  }

  // Cell i goes to cell i + n, for 1 <= n <= 63; what leaves the last word is lost.
  constexpr Bits operator<<(int n) const {
    Bits b;
    for (int i = Words - 1; i > 0; --i) b.word[i] = (word[i] << n) | (word[i - 1] >> (64 - n));
    b.word[0] = word[0] << n;
    return b;
  }
  constexpr Bits operator>>(int n) const {
    Bits b;
    for (int i = 0; i < Words - 1; ++i) b.word[i] = (word[i] >> n) | (word[i + 1] << (64 - n));
    b.word[Words - 1] = word[Words - 1] >> n;
    return b;
  }

  friend constexpr bool operator==(const Bits&, const Bits&) = default;
};

// Shifts by a signed distance, as in "one step in direction d": 1 <= |n| <= 63.
template <int Words>
constexpr Bits<Words> shifted(const Bits<Words>& b, int n) {
  return n > 0 ? b << n : b >> -n;
}

// A cell of a set that is not empty, each as likely as the others.
template <int Words>
[[gnu::always_inline]] inline int random_cell(const Bits<Words>& set, Rng& rng) {
  return set.nth(static_cast<int>(rng.below(static_cast<std::uint32_t>(set.count()))));
}

}  // namespace glaux
