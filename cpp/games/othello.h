// Othello (Reversi) on a board of N x N cells, N even.
//
// A player places a stone so that it encloses at least one straight line of the opponent's stones
// between itself and another own stone; all the enclosed stones change colour. A player who cannot
// do so passes, and may pass only then. When neither can, more stones win.
//
// Actions: the cell of the stone, or N * N for the pass.
// The state carries the legal placements of the player to move: they decide about passing and the
// end of the match anyway, and are then not computed twice.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "kit/bits.h"
#include "kit/planes.h"
#include "kit/rays.h"
#include "kit/results.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

template <int N>
class Othello {
  static constexpr int cells_ = N * N;
  static constexpr Action pass = cells_;
  using Set = Bits<(cells_ + 63) / 64>;

 public:
  struct State {
    Set stones[2];  // of the first and the second player
    Set moves;      // placements of the player to move
    std::uint32_t ply;
    std::uint8_t player;  // to move: 0 the first, 1 the second
    Result result;
    std::uint16_t unused;
  };

  explicit Othello(const Parameters&)
      : board_{N, N, Board::Shape::square, Board::Numbering::from_top},
        symmetries_(board_.square_symmetries()) {}

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = cells_ + 1;
    spec.max_actions = cells_ - 4;
    // Each placement fills a cell, and no two passes follow each other.
    spec.max_plies = 2 * (cells_ - 4);
    spec.max_plies_exact = false;
    spec.symbols = stone_symbols;
    spec.planes = {"first player's stones", "second player's stones", "first player to move",
                   "ply / longest match"};
    spec.plane_rows = spec.plane_columns = N;
    spec.symmetries = symmetries_;
    spec.exchange = stone_exchange(symmetries_[0]);
    spec.has_score = spec.has_pieces = true;
    spec.max_score = cells_;
    spec.has_reachable = true;
    return spec;
  }

  State initial() const {
    State s{};
    constexpr int high = N / 2, low = high - 1;
    s.stones[0].set(low * N + high);
    s.stones[0].set(high * N + low);
    s.stones[1].set(low * N + low);
    s.stones[1].set(high * N + high);
    update(s);
    return s;
  }

  Status status(const State& s) const { return {player_of(s.player), s.result}; }

  Measures measures(const State& s) const {
    const int first = s.stones[0].count(), second = s.stones[1].count();
    return {static_cast<int>(s.ply), static_cast<double>(first - second), {first, second}};
  }

  int actions(const State& s, Action* out) const {
    int n = 0;
    s.moves.for_each([&](int cell) { out[n++] = cell; });
    if (n == 0) out[n++] = pass;
    return n;
  }

  // As random actions by apply() in a loop, with the stones in registers.
  void playout(State& s, Rng& rng) const {
    Set own = s.stones[s.player], other = s.stones[1 - s.player], moves = s.moves;
    while (s.result == ongoing) {
      if (const int n = moves.count(); n > 0) {
        const int cell = moves.nth(static_cast<int>(rng.below(static_cast<std::uint32_t>(n))));
        const Set changed = enclosed(cell, own, other);
        own |= Set::of(cell) | changed;
        other ^= changed;
      }
      std::swap(own, other);
      s.player ^= 1;
      ++s.ply;
      moves = placements(own, other);
      if (moves.none() && placements(other, own).none()) s.result = winner(own, other, s.player);
    }
    s.stones[s.player] = own;
    s.stones[1 - s.player] = other;
    s.moves = moves;
  }

  void apply(State& s, Action action) const {
    if (action != pass) {
      Set& own = s.stones[s.player];
      Set& other = s.stones[1 - s.player];
      const Set changed = enclosed(action, own, other);
      own |= Set::of(action) | changed;
      other ^= changed;
    }
    s.player ^= 1;
    ++s.ply;
    update(s);
  }

  void cells(const State& s, std::uint8_t* codes) const { stone_codes(s.stones, cells_, codes); }
  void cell_bits(const State& s, std::uint64_t* bits) const { stone_bits(s.stones, cells_, bits); }

  Set reachable(const State& s) const { return s.moves; }

  void encode(const State& s, float* out) const {
    Planes(out, board_).set_stones(s.stones, s.player == 0, static_cast<int>(s.ply), 2 * (cells_ - 4));
  }

  State transform(const State& s, int symmetry) const {
    const CellMap& map = symmetries_[static_cast<std::size_t>(symmetry)];
    State t = s;
    permute_stones(t.stones, map);
    t.moves = permuted(s.moves, map);
    return t;
  }

  State exchange(const State& s) const { return exchanged_sides(s, symmetries_[0]); }
  Action exchange_action(Action action) const { return action; }

  Action transform_action(Action action, int symmetry) const {
    return action == pass ? pass
                          : symmetries_[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(action)];
  }

  std::string action_text(const State&, Action action) const {
    return action == pass ? "pass" : board_.cell_text(action);
  }

  Cells action_cells(const State&, Action action) const { return action == pass ? Cells{} : Cells{action}; }

  std::string state_text(const State& s) const {
    std::uint8_t codes[cells_];
    cells(s, codes);
    return format_state(board_, stone_symbols, codes, s.player == 0, static_cast<int>(s.ply));
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board_, stone_symbols, 2 * (cells_ - 4));
    parsed.expect_extra(0);
    State s{};
    stones_from_codes(parsed.codes, s.stones);
    s.player = parsed.first_player ? 0 : 1;
    s.ply = static_cast<std::uint32_t>(parsed.ply);
    update(s);
    return s;
  }

  void validate(const State& s) const {
    if (s.player > 1 || s.unused != 0 || !stones_fit(s.stones, cells_)) {
      throw InvalidState("These bytes are not an Othello state.");
    }
    const Set stones = s.stones[0] | s.stones[1];
    for (int cell :
         {(N / 2 - 1) * N + N / 2 - 1, (N / 2 - 1) * N + N / 2, N / 2 * N + N / 2 - 1, N / 2 * N + N / 2}) {
      if (!stones.test(cell))
        throw InvalidState("The four centre cells of an Othello board are never empty.");
    }
    const auto placed = static_cast<std::uint32_t>(stones.count() - 4);
    if (s.ply < placed || s.ply > 2 * placed) {
      throw InvalidState("The ply must be between " + std::to_string(placed) + " and " +
                         std::to_string(2 * placed) + " with this number of stones.");
    }
    State same = s;
    update(same);
    if (same.moves != s.moves || same.result != s.result) {
      throw InvalidState("The moves or the result in these bytes do not match the board.");
    }
  }

 private:
  static constexpr Set inner_ = all_but_column<Set, N, N>(0) & all_but_column<Set, N, N>(N - 1);

  // All the cells of `through` on unbroken lines in one direction from the cells of `from`; the
  // edge columns stop a line that has a horizontal part.
  template <int Step>
  static constexpr Set lines(const Set& from, const Set& through) {
    // Parallel prefix: two cells one by one, then two at a time.
    Set line = shifted(from, Step) & through;
    line |= shifted(line, Step) & through;
    const Set pairs = through & shifted(through, Step);
    for (int length = 2; length < N - 2; length += 2) line |= shifted(line, 2 * Step) & pairs;
    return line;
  }

  template <int Step>
  static constexpr Set moves_along(const Set& own, const Set& through) {
    return shifted(lines<Step>(own, through), Step) | shifted(lines<-Step>(own, through), -Step);
  }

  [[gnu::always_inline]] static inline Set placements(const Set& own, const Set& other) {
    const Set inner = other & inner_;
    const Set reached = moves_along<1>(own, inner) | moves_along<N>(own, other) |
                        moves_along<N - 1>(own, inner) | moves_along<N + 1>(own, inner);
    return reached & ~(own | other) & Set::below(cells_);
  }

  static constexpr std::array<Rays<Set>, cells_> rays_ = make_rays<Set, N, N>();

  // The stones that a placement turns: on each ray, the other player's stones up to the first cell
  // that is not one, if that cell is an own stone.
  [[gnu::always_inline]] static inline Set enclosed(int cell, const Set& own, const Set& other) {
    const Rays<Set>& rays = rays_[static_cast<std::size_t>(cell)];
    Set changed;
    for (int d = 0; d < 4; ++d) {
      const Set high_end = (rays.up[d] & ~other).lowest() & own;
      const Set low_end = (rays.down[d] & ~other).highest() & own;
      changed |= (rays.up[d] & high_end.all_below()) | (rays.down[d] & low_end.all_above());
    }
    return changed;
  }

  // The legal placements and the result, from the stones and the player to move.
  static void update(State& s) {
    const Set& own = s.stones[s.player];
    const Set& other = s.stones[1 - s.player];
    s.moves = placements(own, other);
    s.result = ongoing;
    if (s.moves.none() && placements(other, own).none()) s.result = winner(own, other, s.player);
  }

  static Result winner(const Set& own, const Set& other, int player) {
    return player == 0 ? win_of_more(own.count(), other.count()) : win_of_more(other.count(), own.count());
  }

  Board board_;
  std::vector<CellMap> symmetries_;
};

inline GameEntry othello_entry() {
  return {{"othello",
           "Othello",
           "Flip enemy stones between two of yours; have more at the end.",
           {{"size", 8, 4, 16, "rows and columns, an even number"}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            switch (p.at("size")) {
              case 4:
                return adapt<Othello<4>>(info, p);
              case 6:
                return adapt<Othello<6>>(info, p);
              case 8:
                return adapt<Othello<8>>(info, p);
              case 10:
                return adapt<Othello<10>>(info, p);
              case 12:
                return adapt<Othello<12>>(info, p);
              case 14:
                return adapt<Othello<14>>(info, p);
              case 16:
                return adapt<Othello<16>>(info, p);
            }
            throw InvalidParameter("Othello needs an even size, not " + std::to_string(p.at("size")) + ".");
          }};
}

}  // namespace glaux
