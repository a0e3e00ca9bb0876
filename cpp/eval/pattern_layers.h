// Small dense layers over floats. Weights are [input][output], so that the outputs lie side by side in the
// processor's vectors, and the order of every sum is the same whatever their width.
#pragma once

#include <cstddef>
#include <cstring>

namespace glaux {

// Eight floats side by side; on processors with narrower vectors the compiler takes several.
using Lanes = float __attribute__((vector_size(32)));
constexpr std::size_t lanes = 8;

inline Lanes load(const float* from) {
  Lanes values;
  std::memcpy(&values, from, sizeof values);
  return values;
}
inline void store(const Lanes& values, float* to) {
  std::memcpy(to, &values, sizeof values);
}

inline Lanes above_zero(const Lanes& values) {
  return values > 0 ? values : Lanes{};
}

// z += x W for n inputs, an even number: two sums side by side, because each addition waits for the one
// before.
template <std::size_t Outputs>
inline void add_product(const float* x, std::size_t n, const float* weights, float* z) {
  static_assert(Outputs % lanes == 0);
  constexpr std::size_t count = Outputs / lanes;
  Lanes sums[count], others[count] = {};
  for (std::size_t j = 0; j < count; ++j) sums[j] = load(z + j * lanes);
  for (std::size_t i = 0; i < n; i += 2) {
    const float* const row = weights + i * Outputs;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < count; ++j) {
      sums[j] += x[i] * load(row + j * lanes);
      others[j] += x[i + 1] * load(row + Outputs + j * lanes);
    }
  }
  for (std::size_t j = 0; j < count; ++j) store(sums[j] + others[j], z + j * lanes);
}

// The product of each input with each output is added to the weights: the gradient of add_product.
template <std::size_t Outputs>
inline void add_outer(const float* x, std::size_t n, const float* z, float* weights) {
  constexpr std::size_t count = Outputs / lanes;
  Lanes outputs[count];
  for (std::size_t j = 0; j < count; ++j) outputs[j] = load(z + j * lanes);
  for (std::size_t i = 0; i < n; ++i) {
    float* const row = weights + i * Outputs;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < count; ++j) {
      store(load(row + j * lanes) + x[i] * outputs[j], row + j * lanes);
    }
  }
}

// As eight sums side by side.
template <std::size_t Size>
inline float dot(const float* a, const float* b) {
  static_assert(Size % lanes == 0);
  Lanes sums = load(a) * load(b);
  for (std::size_t i = lanes; i < Size; i += lanes) sums += load(a + i) * load(b + i);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

template <std::size_t Size>
inline void leaky(const float* z, float leak, float* out) {
  for (std::size_t i = 0; i < Size; ++i) out[i] = z[i] > 0 ? z[i] : leak * z[i];
}

}  // namespace glaux
