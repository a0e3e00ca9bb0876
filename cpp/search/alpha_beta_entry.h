// What alpha-beta says of a state: a key, which side of the value it bounds, and for which depth.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

#include "core/errors.h"

namespace glaux::alpha_beta {

// What states are compared by: completion first.
struct Key {
  int c;
  float v;
  friend auto operator<=>(const Key&, const Key&) = default;
};

enum class Bound : std::uint8_t { none, exact, lower, upper };

// A key and what it says of a value: which side it bounds, and at which depth.
struct Entry {
  static constexpr std::uint16_t settled_depth = std::numeric_limits<std::uint16_t>::max();

  float v = 0;
  std::uint16_t depth = 0;
  std::int8_t c = 0;
  Bound bound = Bound::none;

  Key key() const { return {c, v}; }
  bool settled() const { return depth == settled_depth; }
  bool proven() const { return bound == Bound::exact && settled(); }
  bool holds_at(int d) const { return bound != Bound::none && (settled() || depth == d); }
};

inline constexpr int max_depth = std::numeric_limits<std::int16_t>::max();

// InvalidParameter unless a search can go so deep; 0: as deep as its limits allow.
inline void check_depth(int depth) {
  if (depth < 0 || depth > max_depth) {
    throw InvalidParameter("The depth of a search must be from 0 (no limit) to " + std::to_string(max_depth) +
                           ", not " + std::to_string(depth) + ".");
  }
}

}  // namespace glaux::alpha_beta
