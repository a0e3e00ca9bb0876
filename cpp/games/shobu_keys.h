// Keys of positions of Shobu, by which a repetition is seen.
//
// A key has 64 bits in four parts. The random numbers behind the keys let a symmetry of a position permute
// the parts of its key, so that what is remembered can be seen through a symmetry, too.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/board.h"
#include "core/rng.h"
#include "games/shobu_board.h"

namespace glaux::shobu {

// The key of a position seen through a symmetry: part i of its four goes to i ^ symmetry.
inline std::uint64_t seen(std::uint64_t key, int symmetry) {
  if (symmetry & 1) key = (key & 0x0000ffff0000ffff) << 16 | (key >> 16 & 0x0000ffff0000ffff);
  return symmetry & 2 ? std::rotl(key, 32) : key;
}

class Keys {
 public:
  explicit Keys(const std::vector<CellMap>& symmetries) {
    Rng rng(0x53686f6275);
    for (auto& of_cell : of_cells_) {
      for (std::size_t cell = 0; cell < 64; ++cell) {
        if (of_cell[cell] != 0) continue;
        const std::uint64_t key = rng.next();
        for (std::size_t k = 0; k < symmetries.size(); ++k) {
          of_cell[symmetries[k][cell]] = seen(key, static_cast<int>(k));
        }
      }
    }
  }

  // Of a position between turns, of which the player to move is part.
  std::uint64_t key(const Set (&stones)[2], int player) const {
    std::uint64_t key = player == 0 ? 0 : 0x9e379e379e379e37;
    for (std::size_t i = 0; i < 2; ++i) {
      stones[i].for_each([&](int cell) { key ^= of_cells_[i][static_cast<std::size_t>(cell)]; });
    }
    return key;
  }

 private:
  std::array<std::array<std::uint64_t, 64>, 2> of_cells_{};
};

}  // namespace glaux::shobu
