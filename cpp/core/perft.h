// Perft: the number of ways to play exactly `depth` actions from a state. A match that ends earlier
// counts nothing, except at depth 0. The signature of a game's rules.
#pragma once

#include <cstdint>

#include "core/game.h"
#include "core/pulse.h"

namespace glaux {

std::uint64_t perft(const Game& game, const std::byte* state, int depth, Pulse& pulse);

}  // namespace glaux
