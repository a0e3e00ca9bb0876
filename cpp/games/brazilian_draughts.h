// Brazilian draughts: the international rules on 8 x 8 cells. The rules are in kit/draughts.h.
#pragma once

#include "kit/draughts_entry.h"

namespace glaux {

inline GameEntry brazilian_draughts_entry() {
  return draughts_entry("brazilian_draughts", "Brazilian draughts", 8);
}

}  // namespace glaux
