// Canadian draughts: the international rules on 12 x 12 cells. The rules are in kit/draughts.h.
#pragma once

#include "kit/draughts_entry.h"

namespace glaux {

inline GameEntry canadian_draughts_entry() {
  return draughts_entry("canadian_draughts", "Canadian draughts", 12);
}

}  // namespace glaux
