// A match of Xiangqi as a list of pieces, in which random moves are cheap.
//
// Every piece has as many tickets as its kind has ways to go: a rook or a cannon one for each other cell of
// its row and column, a horse eight, and so on. A ticket is drawn; if its way is open, no own piece stands at
// its end and the general is safe afterwards, it is played, otherwise another one is drawn. So every legal
// move is equally likely, and no list of moves is made: about one ticket in three is a move.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/rng.h"
#include "games/xiangqi_board.h"
#include "kit/reversible.h"

namespace glaux::xiangqi {

class Playout {
 public:
  using Run = ReversibleMoves<200>;

  // With `taking` there is no check: a general can be taken, but the two never face each other.
  Playout(const Pieces& pieces, const Run& run, int player, bool taking)
      : player_(player), taking_(taking), run_(run) {
    std::fill_n(cell_, 32, std::uint8_t{nowhere});
    int next[2][kinds];
    for (int p : {0, 1}) {
      for (int kind = 0, id = 16 * p; kind < kinds; id += pieces_each[kind++]) next[p][kind] = id;
    }
    pieces.occupied().for_each([&](int cell) {
      const int code = pieces.at(cell);
      const int id = next[owner_of(code)][kind_of(code)]++;
      at_[cell] = static_cast<std::uint8_t>(id + 1);
      cell_[id] = static_cast<std::uint8_t>(cell);
      fill(cell);
      hash_ ^= code_hash(id, cell);
    });
    for (int p : {0, 1}) deal_tickets(p);
    remember_run();
  }

  // Plays one of the legal moves, each as likely as the others. False if none was found in a while.
  bool random_move(Rng& rng) {
    for (int attempt = 0; attempt < 64; ++attempt) {
      const Ticket ticket = tickets_[player_][rng.below(ticket_count_[player_])];
      const int kind = kind_of_id(ticket.id), from = cell_[ticket.id];
      int to;
      if (kind == rook || kind == cannon) {
        to = way_of_line(from, ticket.way);
        const unsigned between = pieces_between(from, to);
        // A cannon captures over one piece. What it meets without one, or a rook behind one, is out of reach.
        const bool over_one = kind == cannon && at_[to] != 0;
        if (over_one ? !std::has_single_bit(between) : between != 0) continue;
      } else {
        const Leap leap = tables.leaps[player_][kind][from][ticket.way];
        to = leap.to;
        if (to == nowhere || at_[leap.over] != 0) continue;
      }
      if (at_[to] != 0 && owner(at_[to] - 1) == player_) continue;
      if (try_move(from, to)) return true;
    }
    return false;
  }

  // Plays a legal move.
  void move(int from, int to) { try_move(from, to); }

  // The kind of the piece that the last move has taken, or -1.
  int taken() const { return taken_; }

  // Whether the position can have been there so many times before with the same player to move. Positions are
  // counted by a hash: this may be wrong, but only by saying yes.
  bool may_have_been_there(int times) const { return seen_[bucket()] > times; }

  Pieces pieces() const {
    Pieces pieces{};
    for (int cell = 0; cell < cells; ++cell) {
      if (at_[cell] != 0) pieces.put(cell, code_of(owner(at_[cell] - 1), kind_of_id(at_[cell] - 1)));
    }
    return pieces;
  }
  const Run& run() const { return run_; }

 private:
  struct Ticket {
    std::uint8_t id, way;
  };
  static constexpr int buckets = 1024;

  static int owner(int id) { return id >> 4; }
  static int kind_of_id(int id) {
    constexpr std::uint8_t kind[16] = {general, advisor, advisor, elephant, elephant, horse,
                                       horse,   rook,    rook,    cannon,   cannon,   soldier,
                                       soldier, soldier, soldier, soldier};
    return kind[id & 15];
  }

  // The other cells of a cell's row, then those of its column.
  static int way_of_line(int from, int way) {
    const int row = from / columns, column = from % columns;
    if (way < columns - 1) return from - column + way + (way >= column);
    const int other = way - (columns - 1);
    return (other + (other >= row)) * columns + column;
  }

  // The occupied cells between two of one row or column, as bits.
  unsigned pieces_between(int a, int b) const {
    const int row_a = a / columns, row_b = b / columns, column_a = a % columns, column_b = b % columns;
    return row_a == row_b ? between(column_a, column_b) & row_[row_a]
                          : between(row_a, row_b) & column_[column_a];
  }
  static unsigned between(int a, int b) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    return (1u << high) - (2u << low);
  }

  void fill(int cell) {
    row_[cell / columns] |= static_cast<std::uint16_t>(1 << cell % columns);
    column_[cell % columns] |= static_cast<std::uint16_t>(1 << cell / columns);
  }
  void empty(int cell) {
    row_[cell / columns] &= static_cast<std::uint16_t>(~(1 << cell % columns));
    column_[cell % columns] &= static_cast<std::uint16_t>(~(1 << cell / columns));
  }

  // Moves a piece, unless that leaves its general attacked; then nothing has changed.
  [[gnu::always_inline]] bool try_move(int from, int to) {
    const int id = at_[from] - 1, victim = at_[to] - 1;
    at_[from] = 0;
    at_[to] = static_cast<std::uint8_t>(id + 1);
    cell_[id] = static_cast<std::uint8_t>(to);
    empty(from);
    fill(to);
    if (victim >= 0) cell_[victim] = nowhere;
    if (general_is_exposed()) {
      at_[from] = static_cast<std::uint8_t>(id + 1);
      at_[to] = static_cast<std::uint8_t>(victim + 1);
      cell_[id] = static_cast<std::uint8_t>(from);
      fill(from);
      if (victim < 0) {
        empty(to);
      } else {
        cell_[victim] = static_cast<std::uint8_t>(to);
      }
      return false;
    }
    hash_ ^= code_hash(id, from) ^ code_hash(id, to);
    taken_ = -1;
    if (victim >= 0) {
      hash_ ^= code_hash(victim, to);
      taken_ = kind_of_id(victim);
      deal_tickets(1 - player_);
    }
    if (victim >= 0 || cannot_be_undone(kind_of_id(id), from, to)) {
      run_.clear();
      std::memset(seen_, 0, sizeof seen_);
    } else if (!run_.full()) {
      run_.add(from, to);
    }
    player_ ^= 1;
    ++seen_[bucket()];
    return true;
  }

  // The general of the player to move stands where the opponent could take it.
  [[gnu::always_inline]] bool general_is_exposed() const {
    const int mine = 16 * player_, theirs = 16 - mine, cell = cell_[mine];
    const int row = cell / columns, column = cell % columns;
    const auto lines_up = [&](int id) {
      return cell_[id] < nowhere && (cell_[id] / columns == row || cell_[id] % columns == column);
    };
    if (lines_up(theirs) && pieces_between(cell, cell_[theirs]) == 0) return true;
    if (taking_) return false;
    for (int id = theirs + 7; id < theirs + 9; ++id) {
      if (lines_up(id) && pieces_between(cell, cell_[id]) == 0) return true;
    }
    for (int id = theirs + 9; id < theirs + 11; ++id) {
      if (lines_up(id) && std::has_single_bit(pieces_between(cell, cell_[id]))) return true;
    }
    for (int id = theirs + 5; id < theirs + 7; ++id) {
      if (cell_[id] < nowhere && tables.leg[cell][cell_[id]] != nowhere &&
          at_[tables.leg[cell][cell_[id]]] == 0) {
        return true;
      }
    }
    for (int id = theirs + 11; id < theirs + 16; ++id) {
      if (cell_[id] < nowhere && tables.soldier_zone[player_][cell].test(cell_[id])) return true;
    }
    return false;
  }

  void deal_tickets(int player) {
    constexpr int ways[kinds] = {4, 4, 4, 8, 17, 17, 3};
    std::uint32_t n = 0;
    for (int id = 16 * player; id < 16 * player + 16; ++id) {
      if (cell_[id] == nowhere) continue;
      for (int way = 0; way < ways[kind_of_id(id)]; ++way) {
        tickets_[player][n++] = {static_cast<std::uint8_t>(id), static_cast<std::uint8_t>(way)};
      }
    }
    ticket_count_[player] = n;
  }

  // Counts the position and those before it in the run.
  void remember_run() {
    std::uint8_t at[cells];
    std::memcpy(at, at_, cells);
    std::uint32_t hash = hash_;
    ++seen_[hash % buckets];
    for (int i = run_.count - 1; i >= 0; --i) {
      const auto [from, to] = run_.moves[i];
      hash ^= code_hash(at[to] - 1, from) ^ code_hash(at[to] - 1, to);
      at[from] = at[to];
      at[to] = 0;
      ++seen_[hash % buckets];
    }
  }

  // A number for what stands on a cell; equal pieces have equal ones.
  static std::uint32_t code_hash(int id, int cell) {
    const auto what = static_cast<std::uint64_t>(cells * code_of(owner(id), kind_of_id(id)) + cell + 1);
    return static_cast<std::uint32_t>(what * 0x9e3779b97f4a7c15ULL >> 32);
  }
  std::size_t bucket() const { return hash_ % buckets; }

  int player_;
  bool taking_;
  int taken_ = -1;
  std::uint8_t at_[cells + 1] = {};  // the number of the piece on a cell + 1, 0 for none; so, too, nowhere
  std::uint8_t cell_[32];            // of each piece; nowhere if it is not on the board
  std::uint16_t row_[rows] = {}, column_[columns] = {};  // which cells of a line are occupied
  Ticket tickets_[2][4 * 17 + 2 * 8 + 5 * 4 + 5 * 3];
  std::uint32_t ticket_count_[2];
  Run run_;
  std::uint32_t hash_ = 0;
  std::uint8_t seen_[buckets] = {};  // positions of the run by their hash
};

}  // namespace glaux::xiangqi
