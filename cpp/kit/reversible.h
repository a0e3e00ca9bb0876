// The reversible moves since the last irreversible one, for rules about repetition.
//
// In a game where a capture makes all the earlier positions impossible, a position can only repeat
// one since the last capture. This keeps the moves since then, in the order played, as pairs of
// cells: exact, where a set of hashes is not, and it can be turned by a symmetry and printed.
// The players move by turns. A pass is a move from cell 0 to itself, so that it changes nothing. No run is
// longer than the capacity: the rules end the match then, or forget the oldest move.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/board.h"
#include "core/errors.h"
#include "kit/text.h"

namespace glaux {

template <int Capacity>
struct ReversibleMoves {
  static_assert(0 < Capacity && Capacity < 256);
  static constexpr int capacity = Capacity;

  struct Move {
    std::uint8_t from, to;
  };
  Move moves[Capacity];  // all zero from `count` on, so that equal runs have equal bytes
  std::uint8_t count;

  bool full() const { return count == Capacity; }

  void add(int from, int to) {
    assert(!full());
    moves[count++] = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)};
  }

  // Makes room for a move at the end of a full run.
  void forget_oldest() {
    std::memmove(moves, moves + 1, (Capacity - 1) * sizeof(Move));
    moves[--count] = {0, 0};
  }

  void clear() {
    std::memset(moves, 0, count * sizeof(Move));
    count = 0;
  }

  // How often the position after the first `length` moves has been there before with the same player to
  // move, counted up to `most`, 1 or more. Walks back and keeps the difference of each player's stones to
  // that position; same(i) says whether what stands on the same cells after i moves is the same, too.
  template <class Set, class Same>
  int returns(int length, int most, Same&& same) const {
    Set last_mover{}, other{};
    int found = 0;
    for (int i = length; i >= 2; i -= 2) {
      last_mover ^= Set::of(moves[i - 1].from) ^ Set::of(moves[i - 1].to);
      other ^= Set::of(moves[i - 2].from) ^ Set::of(moves[i - 2].to);
      if ((last_mover | other).none() && same(i - 2) && ++found == most) break;
    }
    return found;
  }

  // It has, so many times or more.
  template <class Set>
  bool repeats(int length, int times = 1) const {
    return returns<Set>(length, times, [](int) { return true; }) == times;
  }

  void permute(const CellMap& map) {
    for (int i = 0; i < count; ++i) {
      if (moves[i].from == moves[i].to) continue;
      moves[i] = {static_cast<std::uint8_t>(map[moves[i].from]), static_cast<std::uint8_t>(map[moves[i].to])};
    }
  }

  // "a1b2,pass,c3c4", or "-" for none. The board, or whoever else numbers the cells, knows their names.
  template <class Names>
  std::string text(const Names& board) const {
    if (count == 0) return "-";
    std::string text;
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += ',';
      const auto [from, to] = moves[i];
      text += from == to ? "pass" : board.cell_text(from) + board.cell_text(to);
    }
    return text;
  }

  template <class Names>
  static ReversibleMoves parse(std::string_view text, const Names& board) {
    ReversibleMoves result{};
    if (text == "-") return result;
    for_each_word(text, [&](std::string_view move) {
      const std::size_t middle = std::min(move.find_first_of("abcdefghijklmnopqrstuvwxyz", 1), move.size());
      const auto from = board.parse_cell(move.substr(0, middle)), to = board.parse_cell(move.substr(middle));
      const bool pass = move == "pass";
      if (!pass && (!from || !to || from == to)) {
        throw InvalidState("'" + std::string(move) + "' in the moves since the last capture is not a move.");
      }
      if (result.full()) {
        throw InvalidState("There are more than " + std::to_string(Capacity) +
                           " moves since the last capture.");
      }
      result.add(pass ? 0 : *from, pass ? 0 : *to);
    });
    return result;
  }

  // Throws InvalidState unless these moves can have led to the stones, with `player` to move now:
  // each one goes to a cell that its player holds afterwards from one that is empty, or is a pass; none
  // before the last brings so many repetitions, and legal(stones before, player, from, to) holds for all.
  template <class Set, class Legal>
  void validate(const Set (&stones)[2], int player, int cells, Legal&& legal, int repetitions = 1) const {
    bool clean = count <= Capacity;
    for (int i = 0; clean && i < count; ++i) clean = moves[i].from < cells && moves[i].to < cells;
    for (int i = count; i < Capacity; ++i) clean = clean && moves[i].from == 0 && moves[i].to == 0;
    if (!clean) throw InvalidState("The moves since the last capture are not valid in these bytes.");
    Set before[2] = {stones[0], stones[1]};
    for (int i = count - 1; i >= 0; --i) {
      player ^= 1;
      const int from = moves[i].from, to = moves[i].to;
      const bool pass = from == 0 && to == 0;
      bool possible = pass || (from < cells && to < cells && before[player].test(to) &&
                               !before[0].test(from) && !before[1].test(from));
      if (possible) {
        before[player] ^= Set::of(from) ^ Set::of(to);
        possible = legal(before, player, from, to);
      }
      if (!possible) throw InvalidState("The moves since the last capture do not lead to this board.");
    }
    for (int length = 0; length < count; ++length) {
      if (repeats<Set>(length, repetitions)) {
        throw InvalidState(
            "The moves since the last capture continue after a repetition that ends the match.");
      }
    }
  }

  // Throws InvalidState unless a match with so many captures can have come to this ply: every ply
  // but the captures is a move of some run, and a run that a capture ends is shorter than the limit. A
  // full run can have been longer where that is not the end.
  void validate_ply(int ply, int captures, int limit = Capacity) const {
    const int low = captures + count, high = captures * limit + (limit > Capacity ? limit : count);
    if (ply < low || ply > high) {
      throw InvalidState("The ply must be between " + std::to_string(low) + " and " + std::to_string(high) +
                         " with this number of captures and of moves since the last one.");
    }
  }
};

}  // namespace glaux
