// Clobber on a board of rows x columns cells.
//
// At the start stones of the two players fill the board like a checkerboard. A move takes an own
// stone to an orthogonally adjacent cell with an opposing stone, which is removed. A player who
// cannot move loses.
//
// Actions: from * 4 + d, where d is 0 to step up, 1 right, 2 down, 3 left, as the board is printed.
//
// Two adjacent stones of different players are a contact. Each contact is exactly one move for
// whoever is to move, since just one of its stones is theirs: both players always have the same number
// of moves, and the match is over when there is no contact left.
// Each move removes one stone, so that the ply is the number of empty cells.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "kit/bits.h"
#include "kit/planes.h"
#include "kit/results.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

template <int Words>
class Clobber {
  using Set = Bits<Words>;

 public:
  struct State {
    Set stones[2];        // of the first and the second player
    std::uint8_t player;  // to move: 0 the first, 1 the second
    Result result;
    std::uint16_t unused[3];
  };

  explicit Clobber(const Parameters& p)
      : board_{p.at("rows"), p.at("columns"), Board::Shape::square, Board::Numbering::from_bottom},
        symmetries_(board_.square_symmetries()),
        step_{-board_.columns, 1, board_.columns, -1} {
    for (int row = 0; row < board_.rows; ++row) {
      for (int column = 0; column + 1 < board_.columns; ++column) not_right_.set(board_.cell(row, column));
    }
    // What becomes of a direction is seen on a step between the four cells at the top left.
    const int top_left = 0, bottom_right = board_.columns + 1;
    for (const CellMap& map : symmetries_) {
      std::array<int, 4>& directions = direction_maps_.emplace_back();
      for (std::size_t d = 0; d < 4; ++d) {
        const int from = d == 0 || d == 3 ? bottom_right : top_left;
        const int step = map[static_cast<std::size_t>(from + step_[d])] - map[static_cast<std::size_t>(from)];
        directions[d] = static_cast<int>(std::find(step_.begin(), step_.end(), step) - step_.begin());
      }
    }
  }

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = 4 * board_.cells();
    spec.max_actions = board_.rows * (board_.columns - 1) + board_.columns * (board_.rows - 1);
    // The last stone has nothing to take. A match that leaves only one exists for an even number of
    // cells that is not a multiple of three; else one more stone stays (docs/games/clobber.md).
    spec.max_plies = board_.cells() - 1;
    spec.max_plies_exact = board_.cells() % 2 == 0 && board_.cells() % 3 != 0;
    spec.symbols = stone_symbols;
    spec.planes = {"first player's stones", "second player's stones", "first player to move",
                   "ply / longest match"};
    spec.plane_rows = board_.rows;
    spec.plane_columns = board_.columns;
    spec.symmetries = symmetries_;
    spec.exchange = stone_exchange(symmetries_[0]);
    spec.has_pieces = true;
    return spec;
  }

  State initial() const {
    State s{};
    for (int cell = 0; cell < board_.cells(); ++cell) {
      // The first player has the cell at the bottom left.
      s.stones[(board_.rows - 1 - board_.row(cell) + board_.column(cell)) % 2].set(cell);
    }
    s.result = result_of(s);
    return s;
  }

  Status status(const State& s) const { return {player_of(s.player), s.result}; }

  Measures measures(const State& s) const {
    const int first = s.stones[0].count(), second = s.stones[1].count();
    return {board_.cells() - first - second, 0.0, {first, second}};
  }

  int actions(const State& s, Action* out) const {
    const Contacts contacts = contacts_of(s.stones[0], s.stones[1]);
    const Set& own = s.stones[s.player];
    const Set movers[4] = {own & (contacts.down << board_.columns), own & contacts.right, own & contacts.down,
                           own & (contacts.right << 1)};
    int n = 0;
    own.for_each([&](int from) {
      for (int d = 0; d < 4; ++d) {
        if (movers[d].test(from)) out[n++] = 4 * from + d;
      }
    });
    return n;
  }

  void apply(State& s, Action action) const {
    move(s.stones[s.player], s.stones[1 - s.player], action / 4, target(action));
    s.player ^= 1;
    s.result = result_of(s);
  }

  // As random actions by apply() in a loop, with the stones in registers.
  void playout(State& s, Rng& rng) const {
    Set own = s.stones[s.player], other = s.stones[1 - s.player];
    int player = s.player;
    for (;;) {
      const Contacts contacts = contacts_of(own, other);
      const int right = contacts.right.count(), all = right + contacts.down.count();
      if (all == 0) break;
      const auto k = static_cast<int>(rng.below(static_cast<std::uint32_t>(all)));
      // Without branches, whose outcome would be a coin toss.
      const bool is_down = k >= right;
      const int one = (is_down ? contacts.down : contacts.right).nth(is_down ? k - right : k);
      const int two = one + (is_down ? board_.columns : 1);
      const bool forward = own.test(one);
      move(own, other, forward ? one : two, forward ? two : one);
      std::swap(own, other);
      player ^= 1;
    }
    s.stones[player] = own;
    s.stones[1 - player] = other;
    s.player = static_cast<std::uint8_t>(player);
    s.result = loss_of(player);
  }

  void cells(const State& s, std::uint8_t* codes) const { stone_codes(s.stones, board_.cells(), codes); }
  void cell_bits(const State& s, std::uint64_t* bits) const { stone_bits(s.stones, board_.cells(), bits); }

  void encode(const State& s, float* out) const {
    Planes(out, board_).set_stones(s.stones, s.player == 0, measures(s).ply, board_.cells() - 1);
  }

  State transform(const State& s, int symmetry) const {
    State t = s;
    permute_stones(t.stones, symmetries_[static_cast<std::size_t>(symmetry)]);
    return t;
  }

  State exchange(const State& s) const { return exchanged_sides(s, symmetries_[0]); }
  Action exchange_action(Action action) const { return action; }

  Action transform_action(Action action, int symmetry) const {
    const auto k = static_cast<std::size_t>(symmetry);
    return 4 * symmetries_[k][static_cast<std::size_t>(action / 4)] +
           direction_maps_[k][static_cast<std::size_t>(action % 4)];
  }

  std::string action_text(const State&, Action action) const {
    return board_.cell_text(action / 4) + board_.cell_text(target(action));
  }

  Cells action_cells(const State&, Action action) const { return {action / 4, target(action)}; }

  std::string state_text(const State& s) const {
    std::uint8_t codes[Set::capacity];
    cells(s, codes);
    return format_state(board_, stone_symbols, codes, s.player == 0, measures(s).ply);
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board_, stone_symbols, board_.cells() - 1);
    parsed.expect_extra(0);
    State s{};
    stones_from_codes(parsed.codes, s.stones);
    s.player = parsed.first_player ? 0 : 1;
    s.result = result_of(s);
    if (const int ply = measures(s).ply; parsed.ply != ply) {
      throw InvalidState("The ply must be the number of empty cells, here " + std::to_string(ply) + ", not " +
                         std::to_string(parsed.ply) + ".");
    }
    return s;
  }

  void validate(const State& s) const {
    if (s.player > 1 || s.unused[0] != 0 || s.unused[1] != 0 || s.unused[2] != 0 ||
        !stones_fit(s.stones, board_.cells())) {
      throw InvalidState("These bytes are not a Clobber state.");
    }
    if ((s.stones[0] | s.stones[1]).none()) throw InvalidState("A Clobber board is never empty.");
    expect_result(s.result, result_of(s));
  }

 private:
  // The contacts of each cell with the cell to its right and with the cell below it.
  struct Contacts {
    Set right, down;
  };
  [[gnu::always_inline]] Contacts contacts_of(const Set& a, const Set& b) const {
    return {((a & (b >> 1)) | (b & (a >> 1))) & not_right_,
            (a & (b >> board_.columns)) | (b & (a >> board_.columns))};
  }

  [[gnu::always_inline]] static void move(Set& own, Set& other, int from, int to) {
    own.reset(from);
    own.set(to);
    other.reset(to);
  }

  int target(Action action) const { return action / 4 + step_[static_cast<std::size_t>(action % 4)]; }

  Result result_of(const State& s) const {
    const Contacts contacts = contacts_of(s.stones[0], s.stones[1]);
    return (contacts.right | contacts.down).any() ? ongoing : loss_of(s.player);
  }

  Board board_;
  std::vector<CellMap> symmetries_;
  std::array<int, 4> step_;                         // of each direction
  std::vector<std::array<int, 4>> direction_maps_;  // where each symmetry sends each direction
  Set not_right_;  // all but the last column: the cells that have one to their right
};

inline GameEntry clobber_entry() {
  return {{"clobber",
           "Clobber",
           "Capture adjacent enemy stones by moving onto them; a player who cannot move loses.",
           {{"rows", 10, 2, 16, "rows"}, {"columns", 10, 2, 16, "columns"}}},
          [](const GameInfo& info, const Parameters& p) {
            return adapt_sized<Clobber, 1, 2, 4>(p.at("rows") * p.at("columns"), info, p);
          }};
}

}  // namespace glaux
