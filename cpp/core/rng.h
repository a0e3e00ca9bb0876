// The random generator of the native core: xoshiro256++ (Blackman and Vigna), seeded by splitmix64.
//
// It is a plain value: a search or a playout is handed one explicitly, equal seeds give equal
// streams on every machine, and its four words can be stored in a checkpoint.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace glaux {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (auto& word : words_) {
      seed += 0x9e3779b97f4a7c15ULL;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(words_[0] + words_[3], 23) + words_[0];
    const std::uint64_t t = words_[1] << 17;
    words_[2] ^= words_[0];
    words_[3] ^= words_[1];
    words_[1] ^= words_[2];
    words_[0] ^= words_[3];
    words_[2] ^= t;
    words_[3] = std::rotl(words_[3], 45);
    return result;
  }

  // Uniform in 0 .. n-1, for n >= 1. Multiply and shift: the bias is below n / 2^32.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }

  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  const std::array<std::uint64_t, 4>& words() const { return words_; }
  void set_words(const std::array<std::uint64_t, 4>& words) { words_ = words; }

 private:
  std::array<std::uint64_t, 4> words_;
};

// Fisher-Yates: every order of items[0 .. n-1] is equally likely.
template <class T>
void shuffle(T* items, int n, Rng& rng) {
  for (int i = n - 1; i > 0; --i) {
    const auto j = rng.below(static_cast<std::uint32_t>(i + 1));
    std::swap(items[i], items[j]);
  }
}

}  // namespace glaux
