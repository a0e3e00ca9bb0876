// 64-bit hash of a state's bytes: stable across runs and machines of the same byte order.
//
// Each pair of words is folded by a 64x64 -> 128 bit multiplication (the idea of wyhash). A hash is
// only ever a hint: whoever finds equal hashes compares the states in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace glaux {

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// size is a multiple of 8, as every state size is.
inline std::uint64_t hash_bytes(const std::byte* bytes, std::size_t size) {
  constexpr std::uint64_t k0 = 0xa0761d6478bd642fULL;
  constexpr std::uint64_t k1 = 0xe7037ed1a0b428dbULL;
  const auto word = [bytes](std::size_t i) {
    std::uint64_t w;
    std::memcpy(&w, bytes + i, sizeof w);
    return w;
  };
  std::uint64_t h = k0 ^ size;
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) h = fold(word(i) ^ h, word(i + 8) ^ k1);
  if (i < size) h = fold(word(i) ^ h, k0);
  return fold(h ^ k1, k0);
}

}  // namespace glaux
