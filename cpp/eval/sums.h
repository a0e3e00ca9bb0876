// Sums of table entries, and the entries themselves while other threads change them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace glaux {

// Tables are shared by threads that read and learn without locks (Hogwild): an entry is never torn, and
// of two changes at the same moment one may be lost. Relaxed order: plain loads and stores here.
inline float peek(const float& entry) {
  return std::atomic_ref<float>(const_cast<float&>(entry)).load(std::memory_order_relaxed);
}
inline void poke(float& entry, float value) {
  std::atomic_ref<float>(entry).store(value, std::memory_order_relaxed);
}

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
  return sum_of(n, [=](std::size_t i) { return static_cast<double>(peek(table[indices[i]])); });
}

}  // namespace glaux
