// The actions of a match, for rules that ask which positions have been there before.
//
// One byte an action, and one bit more where there are more than 256 of them. All zero behind the last
// one, so that equal matches have equal bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "kit/bits.h"

namespace glaux {

inline int common_bytes(const std::uint8_t* a, const std::uint8_t* b, int n) {
  if (std::memcmp(a, b, static_cast<std::size_t>(n)) == 0) return n;
  return static_cast<int>(std::mismatch(a, a + n, b).first - a);
}

template <int Capacity, bool Wide>
struct Past {
  static_assert(Capacity % 8 == 0, "no padding");
  static constexpr int capacity = Capacity;

  std::uint8_t low[Capacity];

  int at(int i) const { return low[i]; }
  void set(int i, int action) { low[i] = static_cast<std::uint8_t>(action); }
  // How many of the first n actions are the same in both, counted up to the first that is not.
  int common(const Past& other, int n) const { return common_bytes(low, other.low, n); }
  bool zero_from(int i) const {
    return std::all_of(low + i, std::end(low), [](int b) { return b == 0; });
  }
};

template <int Capacity>
struct Past<Capacity, true> {
  static_assert(Capacity % 8 == 0, "no padding");
  static constexpr int capacity = Capacity;

  Bits<(Capacity + 63) / 64> high;
  std::uint8_t low[Capacity];

  int at(int i) const { return low[i] | (high.test(i) ? 256 : 0); }
  void set(int i, int action) {
    low[i] = static_cast<std::uint8_t>(action);
    if (high.test(i) != (action > 255)) high.flip(i);
  }
  int common(const Past& other, int n) const {
    n = common_bytes(low, other.low, n);
    const auto different = (high ^ other.high) & decltype(high)::below(n);
    return different.any() ? different.first() : n;
  }
  // Also in the bits of the last word that no action has.
  bool zero_from(int i) const {
    const bool zero = std::all_of(low + i, std::end(low), [](int b) { return b == 0; });
    for (int bit = i; zero && bit < static_cast<int>(8 * sizeof(high)); ++bit) {
      if (high.test(bit)) return false;
    }
    return zero;
  }
};

}  // namespace glaux
