// The games there are, by name. cpp/games/CMakeLists.txt has one line for each.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/game.h"

namespace glaux {

struct GameEntry {
  GameInfo info;
  std::function<GamePointer(const GameInfo&, const Parameters&)> make;  // InvalidParameter
};

// In the order of the list.
const std::vector<GameEntry>& registry();

// Whether states of one are states of the other: the same game, but for its start and its planes.
bool same_states(const Spec& a, const Spec& b);

// Fills in defaults and checks names and ranges. InvalidParameter.
GamePointer make_game(std::string_view name, const Parameters& parameters);

}  // namespace glaux
