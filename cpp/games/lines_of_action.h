// Lines of Action on a board of N x N cells.
//
// A stone moves in one of the eight directions exactly as many cells as there are stones of both
// colours on that line. It may jump over own stones but not over the opponent's, and captures an
// opponent's stone by landing on it. Who has all own stones connected (in eight directions) wins; a
// capture can do that for the opponent too: for the opponent alone, it loses, for both it is a draw. A
// player without a move passes. The first repetition of a position with the same player to move is a
// draw. So is, an addition of ours that keeps states and matches finite, a run of 100 plies without
// a capture.
//
// Each point on which rules differ is a parameter: the repetition that is a draw, the plies without a
// capture, who wins if both are connected, and whether a player without a move passes or loses.
// Without a limit on plies the state remembers as many moves as fit it, and the longest match is drawn.
//
// Actions: the stone's cell * 8 + the direction (compass.h), the distance follows; then the pass.
// The state keeps the moves since the last capture, because they decide about repetition.
#pragma once

#include <algorithm>
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

template <int Words, int Memory>
class LinesOfAction : public MovingStones {
  using Set = Bits<Words>;
  using Run = ReversibleMoves<Memory>;

 public:
  struct State {
    Set stones[2];      // of the first and the second player
    std::uint32_t ply;  // even: the first player is to move
    Run run;
    Result result;
    std::uint8_t unused[7 - (sizeof(Run) + 4) % 8];
  };

  explicit LinesOfAction(const Parameters& p)
      : MovingStones(Board{p.at("size"), p.at("size"), Board::Shape::square, Board::Numbering::from_bottom},
                     longest_match(p.at("size"), run_limit(p)), run_limit(p)),
        size_(p.at("size")),
        repetitions_(p.at("repetitions")),
        limited_(p.at("limit") > 0),
        rules_{p.at("passes") != 0, p.at("mover_wins") != 0},
        direction_maps_(direction_maps(board_, symmetries_)),
        compass_(board_) {}

  Spec spec() const {
    Spec spec = moving_spec("stones", "capture");
    spec.action_count = board_.cells() * 8 + (rules_.passes ? 1 : 0);
    spec.max_actions = stones_each() * 8;
    return spec;
  }

  State initial() const {
    State s{};
    for (int i = 1; i < size_ - 1; ++i) {
      s.stones[0].set(board_.cell(0, i));
      s.stones[0].set(board_.cell(size_ - 1, i));
      s.stones[1].set(board_.cell(i, 0));
      s.stones[1].set(board_.cell(i, size_ - 1));
    }
    s.result = ongoing;
    return s;
  }

  Measures measures(const State& s) const {
    return {static_cast<int>(s.ply), 0, {s.stones[0].count(), s.stones[1].count()}};
  }

  int actions(const State& s, Action* out) const {
    const Set &own = s.stones[player(s)], &other = s.stones[1 - player(s)];
    int n = 0;
    own.for_each([&](int from) {
      for (int d = 0; d < 8; ++d) {
        if (landing(own, other, from, d) >= 0) out[n++] = from * 8 + d;
      }
    });
    if (n == 0 && rules_.passes) out[n++] = pass_action();
    return n;
  }

  // As random actions by apply() in a loop; that a player has no move is noticed when one is wanted.
  void playout(State& s, Rng& rng) const {
    while (s.result == ongoing) {
      const Set &own = s.stones[player(s)], &other = s.stones[1 - player(s)];
      const auto [from, to] = random_move(s, own, other, rng);
      if (from >= 0) {
        move(s, from, to);
      } else if (rules_.passes) {
        pass(s);
      } else {
        s.result = loss_of(player(s));
      }
    }
  }

  void apply(State& s, Action action) const {
    if (action == pass_action()) return pass(s);
    const int from = action / 8;
    move(s, from, landing(s.stones[player(s)], s.stones[1 - player(s)], from, action % 8));
    if (!rules_.passes && s.result == ongoing && !can_move(s)) s.result = loss_of(player(s));
  }

  Action transform_action(Action action, int symmetry) const {
    if (action == pass_action()) return action;
    return map(symmetry)[static_cast<std::size_t>(action / 8)] * 8 +
           direction_maps_[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(action % 8)];
  }

  std::string action_text(const State& s, Action action) const {
    if (action == pass_action()) return "pass";
    const Set &own = s.stones[player(s)], &other = s.stones[1 - player(s)];
    const int from = action / 8, to = landing(own, other, from, action % 8);
    return board_.cell_text(from) + (other.test(to) ? "x" : "") + board_.cell_text(to);
  }

  Cells action_cells(const State& s, Action action) const {
    if (action == pass_action()) return {};
    const int from = action / 8;
    return {from, landing(s.stones[player(s)], s.stones[1 - player(s)], from, action % 8)};
  }

  State parse_state(std::string_view text) const {
    State s = state_of<State>(parsed(text, 1));
    s.result = result_of(s, rules_);
    return s;
  }

  void validate(const State& s) const {
    const bool clean = std::all_of(std::begin(s.unused), std::end(s.unused), [](int b) { return b == 0; });
    if (!clean || !stones_fit(s.stones, board_.cells())) {
      throw InvalidState("These bytes are not a Lines of Action state.");
    }
    int captures = 0;
    for (const Set& stones : s.stones) {
      const int count = stones.count();
      if (count < 1 || count > stones_each()) {
        throw InvalidState("Each player must have 1 to " + std::to_string(stones_each()) + " stones.");
      }
      captures += stones_each() - count;
    }
    s.run.validate(
        s.stones, player(s), board_.cells(),
        [this](const Set(&before)[2], int mover, int from, int to) {
          if (connected(before[0]) || connected(before[1])) return false;
          if (from == to) return rules_.passes && !can_move(before[mover], before[1 - mover]);
          for (int d = 0; d < 8; ++d) {
            if (landing(before[mover], before[1 - mover], from, d) == to) return true;
          }
          return false;
        },
        repetitions_);
    if (s.run.count > run_limit_) throw InvalidState("There are too many moves since the last capture.");
    if (s.ply > static_cast<std::uint32_t>(max_plies_)) throw InvalidState("The ply is too high.");
    const int ply = static_cast<int>(s.ply);
    s.run.validate_ply(ply, captures, limited_ ? run_limit_ : std::max(ply, 1));
    // Replays of trainings by the earlier rules have ends of those rules.
    constexpr Points earlier{.passes = false, .mover_wins = true};
    if (s.result != result_of(s, rules_) && s.result != result_of(s, earlier)) {
      throw InvalidState("The result in these bytes does not match the board.");
    }
  }

 private:
  // How many plies without a capture are a draw, or how many are remembered where none are.
  static int run_limit(const Parameters& p) { return p.at("limit") > 0 ? p.at("limit") : Memory; }
  static int stones_each(int size) { return 2 * (size - 2); }
  int stones_each() const { return stones_each(size_); }
  Action pass_action() const { return board_.cells() * 8; }
  // A player left with one stone is connected. So there are no more captures than those that leave
  // both players two stones and one more, and each ends a run of at most limit - 1 other plies. Without a
  // limit the match is drawn at this ply.
  static int longest_match(int size, int limit) { return limit * (2 * (stones_each(size) - 2) + 1); }

  // Where the stone comes down that moves from a cell in a direction, or -1 if it may not.
  [[gnu::always_inline]] int landing(const Set& own, const Set& other, int from, int direction) const {
    const Set& ahead = compass_.ray(from, direction);
    const int distance = ((own | other) & (ahead | compass_.ray(from, opposite(direction)))).count() + 1;
    if (distance > compass_.room(from, direction)) return -1;
    const int to = from + distance * compass_.step(direction);
    const Set target = Set::of(to), jumped = ahead ^ compass_.ray(to, direction) ^ target;
    return ((jumped & other) | (target & own)).none() ? to : -1;
  }

  bool can_move(const State& s) const { return can_move(s.stones[player(s)], s.stones[1 - player(s)]); }
  bool can_move(const Set& own, const Set& other) const {
    for (Set rest = own; rest.any(); rest ^= rest.lowest()) {
      for (int d = 0; d < 8; ++d) {
        if (landing(own, other, rest.first(), d) >= 0) return true;
      }
    }
    return false;
  }

  struct Move {
    int from, to;
  };

  // Uniform over the legal moves; from = -1 if there is none. Drawing a stone and a direction until
  // they are a move is faster than listing: about one pair in three is one. The list is for
  // positions where moves are rare or missing.
  [[gnu::always_inline]] Move random_move(const State& s, const Set& own, const Set& other, Rng& rng) const {
    const auto pairs = static_cast<std::uint32_t>(own.count() * 8);
    for (int attempt = 0; attempt < 50; ++attempt) {
      const auto pair = static_cast<int>(rng.below(pairs));
      const int from = own.nth(pair / 8), to = landing(own, other, from, pair % 8);
      if (to >= 0) return {from, to};
    }
    std::vector<Action> list(static_cast<std::size_t>(stones_each() * 8));
    const int n = actions(s, list.data());
    if (n == 0) return {-1, -1};
    const Action action = list[rng.below(static_cast<std::uint32_t>(n))];
    return {action / 8, landing(own, other, action / 8, action % 8)};
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
      s.result = result_by_connection(connected(own), connected(other), mover, rules_);
      if (s.result == ongoing && at_the_last_ply(s)) s.result = 0;
    } else {
      add(s, from, to);
      if (connected(own)) {
        s.result = win_of(mover);
      } else if (drawn(s)) {
        s.result = 0;
      }
    }
  }

  void pass(State& s) const {
    ++s.ply;
    add(s, 0, 0);
    if (drawn(s)) s.result = 0;
  }

  void add(State& s, int from, int to) const {
    if (s.run.full()) s.run.forget_oldest();  // only without a limit
    s.run.add(from, to);
  }

  bool at_the_last_ply(const State& s) const {
    return !limited_ && s.ply == static_cast<std::uint32_t>(max_plies_);
  }

  // By repetition or by a limit, unless somebody has won.
  bool drawn(const State& s) const {
    return (limited_ && s.run.count == run_limit_) || at_the_last_ply(s) ||
           s.run.template repeats<Set>(s.run.count, repetitions_);
  }

  // The points on which a result depends and rules differ.
  struct Points {
    bool passes;      // who has no move; otherwise they lose
    bool mover_wins;  // if both players are connected; otherwise it is a draw
  };

  static Result result_by_connection(bool mover_is, bool other_is, int mover, Points rules) {
    if (mover_is && other_is && !rules.mover_wins) return 0;
    return mover_is ? win_of(mover) : other_is ? win_of(1 - mover) : ongoing;
  }

  // The result of a state without its field of that name.
  Result result_of(const State& s, Points rules) const {
    const int next = player(s);
    const Result connection =
        result_by_connection(connected(s.stones[1 - next]), connected(s.stones[next]), 1 - next, rules);
    if (connection != ongoing) return connection;
    if (drawn(s)) return 0;
    return rules.passes || can_move(s) ? ongoing : loss_of(next);
  }

  [[gnu::always_inline]] bool connected(const Set& stones) const {
    Set group = stones.lowest();
    // Most positions have a stone without neighbours; that is seen in one step.
    if (compass_.neighbours(stones, stones) != stones) return group == stones;
    for (Set grown = group;; group = grown) {
      grown |= compass_.neighbours(group, stones);
      if (grown == group) return group == stones;
    }
  }

  int size_;
  int repetitions_;  // the repetition that is a draw
  bool limited_;     // whether plies without a capture are
  Points rules_;
  std::vector<std::array<std::uint8_t, 8>> direction_maps_;
  Compass<Set> compass_;
};

inline GameEntry lines_of_action_entry() {
  return {{"lines_of_action",
           "Lines of Action",
           "Connect all your stones; a stone moves exactly as many cells as there are stones on its line.",
           {{"size", 8, 4, 10, "rows and columns"},
            {"repetitions", 1, 1, 3, "which repetition of a position is a draw: 1 for the first"},
            {"limit", 100, 0, 250, "how many plies without a capture are a draw; 0: no limit"},
            {"passes", 1, 0, 1, "a player without a move passes; otherwise they lose", true},
            {"mover_wins", 0, 0, 1, "a move that connects both players wins; otherwise it is a draw", true}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            const bool small = p.at("size") <= 8, brief = 0 < p.at("limit") && p.at("limit") <= 100;
            if (small && brief) return adapt<LinesOfAction<1, 100>>(info, p);
            if (small) return adapt<LinesOfAction<1, 250>>(info, p);
            if (brief) return adapt<LinesOfAction<2, 100>>(info, p);
            return adapt<LinesOfAction<2, 250>>(info, p);
          }};
}

}  // namespace glaux
