// Arimaa on 8 x 8 cells with four traps.
//
// The first player places its pieces on the two rows at the bottom, then the second on those at the top,
// in the order 8 rabbits, 2 cats, 2 dogs, 2 horses, camel, elephant. A turn then has up to four steps. A
// step goes to an adjacent empty cell, of a rabbit never back. A piece that is not a rabbit can push a
// weaker enemy beside it to an empty cell and take its place, or step away and pull it along: two steps,
// one action. A piece beside a stronger enemy and no friend is frozen. After each step a piece on a trap
// without a friend beside it is lost. After the first step of a turn one may pass, but no turn may leave
// the board as it was. At the end of a turn, in this order:
//
//   the mover has a rabbit on the farthest row, or the opponent has: that player wins;
//   the opponent has no rabbits, or the mover: that player loses;
//   the opponent has no move: the mover wins;
//   the position has now occurred `repetitions` times with the same player to move: the mover loses.
//
// After `limit` actions a match is a draw.
//
// The state remembers the positions between turns since the last capture, which they cannot come back
// from, as fingerprints of 32 bits, the last 64 of them: for a false alarm two different positions would
// have to have the fingerprint of a third.
//
// arimaa_board.h has the numbers of actions and who can go where, arimaa_play.h the turns and the end of a
// match, arimaa_keys.h what is remembered, arimaa_text.h how people write.
#pragma once

#include <algorithm>
#include <string>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "games/arimaa_board.h"
#include "games/arimaa_keys.h"
#include "games/arimaa_play.h"
#include "games/arimaa_text.h"
#include "kit/planes.h"
#include "kit/results.h"
#include "kit/text.h"

namespace glaux {

class Arimaa {
  using Set = arimaa::Set;
  using Play = arimaa::Play;
  static constexpr int kinds = arimaa::kinds, most_steps = arimaa::most_steps, memory = arimaa::memory;
  static constexpr int pieces_each = arimaa::pieces_each;

 public:
  using State = Play::State;

  explicit Arimaa(const Parameters& p)
      : limit_(p.at("limit")),
        play_(p.at("repetitions"), limit_),
        board_{8, 8, Board::Shape::square, Board::Numbering::from_bottom},
        symmetries_{board_.identity(), board_.mirror_columns()} {}

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = pulls + 64 * 16;
    spec.max_actions = 1 + pieces_each * 4 + 2 * (pieces_each - arimaa::copies[0]) * 12;
    spec.max_plies = limit_;
    spec.max_plies_exact = false;
    spec.symbols = symbols_;
    spec.planes = {"rabbits",
                   "cats",
                   "dogs",
                   "horses",
                   "camels",
                   "elephants",
                   "first player to move",
                   "steps made / 4",
                   "ply / longest match",
                   "traps"};
    spec.plane_rows = spec.plane_columns = 8;
    spec.symmetries = symmetries_;
    spec.has_pieces = spec.has_history = true;
    return spec;
  }

  State initial() const {
    State s{};
    s.result = ongoing;
    return s;
  }

  Status status(const State& s) const { return {player_of(s.player), s.result}; }

  Measures measures(const State& s) const {
    Measures m;
    m.ply = s.ply;
    for (int side = 0; side < 2; ++side) m.pieces[side] = s.pieces.sides[side].count();
    return m;
  }

  int actions(const State& s, Action* out) const { return play_.actions(s, out); }
  Action random_action(const State& s, Rng& rng) const { return play_.random_action(s, rng); }
  void apply(State& s, Action action) const { play_.apply(s, action); }

  void cells(const State& s, std::uint8_t* codes) const {
    std::fill_n(codes, 64, std::uint8_t{0});
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < kinds; ++k) {
        (s.pieces.sides[side] & s.pieces.kind[k]).for_each([&](int cell) {
          codes[cell] = static_cast<std::uint8_t>(1 + side * kinds + k);
        });
      }
    }
  }

  // The codes are 1 to 6 and 7 to 12.
  void cell_bits(const State& s, std::uint64_t* bits) const {
    std::fill_n(bits, 4, std::uint64_t{0});
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < kinds; ++k) {
        const std::uint64_t cells = (s.pieces.sides[side] & s.pieces.kind[k]).word[0];
        for (int bit = 0; bit < 4; ++bit) {
          if ((1 + side * kinds + k) >> bit & 1) bits[bit] |= cells;
        }
      }
    }
  }

  // The pieces of the second player are -1.
  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    for (int k = 0; k < kinds; ++k) {
      planes.set(k, s.pieces.sides[0] & s.pieces.kind[k]);
      planes.set(k, s.pieces.sides[1] & s.pieces.kind[k], -1.0f);
    }
    if (s.player == 0) planes.fill(6, 1.0f);
    planes.fill(7, static_cast<float>(s.steps) / most_steps);
    planes.fill(8, static_cast<float>(s.ply) / static_cast<float>(limit_));
    planes.set(9, arimaa::traps);
  }

  State transform(const State& s, int symmetry) const {
    if (symmetry == 0) return s;
    State t = s;
    for (Set& set : t.pieces.sides) set = permuted(set, symmetries_[1]);
    for (Set& set : t.pieces.kind) set = permuted(set, symmetries_[1]);
    t.start = arimaa::mirrored(s.start);
    for (int i = 0; i < s.remembered; ++i) t.past[i] = arimaa::mirrored(s.past[i]);
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    if (symmetry == 0 || action == pass) return action;
    if (action < pass) return action ^ 7;
    const auto turned = [](int d) { return d % 2 == 1 ? 4 - d : d; };  // east and west change places
    if (action < pushes) {
      const int step = action - steps;
      return steps + ((step / 4) ^ 7) * 4 + turned(step % 4);
    }
    const int base = action < pulls ? pushes : pulls, rest = action - base;
    return base + ((rest / 16) ^ 7) * 16 + turned(rest / 4 % 4) * 4 + turned(rest % 4);
  }

  std::string action_text(const State& s, Action action) const {
    if (Play::placing(s))
      return arimaa::placement_text(s.player, Play::next_kind(s), board_.cell_text(action));
    return arimaa::action_text(s.pieces, action, board_);
  }

  // A push: from, to, and the new place of who stood there. A pull: who is pulled, from, to.
  Cells action_cells(const State& s, Action action) const {
    if (action == pass) return {};
    if (Play::placing(s)) return {action};
    const auto [from, d, e] = arimaa::parts(action);
    const int to = from + arimaa::step_of[d];
    if (action < pushes) return {from, to};
    if (action < pulls) return {from, to, to + arimaa::step_of[e]};
    return {from + arimaa::step_of[e], from, to};
  }

  // After the ply the steps made in this turn, the key of the board at its beginning and the remembered
  // positions. "-" for the two is the beginning of a turn without a past.
  std::string state_text(const State& s) const {
    std::uint8_t codes[64];
    cells(s, codes);
    std::string text = format_state(board_, symbols_, codes, s.player == 0, s.ply);
    text.append(" ").append(std::to_string(s.steps)).append(" ");
    text.append(Play::placing(s) ? "-" : hexadecimal(s.start)).append(" ");
    for (int i = 0; i < s.remembered; ++i) text.append(i > 0 ? "," : "").append(hexadecimal(s.past[i]));
    if (s.remembered == 0) text.append("-");
    return text;
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board_, symbols_, limit_);
    parsed.expect_extra(3);
    State s = initial();
    for (int cell = 0; cell < 64; ++cell) {
      if (const int code = parsed.codes[at(cell)]; code > 0)
        s.pieces.put((code - 1) / kinds, (code - 1) % kinds, cell);
    }
    s.ply = static_cast<std::uint16_t>(parsed.ply);
    s.player = parsed.first_player ? 0 : 1;
    s.steps = static_cast<std::uint8_t>(
        arimaa::number(parsed.extra[0], 10, most_steps - 1, "number of steps below 4"));
    const std::string &start = parsed.extra[1], &past = parsed.extra[2];
    const bool begun = !Play::placing(s) && s.steps == 0;
    s.start = start != "-" ? arimaa::number(start, 16, ~std::uint64_t{0}, "key")
              : begun      ? play_.keys().of(s.pieces, s.player)
                           : 0;
    if (past != "-") {
      for_each_word(past, [&](std::string_view word) {
        if (s.remembered == memory) throw InvalidState("There are more than 64 remembered positions.");
        s.past[s.remembered++] =
            static_cast<std::uint32_t>(arimaa::number(word, 16, ~std::uint32_t{0}, "fingerprint"));
      });
    }
    if (begun && s.remembered == 0) s.past[s.remembered++] = arimaa::fingerprint(s.start);
    validate_board(s);
    s.result = play_.result_of(s);
    return s;
  }

  void validate(const State& s) const {
    if (s.unused[0] != 0 || s.unused[1] != 0) throw InvalidState("These bytes are not an Arimaa state.");
    validate_board(s);
    expect_result(s.result, play_.result_of(s));
  }

 private:
  static constexpr Action pass = arimaa::pass, steps = arimaa::steps, pushes = arimaa::pushes,
                          pulls = arimaa::pulls;
  static inline const std::vector<std::string> symbols_{".", "R", "C", "D", "H", "M", "E",
                                                        "r", "c", "d", "h", "m", "e"};

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // Throws InvalidState unless the pieces, the set-up or the turn, and what is remembered fit together.
  void validate_board(const State& s) const {
    const auto require = [](bool fits, const char* sentence) {
      if (!fits) throw InvalidState(sentence);
    };
    Set all;
    bool apart = (s.pieces.sides[0] & s.pieces.sides[1]).none();
    for (const Set& kind : s.pieces.kind) {
      apart = apart && (all & kind).none();
      all |= kind;
    }
    bool zero = s.remembered <= memory;
    for (int i = s.remembered; i < memory; ++i) zero = zero && s.past[i] == 0;
    require(apart && zero && all == s.pieces.all() && s.player < 2 && s.steps < most_steps,
            "These bytes are not an Arimaa state.");
    for (int side = 0; side < 2; ++side) {
      int before = 0;
      for (int k = 0; k < kinds; ++k) {
        const int count = (s.pieces.sides[side] & s.pieces.kind[k]).count();
        require(count <= arimaa::copies[k],
                "A player has at most 8 rabbits, 2 cats, 2 dogs, 2 horses, a camel and an elephant.");
        if (s.ply <= 2 * pieces_each) {
          const int placed = std::clamp(s.ply - side * pieces_each, 0, pieces_each);
          require(count == std::clamp(placed - before, 0, arimaa::copies[k]),
                  "The pieces must be placed in their order, one per action.");
        }
        before += arimaa::copies[k];
      }
    }
    require(s.ply <= limit_, "The match has more actions than the limit allows.");
    if (s.ply <= 2 * pieces_each) {
      const Set home{{~std::uint64_t{0} << 48}}, away{{~(~std::uint64_t{0} << 16)}};
      require((s.pieces.sides[0] & ~home).none() && (s.pieces.sides[1] & ~away).none(),
              "Each player must place the pieces on the two nearest rows.");
      require(s.player == (s.ply / pieces_each & 1) && s.steps == 0,
              "It is not this player's turn to place a piece.");
    }
    if (Play::placing(s)) {
      require(s.start == 0 && s.remembered == 0, "No positions can be remembered before the first turn.");
      return;
    }
    for (const Set& pieces : s.pieces.sides) {
      require((pieces & arimaa::traps & ~arimaa::beside(pieces)).none(),
              "A piece on a trap has no friend beside it.");
    }
    const bool last = s.remembered > 0 && s.past[s.remembered - 1] == arimaa::fingerprint(s.start);
    require(s.steps == 0 ? last && s.start == play_.keys().of(s.pieces, s.player) : last || s.remembered == 0,
            "The last remembered position is not the one with which this turn began.");
    if (s.steps > 0) {
      Action list[300];
      require(actions(s, list) > 0, "The player can neither go on with this turn nor end it.");
    }
  }

  int limit_;
  Play play_;
  Board board_;
  std::vector<CellMap> symmetries_;
};

inline GameEntry arimaa_entry() {
  return {{"arimaa",
           "Arimaa",
           "Bring a rabbit to the far side of the board; stronger pieces push and pull weaker ones, and a "
           "piece on a trap with no friendly piece beside it is captured.",
           {{"repetitions", 3, 2, 9, "a player who brings about the same position this many times loses"},
            {"limit", 900, 40, 2000, "the match is a draw after this many actions"}}},
          adapt<Arimaa>};
}

}  // namespace glaux
