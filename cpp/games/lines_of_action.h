// Lines of Action on a board of N x N cells.
//
// A stone moves in one of the eight directions exactly as many cells as there are stones of both
// colours on that line. It may jump over own stones but not over the opponent's, and captures an
// opponent's stone by landing on it. Who has all own stones connected (in eight directions) wins; a
// capture can do that for the opponent too, and then the mover's own connection counts first. A
// player without a move loses. The first repetition of a position with the same player to move is a
// draw. So is, an addition of ours that keeps states and matches finite, a run of 100 plies without
// a capture.
//
// Actions: the stone's cell * 8 + the direction (compass.h); the distance follows.
// The state keeps the moves since the last capture, because they decide about repetition.
#pragma once

#include <string>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "kit/bits.h"
#include "kit/compass.h"
#include "kit/planes.h"
#include "kit/reversible.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

template <int Words>
class LinesOfAction {
  using Set = Bits<Words>;
  static constexpr int run_limit = 100;

 public:
  struct State {
    Set stones[2];      // of the first and the second player
    std::uint32_t ply;  // even: the first player is to move
    ReversibleMoves<run_limit> run;
    Result result;
    std::uint16_t unused;
  };

  explicit LinesOfAction(const Parameters& p)
      : size_(p.at("size")),
        board_{size_, size_, Board::Shape::square, Board::Numbering::from_bottom},
        symmetries_(board_.square_symmetries()),
        direction_maps_(direction_maps(board_, symmetries_)),
        compass_(board_) {}

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = board_.cells() * 8;
    spec.max_actions = stones_each() * 8;
    spec.max_plies = max_plies();
    spec.max_plies_exact = false;
    spec.symbols = stone_symbols;
    spec.planes = {"first player's stones", "second player's stones", "first player to move",
                   "ply / longest match", "plies since the last capture / the most there can be"};
    spec.plane_rows = spec.plane_columns = size_;
    spec.symmetries = symmetries_;
    spec.has_pieces = spec.has_history = true;
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

  Status status(const State& s) const { return {player_of(player(s)), s.result}; }

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
    return n;
  }

  // As random actions by apply() in a loop; that a player has no move is noticed when one is wanted.
  void playout(State& s, Rng& rng) const {
    while (s.result == ongoing) {
      const Set &own = s.stones[player(s)], &other = s.stones[1 - player(s)];
      const auto [from, to] = random_move(s, own, other, rng);
      if (from < 0) {
        s.result = win_of(1 - player(s));
      } else {
        move(s, from, to);
      }
    }
  }

  void apply(State& s, Action action) const {
    const int from = action / 8;
    move(s, from, landing(s.stones[player(s)], s.stones[1 - player(s)], from, action % 8));
    if (s.result == ongoing && !can_move(s)) s.result = win_of(1 - player(s));
  }

  void cells(const State& s, std::uint8_t* codes) const { stone_codes(s.stones, board_.cells(), codes); }
  void cell_bits(const State& s, std::uint64_t* bits) const { stone_bits(s.stones, board_.cells(), bits); }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    planes.set_stones(s.stones, player(s) == 0, static_cast<int>(s.ply), max_plies());
    planes.fill(4, static_cast<float>(s.run.count) / run_limit);
  }

  State transform(const State& s, int symmetry) const {
    const CellMap& map = symmetries_[static_cast<std::size_t>(symmetry)];
    State t = s;
    permute_stones(t.stones, map);
    t.run.permute(map);
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    const auto k = static_cast<std::size_t>(symmetry);
    return symmetries_[k][static_cast<std::size_t>(action / 8)] * 8 +
           direction_maps_[k][static_cast<std::size_t>(action % 8)];
  }

  std::string action_text(const State& s, Action action) const {
    const Set &own = s.stones[player(s)], &other = s.stones[1 - player(s)];
    const int from = action / 8, to = landing(own, other, from, action % 8);
    return board_.cell_text(from) + (other.test(to) ? "x" : "") + board_.cell_text(to);
  }

  Cells action_cells(const State& s, Action action) const {
    const int from = action / 8;
    return {from, landing(s.stones[player(s)], s.stones[1 - player(s)], from, action % 8)};
  }

  std::string state_text(const State& s) const {
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(board_.cells()));
    cells(s, codes.data());
    return format_state(board_, stone_symbols, codes.data(), player(s) == 0, static_cast<int>(s.ply)) + " " +
           s.run.text(board_);
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board_, stone_symbols, max_plies());
    parsed.expect_extra(1);
    State s{};
    stones_from_codes(parsed.codes, s.stones);
    s.ply = static_cast<std::uint32_t>(parsed.ply);
    s.run = ReversibleMoves<run_limit>::parse(parsed.extra[0], board_);
    if (parsed.first_player != (player(s) == 0)) {
      throw InvalidState("The first player (X) moves on even plies, the second (O) on odd ones.");
    }
    s.result = result_of(s);
    return s;
  }

  void validate(const State& s) const {
    if (s.unused != 0 || !stones_fit(s.stones, board_.cells())) {
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
    s.run.validate(s.stones, player(s), board_.cells(),
                   [this](const Set(&before)[2], int mover, int from, int to) {
                     if (connected(before[0]) || connected(before[1])) return false;
                     for (int d = 0; d < 8; ++d) {
                       if (landing(before[mover], before[1 - mover], from, d) == to) return true;
                     }
                     return false;
                   });
    if (s.ply > static_cast<std::uint32_t>(max_plies())) throw InvalidState("The ply is too high.");
    s.run.validate_ply(static_cast<int>(s.ply), captures);
    if (s.result != result_of(s)) {
      throw InvalidState("The result in these bytes does not belong to their board.");
    }
  }

 private:
  static int player(const State& s) { return s.ply & 1; }
  static Result win_of(int winner) { return winner == 0 ? 1 : -1; }
  int stones_each() const { return 2 * (size_ - 2); }
  // A player left with one stone is connected. So there are no more captures than those that leave
  // both players two stones and one more, and each ends a run of at most run_limit - 1 other plies.
  int max_plies() const { return run_limit * (2 * (stones_each() - 2) + 1); }

  // Where the stone comes down that moves from a cell in a direction, or -1 if it may not.
  [[gnu::always_inline]] int landing(const Set& own, const Set& other, int from, int direction) const {
    const Set& ahead = compass_.ray(from, direction);
    const int distance = ((own | other) & (ahead | compass_.ray(from, opposite(direction)))).count() + 1;
    if (distance > compass_.room(from, direction)) return -1;
    const int to = from + distance * compass_.step(direction);
    const Set target = Set::of(to), jumped = ahead ^ compass_.ray(to, direction) ^ target;
    return ((jumped & other) | (target & own)).none() ? to : -1;
  }

  bool can_move(const State& s) const {
    const Set &own = s.stones[player(s)], &other = s.stones[1 - player(s)];
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
    const bool capture = other.test(to);
    ++s.ply;
    if (capture) {
      other.flip(to);
      s.run.clear();
    } else {
      s.run.add(from, to);
    }
    if (connected(own)) {
      s.result = win_of(mover);
    } else if (capture) {
      if (connected(other)) s.result = win_of(1 - mover);
    } else if (s.run.full() || s.run.template repeats<Set>(s.run.count)) {
      s.result = 0;
    }
  }

  // The result of a state without its field of that name.
  Result result_of(const State& s) const {
    const int next = player(s);
    if (connected(s.stones[1 - next])) return win_of(1 - next);
    if (connected(s.stones[next])) return win_of(next);
    if (s.run.full() || s.run.template repeats<Set>(s.run.count)) return 0;
    return can_move(s) ? ongoing : win_of(1 - next);
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
  Board board_;
  std::vector<CellMap> symmetries_;
  std::vector<std::array<std::uint8_t, 8>> direction_maps_;
  Compass<Set> compass_;
};

inline GameEntry lines_of_action_entry() {
  return {{"lines_of_action",
           "Lines of Action",
           "Connect all your stones; a stone moves as far as there are stones on its line.",
           {{"size", 8, 4, 10, "rows and columns"}}},
          [](const GameInfo& info, const Parameters& p) {
            return adapt_sized<LinesOfAction, 1, 2>(p.at("size") * p.at("size"), info, p);
          }};
}

}  // namespace glaux
