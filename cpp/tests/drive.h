// Everything that can be called on a state that validate() accepts, with checks of all that holds whatever
// the rules are. The native tests call it at every ply of random matches, the fuzz targets (cpp/fuzz) on
// whatever they find, both under sanitizers.
#pragma once

#include "core/game.h"

// Whether validate() accepts the bytes.
bool accepts(const glaux::Game& game, const std::byte* state);

// Every call that takes a state: measures, actions, cells, planes, texts, a symmetry, and one action.
void use_state(const glaux::Game& game, const std::byte* state, glaux::Rng& rng);

// Also what takes longer: all the children, and a random match from here to its end.
void use_to_the_end(const glaux::Game& game, const std::byte* state, glaux::Rng& rng);

// A random match, used to the end at every ply, with a mutation of its text and a flipped bit.
void drive_match(const glaux::Game& game, glaux::Rng& rng);
