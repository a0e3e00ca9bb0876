// How draughts is played on a board of N x N cells: who can jump, who must, what a move does, and when a
// match is over. The rules in words, and what people see of a match, are in draughts.h.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/rules.h"
#include "kit/draughts_board.h"
#include "kit/results.h"
#include "kit/reversible.h"

namespace glaux {

template <int Size>
class DraughtsPlay {
 public:
  using Geometry = DraughtsBoard<Size>;
  using Set = typename Geometry::Set;
  static constexpr int run_limit = 50;
  static constexpr int squares = Geometry::squares;
  static constexpr int pieces_each = Size / 2 * (Size - 2) / 2;
  static constexpr int most_actions = pieces_each * (2 * Size - 3);
  static constexpr std::uint8_t nobody = 255;
  static constexpr int three_pieces = 32, fewer_pieces = 10;  // plies of the endings of a lone king

  struct State {
    Set stones[2];      // men and kings of the first and the second player
    Set kings;          // of both
    Set taken;          // in the capture that is under way
    std::uint16_t ply;  // actions
    ReversibleMoves<run_limit> run;
    std::uint8_t player;  // to act: 0 the first, 1 the second
    std::uint8_t jumper;  // the piece that has to go on with its capture, or nobody
    std::uint8_t ending;  // plies since one of the endings that are soon drawn has begun
    Result result;
    std::uint8_t unused[5];
  };

  explicit DraughtsPlay(bool olympiad) : olympiad_(olympiad) {}

  const Geometry& geometry() const { return map_; }

  int actions(const State& s, Action* out) const {
    Jump jumps[most_actions];
    int n = longest_jumps(s, jumps);
    if (n > 0) {
      for (int i = 0; i < n; ++i) out[i] = action(jumps[i].from, jumps[i].to);
      std::sort(out, out + n);
      return n;
    }
    const Set own = s.stones[s.player], occupied = obstacles(s), free = map_.all() & ~occupied;
    own.for_each([&](int from) {
      const Set targets =
          s.kings.test(from) ? map_.flights(from, occupied) : advances(Set::of(from), s.player) & free;
      targets.for_each([&](int to) { out[n++] = action(from, to); });
    });
    return n;
  }

  // As random actions by apply() in a loop; that a player has no move is noticed when one is wanted.
  void playout(State& s, Rng& rng) const {
    Jump jumps[most_actions];
    while (s.result == ongoing) {
      if (const int n = longest_jumps(s, jumps); n > 0) {
        const Jump& jump = jumps[n == 1 ? 0 : below(rng, n)];
        capture(s, jump.from, jump.to, jump.taken);
      } else if (!random_move(s, rng)) {
        s.result = loss_of(s.player);
      }
    }
  }

  void apply(State& s, Action action) const {
    const int from = map_.bit(action / squares), to = map_.bit(action % squares);
    if (const Set taken = map_.between(from, to, s.stones[1 - s.player]); taken.any()) {
      capture(s, from, to, taken.first());
    } else {
      move(s, from, to);
    }
    if (s.result == ongoing && s.jumper == nobody && !can_move(s)) s.result = loss_of(s.player);
  }

  // The result of a state without its field of that name.
  Result result_of(const State& s) const {
    if (s.jumper != nobody) return ongoing;
    if (!can_move(s)) return loss_of(s.player);
    return drawn(s) ? Result{0} : ongoing;
  }

  // After how many plies the ending that is on the board is drawn; -1 if it is none of them.
  [[gnu::always_inline]] int ending_limit(const State& s) const {
    if ((s.stones[0] | s.stones[1]).count() > 4) return -1;
    for (int lone = 0; lone < 2; ++lone) {
      const Set &one = s.stones[lone], &others = s.stones[1 - lone];
      if (one.count() != 1 || (one & s.kings).none() || (others & s.kings).none()) continue;
      if (others.count() == 3) return three_pieces;
      if (!olympiad_) return fewer_pieces;
      if ((others & ~s.kings).none()) return 0;
    }
    return -1;
  }

  // The pieces that stand in the way.
  static Set obstacles(const State& s) { return s.stones[0] | s.stones[1] | s.taken; }

  // How many times a position may have occurred before; then the match is drawn.
  int earlier_occurrences() const { return olympiad_ ? 3 : 2; }

 private:
  struct Jump {
    std::uint8_t from, to, taken;
  };

  static int below(Rng& rng, int n) { return static_cast<int>(rng.below(static_cast<std::uint32_t>(n))); }
  Action action(int from, int to) const { return map_.square(from) * squares + map_.square(to); }

  // The squares one step ahead of men, to the left and to the right.
  template <bool Right>
  static Set advances(const Set& men, int player) {
    return player == 0 ? Geometry::template step<Right ? 1 : 0>(men)
                       : Geometry::template step<Right ? 3 : 2>(men);
  }
  static Set advances(const Set& men, int player) {
    return advances<false>(men, player) | advances<true>(men, player);
  }

  // The jumps that begin, or go on with, a capture of the most pieces; returns how many.
  [[gnu::always_inline]] int longest_jumps(const State& s, Jump* out) const {
    const Set own = s.stones[s.player], enemy = s.stones[1 - s.player], occupied = obstacles(s);
    const Set kings = own & s.kings;
    const Set pieces = s.jumper != nobody
                           ? Set::of(s.jumper)
                           : kings | Geometry::jumpers(own ^ kings, enemy, map_.all() & ~occupied);
    if (pieces.none()) return 0;
    int n = 0;
    pieces.for_each([&](int from) {
      map_.for_each_jump(from, kings.test(from), enemy, occupied ^ Set::of(from),
                         [&](const Set& landings, int taken) {
                           landings.for_each([&](int to) {
                             out[n++] = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
                                         static_cast<std::uint8_t>(taken)};
                           });
                         });
    });
    return n < 2 ? n : keep_longest(s, out, n);
  }

  int keep_longest(const State& s, Jump* jumps, int n) const {
    const Set enemy = s.stones[1 - s.player], occupied = obstacles(s);
    int best = 0, kept = 0;
    for (int i = 0; i < n; ++i) {
      const Jump jump = jumps[i];
      const int more = map_.longest(jump.to, s.kings.test(jump.from), enemy ^ Set::of(jump.taken),
                                    occupied ^ Set::of(jump.from));
      if (more > best) {
        best = more;
        kept = 0;
      }
      if (more == best) jumps[kept++] = jump;
    }
    return kept;
  }

  // Uniform over the moves without a capture; false if there is none.
  [[gnu::always_inline]] bool random_move(State& s, Rng& rng) const {
    const Set own = s.stones[s.player], occupied = obstacles(s), free = map_.all() & ~occupied;
    const Set kings = own & s.kings, men = own ^ kings;
    const Set left = advances<false>(men, s.player) & free, right = advances<true>(men, s.player) & free;
    const int lefts = left.count(), rights = right.count();
    int total = lefts + rights;
    kings.for_each([&](int from) { total += map_.flights(from, occupied).count(); });
    if (total == 0) return false;
    int choice = below(rng, total);
    if (choice < lefts) {
      const Set to = Set::of(left.nth(choice));
      move(s, (s.player == 0 ? Geometry::template step<3>(to) : Geometry::template step<1>(to)).first(),
           to.first());
      return true;
    }
    choice -= lefts;
    if (choice < rights) {
      const Set to = Set::of(right.nth(choice));
      move(s, (s.player == 0 ? Geometry::template step<2>(to) : Geometry::template step<0>(to)).first(),
           to.first());
      return true;
    }
    choice -= rights;
    for (Set rest = kings;; rest ^= rest.lowest()) {
      const int from = rest.first();
      const Set targets = map_.flights(from, occupied);
      if (choice < targets.count()) {
        move(s, from, targets.nth(choice));
        return true;
      }
      choice -= targets.count();
    }
  }

  // A king whose neighbours all are occupied can move only over one of them, as a man would.
  bool can_move(const State& s) const {
    const Set own = s.stones[s.player], enemy = s.stones[1 - s.player], free = map_.all() & ~obstacles(s);
    const Set kings = own & s.kings;
    if (((advances(own ^ kings, s.player) | advances(kings, 0) | advances(kings, 1)) & free).any())
      return true;
    return Geometry::jumpers(own, enemy, free).any();
  }

  // Plays a legal move without a capture.
  [[gnu::always_inline]] void move(State& s, int from, int to) const {
    const int limit = ending_limit(s);
    s.stones[s.player] ^= Set::of(from) ^ Set::of(to);
    if (s.kings.test(from)) {
      s.kings ^= Set::of(from) ^ Set::of(to);
      s.run.add(from, to);
    } else {
      s.run.clear();
      promote(s, to);
    }
    ++s.ply;
    s.ending = static_cast<std::uint8_t>(limit < 0 ? 0 : s.ending + 1);
    end_turn(s);
  }

  // Plays a legal jump, and ends the turn unless it goes on.
  [[gnu::always_inline]] void capture(State& s, int from, int to, int taken) const {
    const bool king = s.kings.test(from);
    s.run.clear();
    s.ending = 0;
    s.stones[s.player] ^= Set::of(from) ^ Set::of(to);
    if (king) s.kings ^= Set::of(from) ^ Set::of(to);
    s.stones[1 - s.player].flip(taken);
    s.kings.reset(taken);
    s.taken.set(taken);
    ++s.ply;
    if (map_.can_jump(to, king, s.stones[1 - s.player], obstacles(s) ^ Set::of(to))) {
      s.jumper = static_cast<std::uint8_t>(to);
      return;
    }
    s.taken = {};
    s.jumper = nobody;
    if (!king) promote(s, to);
    end_turn(s);
  }

  void promote(State& s, int to) const {
    if (map_.row(s.player == 0 ? 0 : Size - 1).test(to)) s.kings.set(to);
  }

  [[gnu::always_inline]] void end_turn(State& s) const {
    s.player ^= 1;
    if (drawn(s)) s.result = can_move(s) ? Result{0} : loss_of(s.player);
  }

  bool drawn(const State& s) const {
    const int limit = ending_limit(s);
    return s.run.full() || (limit >= 0 && s.ending >= limit) ||
           s.run.template repeats<Set>(s.run.count, earlier_occurrences());
  }

  bool olympiad_;
  Geometry map_;
};

}  // namespace glaux
