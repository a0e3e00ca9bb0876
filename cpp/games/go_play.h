// How Go is played: actions, superko, random matches, and how a match ends. The rules in words, and what
// people see of a match, are in go.h.
//
// What superko needs to know is the whole match: a position that differs in a single stone can come back, and
// no capture rules it out (docs/decisions/0080-superko.md). So the state has its actions, a byte each, and
// the position before them, which is the empty board unless a position was set up. The positions in
// between come from playing them again. A thread keeps those of the match that it was asked about last,
// because the next question is mostly about a match that has most of its actions in common.
//
// A move adds one stone to its player's and takes none of them. So a former position can only be the next one
// if it has exactly one stone more of the mover, and that is the only move that can repeat it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/rules.h"
#include "games/go_board.h"
#include "kit/bits.h"
#include "kit/chains.h"
#include "kit/past.h"
#include "kit/results.h"

namespace glaux {

// For boards up to MaxSize, and matches up to so many plies.
template <int MaxSize, int MaxPlies>
class GoPlay {
  static constexpr int most_cells = MaxSize * MaxSize;

 public:
  using Set = Bits<(most_cells + 63) / 64>;

  struct State {
    Set stones[2];  // of the first and the second player
    Set start[2];   // the stones before the remembered actions
    Past<(MaxPlies + 7) / 8 * 8, (most_cells > 255)> past;
    std::uint16_t ply;
    std::uint16_t count;  // of the remembered actions, the last ones of the match
    std::int16_t area;    // of a match that is over: the first player's less the second's
    Result result;
    std::uint8_t unused;
  };

  GoPlay(const Board& board, int komi, int max_plies)
      : size_(board.rows),
        cells_(board.cells()),
        komi_(komi),
        max_plies_(max_plies),
        board_(board),
        tables_(board) {}

  const GoBoard<Set>& board() const { return board_; }
  Action pass() const { return cells_; }
  static int player(const State& s) { return s.ply & 1; }
  bool passed(const State& s) const { return s.count > 0 && s.past.at(s.count - 1) == pass(); }

  int actions(const State& s, Action* out) const {
    int n = 0;
    (board_.placements(s.stones, player(s)) & ~forbidden(s)).for_each([&](int cell) { out[n++] = cell; });
    out[n++] = pass();
    return n;
  }

  void apply(State& s, Action action) const {
    if (action != pass()) board_.put(s.stones, player(s), action);
    note(s, action, action == pass() && passed(s));
    if (s.result != ongoing) finish(s);
  }

  // As random actions by apply() in a loop: draws among the empty cells and the pass until it is legal.
  void playout(State& s, Rng& rng) const {
    if (s.result != ongoing) return;
    Replay match(*this, s);
    while (s.result == ongoing) {
      const int empty = match.chains.empty_count();
      const auto choice = static_cast<int>(rng.below(static_cast<std::uint32_t>(empty + 1)));
      if (choice == empty) {
        note(s, pass(), passed(s));
      } else {
        const int place = match.chains.empty_place(choice);
        if (!match.legal(player(s), place)) continue;
        match.play(player(s), place);
        note(s, tables_.cell_of[static_cast<std::size_t>(place)], false);
      }
      if (s.result != ongoing) {
        std::copy_n(match.chains.stones(), 2, s.stones);
        finish(s);
      }
    }
  }

  // The cells on which a stone would bring back a former position.
  Set forbidden(const State& s) const {
    Set found;
    if (s.result != ongoing) return found;
    const auto mover = static_cast<std::size_t>(player(s));
    const Former& former = former_positions(s);
    const int wanted = s.stones[mover].count() + 1;
    for (std::size_t i = 0; i < s.count; ++i) {
      if (former.counts[mover][i] != wanted) continue;
      const Set more = former.stones[i][mover] ^ s.stones[mover];
      if (more.count() != 1 || (more & s.stones[1 - mover]).any()) continue;
      Set next[2] = {s.stones[0], s.stones[1]};
      board_.put(next, player(s), more.first());
      if (next[1 - mover] == former.stones[i][1 - mover]) found.set(more.first());
    }
    return found;
  }

  bool ended(const State& s) const {
    return s.ply == max_plies_ || (s.count > 1 && passed(s) && s.past.at(s.count - 2) == pass());
  }

  // Counts the area of a match that has ended, and says who has won.
  void finish(State& s) const {
    s.area = static_cast<std::int16_t>(board_.area(s.stones));
    s.result = win_of_more(2 * s.area, komi_);
  }

 private:
  // The positions of a match, each with the number of stones of both players.
  struct Former {
    int size = 0, first_mover = 0, count = 0;  // what they were worked out for: the board, and the actions
    decltype(State::past) past{};
    std::array<std::array<Set, 2>, MaxPlies + 1> stones{};
    std::array<std::array<std::uint16_t, MaxPlies + 1>, 2> counts{};

    void note(int i) {
      for (const std::size_t owner : {0, 1}) {
        counts[owner][static_cast<std::size_t>(i)] =
            static_cast<std::uint16_t>(stones[static_cast<std::size_t>(i)][owner].count());
      }
    }
  };

  // The positions before each remembered action. They are right until this thread asks again.
  const Former& former_positions(const State& s) const {
    static thread_local Former former;
    const int first_mover = (s.ply - s.count) & 1;
    const std::array<Set, 2> start{s.start[0], s.start[1]};
    int same = 0;
    if (former.size == size_ && former.first_mover == first_mover && former.stones[0] == start) {
      same = former.past.common(s.past, std::min<int>(former.count, s.count));
    } else {
      former.size = size_;
      former.first_mover = first_mover;
      former.stones[0] = start;
      former.note(0);
    }
    for (int i = same; i < s.count; ++i) {
      Set stones[2];
      std::copy_n(former.stones[static_cast<std::size_t>(i)].begin(), 2, stones);
      if (s.past.at(i) != pass()) board_.put(stones, (first_mover + i) & 1, s.past.at(i));
      std::copy_n(stones, 2, former.stones[static_cast<std::size_t>(i + 1)].begin());
      former.note(i + 1);
    }
    former.past = s.past;
    former.count = s.count;
    return former;
  }

  // The match so far and its positions, for random play.
  struct Replay {
    using Position = std::array<Set, 2>;

    Replay(const GoPlay& rules, const State& s) : chains(rules.tables_) {
      for (const int owner : {0, 1}) {
        s.start[owner].for_each([&](int cell) { chains.play(owner, rules.place(cell)); });
      }
      for (int i = 0; i < s.count; ++i) {
        if (s.past.at(i) != rules.pass()) play((s.ply - s.count + i) & 1, rules.place(s.past.at(i)));
      }
    }

    [[gnu::always_inline]] bool legal(int mover, int place) const {
      const auto [breathes, hash] = chains.prospect(mover, place);
      return breathes && !(filter[hash % bits / 64] >> (hash % 64) & 1 && repeats(mover, place, hash));
    }

    [[gnu::always_inline]] void play(int mover, int place) {
      const std::uint64_t hash = chains.hash();
      filter[hash % bits / 64] |= std::uint64_t{1} << (hash % 64);
      hashes[static_cast<std::size_t>(count)] = hash;
      positions[static_cast<std::size_t>(count++)] = {chains.stones()[0], chains.stones()[1]};
      chains.play(mover, place);
    }

    [[gnu::noinline]] bool repeats(int mover, int place, std::uint64_t hash) const {
      for (int i = 0; i < count; ++i) {
        if (hashes[static_cast<std::size_t>(i)] != hash) continue;
        Set next[2];
        chains.after(mover, place, next);
        if (positions[static_cast<std::size_t>(i)] == Position{next[0], next[1]}) return true;
      }
      return false;
    }

    static constexpr std::size_t bits = 4096;  // a bit for each hash: most of the others are then out at once
    Chains<Set, MaxSize> chains;
    std::array<std::uint64_t, bits / 64> filter{};
    int count = 0;
    std::array<std::uint64_t, MaxPlies> hashes;
    std::array<Position, MaxPlies> positions;
  };

  int place(int cell) const { return tables_.places[static_cast<std::size_t>(cell)]; }

  // The action has been played; `last` if it ends the match.
  [[gnu::always_inline]] void note(State& s, Action action, bool last) const {
    s.past.set(s.count++, action);
    if (++s.ply == max_plies_ || last) s.result = 0;  // over: finish() says how
  }

  int size_, cells_;
  int komi_;  // in half points
  int max_plies_;
  GoBoard<Set> board_;
  ChainTables tables_;
};

}  // namespace glaux
