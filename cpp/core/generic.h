// The bulk calls in terms of the single ones, for games whose rules are not compiled in: rules
// written in Python, and games built around another game.
#pragma once

#include "core/game.h"

namespace glaux {

class GenericGame : public Game {
 public:
  using Game::Game;
  void expand(const std::byte* state, Expansion& out) const override;
  void playouts(const std::byte* states, std::size_t n, Rng& rng, std::byte* ends) const override;
};

}  // namespace glaux
