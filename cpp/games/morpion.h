// Morpion Solitaire, a game of one player with pencil and squared paper.
//
// A cross of points is given. A move draws a line of `length` consecutive points in a row, a column or a
// diagonal, of which all but one are there already: the missing one is marked. Lines of one direction may
// touch in an end point, but not overlap, in the touching variants (5T, 4T); in the disjoint ones (5D,
// 4D) they may not share a point. The score is the number of moves. No end is a win or a loss, but one
// from `bound` moves on is a win: nobody has seen one.
//
// The sheet has `sheet` x `sheet` points with the cross in the middle, and nothing is drawn beyond its edge.
// The usual sheets have room for one row of points more on each side than any match was ever seen to reach.
//
// A state is the marked points and, for each direction, the segments that are drawn, each by its first
// point. So the order of the moves is forgotten. Each line has a point of its own that it marked, hence
// there are as many lines as points besides the cross. Within a direction the lines can be told apart:
// where they touch, they are cut every `length` - 1 segments.
//
// Actions: first point of the line * 4 + direction. The directions are right, down, down right, down left:
// a step is always to a later cell.
//
// Cell codes: 0 without a point, else 1 + a mask of directions: those in which a line passes through the
// point (disjoint) or begins a segment there (touching). That is what decides which lines can be drawn.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "games/morpion_playout.h"
#include "games/morpion_sheet.h"
#include "kit/bits.h"
#include "kit/planes.h"
#include "kit/text.h"

namespace glaux {

template <int Words>
class Morpion {
  using Set = Bits<Words>;
  static constexpr int directions = morpion::directions;

 public:
  struct State {
    morpion::Drawn<Words> drawn;
    Result result;
    std::uint8_t unused[7];
  };

  explicit Morpion(const Parameters& p)
      : sheet_(p.at("length"), p.at("touching") != 0, side(p)),
        playouts_(sheet_),
        bound_(least_win(p)),
        symmetries_(sheet_.board.square_symmetries()) {
    for (const CellMap& map : symmetries_) turns_.push_back(turn_of(map));
  }

  Spec spec() const {
    Spec spec;
    spec.players = 1;
    spec.aim = Spec::Aim::score;
    spec.board = sheet_.board;
    spec.action_count = sheet_.board.cells() * directions;
    for (const Set& starts : sheet_.starts) spec.max_actions += starts.count();
    spec.max_plies = max_plies();
    spec.max_plies_exact = false;
    spec.symbols = symbols_;
    spec.planes = {"points"};
    for (const char* way : {"right", "down", "down right", "down left"}) {
      spec.planes.push_back(std::string(sheet_.touching ? "segments to the " : "points of lines to the ") +
                            way);
    }
    spec.plane_rows = spec.plane_columns = sheet_.size;
    spec.state_symmetries = static_cast<int>(symmetries_.size());
    spec.has_score = true;
    spec.has_reachable = true;
    return spec;
  }

  State initial() const {
    State s{};
    s.drawn.points = sheet_.cross;
    s.result = ongoing;
    return s;
  }

  Status status(const State& s) const { return {Player::first, s.result}; }

  Measures measures(const State& s) const {
    Measures m;
    m.ply = moves(s);
    m.score = m.ply;
    return m;
  }

  int actions(const State& s, Action* out) const {
    Set legal[directions], any;
    for (int d = 0; d < directions; ++d) any |= legal[d] = sheet_.lines(s.drawn, d);
    int n = 0;
    any.for_each([&](int cell) {
      for (int d = 0; d < directions; ++d) {
        if (legal[d].test(cell)) out[n++] = cell * directions + d;
      }
    });
    return n;
  }

  void apply(State& s, Action action) const {
    const int start = action / directions, d = action % directions;
    sheet_.draw(s.drawn, start, sheet_.missing(s.drawn, start, d), d);
    s.result = result_of(s);
  }

  // The points that the next line can mark.
  Set reachable(const State& s) const {
    Set result;
    for (int d = 0; d < directions; ++d) {
      sheet_.lines(s.drawn, d).for_each([&](int start) { result.set(sheet_.missing(s.drawn, start, d)); });
    }
    return result;
  }

  void playout(State& s, Rng& rng) const {
    if (s.result != ongoing) return;
    playouts_.play(sheet_, s.drawn, rng);
    s.result = moves(s) >= bound_ ? 1 : 0;
  }

  void cells(const State& s, std::uint8_t* codes) const {
    std::fill_n(codes, sheet_.board.cells(), std::uint8_t{0});
    s.drawn.points.for_each([&](int cell) { codes[cell] = 1; });
    for (int d = 0; d < directions; ++d) {
      sheet_.taken(s.drawn, d).for_each([&](int cell) {
        codes[cell] = static_cast<std::uint8_t>(codes[cell] + (1 << d));
      });
    }
  }

  // The codes are 1 + mask: an addition of one, bit by bit.
  void cell_bits(const State& s, std::uint64_t* bits) const {
    Set carry = s.drawn.points;
    const auto words = (static_cast<std::size_t>(sheet_.board.cells()) + 63) / 64;
    for (int d = 0; d < directions; ++d) {
      const Set mask = sheet_.taken(s.drawn, d);
      bits = std::copy_n((mask ^ carry).word, words, bits);
      carry &= mask;
    }
    std::copy_n(carry.word, words, bits);
  }

  void encode(const State& s, float* out) const {
    Planes planes(out, sheet_.board);
    planes.set(0, s.drawn.points);
    for (int d = 0; d < directions; ++d) planes.set(1 + d, sheet_.taken(s.drawn, d));
  }

  State transform(const State& s, int symmetry) const {
    const CellMap& map = symmetries_[at(symmetry)];
    State t{};
    t.result = s.result;
    t.drawn.points = permuted(s.drawn.points, map);
    for (int d = 0; d < directions; ++d) {
      const auto [direction, backwards] = turns_[at(symmetry)][at(d)];
      const int from = backwards ? sheet_.steps[d] : 0;  // what was the last point of a segment is its first
      s.drawn.segments[d].for_each([&](int cell) { t.drawn.segments[direction].set(map[at(cell + from)]); });
    }
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    const int start = action / directions, d = action % directions;
    const auto [direction, backwards] = turns_[at(symmetry)][at(d)];
    const int first = backwards ? start + (sheet_.length - 1) * sheet_.steps[d] : start;
    return symmetries_[at(symmetry)][at(first)] * directions + direction;
  }

  // "f7f11": the point that is marked, and the end of the line that is farther from it. From the middle
  // of a line it is its last point.
  std::string action_text(const State& s, Action action) const {
    std::string text;
    for (const int cell : action_cells(s, action)) text += sheet_.board.cell_text(cell);
    return text;
  }

  Cells action_cells(const State& s, Action action) const {
    const int start = action / directions, d = action % directions;
    const int point = sheet_.missing(s.drawn, start, d), end = start + (sheet_.length - 1) * sheet_.steps[d];
    return {point, end - point >= point - start ? end : start};
  }

  std::string state_text(const State& s) const {
    std::vector<std::uint8_t> codes(at(sheet_.board.cells()));
    cells(s, codes.data());
    return format_state(sheet_.board, symbols_, codes.data(), true, moves(s));
  }

  // The points with the segments between them; the cross is drawn with rings.
  std::string drawing(const State& s) const {
    static constexpr char strokes[directions] = {'-', '|', '\\', '/'};
    const int width = 2 * sheet_.size - 1;
    std::vector<std::string> picture(at(width), std::string(at(width), ' '));
    s.drawn.points.for_each([&](int cell) {
      picture[at(2 * sheet_.board.row(cell))][at(2 * sheet_.board.column(cell))] =
          sheet_.cross.test(cell) ? 'o' : '*';
    });
    for (int d = 0; d < directions; ++d) {
      s.drawn.segments[d].for_each([&](int cell) {
        char& here = picture[at(2 * sheet_.board.row(cell) + morpion::rows[d])]
                            [at(2 * sheet_.board.column(cell) + morpion::columns[d])];
        here = here == ' ' ? strokes[d] : 'X';  // two diagonals cross
      });
    }
    std::string text;
    for (int row = 0; row < width; ++row) {
      const std::string name = row % 2 == 0 ? std::to_string(sheet_.size - row / 2) : "";
      std::string& line = picture[at(row)];
      line = std::string(3 - name.size(), ' ') + name + "  " + line;
      text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    text += "     ";
    for (int column = 0; column < sheet_.size; ++column) text += sheet_.board.column_text(column) + " ";
    text.pop_back();
    return text;
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, sheet_.board, symbols_, max_plies());
    parsed.expect_extra(0);
    State s{};
    Set masks[directions];
    for (int cell = 0; cell < sheet_.board.cells(); ++cell) {
      const int code = parsed.codes[at(cell)];
      if (code > 0) s.drawn.points.set(cell);
      for (int d = 0; d < directions; ++d) {
        if (code > 0 && (code - 1) >> d & 1) masks[d].set(cell);
      }
    }
    for (int d = 0; d < directions; ++d)
      s.drawn.segments[d] = sheet_.touching ? masks[d] : joined(masks[d], d);
    if (!parsed.first_player || parsed.ply != moves(s)) {
      throw InvalidState("With these points, X is to move and the ply is " + std::to_string(moves(s)) + ".");
    }
    validate_lines(s);
    for (int d = 0; d < directions; ++d) {
      if (sheet_.taken(s.drawn, d) != masks[d])
        throw InvalidState("These points do not form complete lines.");
    }
    s.result = result_of(s);
    return s;
  }

  void validate(const State& s) const {
    for (const auto byte : s.unused) {
      if (byte != 0) throw InvalidState("These bytes are not a state of Morpion Solitaire.");
    }
    validate_lines(s);
    if (s.result != result_of(s)) {
      throw InvalidState("The result in these bytes does not match the points.");
    }
  }

  static int side(const Parameters& p) {
    if (p.at("sheet") > 0) return p.at("sheet");
    return p.at("length") == 5 ? (p.at("touching") ? 24 : 20) : (p.at("touching") ? 19 : 17);
  }

 private:
  static inline const std::vector<std::string> symbols_{".", "a", "b", "c", "d", "e", "f", "g", "h",
                                                        "i", "j", "k", "l", "m", "n", "o", "p"};

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static int least_win(const Parameters& p) {
    if (p.at("bound") > 0) return p.at("bound");
    return p.at("length") == 5 && !p.at("touching") ? 84 : 1 << 20;
  }

  int moves(const State& s) const { return s.drawn.points.count() - sheet_.cross.count(); }

  // In 5D a point is on one line at most in each direction: the cross has 4 * 36 places on lines, a move
  // takes 5 and adds 4. In the others there is no better bound than the sheet.
  int max_plies() const {
    return sheet_.length == 5 && !sheet_.touching ? directions * sheet_.cross.count()
                                                  : sheet_.board.cells() - sheet_.cross.count();
  }

  Result result_of(const State& s) const {
    for (int d = 0; d < directions; ++d) {
      if (sheet_.lines(s.drawn, d).any()) return ongoing;
    }
    return moves(s) >= bound_ ? 1 : 0;
  }

  // Where a symmetry sends each direction, and whether lines then run the other way.
  using Turn = std::array<std::pair<int, bool>, directions>;
  Turn turn_of(const CellMap& map) const {
    Turn turn;
    const int cell = sheet_.board.cell(1, 1);
    for (int d = 0; d < directions; ++d) {
      const int step = map[at(cell + sheet_.steps[d])] - map[at(cell)];
      const auto* found = std::find(std::begin(sheet_.steps), std::end(sheet_.steps), std::abs(step));
      turn[at(d)] = {static_cast<int>(found - std::begin(sheet_.steps)), step < 0};
    }
    return turn;
  }

  // The segments of disjoint lines through these points. InvalidState if there are no such lines.
  Set joined(Set points, int d) const {
    Set segments;
    while (points.any()) {
      const int start = points.first();
      bool whole = sheet_.starts[d].test(start);
      for (int i = 0; whole && i < sheet_.length; ++i) {
        const int cell = start + i * sheet_.steps[d];
        whole = points.test(cell);
        points.reset(cell);
        if (i < sheet_.length - 1) segments.set(cell);
      }
      if (!whole) throw InvalidState("These points do not form complete lines.");
    }
    return segments;
  }

  // Throws InvalidState unless the segments are lines through marked points, each with one that it added.
  void validate_lines(const State& s) const {
    const Set sheet = Set::below(sheet_.board.cells());
    if ((s.drawn.points & ~sheet).any() || (sheet_.cross & ~s.drawn.points).any()) {
      throw InvalidState("A point of the cross is missing, or a point is outside the sheet.");
    }
    int drawn = 0;
    for (int d = 0; d < directions; ++d) {
      Set rest = s.drawn.segments[d], used;
      for (; rest.any(); ++drawn) {
        const int start = rest.first();
        bool whole = start < sheet_.board.cells() && sheet_.starts[d].test(start);
        for (int i = 0; whole && i < sheet_.length; ++i) {
          const int cell = start + i * sheet_.steps[d];
          whole = s.drawn.points.test(cell) && (i == sheet_.length - 1 || rest.test(cell)) &&
                  (sheet_.touching || !used.test(cell));
          if (i < sheet_.length - 1) rest.reset(cell);
          used.set(cell);
        }
        if (!whole) throw InvalidState("A line is incomplete, or two lines overlap.");
      }
    }
    if (drawn != moves(s)) {
      throw InvalidState("There are " + std::to_string(drawn) + " lines for " + std::to_string(moves(s)) +
                         " added points.");
    }
  }

  morpion::Sheet<Words> sheet_;
  morpion::Playouts<Words> playouts_;
  int bound_;
  std::vector<CellMap> symmetries_;
  std::vector<Turn> turns_;
};

inline GameEntry morpion_entry() {
  return {{"morpion",
           "Morpion Solitaire",
           "Starting from a cross, add as many points as you can; each new point must complete a line.",
           {{"length", 5, 4, 5, "points in a line: 5, or 4 with a smaller cross"},
            {"touching", 0, 0, 1, "lines in the same direction may share an end point (5T, 4T)", true},
            {"sheet", 0, 0, 24,
             "points along each edge of the sheet, even with lines of 5, odd with lines of 4; 0: as needed"},
            {"bound", 0, 0, 1000, "how many moves are a win; 0: 84 in 5D, none in the others"}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            const int size = Morpion<4>::side(p), least = 3 * (p.at("length") - 2) + 1;
            if (size < least || size % 2 != least % 2) {
              throw InvalidParameter("With lines of " + std::to_string(p.at("length")) +
                                     ", Morpion Solitaire needs " + (least % 2 == 0 ? "an even" : "an odd") +
                                     " size of at least " + std::to_string(least) + ", not " +
                                     std::to_string(size) + ".");
            }
            return adapt_sized<Morpion, 4, 7, 9>(size * size, info, p);
          }};
}

}  // namespace glaux
