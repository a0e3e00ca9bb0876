// International draughts on 10 x 10 cells. The rules are in kit/draughts.h.
#pragma once

#include "kit/draughts_entry.h"

namespace glaux {

inline GameEntry international_draughts_entry() {
  return draughts_entry("international_draughts", "International draughts", 10);
}

}  // namespace glaux
