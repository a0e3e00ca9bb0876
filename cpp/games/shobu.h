// Shobu on four boards of 4 x 4 cells: two dark ones on the left, two light ones on the right.
//
// The lower boards are home of the first player, the upper ones of the second. A turn has two actions. The
// passive move takes a stone on a home board one or two cells in any direction, over and onto empty cells.
// The aggressive move takes a stone on a board of the other colour just as far in the same direction; it may
// push one enemy stone ahead of it, onto an empty cell or off the board, but no own stone and no two. A
// passive move that no aggressive one can follow is illegal. Who leaves the enemy without a stone on some
// board wins; who has no move loses. A position that occurs again at the beginning of a turn draws, and so do
// `limit` turns.
//
// Who can move is in shobu_board.h. The state remembers the positions at the beginnings of the last 32 turns
// since a stone was lost, each as a key of 64 bits (shobu_keys.h).
//
// Actions: from * 16 + vector; vectors are the directions of compass.h by one cell, then by two.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "games/shobu_board.h"
#include "games/shobu_keys.h"
#include "kit/boards.h"
#include "kit/compass.h"
#include "kit/planes.h"
#include "kit/results.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

class Shobu {
  using Set = shobu::Set;
  static constexpr int vectors = shobu::vectors, memory = 32;
  static constexpr std::uint8_t none = 255;

 public:
  struct State {
    Set stones[2];               // of the first and the second player
    std::uint64_t past[memory];  // keys of the positions at the beginnings of turns, this one's included
    std::uint16_t ply;           // two a turn
    std::uint8_t remembered;
    std::uint8_t vector;  // of the passive move of this turn, or none
    std::uint8_t light;   // whether it was on a light board
    Result result;
    std::uint8_t unused[2];
  };

  explicit Shobu(const Parameters& p)
      : limit_(p.at("limit")),
        board_(boards()),
        symmetries_(mirrors()),
        direction_maps_(direction_maps(board_, symmetries_)),
        keys_(symmetries_) {}

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = 64 * vectors;
    spec.max_actions = 8 * vectors;
    spec.max_plies = 2 * limit_;
    spec.max_plies_exact = false;
    spec.symbols = stone_symbols;
    spec.planes = {"first player's stones", "second player's stones",        "first player to move",
                   "ply / longest match",   "boards of the aggressive move", "its rows / 2",
                   "its columns / 2"};
    spec.plane_rows = spec.plane_columns = 8;
    spec.symmetries = symmetries_;
    spec.has_pieces = spec.has_history = true;
    return spec;
  }

  State initial() const {
    State s{};
    s.stones[0] = Set{{0xff000000ff000000}};
    s.stones[1] = Set{{0x000000ff000000ff}};
    s.vector = none;
    s.result = ongoing;
    s.past[s.remembered++] = key(s);
    return s;
  }

  Status status(const State& s) const { return {player_of(player(s)), s.result}; }

  Measures measures(const State& s) const {
    Measures m;
    m.ply = s.ply;
    for (int i = 0; i < 2; ++i) m.pieces[i] = s.stones[i].count();
    return m;
  }

  int actions(const State& s, Action* out) const {
    int n = 0;
    if (s.vector != none) {
      aggressive(s).for_each([&](int from) { out[n++] = from * vectors + s.vector; });
      return n;
    }
    Set movers[vectors], any;
    for (int v = 0; v < vectors; ++v) any |= movers[v] = passive_movers(s, v);
    any.for_each([&](int from) {
      for (int v = 0; v < vectors; ++v) {
        if (movers[v].test(from)) out[n++] = from * vectors + v;
      }
    });
    return n;
  }

  // As random actions by apply() in a loop. Drawing a stone and a vector until they are a passive move is
  // faster than looking for all of them; the list is for positions where moves are rare.
  Action random_action(const State& s, Rng& rng) const {
    if (s.vector != none) return random_cell(aggressive(s), rng) * vectors + s.vector;
    const Set own = s.stones[player(s)] & shobu::home(player(s));
    const auto pairs = static_cast<std::uint32_t>(own.count() * vectors);
    for (int attempt = 0; attempt < 40; ++attempt) {
      const auto pair = static_cast<int>(rng.below(pairs));
      const int from = own.nth(pair / vectors), v = pair % vectors;
      if (passive_movers(s, v).test(from)) return from * vectors + v;
    }
    Action list[8 * vectors];
    return list[rng.below(static_cast<std::uint32_t>(actions(s, list)))];
  }

  void apply(State& s, Action action) const {
    const int mover = player(s), from = action / vectors, v = action % vectors;
    Set &own = s.stones[mover], &other = s.stones[1 - mover];
    const Set start = Set::of(from), one = shobu::step(start, v % 8);
    const Set two = v < 8 ? one : shobu::step(one, v % 8);
    own ^= start ^ two;
    ++s.ply;
    if (s.vector == none) {
      s.vector = static_cast<std::uint8_t>(v);
      s.light = static_cast<std::uint8_t>((start & shobu::light).any());
      return;
    }
    s.vector = none;
    s.light = 0;
    if (const Set met = other & (one | two); met.any()) {
      const Set pushed = shobu::step(two, v % 8);
      other ^= met ^ pushed;
      if (pushed.none()) forget(s);
    }
    if (s.remembered == memory) {
      std::copy(s.past + 1, s.past + memory, s.past);
      --s.remembered;
    }
    s.past[s.remembered++] = key(s);
    s.result = result_of(s);
  }

  void cells(const State& s, std::uint8_t* codes) const { stone_codes(s.stones, 64, codes); }
  void cell_bits(const State& s, std::uint64_t* bits) const { stone_bits(s.stones, 64, bits); }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    planes.set_stones(s.stones, player(s) == 0, static_cast<int>(s.ply), 2 * limit_);
    if (s.vector == none) return;
    planes.set(4, s.light ? shobu::dark : shobu::light);
    const float length = s.vector < 8 ? 0.5f : 1.0f;
    planes.fill(5, length * static_cast<float>(direction_rows[s.vector % 8]));
    planes.fill(6, length * static_cast<float>(direction_columns[s.vector % 8]));
  }

  State transform(const State& s, int symmetry) const {
    State t = s;
    permute_stones(t.stones, symmetries_[at(symmetry)]);
    for (int i = 0; i < s.remembered; ++i) t.past[i] = shobu::seen(s.past[i], symmetry);
    if (s.vector != none) {
      t.vector = static_cast<std::uint8_t>(turned(s.vector, symmetry));
      t.light = static_cast<std::uint8_t>(s.light ^ (symmetry >> 1));
    }
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    return symmetries_[at(symmetry)][at(action / vectors)] * vectors + turned(action % vectors, symmetry);
  }

  std::string action_text(const State& s, Action action) const {
    const Cells path = action_cells(s, action);
    return board_.cell_text(path[0]).append(board_.cell_text(path[1]));
  }

  Cells action_cells(const State&, Action action) const {
    const int from = action / vectors, v = action % vectors, cells = v < 8 ? 1 : 2;
    return {from, from + cells * (8 * direction_rows[v % 8] + direction_columns[v % 8])};
  }

  // After the ply the passive move of this turn, "dark5" or "light12", the boards and the vector, or "-";
  // then the keys of the positions before. "-" for these is the beginning of a turn without a past.
  std::string state_text(const State& s) const {
    std::uint8_t codes[64];
    cells(s, codes);
    std::string text = format_state(board_, stone_symbols, codes, player(s) == 0, s.ply);
    text.append(s.vector == none ? " -" : s.light ? " light" : " dark");
    if (s.vector != none) text.append(std::to_string(s.vector));
    for (int i = 0; i < s.remembered; ++i) {
      text.append(i == 0 ? " " : ",").append(hexadecimal(s.past[i]));
    }
    if (s.remembered == 0) text.append(" -");
    return text;
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board_, stone_symbols, 2 * limit_);
    parsed.expect_extra(2);
    State s{};
    stones_from_codes(parsed.codes, s.stones);
    s.ply = static_cast<std::uint16_t>(parsed.ply);
    s.vector = none;
    if (std::string_view passive = parsed.extra[0]; passive != "-") {
      s.light = passive.starts_with("light");
      if (!s.light && !passive.starts_with("dark"))
        throw InvalidState("A passive move is written as dark5 or light12.");
      s.vector = static_cast<std::uint8_t>(number(passive.substr(s.light ? 5 : 4), 10, vectors - 1));
    }
    const std::string_view past = parsed.extra[1];
    if (past != "-") {
      for_each_word(past, [&](std::string_view key) {
        if (s.remembered == memory) throw InvalidState("There are more than 32 remembered positions.");
        s.past[s.remembered++] = number(key, 16, ~std::uint64_t{0});
      });
    }
    if (past == "-" && s.vector == none) s.past[s.remembered++] = key(s);
    if (parsed.first_player != (player(s) == 0)) {
      throw InvalidState("A turn has two actions: at this ply it is the other player's turn.");
    }
    validate_board(s);
    s.result = result_of(s);
    return s;
  }

  void validate(const State& s) const {
    if (s.unused[0] != 0 || s.unused[1] != 0) throw InvalidState("These bytes are not a Shobu state.");
    validate_board(s);
    if (s.result != result_of(s)) throw InvalidState("The result in these bytes does not match the boards.");
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static int player(const State& s) { return s.ply >> 1 & 1; }

  static Board boards() {
    Board board = several_boards(2, 2, 4, 4);
    board.numbering = Board::Numbering::from_bottom;
    return board;
  }

  // Each board mirrored, left and right boards exchanged, and both: bits 0 and 1 of the number.
  static std::vector<CellMap> mirrors() {
    std::vector<CellMap> maps;
    for (int k = 0; k < 4; ++k) {
      CellMap& map = maps.emplace_back(64);
      for (int cell = 0; cell < 64; ++cell) {
        map[at(cell)] = static_cast<std::uint16_t>(cell ^ (k & 1 ? 3 : 0) ^ (k & 2 ? 4 : 0));
      }
    }
    return maps;
  }

  int turned(int v, int symmetry) const { return v / 8 * 8 + direction_maps_[at(symmetry)][at(v % 8)]; }

  std::uint64_t key(const State& s) const { return keys_.key(s.stones, player(s)); }

  static void forget(State& s) {
    std::fill_n(s.past, s.remembered, std::uint64_t{0});
    s.remembered = 0;
  }

  static std::uint64_t number(std::string_view text, int base, std::uint64_t most) {
    if (const auto value = parse_number(text, most, base)) return *value;
    throw InvalidState(std::string("'").append(text).append("' is not a valid number here."));
  }

  Set passive_movers(const State& s, int v) const {
    const int mover = player(s);
    return shobu::passive_movers(s.stones[mover], s.stones[1 - mover], mover, v);
  }

  // The stones that can make the aggressive move of this turn.
  Set aggressive(const State& s) const {
    const int mover = player(s);
    return shobu::aggressors(s.stones[mover], s.stones[1 - mover], s.vector) &
           (s.light ? shobu::dark : shobu::light);
  }

  bool can_move(const State& s) const {
    for (int v = 0; v < vectors; ++v) {
      if (passive_movers(s, v).any()) return true;
    }
    return false;
  }

  // The result of a state without its field of that name. In the middle of a turn nothing is decided.
  Result result_of(const State& s) const {
    if (s.vector != none) return ongoing;
    const int next = player(s);
    for (const int side : {next, 1 - next}) {
      for (int board = 0; board < 4; ++board) {
        if ((s.stones[side] & shobu::quarter(board)).none()) return loss_of(side);
      }
    }
    if (!can_move(s)) return loss_of(next);
    const std::uint64_t now = s.past[s.remembered - 1];
    if (std::find(s.past, s.past + s.remembered - 1, now) != s.past + s.remembered - 1) return 0;
    return s.ply >= 2 * limit_ ? Result{0} : ongoing;
  }

  // Throws InvalidState unless the stones and what is remembered fit together.
  void validate_board(const State& s) const {
    bool sound = stones_fit(s.stones, 64) && s.remembered <= memory && s.light <= (s.vector != none) &&
                 (s.vector == none ? s.ply % 2 == 0 : s.vector < vectors && s.ply % 2 == 1);
    for (int i = s.remembered; sound && i < memory; ++i) sound = s.past[i] == 0;
    if (!sound || s.ply > 2 * limit_)
      throw InvalidState("The stones, the turn or the remembered positions are impossible in Shobu.");
    for (const Set& stones : s.stones) {
      for (int board = 0; board < 4; ++board) {
        if ((stones & shobu::quarter(board)).count() > 4)
          throw InvalidState("A player has at most four stones on a board.");
      }
    }
    if (s.vector == none ? s.remembered == 0 || s.past[s.remembered - 1] != key(s) : aggressive(s).none()) {
      throw InvalidState(
          "The last remembered position is not this one, or no aggressive move can follow the passive one.");
    }
  }

  int limit_;
  Board board_;
  std::vector<CellMap> symmetries_;
  std::vector<std::array<std::uint8_t, 8>> direction_maps_;
  shobu::Keys keys_;
};

inline GameEntry shobu_entry() {
  return {{"shobu",
           "Shobu",
           "Make each move twice: on a home board, then on a board of the other colour, where it may push. "
           "Push all enemy stones off one board to win.",
           {{"limit", 400, 8, 1000, "the match is a draw after this many turns"}}},
          adapt<Shobu>};
}

}  // namespace glaux
