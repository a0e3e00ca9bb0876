// How far a match is, for value functions whose weights depend on it.
//
// Stones fill a board, captures empty it: the number of cells that hold something (a code other than 0) says
// how far a match is, in every game whose number of stones changes. The way from `begin` to `end` such cells
// has a number of stages.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glaux {

struct Progress {
  static constexpr int most_stages = 16;

  int stages = 1;
  int begin = 0, end = 0;  // cells that hold something at the beginning and at the end of the way

  // InvalidParameter if this makes no stages.
  void check() const;
  // How much of the way is done with so many cells that hold something, 0 to 1; for several stages.
  double share(std::size_t held) const;
};

// The stage of each number of cells that hold something, uint8[cells + 1]: equal parts of the way. Empty where
// there is one stage.
std::vector<std::uint8_t> stages_by_cells(const Progress& progress, std::size_t cells);

// The cells that hold something, from their codes and from the sets of cells of Game::cell_bits().
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

}  // namespace glaux
