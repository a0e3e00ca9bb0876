// The 2 x 2 x 2 Rubik's Cube, a game of one player: kit/rubik.h has the rules.
#pragma once

#include "kit/rubik.h"

namespace glaux {

inline GameEntry rubik2_entry() {
  return {{"rubik2", "Rubik's Cube 2x2x2", "Twist the faces until each of them has a single colour.",
           rubik_parameters(6, 20)},
          adapt<Rubik<2>>};
}

}  // namespace glaux
