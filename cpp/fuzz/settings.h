// Every game at several settings, each of which a number chooses.
#pragma once

#include "core/game.h"

namespace glaux::fuzz {

using SettingKey = std::uint16_t;

struct Setting {
  std::string text;  // "hex:size=7"
  SettingKey key;    // follows from the text
  GamePointer game;
};

// Ascending by their keys: the defaults of each game, with mobility and without, and its parameters at their
// ends and in between.
const std::vector<Setting>& settings();

// Any number chooses one: that with the next key. A new game changes the meaning of few numbers, so that
// inputs that are kept stay of use.
const Setting& setting_of(SettingKey number);

}  // namespace glaux::fuzz
