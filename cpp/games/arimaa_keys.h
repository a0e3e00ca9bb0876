// Keys of Arimaa's positions: equal positions have equal keys, and different ones hardly ever.
//
// The random numbers behind them make the key of a mirror image the mirror image of the key, which is the key
// with its halves exchanged. So a position that is remembered by its key alone can be mirrored, too.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/rng.h"
#include "games/arimaa_board.h"

namespace glaux::arimaa {

inline std::uint64_t mirrored(std::uint64_t key) {
  return std::rotl(key, 32);
}
inline std::uint32_t mirrored(std::uint32_t fingerprint) {
  return std::rotl(fingerprint, 16);
}

// Of both halves alike, so that the mirror image exchanges the halves of this, too.
inline std::uint32_t fingerprint(std::uint64_t key) {
  return static_cast<std::uint32_t>((key & 0xffff) | (key >> 32 & 0xffff) << 16);
}

class Keys {
 public:
  Keys() {
    Rng rng(0x4172696d6161);
    for (auto& side : keys_) {
      for (auto& of_kind : side) {
        for (int cell = 0; cell < 64; ++cell) {
          const int mirror = cell ^ 7;
          of_kind[at(cell)] = mirror < cell ? mirrored(of_kind[at(mirror)]) : rng.next();
        }
      }
    }
    const auto half = static_cast<std::uint32_t>(rng.next());
    second_to_move_ = std::uint64_t{half} << 32 | half;
  }

  // The key of the board with the player to move.
  std::uint64_t of(const Pieces& pieces, int player) const {
    std::uint64_t key = player == 0 ? 0 : second_to_move_;
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < kinds; ++k) {
        (pieces.sides[side] & pieces.kind[k]).for_each([&](int cell) {
          key ^= keys_[at(side)][at(k)][at(cell)];
        });
      }
    }
    return key;
  }

  // By what the key changes if the piece on a cell goes to another.
  std::uint64_t change(const Pieces& pieces, int from, int to) const {
    const auto& of_kind = keys_[at(pieces.side_at(from))][at(pieces.kind_at(from))];
    return of_kind[at(from)] ^ of_kind[at(to)];
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  std::array<std::array<std::array<std::uint64_t, 64>, kinds>, 2> keys_;
  std::uint64_t second_to_move_;
};

}  // namespace glaux::arimaa
