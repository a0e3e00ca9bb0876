#include <set>

#include "core/rng.h"
#include "kit/bits.h"
#include "tests/check.h"

using namespace glaux;

namespace {

template <int Words>
std::set<int> cells_of(const Bits<Words>& b) {
  std::set<int> cells;
  b.for_each([&](int cell) { cells.insert(cell); });
  return cells;
}

// Every operation against std::set.
template <int Words>
void check_against_set(Rng& rng) {
  constexpr int capacity = Bits<Words>::capacity;
  for (int round = 0; round < 200; ++round) {
    Bits<Words> b;
    std::set<int> s;
    const auto size = rng.below(20);
    for (unsigned i = 0; i < size; ++i) {
      const int cell = static_cast<int>(rng.below(capacity));
      b.set(cell);
      s.insert(cell);
    }
    CHECK(cells_of(b) == s);
    CHECK(b.count() == static_cast<int>(s.size()));
    CHECK(b.any() == !s.empty());
    CHECK(b.lowest().count() == (s.empty() ? 0 : 1) && b.highest().count() == b.lowest().count());
    if (!s.empty()) {
      CHECK(b.first() == *s.begin() && b.lowest().first() == *s.begin() &&
            b.highest().first() == *s.rbegin());
      int k = 0;
      for (const int cell : s) CHECK(b.nth(k++) == cell);
    }
    const int shift = 1 + static_cast<int>(rng.below(63));
    std::set<int> up, down;
    for (const int cell : s) {
      if (cell + shift < capacity) up.insert(cell + shift);
      if (cell - shift >= 0) down.insert(cell - shift);
    }
    CHECK(cells_of(b << shift) == up && cells_of(b >> shift) == down);

    const int n = static_cast<int>(rng.below(capacity));
    const auto single = Bits<Words>::of(n);
    CHECK(single.all_below() == Bits<Words>::below(n));
    CHECK(single.all_above() == (~Bits<Words>::below(n) ^ single));
  }
  CHECK(Bits<Words>{}.all_below().none() && Bits<Words>{}.all_above().none());
  CHECK(Bits<Words>::below(capacity).count() == capacity);
}

}  // namespace

TEST(bits) {
  Rng rng(1);
  check_against_set<1>(rng);
  check_against_set<2>(rng);
  check_against_set<3>(rng);
  check_against_set<6>(rng);
}
