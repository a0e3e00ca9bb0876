// International draughts on a board of N x N cells, N even: also Brazilian (8) and Canadian (12) draughts.
//
// A man steps diagonally forward, and jumps over an enemy beside it, forward or back, to the free square
// behind; a king flies any distance, and over one enemy to any free square behind it. Who can capture must,
// and goes on as long as there is somebody to jump, along a way that takes the most pieces. They come off
// when all of it is done: until then they stand in the way and are not jumped again. A man that ends its
// move on the farthest row becomes a king. Who can't move loses.
//
// Draws: 25 moves of each side by kings without a capture, the third occurrence of a position with the same
// player to move, 16 moves of each in the endings of one king against three pieces with a king among them,
// and 5 in those against two or one. By the Olympiad's rules the fourth occurrence; two kings or one against
// one at once; and a king and a man against one go on.
//
// Actions: from * squares + to, each jump an action of its own, squares counted from 0 as people count them
// from 1. The state keeps the moves of kings since the last capture or move of a man, because they alone can
// bring a position back, and the plies since one of the endings began.
#pragma once

#include <algorithm>
#include <string>

#include "core/errors.h"
#include "core/rules.h"
#include "kit/draughts_play.h"
#include "kit/planes.h"
#include "kit/reversible.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

template <int Size>
class Draughts {
  using Play = DraughtsPlay<Size>;
  using Geometry = typename Play::Geometry;
  using Set = typename Play::Set;
  static constexpr int run_limit = Play::run_limit, squares = Play::squares, pieces_each = Play::pieces_each;
  static constexpr std::uint8_t nobody = Play::nobody;

 public:
  using State = typename Play::State;

  explicit Draughts(const Parameters& p) : play_(p.at("olympiad") != 0) {}

  Spec spec() const {
    Spec spec;
    spec.board = geometry().board();
    spec.action_count = squares * squares;
    spec.max_actions = Play::most_actions;
    spec.max_plies = max_plies;
    spec.max_plies_exact = false;
    spec.symbols = symbols_;
    spec.planes = {"first player's men",
                   "second player's men",
                   "first player's kings",
                   "second player's kings",
                   "pieces taken in this turn",
                   "piece that has to go on",
                   "first player to move",
                   "ply / longest match",
                   "plies of kings since the last capture or move of a man / the most there can be",
                   "plies of an ending / the most there can be"};
    spec.plane_rows = spec.plane_columns = Size;
    spec.symmetries = {spec.board.identity()};
    spec.exchange = {spec.board.half_turn(), {0, 2, 1, 4, 3}};
    spec.has_pieces = spec.has_history = true;
    return spec;
  }

  State initial() const {
    State s{};
    for (int row = 0; row < (Size - 2) / 2; ++row) {
      s.stones[1] |= geometry().row(row);
      s.stones[0] |= geometry().row(Size - 1 - row);
    }
    s.jumper = nobody;
    s.result = ongoing;
    return s;
  }

  Status status(const State& s) const { return {player_of(s.player), s.result}; }

  Measures measures(const State& s) const { return {s.ply, 0, {s.stones[0].count(), s.stones[1].count()}}; }

  int actions(const State& s, Action* out) const { return play_.actions(s, out); }
  void apply(State& s, Action action) const { play_.apply(s, action); }
  void playout(State& s, Rng& rng) const { play_.playout(s, rng); }

  void cells(const State& s, std::uint8_t* codes) const {
    std::fill_n(codes, Size * Size, std::uint8_t{0});
    for (int i = 0; i < 2; ++i) {
      s.stones[i].for_each([&](int bit) {
        codes[geometry().cell(bit)] = static_cast<std::uint8_t>(1 + i + 2 * s.kings.test(bit));
      });
    }
  }

  // The codes of men are 1 and 2, those of kings 3 and 4.
  void cell_bits(const State& s, std::uint64_t* bits) const {
    constexpr int words = (Size * Size + 63) / 64;
    geometry().spread(s.stones[0], bits);
    geometry().spread((s.stones[1] & ~s.kings) | (s.stones[0] & s.kings), bits + words);
    geometry().spread(s.stones[1] & s.kings, bits + 2 * words);
  }

  void encode(const State& s, float* out) const {
    Planes planes(out, geometry().board());
    const Set sets[] = {s.stones[0] & ~s.kings,
                        s.stones[1] & ~s.kings,
                        s.stones[0] & s.kings,
                        s.stones[1] & s.kings,
                        s.taken,
                        s.jumper == nobody ? Set{} : Set::of(s.jumper)};
    int plane = 0;
    for (const Set& set : sets) {
      set.for_each([&](int bit) {
        planes.set_cell(plane, geometry().board().row(geometry().cell(bit)),
                        geometry().board().column(geometry().cell(bit)));
      });
      ++plane;
    }
    if (s.player == 0) planes.fill(plane, 1.0f);
    planes.fill(plane + 1, static_cast<float>(s.ply) / static_cast<float>(max_plies));
    planes.fill(plane + 2, static_cast<float>(s.run.count) / run_limit);
    planes.fill(plane + 3, static_cast<float>(s.ending) / Play::three_pieces);
  }

  // The board looks the same from one side only: men know where forward is, and a mirror image has its
  // pieces on light squares.
  State transform(const State& s, int) const { return s; }
  Action transform_action(Action action, int) const { return action; }

  // The players see the board from opposite sides.
  State exchange(const State& s) const {
    CellMap map(Geometry::bits);
    geometry().all().for_each([&](int bit) {
      map[static_cast<std::size_t>(bit)] =
          static_cast<std::uint16_t>(geometry().bit(squares - 1 - geometry().square(bit)));
    });
    State t = exchanged_sides(s, map);
    t.kings = permuted(s.kings, map);
    t.taken = permuted(s.taken, map);
    t.run.permute(map);
    if (s.jumper != nobody) t.jumper = static_cast<std::uint8_t>(map[s.jumper]);
    return t;
  }
  Action exchange_action(Action action) const { return squares * squares - 1 - action; }

  // "32-28" and "19x28"; on 64 squares, where people write letters, "c3-d4" and "c3xe5".
  std::string action_text(const State& s, Action action) const {
    const int from = geometry().bit(action / squares), to = geometry().bit(action % squares);
    const bool capture = geometry().between(from, to, s.stones[1 - s.player]).any();
    return square_text(from) + (capture ? 'x' : '-') + square_text(to);
  }

  Cells action_cells(const State&, Action action) const {
    return {geometry().cell(geometry().bit(action / squares)),
            geometry().cell(geometry().bit(action % squares))};
  }

  std::string state_text(const State& s) const {
    std::uint8_t codes[Size * Size];
    cells(s, codes);
    std::string text = format_state(geometry().board(), symbols_, codes, s.player == 0, s.ply) + " ";
    if (s.jumper == nobody) {
      text += '-';
    } else {
      text += geometry().cell_text(s.jumper);
      s.taken.for_each([&](int bit) { text += 'x' + geometry().cell_text(bit); });
    }
    return text + " " + std::to_string(s.ending) + " " + s.run.text(geometry());
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, geometry().board(), symbols_, max_plies);
    parsed.expect_extra(3);
    State s{};
    for (int cell = 0; cell < Size * Size; ++cell) {
      const int code = parsed.codes[static_cast<std::size_t>(cell)];
      if (code == 0) continue;
      s.stones[(code - 1) % 2].set(geometry().bit_of_cell(cell));
      if (code > 2) s.kings.set(geometry().bit_of_cell(cell));
    }
    s.player = parsed.first_player ? 0 : 1;
    s.ply = static_cast<std::uint16_t>(parsed.ply);
    parse_capture(s, parsed.extra[0]);
    const std::string ending = parsed.extra[1];
    if (ending.empty() || ending.size() > 2 || ending.find_first_not_of("0123456789") != ending.npos) {
      throw InvalidState("The plies of the ending must be a number, not '" + ending + "'.");
    }
    s.ending = static_cast<std::uint8_t>(std::stoi(ending));
    s.run = ReversibleMoves<run_limit>::parse(parsed.extra[2], geometry());
    s.result = play_.result_of(s);
    return s;
  }

  void validate(const State& s) const {
    validate_bytes(s);
    const Set &own = s.stones[s.player], &other = s.stones[1 - s.player];
    if (own.count() > pieces_each || (other | s.taken).count() > pieces_each) {
      throw InvalidState("No player can have more than " + std::to_string(pieces_each) + " pieces.");
    }
    const Set men = (own | other) & ~s.kings;
    Set promoted = (men & s.stones[0] & geometry().row(0)) | (men & s.stones[1] & geometry().row(Size - 1));
    if (s.jumper == nobody) {
      if (other.none()) throw InvalidState("The player who has just moved has no pieces.");
    } else {
      validate_capture(s);
      promoted &= ~Set::of(s.jumper);
    }
    if (promoted.any()) throw InvalidState("A man on the farthest row must be a king.");
    const Set kings[2] = {s.stones[0] & s.kings, s.stones[1] & s.kings};
    s.run.validate(
        kings, s.player, Geometry::bits,
        [&](const Set(&before)[2], int, int from, int to) {
          return geometry().all().test(from) && geometry().aligned(from, to) && !men.test(from) &&
                 geometry().between(from, to, men | before[0] | before[1]).none();
        },
        play_.earlier_occurrences());
    if (const int limit = play_.ending_limit(s);
        limit < 0 ? s.ending > 0 : s.ending > limit || s.ending < s.run.count) {
      throw InvalidState("The plies of the ending do not match this board.");
    }
    const int low = 2 * pieces_each - (own | other).count() + s.run.count;
    const int high = run_limit * (all_irreversible - irreversible(s)) + s.run.count;
    if (s.ply < low || s.ply > high) {
      throw InvalidState("The ply must be between " + std::to_string(low) + " and " + std::to_string(high) +
                         " with this board.");
    }
    expect_result(s.result, play_.result_of(s));
  }

 private:
  const Geometry& geometry() const { return play_.geometry(); }

  static inline const std::vector<std::string> symbols_{".", "X", "O", "K", "Q"};

  // Each man can go so many rows, and each capture takes a piece away, counts itself, and can take a man
  // two rows back. So this falls with every action that can't be taken back.
  static constexpr int irreversible_of(int rows_to_go, int pieces) { return rows_to_go + 3 * pieces; }
  static constexpr int all_irreversible =
      irreversible_of(Size / 2 * ((Size - 2) / 2) * (Size - 1 + Size / 2 + 1), 2 * pieces_each);
  // One piece is left at least, and before each such action there are at most run_limit - 1 others.
  static constexpr int max_plies = run_limit * (all_irreversible - 3) + run_limit;

  int irreversible(const State& s) const {
    int rows = 0;
    for (int row = 0; row < Size; ++row) {
      const Set men = geometry().row(row) & ~s.kings;
      rows += row * (men & s.stones[0]).count() + (Size - 1 - row) * (men & s.stones[1]).count();
    }
    return irreversible_of(rows, s.stones[0].count() + s.stones[1].count());
  }

  std::string square_text(int bit) const {
    return Size == 8 ? geometry().cell_text(bit) : std::to_string(geometry().square(bit) + 1);
  }

  // "c5xd4xf6": the piece that has to go on, and whom it has taken; "-" for none.
  void parse_capture(State& s, const std::string& text) const {
    s.jumper = nobody;
    if (text == "-") return;
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find('x', start), text.size());
      const auto bit = geometry().parse_cell(std::string_view(text).substr(start, end - start));
      if (!bit)
        throw InvalidState("'" + text + "' is not a piece and the pieces it has taken, such as c5xd4xf6.");
      if (start == 0) {
        s.jumper = static_cast<std::uint8_t>(*bit);
      } else {
        s.taken.set(*bit);
      }
      start = end + 1;
    }
  }

  void validate_bytes(const State& s) const {
    const Set pieces = s.stones[0] | s.stones[1];
    bool right = ((pieces | s.taken) & ~geometry().all()).none() && (s.stones[0] & s.stones[1]).none() &&
                 (s.kings & ~pieces).none() && (s.taken & pieces).none() && s.player < 2 &&
                 (s.jumper != nobody || s.taken.none());
    for (const auto byte : s.unused) right = right && byte == 0;
    if (!right) throw InvalidState("These bytes are not a state of draughts.");
  }

  void validate_capture(const State& s) const {
    const bool right = s.jumper < Geometry::bits && s.stones[s.player].test(s.jumper) && s.taken.any() &&
                       s.run.count == 0 && s.ending == 0 &&
                       geometry().can_jump(s.jumper, s.kings.test(s.jumper), s.stones[1 - s.player],
                                           Play::obstacles(s) ^ Set::of(s.jumper));
    if (!right) throw InvalidState("The piece that has to continue its capture can't.");
  }

  Play play_;
};

}  // namespace glaux
