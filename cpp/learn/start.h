// States to begin a match with that are not the initial one.
#pragma once

#include "core/game.h"

namespace glaux {

// n uniformly random actions from the initial state, drawn again where the match ends on the way;
// InvalidParameter if it nearly always does.
void random_start(const Game& game, int n, Rng& rng, std::byte* out);

}  // namespace glaux
