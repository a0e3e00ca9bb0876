// The text of a state: the same form in every game, on one line, so that it fits a shell, a link
// and a log.
//
//   ......../......../......../...OX.../...XO.../......../......../........ X 0
//
// First the rows from the top, separated by '/', each cell as the symbol of its code (one that is
// absent from the board is left out); then the player to move (X the first, O the second); then the ply; then
// what else the game remembers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/board.h"

namespace glaux {

// Writes the common part; a game appends its own fields, each after one space.
std::string format_state(const Board& board, const std::vector<std::string>& symbols,
                         const std::uint8_t* codes, bool first_player, int ply);

// The common part of a state's text, taken apart. Throws InvalidState with a sentence.
struct StateText {
  StateText(std::string_view text, const Board& board, const std::vector<std::string>& symbols,
            int max_plies);

  std::vector<std::uint8_t> codes;  // one for each cell of the board
  bool first_player = true;
  int ply = 0;
  std::vector<std::string> extra;  // the game's own fields

  // Throws InvalidState unless the game's own fields number `count`.
  void expect_extra(std::size_t count) const;
  // Throws InvalidState unless it is the first player's move at an even ply, and the second's at an odd one.
  void expect_first_at_even_plies() const;
};

// The number that a whole text is, from 0 to `most`; nothing if it is none of those.
std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t most, int base = 10);

std::string hexadecimal(std::uint64_t number);

// Calls f(word) for each of the words of a text that are separated by commas.
template <class F>
void for_each_word(std::string_view text, F&& f) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    f(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace glaux
