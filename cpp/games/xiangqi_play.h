// How Xiangqi is played: which moves are legal, random matches, repetition, and how a match ends. The rules
// in words, and what people see of a match, are in xiangqi.h.
#pragma once

#include <cstdint>

#include "core/rules.h"
#include "games/xiangqi_board.h"
#include "games/xiangqi_playout.h"
#include "kit/results.h"
#include "kit/reversible.h"

namespace glaux::xiangqi {

class Play {
 public:
  static constexpr int most_quiet = 200;
  using Run = ReversibleMoves<most_quiet>;

  struct State {
    Pieces pieces;
    std::uint32_t ply;   // even: the first player is to move
    std::uint8_t quiet;  // plies since the last capture; 0 by the Olympiad's rules
    Result result;
    Run run;  // since the last move that cannot be undone
    std::uint8_t unused;
  };

  Play(int limit, bool olympiad) : limit_(limit), olympiad_(olympiad) {}

  static int player(const State& s) { return s.ply & 1; }

  int actions(const State& s, Action* out) const {
    int n = 0;
    any_move(s.pieces, player(s), [&](int from, int to) {
      out[n++] = from * cells + to;
      return false;
    });
    return n;
  }

  void apply(State& s, Action action) const {
    const int from = action / cells, to = action % cells, mover = player(s);
    const int what = s.pieces.at(from), taken = s.pieces.at(to);
    s.pieces.move(from, to);
    ++s.ply;
    if (!olympiad_) s.quiet = taken != 0 ? 0 : static_cast<std::uint8_t>(s.quiet + 1);
    if (taken != 0 || cannot_be_undone(kind_of(what), from, to)) {
      s.run.clear();
    } else {
      s.run.add(from, to);
    }
    s.result = taken == code_of(1 - mover, general) ? win_of(mover) : result_with_generals(s);
  }

  void playout(State& s, Rng& rng) const {
    if (s.result != ongoing) return;
    Playout match(s.pieces, s.run, player(s), olympiad_);
    while (s.result == ongoing) {
      // Most moves are found by drawing; the list is for positions where legal ones are rare or missing.
      const bool drawn = match.random_move(rng);
      if (!drawn) {
        s.pieces = match.pieces();
        Action list[128];
        const int n = actions(s, list);
        if (n == 0) {
          s.result = loss_of(player(s));
          break;
        }
        const Action action = list[rng.below(static_cast<std::uint32_t>(n))];
        match.move(action / cells, action % cells);
      }
      ++s.ply;
      if (match.taken() == general) {
        s.result = loss_of(player(s));
      } else {
        s.quiet = olympiad_ || match.taken() >= 0 ? 0 : static_cast<std::uint8_t>(s.quiet + 1);
        if (match.may_have_been_there(olympiad_ ? 1 : 2)) {
          s.pieces = match.pieces();
          s.run = match.run();
          s.result = result_by_repetition(s);
        }
        if (s.result == ongoing && counted(s) == limit_) s.result = 0;
      }
    }
    s.pieces = match.pieces();
    s.run = match.run();
    // Whoever is mated has lost, also at the last ply that counts.
    if (s.result == 0 && counted(s) == limit_ && !can_move(s)) s.result = loss_of(player(s));
  }

  // Whether the player may not leave the pieces so: the general could be taken, or the generals face.
  bool forbidden(const Pieces& pieces, int player) const {
    return olympiad_ ? facing(pieces) : in_check(pieces, player);
  }

  // The result of a state without its field of that name.
  Result result_of(const State& s) const {
    if (s.pieces.of(player(s), general).none()) return loss_of(player(s));
    return result_with_generals(s);
  }

  // The result if the position has been there too often, else ongoing.
  Result result_by_repetition(const State& s) const {
    const int wanted = olympiad_ ? 1 : 2;
    if (s.run.count < 4 * wanted) return ongoing;  // a position needs two moves of both players to come back
    Pieces earlier = s.pieces;
    int length = s.run.count, first = 0;  // of the run at `earlier`, and where the position was at first
    const int returns = s.run.returns<Set>(length, wanted, [&](int i) {
      for (; length > i; --length) earlier.move(s.run.moves[length - 1].to, s.run.moves[length - 1].from);
      first = i;
      return earlier == s.pieces;
    });
    if (returns < wanted) return ongoing;
    return olympiad_ ? win_of(player(s)) : perpetual_check(s, first);
  }

 private:
  // What the limit counts: plies without a capture, or all of them by the Olympiad's rules.
  int counted(const State& s) const { return olympiad_ ? static_cast<int>(s.ply) : s.quiet; }

  // Calls f(from, to) for the legal moves, in ascending order, until it returns true; says whether it did.
  template <class F>
  bool any_move(const Pieces& pieces, int player, F&& f) const {
    const Set own = pieces.of(player), occupied = pieces.occupied();
    const Set exposed =
        forbidden(pieces, player) ? Set::below(cells) : tables.exposed[pieces.of(player, general).first()];
    for (Set movers = own; movers.any(); movers ^= movers.lowest()) {
      const int from = movers.first();
      Set reached = targets(player, kind_of(pieces.at(from)), from, own, occupied);
      for (; reached.any(); reached ^= reached.lowest()) {
        const int to = reached.first();
        if (exposed.test(from) || exposed.test(to)) {
          Pieces after = pieces;
          after.move(from, to);
          if (forbidden(after, player)) continue;
        }
        if (f(from, to)) return true;
      }
    }
    return false;
  }

  bool can_move(const State& s) const {
    return any_move(s.pieces, player(s), [](int, int) { return true; });
  }

  // The result of a state with both generals, without its field of that name.
  Result result_with_generals(const State& s) const {
    if (!can_move(s)) return loss_of(player(s));
    const Result repetition = result_by_repetition(s);
    return repetition == ongoing && counted(s) == limit_ ? Result{0} : repetition;
  }

  // Who has given check with every move after the first so many of the run has lost, unless both have.
  Result perpetual_check(const State& s, int first) const {
    bool always[2] = {true, true};
    Pieces pieces = s.pieces;
    int mover = 1 - player(s);
    for (int i = s.run.count; i > first; --i, mover ^= 1) {
      always[mover] = always[mover] && in_check(pieces, 1 - mover);
      pieces.move(s.run.moves[i - 1].to, s.run.moves[i - 1].from);
    }
    return always[0] == always[1] ? Result{0} : win_of(always[0] ? 1 : 0);
  }

  int limit_;
  bool olympiad_;
};

}  // namespace glaux::xiangqi
