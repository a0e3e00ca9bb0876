// The draughts of the registry, which differ in their names and in the size of the board that they mean.
#pragma once

#include <string>

#include "core/registry.h"

namespace glaux {

GameEntry draughts_entry(std::string name, std::string title, int size);

}  // namespace glaux
