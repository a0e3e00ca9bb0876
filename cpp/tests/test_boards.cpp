// Boards with absent cells and of several boards, and a made-up game on a hexagon through the contract.
#include <algorithm>
#include <set>
#include <string>

#include "core/errors.h"
#include "core/mobility.h"
#include "core/rules.h"
#include "kit/boards.h"
#include "kit/placement.h"
#include "tests/check.h"
#include "tests/drive.h"

using namespace glaux;

namespace {

// Both fill a hexagon in turn, and whoever takes the last cell but one wins.
class Filling : public Placement<2> {
 public:
  explicit Filling(const Parameters& p) : Filling(hexagon(p.at("side"))) {}

  Spec spec() const {
    Spec spec = common_spec();
    spec.action_count = board_.cells();
    spec.max_actions = there_.count();
    return spec;
  }
  int actions(const State& s, Action* out) const {
    int n = 0;
    empty(s).for_each([&](int cell) { out[n++] = cell; });
    return n;
  }
  void apply(State& s, Action action) const {
    const int mover = player(s);
    ++s.ply;
    s.stones[mover].set(action);
    s.result = result_of(s);
  }
  Action transform_action(Action action, int symmetry) const { return mapped_cell(action, symmetry); }
  std::string action_text(const State&, Action action) const { return board_.cell_text(action); }
  Cells action_cells(const State&, Action action) const { return {action}; }
  State parse_state(std::string_view text) const {
    State s = parse_stones(text);
    s.result = result_of(s);
    return s;
  }
  void validate(const State& s) const {
    validate_stones(s);
    validate_counts(s);
    if (s.result != result_of(s)) throw InvalidState("The result does not belong to the board.");
  }

 private:
  explicit Filling(const Board& board)
      : Placement<2>(board, board.hexagonal_symmetries(), Filling::plies(board)) {}
  static int plies(const Board& board) {
    int cells = 0;
    for (int cell = 0; cell < board.cells(); ++cell) cells += board.has(cell);
    return cells - 1;
  }
  Result result_of(const State& s) const { return empty(s).count() > 1 ? ongoing : win_of(1 - player(s)); }
};

}  // namespace

TEST(hexagons_have_12_symmetries) {
  for (int side = 2; side <= 6; ++side) {
    const Board board = hexagon(side);
    CHECK(std::count(board.present.begin(), board.present.end(), true) == 3 * side * (side - 1) + 1);
    const auto maps = board.hexagonal_symmetries();
    CHECK(maps.size() == 12 && maps[0] == board.identity());
    const CellLists near = board.neighbours();
    for (const CellMap& map : maps) {
      for (std::size_t i = 0; i < near.size(); ++i) {
        const std::set<std::uint16_t> there(near[map[i]].begin(), near[map[i]].end());
        std::set<std::uint16_t> moved;
        for (const auto j : near[i]) moved.insert(map[j]);
        CHECK(there == moved);
      }
    }
  }
}

TEST(absent_cells_have_no_name_to_read) {
  const Board board = dark_squares(10, 10);
  CHECK(board.square_symmetries().size() == 4);
  CHECK(board.parse_cell("a1").has_value() && !board.parse_cell("a2").has_value());
  CHECK(board.neighbours()[0].empty() && board.neighbours()[1].size() == 2);
}

TEST(several_boards_do_not_touch) {
  const Board board = several_boards(2, 2, 4, 4);
  CHECK(board.rows == 8 && board.boards.size() == 4 && board.square_symmetries().size() == 8);
  const CellLists near = board.neighbours();
  for (int cell = 0; cell < board.cells(); ++cell) {
    for (const auto other : near[static_cast<std::size_t>(cell)]) {
      CHECK(board.board_of(cell) == board.board_of(other));
    }
  }
}

TEST(a_game_on_a_hexagon) {
  Rng rng(3);
  for (const int side : {2, 3, 5}) {
    const GameInfo info{"filling", "Filling", "", {}};
    const GamePointer game = adapt<Filling>(info, {{"side", side}});
    for (int i = 0; i < 3; ++i) drive_match(*game, rng);
    drive_match(MobilityGame(game), rng);
    std::vector<std::byte> state(game->spec().state_size);
    game->initial(state.data());
    CHECK(game->state_text(state.data()).find(std::string(static_cast<std::size_t>(side), '.') + "/") == 0);
  }
}
