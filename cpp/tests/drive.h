// A random match with every bulk call at every ply, every text that a mutation of a good one gives, and
// every bit of a state flipped, so that the sanitizers see all the code of a game.
#pragma once

#include "core/game.h"

void drive_match(const glaux::Game& game, glaux::Rng& rng);
