// The 3 x 3 x 3 Rubik's Cube, a game of one player: kit/rubik.h has the rules.
#pragma once

#include "kit/rubik.h"

namespace glaux {

inline GameEntry rubik3_entry() {
  return {{"rubik3", "Rubik's Cube 3x3x3", "Twist the faces until each of them has a single colour.",
           rubik_parameters(4, 40)},
          adapt<Rubik<3>>};
}

}  // namespace glaux
