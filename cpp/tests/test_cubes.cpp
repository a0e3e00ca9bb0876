// All the states of the 2 x 2 x 2 cube, found breadth-first from the solved one, against the published
// numbers at each distance, in both metrics.
#include "kit/rubik.h"
#include "tests/check.h"

using namespace glaux;

namespace {

using Small = Rubik<2>;
constexpr std::size_t group_order = 5040 * 729;  // 7! orders of the corners, 3^6 twists

// A number for each state: the order of the corners in the factorial system, and six of their twists.
std::size_t rank(const Small::State& s) {
  std::size_t order = 0, twists = 0;
  for (int i = 0; i < 7; ++i) {
    std::size_t below = 0;
    for (int j = i + 1; j < 7; ++j) below += Cube::id(s.cubies[j]) < Cube::id(s.cubies[i]);
    order = order * static_cast<std::size_t>(7 - i) + below;
    if (i < 6) twists = twists * 3 + static_cast<std::size_t>(Cube::orientation(s.cubies[i]));
  }
  return order * 729 + twists;
}

std::vector<std::size_t> counts_by_distance(bool quarter) {
  const Small rules(Parameters{{"quarter", quarter}, {"limit", 200}, {"twists", 1}, {"seed", 0}});
  std::vector<bool> seen(group_order);
  std::vector<Small::State> level{rules.parse_state("UUUU/RRRR/FFFF/DDDD/LLLL/BBBB 0")};
  seen[rank(level.front())] = true;
  std::vector<std::size_t> counts;
  while (!level.empty()) {
    counts.push_back(level.size());
    std::vector<Small::State> next;
    for (const Small::State& s : level) {
      for (Action action = 0; action < (quarter ? 6 : 9); ++action) {
        Small::State child = s;
        rules.apply(child, action);
        const std::size_t number = rank(child);
        if (seen[number]) continue;
        seen[number] = true;
        next.push_back(child);
      }
    }
    level = std::move(next);
  }
  return counts;
}

}  // namespace

TEST(the_small_cube_has_the_known_distances) {
  const std::vector<std::size_t> half{1,     9,      54,     321,     1847,   9992,
                                      50136, 227536, 870072, 1887748, 623800, 2644};
  const std::vector<std::size_t> quarter{1,      6,      27,     120,     534,    2256,  8969, 33058,
                                         114149, 360508, 930588, 1350852, 782536, 90280, 276};
  CHECK(counts_by_distance(false) == half);
  CHECK(counts_by_distance(true) == quarter);
}

TEST(rotations_are_groups) {
  const Cube& cube = Cube::instance();
  for (const int size : {1, 2, 4, 12, 24}) {
    for (int a = 0; a < size; ++a) {
      for (int b = 0; b < size; ++b) {
        const Cube::Element product = cube.product(cube.rotation(a), cube.rotation(b));
        int at = 0;
        while (at < size && cube.rotation(at) != product) ++at;
        CHECK(at < size);
      }
      CHECK(cube.product(cube.rotation(a), cube.rotation(cube.inverse_rotation(a))) == cube.solved());
    }
  }
}
