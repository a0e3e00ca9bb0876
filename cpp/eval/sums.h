// Sums of table entries.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glaux {

// f(0) + ... + f(n - 1), as eight sums side by side: each addition waits for the one before.
template <class F>
double sum_of(std::size_t n, F f) {
  double sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += f(i + k);
  }
  for (; i < n; ++i) sums[0] += f(i);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

inline double sum_of(const float* table, const std::uint32_t* indices, std::size_t n) {
  return sum_of(n, [=](std::size_t i) { return static_cast<double>(table[indices[i]]); });
}

}  // namespace glaux
