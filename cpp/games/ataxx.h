// Ataxx on a board of N x N cells.
//
// A player fills an empty cell: with a copy of an own piece from one of the eight cells around it, or with
// a piece that jumps there from one of the sixteen around those and leaves its place empty. Then all the
// opponent's pieces beside that cell change sides. A player who can do neither passes, and only then. The
// match ends when nobody can move, a player has no pieces, or a position with the same player to move
// occurs again: more pieces win. So it does, an addition of ours that keeps states finite, after a run of
// 100 plies without a copy. Walls are cells that the board does not have; they can be jumped over.
//
// Actions: the cell of a copy; N * N * (1 + from) + to of a jump; N * N * (1 + N * N) for the pass.
// Jumps and passes leave the number of pieces as it is, so only a run of them can bring a position back. It
// can't be walked back, because which pieces changed sides is not written down: the state keeps where the
// run began, and plays it again.
#pragma once

#include <array>
#include <cstdlib>
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

class Ataxx : public MovingStones {
  using Set = Bits<1>;
  static constexpr int run_limit = 100;
  using Run = ReversibleMoves<run_limit>;

 public:
  struct State {
    Set stones[2];      // of the first and the second player
    Set start[2];       // the same where the run began; nothing while there is none
    std::uint16_t ply;  // even: the first player is to move
    Run run;            // jumps and passes since the last copy; a pass is from 0 to 0
    Result result;
    std::uint8_t unused[4];
  };

  explicit Ataxx(const Parameters& p) : Ataxx(with_walls(p.at("size"), p.at("walls"))) {}

  Spec spec() const {
    Spec spec = moving_spec("pieces", "copy");
    spec.action_count = pass() + 1;
    int pairs = 0;  // of cells between which a piece could jump, each counted both ways
    for (const Set& far : far_) pairs += far.count();
    spec.max_actions = board_.cells() + pairs / 2;
    spec.has_score = true;
    spec.max_score = there_.count();
    return spec;
  }

  State initial() const {
    State s{};
    const int last = size_ - 1;
    s.stones[0] = Set::of(board_.cell(last, 0)) | Set::of(board_.cell(0, last));
    s.stones[1] = Set::of(board_.cell(0, 0)) | Set::of(board_.cell(last, last));
    s.result = ongoing;
    return s;
  }

  Measures measures(const State& s) const {
    const int first = s.stones[0].count(), second = s.stones[1].count();
    return {s.ply, static_cast<double>(first - second), {first, second}};
  }

  int actions(const State& s, Action* out) const {
    const Set own = s.stones[player(s)], free = empty(s);
    int n = 0;
    compass_.neighbours(own, free).for_each([&](int to) { out[n++] = to; });
    own.for_each([&](int from) {
      (far(from) & free).for_each([&](int to) { out[n++] = board_.cells() * (1 + from) + to; });
    });
    if (n == 0) out[n++] = pass();
    return n;
  }

  // As random actions by apply() in a loop; that nobody can move is noticed when a move is wanted.
  void playout(State& s, Rng& rng) const {
    while (s.result == ongoing) {
      const Set own = s.stones[player(s)], free = empty(s), copies = compass_.neighbours(own, free);
      Set landings[jumps];
      int total = copies.count();
      int counts[jumps];
      for (int d = 0; d < jumps; ++d) {
        landings[d] = shifted(own & leaves_[d], step(d)) & free;
        total += counts[d] = landings[d].count();
      }
      if (total == 0) {
        if (can_move(s, 1 - player(s))) {
          jump(s, 0, 0);
        } else {
          s.result = more_pieces(s);
        }
        continue;
      }
      int choice = static_cast<int>(rng.below(static_cast<std::uint32_t>(total))) - copies.count();
      if (choice < 0) {
        copy(s, copies.nth(choice + copies.count()));
        continue;
      }
      int d = 0;
      while (choice >= counts[d]) choice -= counts[d++];
      const int to = landings[d].nth(choice);
      jump(s, to - step(d), to);
    }
  }

  void apply(State& s, Action action) const {
    if (action == pass()) {
      jump(s, 0, 0);
    } else if (action < board_.cells()) {
      copy(s, action);
    } else {
      jump(s, action / board_.cells() - 1, action % board_.cells());
    }
    if (s.result == ongoing && stuck(s)) s.result = more_pieces(s);
  }

  State transform(const State& s, int symmetry) const {
    State t = MovingStones::transform(s, symmetry);
    permute_stones(t.start, map(symmetry));
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    if (action == pass()) return action;
    const int to = map(symmetry)[static_cast<std::size_t>(action % board_.cells())];
    if (action < board_.cells()) return to;
    return board_.cells() * (1 + map(symmetry)[static_cast<std::size_t>(action / board_.cells() - 1)]) + to;
  }

  std::string action_text(const State& s, Action action) const {
    if (action == pass()) return "pass";
    std::string text;
    for (const int cell : action_cells(s, action)) text += board_.cell_text(cell);
    return text;
  }

  Cells action_cells(const State&, Action action) const {
    if (action == pass()) return {};
    if (action < board_.cells()) return {action};
    return {action / board_.cells() - 1, action % board_.cells()};
  }

  // Behind the common part and the run comes the board where that began.
  std::string state_text(const State& s) const {
    std::string start = "-";
    if (s.run.count > 0) {
      start = stones_text(s.start, 0);
      start.resize(start.find(' '));
    }
    return MovingStones::state_text(s) + " " + start;
  }

  State parse_state(std::string_view text) const {
    const StateText fields = parsed(text, 2);
    State s = state_of<State>(fields);
    if (fields.extra[1] != "-") {
      stones_from_codes(StateText(fields.extra[1] + " X 0", board_, stone_symbols, 0).codes, s.start);
    }
    s.result = result_of(s);
    return s;
  }

  void validate(const State& s) const {
    bool clean = stones_fit(s.stones, there_) && stones_fit(s.start, there_) && s.run.count <= run_limit;
    for (const auto byte : s.unused) clean = clean && byte == 0;
    if (!clean) throw InvalidState("These bytes are not an Ataxx state.");
    const int copies = s.stones[0].count() + s.stones[1].count() - 4;
    if (copies < 0) throw InvalidState("There are never fewer than four pieces.");
    if (s.stones[1 - player(s)].none()) throw InvalidState("The player who has just moved has no pieces.");
    const int low = copies + s.run.count, high = copies * run_limit + s.run.count;
    if (s.ply < low || s.ply > high) {
      throw InvalidState("The ply must be between " + std::to_string(low) + " and " + std::to_string(high) +
                         " with this number of pieces and of plies since the last copy.");
    }
    validate_run(s);
    expect_result(s.result, result_of(s));
  }

 private:
  static constexpr int jumps = 16;
  static constexpr int offsets[jumps][2] = {{-2, -2}, {-2, -1}, {-2, 0}, {-2, 1}, {-2, 2}, {-1, -2},
                                            {-1, 2},  {0, -2},  {0, 2},  {1, -2}, {1, 2},  {2, -2},
                                            {2, -1},  {2, 0},   {2, 1},  {2, 2}};

  // 1: four walls two lines from both edges, as c3 of 7 x 7, which are one at size 5; 2: four around the
  // middle, or in it.
  static Board with_walls(int size, int walls) {
    Board board{size, size, Board::Shape::square, Board::Numbering::from_bottom};
    for (int cell = 0; walls > 0 && cell < board.cells(); ++cell) {
      const int row = std::abs(2 * board.row(cell) - (size - 1));
      const int column = std::abs(2 * board.column(cell) - (size - 1));
      const bool wall = walls == 1 ? row == std::abs(size - 5) && column == row : row + column == 2;
      board.present.push_back(!wall);
    }
    return board;
  }

  explicit Ataxx(const Board& board)
      : MovingStones(board, longest_match(board), run_limit),
        size_(board.rows),
        compass_(Board{size_, size_}),
        far_(static_cast<std::size_t>(board.cells())) {
    for (int cell = 0; cell < board_.cells(); ++cell) {
      if (board_.has(cell)) there_.set(cell);
    }
    for (int cell = 0; cell < board_.cells(); ++cell) {
      const Set near = compass_.neighbours(cell) | Set::of(cell);
      far_[static_cast<std::size_t>(cell)] = compass_.neighbours(near, there_ & ~near);
      for (int d = 0; d < jumps; ++d) {
        const int column = board_.column(cell) + offsets[d][1];
        if (0 <= column && column < size_) leaves_[d].set(cell);
      }
    }
  }

  // Each copy fills a cell and ends a run of at most run_limit - 1 other plies.
  static int longest_match(const Board& board) {
    int cells = 0;
    for (int cell = 0; cell < board.cells(); ++cell) cells += board.has(cell);
    return run_limit * (cells - 4 + 1);
  }

  Action pass() const { return board_.cells() * (1 + board_.cells()); }
  int step(int jump) const { return offsets[jump][0] * size_ + offsets[jump][1]; }
  const Set& far(int cell) const { return far_[static_cast<std::size_t>(cell)]; }
  Set empty(const Set (&stones)[2]) const { return there_ & ~(stones[0] | stones[1]); }
  Set empty(const State& s) const { return empty(s.stones); }

  // Whether an empty cell is within two steps of a piece of the player.
  bool can_move(const Set (&stones)[2], int player) const {
    const Set all = Set::below(board_.cells()),
              near = stones[player] | compass_.neighbours(stones[player], all);
    return compass_.neighbours(near, empty(stones)).any() || (near & empty(stones)).any();
  }
  bool can_move(const State& s, int player) const { return can_move(s.stones, player); }
  bool stuck(const State& s) const { return !can_move(s, 0) && !can_move(s, 1); }

  // A piece comes to a cell, and what is beside it changes sides.
  [[gnu::always_inline]] void come(Set (&stones)[2], int mover, int to) const {
    const Set turned = compass_.neighbours(to) & stones[1 - mover];
    stones[mover] |= turned | Set::of(to);
    stones[1 - mover] ^= turned;
  }

  [[gnu::always_inline]] void copy(State& s, int to) const {
    come(s.stones, player(s), to);
    s.run.clear();
    s.start[0] = s.start[1] = {};
    ++s.ply;
    if (s.stones[player(s)].none()) s.result = more_pieces(s);
  }

  // A jump, or a pass: from 0 to 0.
  [[gnu::always_inline]] void jump(State& s, int from, int to) const {
    if (s.run.count == 0) {
      s.start[0] = s.stones[0];
      s.start[1] = s.stones[1];
    }
    s.run.add(from, to);
    play(s.stones, player(s), s.run.moves[s.run.count - 1]);
    ++s.ply;
    if (s.stones[player(s)].none() || s.run.full() || repeats(s)) s.result = more_pieces(s);
  }

  // One move of a run.
  [[gnu::always_inline]] void play(Set (&stones)[2], int mover, Run::Move move) const {
    if (move.from == move.to) return;
    stones[mover].flip(move.from);
    come(stones, mover, move.to);
  }

  // The position has occurred before, with the same player to move: at least four plies ago, since nobody
  // can take back a jump of the opponent's.
  bool repeats(const State& s) const {
    if (s.run.count < 4) return false;
    Set stones[2] = {s.start[0], s.start[1]};
    int mover = (s.ply - s.run.count) & 1;
    for (int i = 0; i + 4 <= s.run.count; ++i, mover ^= 1) {
      if (stones[0] == s.stones[0] && stones[1] == s.stones[1] && (s.run.count - i) % 2 == 0) return true;
      play(stones, mover, s.run.moves[i]);
    }
    return false;
  }

  // The result of a state without its field of that name.
  Result result_of(const State& s) const {
    const bool ended = s.stones[0].none() || s.stones[1].none() || s.run.full() || repeats(s) || stuck(s);
    return ended ? more_pieces(s) : ongoing;
  }

  static Result more_pieces(const State& s) { return win_of_more(s.stones[0].count(), s.stones[1].count()); }

  // Throws InvalidState unless the run leads from its start to the stones by legal moves of a match that
  // is not over before the last of them.
  void validate_run(const State& s) const {
    State t{};
    t.stones[0] = s.start[0];
    t.stones[1] = s.start[1];
    t.ply = static_cast<std::uint16_t>(s.ply - s.run.count);
    t.result = ongoing;
    bool right = s.run.count > 0 || (s.start[0] | s.start[1]).none();
    for (int i = s.run.count; i < run_limit; ++i)
      right = right && s.run.moves[i].from + s.run.moves[i].to == 0;
    for (int i = 0; right && i < s.run.count; ++i) {
      const auto [from, to] = s.run.moves[i];
      const int mover = player(t);
      right = result_of(t) == ongoing;
      if (from == to) {
        right = right && from == 0 && !can_move(t, mover);
      } else {
        right = right && from < board_.cells() && to < board_.cells() && t.stones[mover].test(from) &&
                far(from).test(to) && empty(t).test(to);
      }
      if (right) jump(t, from, to);
    }
    if (s.run.count > 0) right = right && t.stones[0] == s.stones[0] && t.stones[1] == s.stones[1];
    if (!right) throw InvalidState("The plies since the last copy do not lead to this board.");
  }

  int size_;
  Set there_;
  Compass<Set> compass_;
  std::vector<Set> far_;  // the cells of the board two steps from each cell
  Set leaves_[jumps];     // the cells from which a jump stays within the columns
};

inline GameEntry ataxx_entry() {
  return {{"ataxx",
           "Ataxx",
           "Copy a piece to an adjacent cell or jump two cells; enemy pieces next to it become yours. Have "
           "more at the end.",
           {{"size", 7, 4, 8, "rows and columns"},
            {"walls", 0, 0, 2,
             "0: no walls; 1: four, between the corners and the middle; 2: four around the middle"}}},
          [](const GameInfo& info, const Parameters& p) { return adapt<Ataxx>(info, p); }};
}

}  // namespace glaux
