// Go on a board of n x n cells, by the rules of Tromp and Taylor without suicide.
//
// A player puts a stone on an empty cell, or passes. Stones of one colour that touch by a side are a chain;
// chains of the other player that have no empty cell beside them any more are taken off the board. A stone
// whose own chain is then left without is not allowed (suicide), nor one that leads to a position of
// the board that has been there before, whoever was to move (positional superko). Two passes in a row end
// the match, and so does the longest match that a parameter allows. The score is the area: stones, and empty
// cells from which only one colour can be reached; less the komi for the first player.
//
// Actions: the cell of the stone, or n * n for the pass.
// How it is played is in go_play.h, with what a state keeps of its match for superko.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <vector>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "games/go_play.h"
#include "kit/planes.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

// For boards up to MaxSize, and matches up to so many plies.
template <int MaxSize, int MaxPlies>
class Go {
  using Play = GoPlay<MaxSize, MaxPlies>;
  using Set = typename Play::Set;

 public:
  using State = typename Play::State;
  static constexpr int largest = MaxSize, longest = MaxPlies;

  explicit Go(const Parameters& p)
      : size_(p.at("size")),
        komi_(p.at("komi")),
        max_plies_(p.at("plies") > 0 ? p.at("plies") : 2 * size_ * size_),
        board_(board_of(size_)),
        symmetries_(board_.square_symmetries()),
        play_(board_, komi_, max_plies_) {}

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = spec.max_actions = board_.cells() + 1;
    spec.max_plies = max_plies_;
    spec.max_plies_exact = max_plies_ <= 2 * board_.cells();
    spec.symbols = stone_symbols;
    spec.details = {"empty"};
    for (const char* owner : {"first player's", "second player's"}) {
      for (const char* liberties : {"1 liberty", "2 liberties", "3 liberties or more"}) {
        spec.details.push_back(std::string(owner) + " chain with " + liberties);
      }
    }
    spec.planes = {"first player's stones",     "second player's stones", "forbidden by superko",
                   "the last action is a pass", "first player to move",   "ply / longest match"};
    spec.plane_rows = spec.plane_columns = size_;
    spec.symmetries = symmetries_;
    spec.has_score = spec.has_pieces = spec.has_history = true;
    spec.max_score = board_.cells() + std::abs(komi_) / 2.0;
    return spec;
  }

  State initial() const {
    State s{};
    s.result = ongoing;
    return s;
  }

  Status status(const State& s) const { return {player_of(player(s)), s.result}; }

  Measures measures(const State& s) const {
    const double score = s.result == ongoing ? 0 : s.area - komi_ / 2.0;
    return {s.ply, score, {s.stones[0].count(), s.stones[1].count()}};
  }

  int actions(const State& s, Action* out) const { return play_.actions(s, out); }
  void apply(State& s, Action action) const { play_.apply(s, action); }
  void playout(State& s, Rng& rng) const { play_.playout(s, rng); }

  void cells(const State& s, std::uint8_t* codes) const { stone_codes(s.stones, board_.cells(), codes); }
  void cell_bits(const State& s, std::uint64_t* bits) const { stone_bits(s.stones, board_.cells(), bits); }

  // Whose chain, and its liberties up to 3.
  void details(const State& s, std::uint8_t* codes) const {
    std::fill_n(codes, board_.cells(), std::uint8_t{0});
    for (const int owner : {0, 1}) {
      play_.board().for_each_chain(s.stones, owner, [&](const Set& chain, int liberties) {
        const auto code = static_cast<std::uint8_t>(3 * owner + std::min(liberties, 3));
        chain.for_each([&](int cell) { codes[cell] = code; });
      });
    }
  }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    planes.set(0, s.stones[0]);
    planes.set(1, s.stones[1]);
    planes.set(2, play_.forbidden(s));
    if (play_.passed(s)) planes.fill(3, 1.0f);
    if (player(s) == 0) planes.fill(4, 1.0f);
    planes.fill(5, static_cast<float>(s.ply) / static_cast<float>(max_plies_));
  }

  State transform(const State& s, int symmetry) const {
    const CellMap& map = symmetries_[static_cast<std::size_t>(symmetry)];
    State t = s;
    permute_stones(t.stones, map);
    permute_stones(t.start, map);
    for (int i = 0; i < s.count; ++i) t.past.set(i, transform_action(s.past.at(i), symmetry));
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    if (action == pass()) return action;
    return symmetries_[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(action)];
  }

  std::string action_text(const State&, Action action) const { return name(action); }
  Cells action_cells(const State&, Action action) const { return action == pass() ? Cells{} : Cells{action}; }

  // Behind the common part come the remembered actions and, unless it is empty, the board before them.
  std::string state_text(const State& s) const {
    std::string text = board_text(s.stones, player(s) == 0, s.ply);
    for (int i = 0; i < s.count; ++i) text += (i == 0 ? ' ' : ',') + name(s.past.at(i));
    if (s.count > 0 && (s.start[0] | s.start[1]).any()) {
      const std::string before = board_text(s.start, true, 0);
      text += ' ' + before.substr(0, before.find(' '));
    }
    return text;
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board_, stone_symbols, max_plies_);
    if (parsed.extra.size() > 2) parsed.expect_extra(2);
    parsed.expect_first_at_even_plies();
    State s = initial();
    s.ply = static_cast<std::uint16_t>(parsed.ply);
    stones_from_codes(parsed.codes, s.stones);
    if (parsed.extra.empty()) {
      stones_from_codes(parsed.codes, s.start);
    } else {
      parse_past(parsed.extra[0], s);
    }
    if (parsed.extra.size() > 1) {
      const StateText before(parsed.extra[1] + " X 0", board_, stone_symbols, 0);
      stones_from_codes(before.codes, s.start);
    }
    if (play_.ended(s)) play_.finish(s);
    return s;
  }

  void validate(const State& s) const {
    if (s.ply > max_plies_ || s.count > s.ply || s.unused != 0 || !stones_fit(s.stones, board_.cells()) ||
        !stones_fit(s.start, board_.cells()) || !s.past.zero_from(s.count)) {
      throw InvalidState("These bytes are not a Go state.");
    }
    if (!play_.board().all_breathe(s.start)) throw InvalidState("There is a chain without liberties.");
    validate_past(s);
    State right = s;
    right.result = ongoing;
    right.area = 0;
    if (play_.ended(s)) play_.finish(right);
    if (right.result != s.result || right.area != s.area) {
      throw InvalidState("The result in these bytes does not match the board.");
    }
  }

 private:
  static Board board_of(int size) {
    Board board{size, size, Board::Shape::square, Board::Numbering::from_bottom};
    board.skips_i = true;
    return board;
  }

  Action pass() const { return play_.pass(); }
  static int player(const State& s) { return Play::player(s); }

  std::string name(Action action) const { return action == pass() ? "pass" : board_.cell_text(action); }

  std::string board_text(const Set (&stones)[2], bool first, int ply) const {
    std::uint8_t codes[Set::capacity];
    stone_codes(stones, board_.cells(), codes);
    return format_state(board_, stone_symbols, codes, first, ply);
  }

  void parse_past(std::string_view text, State& s) const {
    for_each_word(text, [&](std::string_view word) {
      const auto cell = board_.parse_cell(word);
      if (!cell && word != "pass") {
        throw InvalidState("'" + std::string(word) + "' in the actions of the match is not an action.");
      }
      if (s.count == s.ply) throw InvalidState("There are more actions than the ply says.");
      s.past.set(s.count++, cell ? *cell : pass());
    });
  }

  // Plays the remembered actions again, each of which must be legal, and must find the stones.
  void validate_past(const State& s) const {
    State now = initial();
    std::copy_n(s.start, 2, now.stones);
    std::copy_n(s.start, 2, now.start);
    now.ply = static_cast<std::uint16_t>(s.ply - s.count);
    std::vector<std::array<Set, 2>> seen;
    for (int i = 0; i < s.count; ++i) {
      const Action action = s.past.at(i);
      bool legal = action <= pass() && now.result == ongoing;
      if (legal && action != pass()) {
        legal = play_.board().placements(now.stones, player(now)).test(action);
        seen.push_back({now.stones[0], now.stones[1]});
      }
      if (legal) apply(now, action);
      const std::array<Set, 2> position{now.stones[0], now.stones[1]};
      legal = legal && (action == pass() || std::find(seen.begin(), seen.end(), position) == seen.end());
      if (!legal) {
        throw InvalidState("Action " + std::to_string(i + 1) + " of the match is not legal.");
      }
    }
    if (now.stones[0] != s.stones[0] || now.stones[1] != s.stones[1]) {
      throw InvalidState("The actions of the match do not lead to this board.");
    }
  }

  int size_;
  int komi_;  // in half points
  int max_plies_;
  Board board_;
  std::vector<CellMap> symmetries_;
  Play play_;
};

// The rules for the smallest of the boards and matches that are compiled in.
template <class R, class... More>
GamePointer make_go(const GameInfo& info, const Parameters& p) {
  const int size = p.at("size"), plies = p.at("plies") > 0 ? p.at("plies") : 2 * size * size;
  if constexpr (sizeof...(More) > 0) {
    if (size > R::largest || plies > R::longest) return make_go<More...>(info, p);
  }
  return adapt<R>(info, p);
}

inline GameEntry go_entry() {
  return {{"go",
           "Go",
           "Control more of the board than the opponent: your stones and the empty cells they surround.",
           {{"size", 9, 2, 19, "rows and columns"},
            {"komi", 15, -722, 722, "points added to the second player's score, in halves", false, false,
             false, 2},
            {"plies", 0, 0, 722, "the match ends after this many plies; 0: twice the number of cells"}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            return make_go<Go<8, 128>, Go<9, 162>, Go<11, 242>, Go<13, 338>, Go<15, 450>, Go<19, 722>>(info,
                                                                                                       p);
          }};
}

}  // namespace glaux
