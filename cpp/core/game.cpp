#include "core/game.h"

#include <cstring>

#include "core/errors.h"

namespace glaux {

void refuse_chance() {
  throw ChanceState(
      "Chance is to move in this state, but searches and learners do not support games of chance yet.");
}

void Game::scramble(int n, Rng& rng, std::byte* out) const {
  constexpr int tries = 1000;
  if (n < 0)
    throw InvalidParameter("The number of random actions can't be negative: " + std::to_string(n) + ".");
  std::vector<Action> legal(static_cast<std::size_t>(spec_.max_actions));
  std::vector<std::byte> next(spec_.state_size);
  for (int i = 0; i < tries && n < spec_.max_plies; ++i) {
    initial(out);
    int count = actions(out, legal.data());
    for (int made = 0; made < n && count > 0; ++made) {
      apply(out, legal[rng.below(static_cast<std::uint32_t>(count))], next.data());
      std::memcpy(out, next.data(), next.size());
      count = actions(out, legal.data());
    }
    if (count > 0) return;
  }
  throw InvalidParameter("Matches of " + spec_.title + " rarely last longer than " + std::to_string(n) +
                         " random actions: choose fewer.");
}

namespace {

[[noreturn]] void refuse_exchange(const Spec& spec) {
  throw InvalidParameter("The players of " + spec.title + " can't be exchanged: " +
                         (spec.players == 1 ? "it is a one-player game." : "the game does not say how."));
}

}  // namespace

void Game::exchange(const std::byte*, std::byte*) const {
  refuse_exchange(spec_);
}

Action Game::exchange_action(const std::byte*, Action) const {
  refuse_exchange(spec_);
}

void Game::details(const std::byte* states, std::size_t n, std::uint8_t* codes) const {
  cells(states, n, codes);
}

void Game::reachable(const std::byte*, std::size_t n, std::uint64_t* bits) const {
  std::fill_n(bits, n * spec().cell_words(), std::uint64_t{0});
}

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
