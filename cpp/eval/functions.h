// Functions of floats that the library has too, as a few instructions in place of a call.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace glaux {

// e^y for -80 < y < 1, to 5e-6 of it. 2^t = 2^i 2^f with a whole i and |f| <= 1/2, and a series for 2^f.
inline float exponential(float y) {
  const float t = y * 1.44269504f, whole = std::nearbyint(t), x = (t - whole) * 0.69314718f;
  const float series =
      1 + x * (1 + x * (1.f / 2 + x * (1.f / 6 + x * (1.f / 24 + x * (1.f / 120 + x * (1.f / 720))))));
  return series * std::bit_cast<float>((static_cast<std::int32_t>(whole) + 127) << 23);
}

// tanh x = (1 - e) / (1 + e) with e = exp(-2 |x|) and the sign of x, to 2e-7.
inline float hyperbolic_tangent(float x) {
  const float e = exponential(-2 * std::min(std::fabs(x), 30.0f));
  return std::copysign((1 - e) / (1 + e), x);
}

}  // namespace glaux
