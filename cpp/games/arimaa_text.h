// Actions as people write them in Arimaa: "Ra1" a placement, "Ra2n" a step, "dd5n,Ed4n" a push, "Ed4n,dd3n" a
// pull. The pieces of the first player are capitals. And the numbers in the text of a state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/board.h"
#include "core/errors.h"
#include "games/arimaa_board.h"
#include "kit/text.h"

namespace glaux::arimaa {

inline std::string placement_text(int side, int kind, const std::string& cell) {
  const char letter = "rcdhme"[kind];
  return std::string(1, side == 0 ? static_cast<char>(letter - 'a' + 'A') : letter).append(cell);
}

inline std::string step_text(const Pieces& pieces, int from, int d, const Board& board) {
  std::string text = placement_text(pieces.side_at(from), pieces.kind_at(from), board.cell_text(from));
  text.push_back("nesw"[d]);
  return text;
}

inline std::string action_text(const Pieces& pieces, Action action, const Board& board) {
  if (action == pass) return "pass";
  const auto [from, d, e] = parts(action);
  std::string own = step_text(pieces, from, d, board);
  if (action < pushes) return own;
  if (action < pulls) return step_text(pieces, from + step_of[d], e, board).append(",").append(own);
  return own.append(",").append(step_text(pieces, from + step_of[e], opposite(e), board));
}

// The number that a text is; InvalidState with the words for it if it is none.
inline std::uint64_t number(std::string_view text, int base, std::uint64_t most, const char* what) {
  if (const auto value = parse_number(text, most, base)) return *value;
  throw InvalidState(std::string("'").append(text).append("' is not a ").append(what).append("."));
}

}  // namespace glaux::arimaa
