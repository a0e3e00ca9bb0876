// What rules say of the end of a match: who has won, and whether the result that a state carries is its own.
#pragma once

#include "core/errors.h"
#include "core/game.h"

namespace glaux {

// Won or lost by the player with this number.
constexpr Result win_of(int player) {
  return player == 0 ? 1 : -1;
}
constexpr Result loss_of(int player) {
  return win_of(1 - player);
}

// Won by who has more.
constexpr Result win_of_more(int first, int second) {
  return static_cast<Result>((first > second) - (first < second));
}

// Throws InvalidState unless the result in the bytes of a state is the one that its board has.
inline void expect_result(Result in_bytes, Result of_board) {
  if (in_bytes != of_board) throw InvalidState("The result in these bytes does not match the board.");
}

}  // namespace glaux
