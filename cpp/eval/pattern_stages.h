// How far a match is, and the layers of a pattern network for it.
//
// Stones fill a board, captures empty it: the number of cells that hold something (a code other than 0) says
// how far a match is, in every game whose number of stones changes. From `begin` to `end` such cells there
// are as many stages as there are sets of layers, at equal distances. Half-way between two stages there
// is a level with the mean of their layers, so that neighbouring stages learn from the same pairs and none
// starves; the layers of every level can be worked out before they are asked for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/table.h"

namespace glaux {

struct PatternProgress {
  int stages = 1;
  int begin = 0, end = 0;  // cells that hold something at the first and at the last stage
};

// The cells that hold something, from their codes (or details) and from the sets of Game::cell_bits().
inline std::size_t held_cells(std::span<const std::uint8_t> codes) {
  return codes.size() - static_cast<std::size_t>(std::count(codes.begin(), codes.end(), std::uint8_t{0}));
}
inline std::size_t held_cells(const std::uint64_t* bits, std::size_t code_bits, std::size_t words) {
  std::size_t count = 0;
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t held = 0;
    for (std::size_t bit = 0; bit < code_bits; ++bit) held |= bits[bit * words + word];
    count += static_cast<std::size_t>(std::popcount(held));
  }
  return count;
}

class PatternStages {
 public:
  static constexpr int most = 16;
  static constexpr int steps = 2;  // levels from one stage to the next

  // InvalidParameter for a progress that makes no stages.
  PatternStages(const PatternProgress& progress, std::size_t cells);

  std::size_t count() const { return stages_; }
  std::size_t level_count() const { return (stages_ - 1) * steps + 1; }
  // Of a state with this many cells that hold something.
  std::size_t level(std::size_t held) const { return levels_[held]; }

  // The numbers of each level, float[level][size], from those of the stages, float[stage][size].
  void spread(const float* stages, std::size_t size, float* levels) const;
  // Its transpose: what is added to the stages for gradients of the levels.
  void gather(const float* levels, std::size_t size, float* stages) const;

 private:
  std::size_t stages_;
  std::vector<std::uint8_t> levels_;
};

}  // namespace glaux
