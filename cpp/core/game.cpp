#include "core/game.h"

namespace glaux {

void Game::cell_bits(const std::byte* states, std::size_t n, std::uint64_t* bits) const {
  const auto count = static_cast<std::size_t>(spec_.cell_count());
  const std::size_t words = spec_.cell_words(), rows = spec_.code_bits();
  std::vector<std::uint8_t> codes(n * count);
  cells(states, n, codes.data());
  std::fill_n(bits, n * rows * words, std::uint64_t{0});
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t* state = bits + i * rows * words;
    for (std::size_t cell = 0; cell < count; ++cell) {
      for (std::uint32_t code = codes[i * count + cell], row = 0; code != 0; code >>= 1, ++row) {
        state[row * words + cell / 64] |= std::uint64_t{code & 1} << cell % 64;
      }
    }
  }
}

}  // namespace glaux
