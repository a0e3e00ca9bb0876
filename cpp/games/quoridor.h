// Quoridor for two on a board of n x n cells.
//
// In turn the players, first from the middle of the lowest row and second from that of the highest, move
// their pawn or put one of their walls between cells. Who reaches the row where the other started wins.
//
// A pawn steps to one of the four cells beside it, unless a wall is between them. It jumps straight over
// the other pawn; where a wall or the edge is behind that, it goes to a cell beside the other pawn
// instead. A wall is two cells long. Walls do not overlap or cross, and both players must keep a path to
// their goal, on which pawns do not count.
//
// After `limit` pawn moves in a row without a wall the match is over: the pawn that has fewer rows to go
// wins. So every match ends.
//
// Somebody to move always has a pawn move, so there is no pass. Take the first step of a path to the goal.
// Only the other pawn can be in its way; then the path leads on from under it to a third cell, straight ahead
// or at its side, and either the jump or that diagonal is legal. If the path ends there instead, in the goal
// row, the other pawn's own path begins there: it leads to a third cell, so to its side, and the edge is
// behind it; or through our cell and on, which is a step for us. (On two rows it could end in our cell.)
//
// Actions: the cell that the pawn goes to; n * n + the point of a lying wall; n * n + (n-1) * (n-1) + the
// point of a standing one.
#pragma once

#include <array>
#include <bit>
#include <string>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "games/quoridor_board.h"
#include "kit/bits.h"
#include "kit/planes.h"
#include "kit/results.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

class Quoridor : QuoridorBoard {
 public:
  using QuoridorBoard::cells;
  using QuoridorBoard::largest;

  struct State {
    Walls walls;
    std::uint8_t pawn[2];     // cells
    std::uint8_t in_hand[2];  // walls
    std::uint16_t ply;
    std::uint16_t quiet;  // pawn moves since the last wall
  };

  explicit Quoridor(const Parameters& p)
      : QuoridorBoard(p.at("size")),
        n_(p.at("size")),
        walls_(p.at("walls")),
        limit_(p.at("limit")),
        mirror_(board().mirror_columns()) {}

  Spec spec() const {
    Spec spec;
    spec.board = board();
    spec.action_count = cells() + 2 * points();
    spec.max_actions = 5 + 2 * points();
    spec.max_plies = longest();
    spec.max_plies_exact = false;
    for (const char wall : {'.', '-', '|'}) {
      for (const char pawn : {'.', 'X', 'O'}) spec.symbols.push_back({pawn, wall});
    }
    for (int cell = 0; cell < cells(); ++cell) {
      const bool corner = board().row(cell) > 0 && board().column(cell) < n_ - 1;
      spec.code_counts.push_back(corner ? 9 : 3);
    }
    spec.planes = {"first player's pawn",
                   "second player's pawn",
                   "walls above cells",
                   "walls at the right of cells",
                   "first player's walls in hand / all",
                   "second player's walls in hand / all",
                   "first player to move",
                   "pawn moves since the last wall / limit",
                   "ply / longest match"};
    spec.plane_rows = spec.plane_columns = n_;
    spec.state_symmetries = 2;
    spec.has_score = spec.has_pieces = true;
    spec.max_score = n_ - 1;
    return spec;
  }

  State initial() const {
    State s{};
    const int middle = n_ / 2;
    s.pawn[0] = static_cast<std::uint8_t>(board().cell(n_ - 1, middle));
    s.pawn[1] = static_cast<std::uint8_t>(board().cell(0, middle));
    s.in_hand[0] = s.in_hand[1] = static_cast<std::uint8_t>(walls_);
    return s;
  }

  Status status(const State& s) const { return {player_of(player(s)), result(s)}; }

  Measures measures(const State& s) const {
    return {s.ply, static_cast<double>(difference(s)), {s.in_hand[0], s.in_hand[1]}};
  }

  int actions(const State& s, Action* out) const {
    const Ways ways = ways_of(s.walls);
    int n = 0;
    steps(ways, s.pawn[player(s)], s.pawn[1 - player(s)]).for_each([&](int cell) { out[n++] = cell; });
    if (s.in_hand[player(s)] == 0) return n;
    const Places there = places(s.walls);
    for (const Kind kind : {lying, standing}) {
      Bits<1>{{there.free[kind]}}.for_each([&](int point) {
        if (!(there.doubtful[kind] >> point & 1) || leaves_paths(s, ways, kind, point)) {
          out[n++] = wall_action(kind, point);
        }
      });
    }
    return n;
  }

  // As random actions by apply() in a loop: where pawns can step is kept from action to action, and a wall is
  // drawn from all the places that are free until it leaves both paths.
  void playout(State& s, Rng& rng) const {
    Ways ways = ways_of(s.walls);
    while (result(s) == ongoing) {
      const Action action = random_action(s, ways, rng);
      if (action >= cells()) block(ways, kind_of(action), point_of(action));
      apply(s, action);
    }
  }

  void apply(State& s, Action action) const {
    const int mover = player(s);
    if (action < cells()) {
      s.pawn[mover] = static_cast<std::uint8_t>(action);
      ++s.quiet;
    } else {
      s.walls[kind_of(action)] |= Points{1} << point_of(action);
      --s.in_hand[mover];
      s.quiet = 0;
    }
    ++s.ply;
  }

  // A cell has its pawn, and the wall whose middle is its upper right corner.
  void cells(const State& s, std::uint8_t* codes) const {
    std::fill_n(codes, cells(), std::uint8_t{0});
    for (const int i : {0, 1}) codes[s.pawn[i]] = static_cast<std::uint8_t>(1 + i);
    for (const Kind kind : {lying, standing}) {
      Bits<1>{{s.walls[kind]}}.for_each([&](int point) {
        std::uint8_t& code = codes[lower_left(point)];
        code = static_cast<std::uint8_t>(code + 3 * (1 + kind));
      });
    }
  }

  void encode(const State& s, float* out) const {
    Planes planes(out, board());
    for (const int i : {0, 1}) planes.set(i, Set::of(s.pawn[i]));
    const Ways ways = ways_of(s.walls);
    planes.set(2, (bare().down & ~ways.down) << n_);
    planes.set(3, bare().right & ~ways.right);
    for (const int i : {0, 1}) {
      if (s.in_hand[i] > 0) planes.fill(4 + i, static_cast<float>(s.in_hand[i]) / static_cast<float>(walls_));
    }
    if (player(s) == 0) planes.fill(6, 1.0f);
    planes.fill(7, static_cast<float>(s.quiet) / static_cast<float>(limit_));
    planes.fill(8, static_cast<float>(s.ply) / static_cast<float>(longest()));
  }

  State transform(const State& s, int symmetry) const {
    if (symmetry == 0) return s;
    State t = s;
    for (std::uint8_t& pawn : t.pawn) pawn = static_cast<std::uint8_t>(mirror_[pawn]);
    for (Points& walls : t.walls) {
      Bits<1> image;
      Bits<1>{{walls}}.for_each([&](int point) { image.set(mirrored(point)); });
      walls = image.word[0];
    }
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    if (symmetry == 0) return action;
    if (action < cells()) return mirror_[static_cast<std::size_t>(action)];
    return wall_action(kind_of(action), mirrored(point_of(action)));
  }

  std::string action_text(const State&, Action action) const {
    if (action < cells()) return board().cell_text(action);
    return wall_text(kind_of(action), point_of(action));
  }

  // A wall is the four cells around its middle, from the lower left: two on each side of one half of it,
  // then two of the other.
  Cells action_cells(const State& s, Action action) const {
    if (action < cells()) return {s.pawn[player(s)], action};
    const int corner = lower_left(point_of(action)), above = corner - n_;
    return kind_of(action) == lying ? Cells{corner, above, corner + 1, above + 1}
                                    : Cells{corner, corner + 1, above, above + 1};
  }

  // After the ply the walls in the first and the second player's hand, the pawn moves since the last wall,
  // and the walls on the board, or "-".
  std::string state_text(const State& s) const {
    std::uint8_t codes[largest * largest] = {};
    for (const int i : {0, 1}) codes[s.pawn[i]] = static_cast<std::uint8_t>(1 + i);
    std::string text = format_state(board(), stone_symbols, codes, player(s) == 0, s.ply);
    for (const int number : {int{s.in_hand[0]}, int{s.in_hand[1]}, int{s.quiet}}) {
      text.append(" ").append(std::to_string(number));
    }
    char separator = ' ';
    for (const Kind kind : {lying, standing}) {
      Bits<1>{{s.walls[kind]}}.for_each([&](int point) {
        text += separator;
        text += wall_text(kind, point);
        separator = ',';
      });
    }
    return separator == ' ' ? text + " -" : text;
  }

  // The board with its walls between the cells, and a + where four cells meet.
  std::string drawing(const State& s) const {
    std::string names = "  ";
    for (int column = 0; column < n_; ++column) names += "   " + board().column_text(column);
    std::string text = names;
    const Ways ways = ways_of(s.walls);
    for (int row = 0; row < n_; ++row) {
      std::string line = std::to_string(n_ - row), below;
      line.insert(0, 2 - line.size(), ' ');
      for (int column = 0; column < n_; ++column) {
        const int cell = board().cell(row, column);
        line += column > 0 && !ways.right.test(cell - 1) ? " | " : "   ";
        line += cell == s.pawn[0] ? 'X' : cell == s.pawn[1] ? 'O' : '.';
        if (row < n_ - 1) below += gap_below(s, ways, row, column);
      }
      text.append("\n").append(line);
      if (row < n_ - 1) text.append("\n   ").append(below, 0, below.find_last_not_of(' ') + 1);
    }
    return text + "\n   walls: X " + std::to_string(s.in_hand[0]) + ", O " + std::to_string(s.in_hand[1]);
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board(), stone_symbols, longest());
    parsed.expect_extra(4);
    Set pawns[2];
    stones_from_codes(parsed.codes, pawns);
    if (pawns[0].count() != 1 || pawns[1].count() != 1)
      throw InvalidState("Each player has one pawn on the board.");
    State s{};
    for (const int i : {0, 1}) {
      s.pawn[i] = static_cast<std::uint8_t>(pawns[i].first());
      s.in_hand[i] = static_cast<std::uint8_t>(number(parsed.extra[static_cast<std::size_t>(i)], walls_));
    }
    s.quiet = static_cast<std::uint16_t>(number(parsed.extra[2], limit_));
    s.ply = static_cast<std::uint16_t>(parsed.ply);
    if (parsed.first_player != (player(s) == 0))
      throw InvalidState("The players alternate: at this ply it is the other player's turn.");
    const std::string_view walls = parsed.extra[3];
    if (walls != "-") for_each_word(walls, [&](std::string_view wall) { put(s, wall); });
    return s;
  }

  void validate(const State& s) const {
    const bool apart = s.pawn[0] < cells() && s.pawn[1] < cells() && s.pawn[0] != s.pawn[1];
    if (!apart || !fit(s.walls)) throw InvalidState("These bytes are not a Quoridor state.");
    const int placed = std::popcount(s.walls[0]) + std::popcount(s.walls[1]);
    if (s.in_hand[0] > walls_ || s.in_hand[1] > walls_ ||
        placed + s.in_hand[0] + s.in_hand[1] != 2 * walls_) {
      throw InvalidState("The walls on the board and in hand must add up to " + std::to_string(walls_) +
                         " for each player.");
    }
    const int high = placed * limit_ + s.quiet;
    if (s.quiet > limit_ || s.ply < placed + s.quiet || s.ply > high) {
      throw InvalidState("The ply must be between " + std::to_string(placed + s.quiet) + " and " +
                         std::to_string(high) + " with this number of walls and " + std::to_string(s.quiet) +
                         " pawn moves since the last one, at most " + std::to_string(limit_) + ".");
    }
    if (overlap(s.walls)) throw InvalidState("Walls may not overlap or cross.");
    if (!have_paths(ways_of(s.walls), s.pawn)) throw InvalidState("A player has no path to the goal.");
    if (goal(player(s)).test(s.pawn[player(s)]))
      throw InvalidState("The pawn of the player to move has already reached its goal.");
  }

 private:
  // Before a wall there are fewer than limit_ pawn moves.
  int longest() const { return (2 * walls_ + 1) * limit_; }

  static int player(const State& s) { return s.ply & 1; }

  Kind kind_of(Action action) const { return action < cells() + points() ? lying : standing; }
  int point_of(Action action) const { return (action - cells()) % points(); }
  Action wall_action(Kind kind, int point) const { return cells() + kind * points() + point; }

  // Rows that the second player's pawn still has to go, less those of the first's.
  int difference(const State& s) const { return n_ - 1 - board().row(s.pawn[1]) - board().row(s.pawn[0]); }

  Result result(const State& s) const {
    if (s.quiet < limit_ && s.pawn[0] >= n_ && s.pawn[1] < cells() - n_) return ongoing;
    return win_of_more(difference(s), 0);
  }

  bool leaves_paths(const State& s, Ways ways, Kind kind, int point) const {
    block(ways, kind, point);
    return have_paths(ways, s.pawn);
  }

  Action random_action(const State& s, const Ways& ways, Rng& rng) const {
    const Set to = steps(ways, s.pawn[player(s)], s.pawn[1 - player(s)]);
    const int pawn_moves = to.count();
    Places there;
    if (s.in_hand[player(s)] > 0) there = places(s.walls);
    const int walls[2] = {std::popcount(there.free[lying]), std::popcount(there.free[standing])};
    const auto choices = static_cast<std::uint32_t>(pawn_moves + walls[lying] + walls[standing]);
    for (;;) {
      int k = static_cast<int>(rng.below(choices));
      if (k < pawn_moves) return to.nth(k);
      k -= pawn_moves;
      const Kind kind = k < walls[lying] ? lying : standing;
      const int point = nth_bit(there.free[kind], kind == lying ? k : k - walls[lying]);
      if (!(there.doubtful[kind] >> point & 1) || leaves_paths(s, ways, kind, point)) {
        return wall_action(kind, point);
      }
    }
  }

  // Texts

  std::string wall_text(Kind kind, int point) const {
    return board().cell_text(lower_left(point)) + (kind == lying ? 'h' : 'v');
  }

  void put(State& s, std::string_view wall) const {
    const auto cell = wall.empty() ? std::nullopt : board().parse_cell(wall.substr(0, wall.size() - 1));
    const bool known = cell && (wall.back() == 'h' || wall.back() == 'v') && board().row(*cell) > 0 &&
                       board().column(*cell) < n_ - 1;
    if (!known) {
      throw InvalidState(std::string("'").append(wall).append(
          "' is not a wall: write the cell at the lower left of its middle, then h or v."));
    }
    const Kind kind = wall.back() == 'h' ? lying : standing;
    const Points bit = Points{1} << ((board().row(*cell) - 1) * (n_ - 1) + board().column(*cell));
    if (s.walls[kind] & bit) throw InvalidState("The same wall appears twice.");
    s.walls[kind] |= bit;
  }

  static int number(std::string_view text, int most) {
    if (const auto value = parse_number(text, static_cast<std::uint64_t>(most))) {
      return static_cast<int>(*value);
    }
    throw InvalidState(std::string("'").append(text).append("' is not a number from 0 to ") +
                       std::to_string(most) + ".");
  }

  // Four characters of the line under a row: the point at the left of the cell, then the cell's lower side.
  std::string gap_below(const State& s, const Ways& ways, int row, int column) const {
    std::string text(1, ' ');
    if (column > 0) {
      const Points middle = Points{1} << (row * (n_ - 1) + column - 1);
      text[0] = s.walls[lying] & middle ? '-' : s.walls[standing] & middle ? '|' : '+';
    }
    return text + (ways.down.test(board().cell(row, column)) ? "   " : "---");
  }

  int n_, walls_, limit_;
  CellMap mirror_;
};

inline GameEntry quoridor_entry() {
  return {{"quoridor",
           "Quoridor",
           "Be the first to move your pawn across the board; place walls to make the opponent's way longer.",
           {{"size", 9, 3, Quoridor::largest, "rows and columns"},
            {"walls", 10, 0, 20, "walls that each player starts with"},
            {"limit", 100, 8, 1000,
             "after this many pawn moves in a row, the player with fewer rows to go wins"}}},
          adapt<Quoridor>};
}

}  // namespace glaux
