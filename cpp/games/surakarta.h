// Surakarta on the points of a board with N x N lines, N = 6 or 8.
//
// A piece steps to an adjacent empty point, or captures: it slides along the lines over empty points
// and around at least one corner loop onto an enemy piece. Who takes the last enemy piece wins. A
// repetition of a position with the same player to move, 50 plies without a capture and a player
// without a move end the match too: then more pieces win.
//
// At each corner an arc joins the i-th row and the i-th column from that corner, for every i but 0.
// So the lines number i from the edges form one closed track, four lines long; a piece changes lines
// only by an arc. The capturing piece has left its point, which counts as empty on the way.
//
// Actions: from * N * N + to, whatever the way taken.
// The state keeps the moves since the last capture, because they decide about repetition.
#pragma once

#include <string>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "kit/bits.h"
#include "kit/compass.h"
#include "kit/moving.h"
#include "kit/results.h"
#include "kit/reversible.h"

namespace glaux {

class Surakarta : public MovingStones {
  using Set = Bits<1>;
  static constexpr int run_limit = 50;

 public:
  struct State {
    Set stones[2];      // of the first and the second player
    std::uint16_t ply;  // even: the first player is to move
    ReversibleMoves<run_limit> run;
    Result result;
  };

  explicit Surakarta(const Parameters& p)
      : Surakarta(Board{p.at("size"), p.at("size"), Board::Shape::square, Board::Numbering::from_bottom}) {}

  Spec spec() const {
    Spec spec = moving_spec("pieces", "capture");
    spec.action_count = board_.cells() * board_.cells();
    spec.max_actions = stones_each() * ways;
    spec.has_score = true;
    spec.max_score = stones_each();
    return spec;
  }

  State initial() const {
    State s{};
    s.stones[0] = all_ & ~Set::below(board_.cells() - stones_each());
    s.stones[1] = Set::below(stones_each());
    s.result = ongoing;
    return s;
  }

  Measures measures(const State& s) const {
    const int first = s.stones[0].count(), second = s.stones[1].count();
    return {s.ply, static_cast<double>(first - second), {first, second}};
  }

  int actions(const State& s, Action* out) const {
    const Set &own = s.stones[player(s)], &other = s.stones[1 - player(s)];
    int n = 0;
    own.for_each([&](int from) {
      Set targets = compass_.neighbours(from) & ~(own | other);
      for (int side = 0; side < 4; ++side) targets |= captured(own, other, from, side);
      targets.for_each([&](int to) { out[n++] = from * board_.cells() + to; });
    });
    return n;
  }

  // As random actions by apply() in a loop; that a player has no move is noticed when one is wanted.
  void playout(State& s, Rng& rng) const {
    while (s.result == ongoing) {
      const auto [from, to] = random_move(s, rng);
      if (from < 0) {
        s.result = more_pieces(s);
      } else {
        move(s, from, to);
      }
    }
  }

  void apply(State& s, Action action) const {
    move(s, action / board_.cells(), action % board_.cells());
    if (s.result == ongoing && !can_move(s)) s.result = more_pieces(s);
  }

  Action transform_action(Action action, int symmetry) const {
    return map(symmetry)[static_cast<std::size_t>(action / board_.cells())] * board_.cells() +
           map(symmetry)[static_cast<std::size_t>(action % board_.cells())];
  }

  std::string action_text(const State& s, Action action) const {
    const int from = action / board_.cells(), to = action % board_.cells();
    const bool capture = s.stones[1 - player(s)].test(to);
    return board_.cell_text(from) + (capture ? "x" : "") + board_.cell_text(to);
  }

  Cells action_cells(const State&, Action action) const {
    return {action / board_.cells(), action % board_.cells()};
  }

  State parse_state(std::string_view text) const {
    State s = state_of<State>(parsed(text, 1));
    s.result = result_of(s);
    return s;
  }

  void validate(const State& s) const {
    if (!stones_fit(s.stones, board_.cells())) {
      throw InvalidState("These bytes are not a Surakarta state.");
    }
    int captures = 0;
    for (const Set& stones : s.stones) {
      if (stones.count() > stones_each()) {
        throw InvalidState("No player can have more than " + std::to_string(stones_each()) + " pieces.");
      }
      captures += stones_each() - stones.count();
    }
    if (s.stones[1 - player(s)].none()) throw InvalidState("The player who has just moved has no pieces.");
    if (s.stones[player(s)].none() && s.run.count > 0) {
      throw InvalidState("No move can follow the capture of a player's last piece.");
    }
    s.run.validate(s.stones, player(s), board_.cells(), [this](const Set(&)[2], int, int from, int to) {
      return compass_.neighbours(from).test(to);
    });
    s.run.validate_ply(s.ply, captures);
    expect_result(s.result, result_of(s));
  }

 private:
  static constexpr int ways = 8 + 4;  // of one piece: steps, and captures by the side it leaves first

  explicit Surakarta(const Board& board)
      : MovingStones(board, longest_match(board.rows), run_limit),
        size_(board.rows),
        all_(Set::below(board.cells())),
        compass_(board),
        tracks_(make_tracks()) {}

  static int stones_each(int size) { return 2 * size; }
  int stones_each() const { return stones_each(size_); }
  // The last capture leaves one piece at least, and each capture ends a run of at most
  // run_limit - 1 other plies.
  static int longest_match(int size) { return run_limit * (2 * stones_each(size) - 1); }

  // A line in one direction: its points, and where the arc at its end leads.
  struct Track {
    Set points;
    int next = -1;  // the number of a track, or -1 on the border, where there is no arc
  };

  // The sides are top, right, bottom and left: the even directions of the compass.
  int track_number(int side, int line) const { return side * size_ + line; }

  std::vector<Track> make_tracks() const {
    std::vector<Track> tracks(static_cast<std::size_t>(4 * size_));
    for (int side = 0; side < 4; ++side) {
      for (int line = 0; line < size_; ++line) {
        Track& track = tracks[static_cast<std::size_t>(track_number(side, line))];
        const bool vertical = side % 2 == 0;
        for (int i = 0; i < size_; ++i)
          track.points.set(vertical ? board_.cell(i, line) : board_.cell(line, i));
        if (line == 0 || line == size_ - 1) continue;
        // The arc goes to the side that the line is nearer to, and the piece comes in from there.
        // The joined line is as far from its border at that corner as this one from its own.
        const bool low_half = line < size_ / 2;
        const bool low_side = side == 0 || side == 3;
        const int distance = low_half ? line : size_ - 1 - line;
        const int entered_from = vertical ? (low_half ? 3 : 1) : (low_half ? 0 : 2);
        track.next = track_number((entered_from + 2) % 4, low_side ? distance : size_ - 1 - distance);
      }
    }
    return tracks;
  }

  // The enemy piece that a piece takes if it leaves the board first by the given side, or nothing.
  [[gnu::always_inline]] Set captured(const Set& own, const Set& other, int from, int side) const {
    const Set pieces = (own | other) & ~Set::of(from);
    if ((compass_.ray(from, 2 * side) & pieces).any()) return {};
    int number = track_number(side, side % 2 == 0 ? from % size_ : from / size_);
    // After four arcs the piece is on its first line again, whose points behind it come last.
    for (int arcs = 1; arcs <= 4; ++arcs) {
      number = tracks_[static_cast<std::size_t>(number)].next;
      if (number < 0) return {};
      const Set met = tracks_[static_cast<std::size_t>(number)].points & pieces;
      if (met.any()) {
        const bool descending = number < size_ || number >= 3 * size_;  // to the top or the left
        return (descending ? met.highest() : met.lowest()) & other;
      }
    }
    return {};
  }

  bool can_move(const State& s) const {
    const Set &own = s.stones[player(s)], &other = s.stones[1 - player(s)];
    if (compass_.neighbours(own, all_ & ~(own | other)).any()) return true;
    for (Set rest = own; rest.any(); rest ^= rest.lowest()) {
      for (int side = 0; side < 4; ++side) {
        if (captured(own, other, rest.first(), side).any()) return true;
      }
    }
    return false;
  }

  struct Move {
    int from, to;
  };

  // Where a piece goes in one of its ways, or -1 if that is not legal. Of several ways to take one
  // enemy piece only the first counts.
  [[gnu::always_inline]] int target(const Set& own, const Set& other, int from, int way) const {
    if (way < 8) {
      if (compass_.room(from, way) == 0) return -1;
      const int to = from + compass_.step(way);
      return (own | other).test(to) ? -1 : to;
    }
    const Set taken = captured(own, other, from, way - 8);
    if (taken.none()) return -1;
    for (int side = 0; side < way - 8; ++side) {
      if (captured(own, other, from, side) == taken) return -1;
    }
    return taken.first();
  }

  // Uniform over the legal moves; from = -1 if there is none. Drawing a piece and a way until they
  // are a move is faster than listing; the list is for positions where moves are rare or missing.
  [[gnu::always_inline]] Move random_move(const State& s, Rng& rng) const {
    const Set own = s.stones[player(s)], other = s.stones[1 - player(s)];
    const auto pairs = static_cast<std::uint32_t>(own.count() * ways);
    for (int attempt = 0; attempt < 50; ++attempt) {
      const auto pair = static_cast<int>(rng.below(pairs));
      const int from = own.nth(pair / ways), to = target(own, other, from, pair % ways);
      if (to >= 0) return {from, to};
    }
    std::vector<Action> list(static_cast<std::size_t>(stones_each() * ways));
    const int n = actions(s, list.data());
    if (n == 0) return {-1, -1};
    const Action action = list[rng.below(static_cast<std::uint32_t>(n))];
    return {action / board_.cells(), action % board_.cells()};
  }

  // Plays a legal move, without the question whether the next player can move.
  [[gnu::always_inline]] void move(State& s, int from, int to) const {
    const int mover = player(s);
    Set &own = s.stones[mover], &other = s.stones[1 - mover];
    own.flip(from);
    own.flip(to);
    ++s.ply;
    if (other.test(to)) {
      other.flip(to);
      s.run.clear();
      if (other.none()) s.result = more_pieces(s);
    } else {
      s.run.add(from, to);
      if (s.run.full() || s.run.repeats<Set>(s.run.count)) s.result = more_pieces(s);
    }
  }

  // The result of a state without its field of that name.
  Result result_of(const State& s) const {
    const bool ended = s.stones[0].none() || s.stones[1].none() || s.run.full() ||
                       s.run.repeats<Set>(s.run.count) || !can_move(s);
    return ended ? more_pieces(s) : ongoing;
  }

  static Result more_pieces(const State& s) { return win_of_more(s.stones[0].count(), s.stones[1].count()); }

  int size_;
  Set all_;
  Compass<Set> compass_;
  std::vector<Track> tracks_;
};

inline GameEntry surakarta_entry() {
  return {
      {"surakarta",
       "Surakarta",
       "Capture all enemy pieces, by sliding along the lines and around the loops at the corners.",
       {{"size", 6, 6, 8, "rows and columns, 6 or 8"}}},
      [](const GameInfo& info, const Parameters& p) -> GamePointer {
        if (p.at("size") % 2 != 0) {
          throw InvalidParameter("Surakarta needs size 6 or 8, not " + std::to_string(p.at("size")) + ".");
        }
        return adapt<Surakarta>(info, p);
      }};
}

}  // namespace glaux
