// The reversible moves since the last irreversible one, for rules about repetition.
//
// In a game where a capture makes all the earlier positions impossible, a position can only repeat
// one since the last capture. This keeps the moves since then, in the order played, as pairs of
// cells: exact, where a set of hashes is not, and it can be turned by a symmetry and printed.
// The players move by turns, and no run is longer than the capacity: the rules end the match then.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/board.h"
#include "core/errors.h"

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

  void clear() {
    std::memset(moves, 0, count * sizeof(Move));
    count = 0;
  }

  // The position after the first `length` moves has occurred before, with the same player to move.
  // Walks back and keeps the difference of each player's stones to that position.
  template <class Set>
  bool repeats(int length) const {
    Set last_mover{}, other{};
    for (int i = length; i >= 2; i -= 2) {
      last_mover ^= Set::of(moves[i - 1].from) ^ Set::of(moves[i - 1].to);
      other ^= Set::of(moves[i - 2].from) ^ Set::of(moves[i - 2].to);
      if ((last_mover | other).none()) return true;
    }
    return false;
  }

  void permute(const CellMap& map) {
    for (int i = 0; i < count; ++i) {
      moves[i] = {static_cast<std::uint8_t>(map[moves[i].from]), static_cast<std::uint8_t>(map[moves[i].to])};
    }
  }

  // "a1b2,c3c4", or "-" for none.
  std::string text(const Board& board) const {
    if (count == 0) return "-";
    std::string text;
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += ',';
      text += board.cell_text(moves[i].from);
      text += board.cell_text(moves[i].to);
    }
    return text;
  }

  static ReversibleMoves parse(std::string_view text, const Board& board) {
    ReversibleMoves result{};
    if (text == "-") return result;
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find(',', start), text.size());
      const std::string_view move = text.substr(start, end - start);
      const std::size_t middle = std::min(move.find_first_of("abcdefghijklmnopqrstuvwxyz", 1), move.size());
      const auto from = board.parse_cell(move.substr(0, middle)), to = board.parse_cell(move.substr(middle));
      if (!from || !to) {
        throw InvalidState("'" + std::string(move) + "' in the moves since the last capture is not a move.");
      }
      if (result.full()) {
        throw InvalidState("There are more than " + std::to_string(Capacity) +
                           " moves since the last capture.");
      }
      result.add(*from, *to);
      start = end + 1;
    }
    return result;
  }

  // Throws InvalidState unless these moves can have led to the stones, with `player` to move now:
  // each one goes to a cell that its player holds afterwards from one that is empty, none before
  // the last brings a repetition, and legal(stones before, player, from, to) holds for all.
  template <class Set, class Legal>
  void validate(const Set (&stones)[2], int player, int cells, Legal&& legal) const {
    bool clean = count <= Capacity;
    for (int i = count; i < Capacity; ++i) clean = clean && moves[i].from == 0 && moves[i].to == 0;
    if (!clean) throw InvalidState("The bytes of the moves since the last capture are not such moves.");
    Set before[2] = {stones[0], stones[1]};
    for (int i = count - 1; i >= 0; --i) {
      player ^= 1;
      const int from = moves[i].from, to = moves[i].to;
      bool possible = from < cells && to < cells && before[player].test(to) && !before[0].test(from) &&
                      !before[1].test(from);
      if (possible) {
        before[player].flip(from);
        before[player].flip(to);
        possible = legal(before, player, from, to);
      }
      if (!possible) throw InvalidState("The moves since the last capture do not lead to this board.");
    }
    for (int length = 0; length < count; ++length) {
      if (repeats<Set>(length)) {
        throw InvalidState("The moves since the last capture go on after a repetition.");
      }
    }
  }

  // Throws InvalidState unless a match with so many captures can have come to this ply: every ply
  // but the captures is a move of some run, and a run that a capture ends is not full.
  void validate_ply(int ply, int captures) const {
    const int low = captures + count, high = captures * Capacity + count;
    if (ply < low || ply > high) {
      throw InvalidState("The ply must be between " + std::to_string(low) + " and " + std::to_string(high) +
                         " for so many captures and moves since the last one.");
    }
  }
};

}  // namespace glaux
