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
//
// What superko needs to know is the whole match: a position that differs in a single stone can come back, and
// no capture rules it out (docs/decisions/0080-superko.md). So the state has its actions, a byte each, and
// the position before them, which is the empty board unless a position was set up. The positions in
// between come from playing them again. A thread keeps those of the match that it was asked about last,
// because the next question is mostly about a match that has most of its actions in common.
//
// A move adds one stone to its player's and takes none of them. So a former position can only be the next one
// if it has exactly one stone more of the mover, and that is the only move that can repeat it.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <vector>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "kit/bits.h"
#include "kit/chains.h"
#include "kit/grid.h"
#include "kit/past.h"
#include "kit/planes.h"
#include "kit/stones.h"
#include "kit/text.h"

namespace glaux {

// For boards up to MaxSize, and matches up to so many plies.
template <int MaxSize, int MaxPlies>
class Go {
  static constexpr int most_cells = MaxSize * MaxSize;

 public:
  using Set = Bits<(most_cells + 63) / 64>;
  static constexpr int largest = MaxSize, longest = MaxPlies;

  struct State {
    Set stones[2];  // of the first and the second player
    Set start[2];   // the stones before the remembered actions
    Past<(MaxPlies + 7) / 8 * 8, (most_cells > 255)> past;
    std::uint16_t ply;
    std::uint16_t count;  // of the remembered actions, the last ones of the match
    std::int16_t area;    // of a match that is over: the first player's less the second's
    Result result;
    std::uint8_t unused;
  };

  explicit Go(const Parameters& p)
      : size_(p.at("size")),
        komi_(p.at("komi")),
        max_plies_(p.at("plies") > 0 ? p.at("plies") : 2 * size_ * size_),
        board_(board_of(size_)),
        symmetries_(board_.square_symmetries()),
        grid_(board_),
        tables_(board_) {}

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = spec.max_actions = board_.cells() + 1;
    spec.max_plies = max_plies_;
    spec.max_plies_exact = max_plies_ <= 2 * board_.cells();
    spec.symbols = stone_symbols;
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

  int actions(const State& s, Action* out) const {
    int n = 0;
    (placements(s) & ~forbidden(s)).for_each([&](int cell) { out[n++] = cell; });
    out[n++] = pass();
    return n;
  }

  // As random actions by apply() in a loop: draws among the empty cells and the pass until it is legal.
  void playout(State& s, Rng& rng) const {
    if (s.result != ongoing) return;
    Replay match(*this, s);
    while (s.result == ongoing) {
      const int empty = match.chains.empty_count();
      const auto choice = static_cast<int>(rng.below(static_cast<std::uint32_t>(empty + 1)));
      if (choice == empty) {
        note(s, pass(), passed(s));
      } else {
        const int place = match.chains.empty_place(choice);
        if (!match.legal(player(s), place)) continue;
        match.play(player(s), place);
        note(s, tables_.cell_of[static_cast<std::size_t>(place)], false);
      }
      if (s.result != ongoing) {
        std::copy_n(match.chains.stones(), 2, s.stones);
        finish(s);
      }
    }
  }

  void apply(State& s, Action action) const {
    if (action != pass()) put(s.stones, player(s), action);
    note(s, action, action == pass() && passed(s));
    if (s.result != ongoing) finish(s);
  }

  void cells(const State& s, std::uint8_t* codes) const { stone_codes(s.stones, board_.cells(), codes); }
  void cell_bits(const State& s, std::uint64_t* bits) const { stone_bits(s.stones, board_.cells(), bits); }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    planes.set(0, s.stones[0]);
    planes.set(1, s.stones[1]);
    planes.set(2, forbidden(s));
    if (passed(s)) planes.fill(3, 1.0f);
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
    State s = initial();
    s.ply = static_cast<std::uint16_t>(parsed.ply);
    if (parsed.first_player != (player(s) == 0)) {
      throw InvalidState("The first player (X) moves at even plies, the second (O) at odd ones.");
    }
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
    if (ended(s)) finish(s);
    return s;
  }

  void validate(const State& s) const {
    if (s.ply > max_plies_ || s.count > s.ply || s.unused != 0 || !stones_fit(s.stones, board_.cells()) ||
        !stones_fit(s.start, board_.cells()) || !s.past.zero_from(s.count)) {
      throw InvalidState("These bytes are not a Go state.");
    }
    if (!all_breathe(s.start)) throw InvalidState("There is a chain without an empty cell beside it.");
    validate_past(s);
    State right = s;
    right.result = ongoing;
    right.area = 0;
    if (ended(s)) finish(right);
    if (right.result != s.result || right.area != s.area) {
      throw InvalidState("The result in these bytes does not belong to their board.");
    }
  }

 private:
  static Board board_of(int size) {
    Board board{size, size, Board::Shape::square, Board::Numbering::from_bottom};
    board.skips_i = true;
    return board;
  }

  Action pass() const { return board_.cells(); }
  static int player(const State& s) { return s.ply & 1; }
  bool passed(const State& s) const { return s.count > 0 && s.past.at(s.count - 1) == pass(); }

  std::string name(Action action) const { return action == pass() ? "pass" : board_.cell_text(action); }

  std::string board_text(const Set (&stones)[2], bool first, int ply) const {
    std::uint8_t codes[Set::capacity];
    stone_codes(stones, board_.cells(), codes);
    return format_state(board_, stone_symbols, codes, first, ply);
  }

  // Chains

  // Puts a stone on an empty cell and takes off what has no liberty then.
  [[gnu::always_inline]] void put(Set (&stones)[2], int mover, int cell) const {
    stones[mover].set(cell);
    Set& other = stones[1 - mover];
    const Set empty = grid_.there() & ~(stones[0] | stones[1]);
    // Stones beside an empty cell need no closer look.
    for (Set rest = grid_.neighbours(cell) & other & ~grid_.grown(empty); rest.any();) {
      const Set chain = grid_.connected(rest.lowest(), other);
      if ((grid_.grown(chain) & empty).none()) other ^= chain;
      rest &= ~chain;
    }
  }

  // The empty cells where a stone would have a liberty.
  Set placements(const State& s) const {
    const Set empty = grid_.there() & ~(s.stones[0] | s.stones[1]);
    Set beside_empty;  // has an empty neighbour
    empty.for_each([&](int cell) {
      if ((grid_.neighbours(cell) & empty).any()) beside_empty.set(cell);
    });
    Set possible = beside_empty;
    for (const int owner : {0, 1}) {
      for (Set rest = s.stones[owner] & grid_.grown(empty & ~beside_empty); rest.any();) {
        const Set chain = grid_.connected(rest.lowest(), s.stones[owner]);
        const Set liberties = grid_.grown(chain) & empty;
        // The mover joins own chains with another liberty, and takes the others' with no other.
        if ((liberties.count() == 1) == (owner != player(s))) possible |= liberties;
        rest &= ~chain;
      }
    }
    return possible;
  }

  bool all_breathe(const Set (&stones)[2]) const {
    const Set empty = grid_.there() & ~(stones[0] | stones[1]);
    for (const Set& own : stones) {
      const Set breathing = grid_.connected(own & grid_.grown(empty), own);
      if (breathing != own) return false;
    }
    return true;
  }

  // The past

  // The positions of a match, each with the number of stones of both players.
  struct Former {
    int size = 0, first_mover = 0, count = 0;  // what they were worked out for: the board, and the actions
    decltype(State::past) past{};
    std::array<std::array<Set, 2>, MaxPlies + 1> stones{};
    std::array<std::array<std::uint16_t, MaxPlies + 1>, 2> counts{};

    void note(int i) {
      for (const std::size_t owner : {0, 1}) {
        counts[owner][static_cast<std::size_t>(i)] =
            static_cast<std::uint16_t>(stones[static_cast<std::size_t>(i)][owner].count());
      }
    }
  };

  // The positions before each remembered action. They are right until this thread asks again.
  const Former& former_positions(const State& s) const {
    static thread_local Former former;
    const int first_mover = (s.ply - s.count) & 1;
    const std::array<Set, 2> start{s.start[0], s.start[1]};
    int same = 0;
    if (former.size == size_ && former.first_mover == first_mover && former.stones[0] == start) {
      same = former.past.common(s.past, std::min<int>(former.count, s.count));
    } else {
      former.size = size_;
      former.first_mover = first_mover;
      former.stones[0] = start;
      former.note(0);
    }
    for (int i = same; i < s.count; ++i) {
      Set stones[2];
      std::copy_n(former.stones[static_cast<std::size_t>(i)].begin(), 2, stones);
      if (s.past.at(i) != pass()) put(stones, (first_mover + i) & 1, s.past.at(i));
      std::copy_n(stones, 2, former.stones[static_cast<std::size_t>(i + 1)].begin());
      former.note(i + 1);
    }
    former.past = s.past;
    former.count = s.count;
    return former;
  }

  // The cells on which a stone would bring back a former position.
  Set forbidden(const State& s) const {
    Set found;
    if (s.result != ongoing) return found;
    const auto mover = static_cast<std::size_t>(player(s));
    const Former& former = former_positions(s);
    const int wanted = s.stones[mover].count() + 1;
    for (std::size_t i = 0; i < s.count; ++i) {
      if (former.counts[mover][i] != wanted) continue;
      const Set more = former.stones[i][mover] ^ s.stones[mover];
      if (more.count() != 1 || (more & s.stones[1 - mover]).any()) continue;
      Set next[2] = {s.stones[0], s.stones[1]};
      put(next, player(s), more.first());
      if (next[1 - mover] == former.stones[i][1 - mover]) found.set(more.first());
    }
    return found;
  }

  // The match so far and its positions, for random play.
  struct Replay {
    using Position = std::array<Set, 2>;

    Replay(const Go& rules, const State& s) : chains(rules.tables_) {
      for (const int owner : {0, 1}) {
        s.start[owner].for_each([&](int cell) { chains.play(owner, rules.place(cell)); });
      }
      for (int i = 0; i < s.count; ++i) {
        if (s.past.at(i) != rules.pass()) play((s.ply - s.count + i) & 1, rules.place(s.past.at(i)));
      }
    }

    [[gnu::always_inline]] bool legal(int mover, int place) const {
      const auto [breathes, hash] = chains.prospect(mover, place);
      return breathes && !(filter[hash % bits / 64] >> (hash % 64) & 1 && repeats(mover, place, hash));
    }

    [[gnu::always_inline]] void play(int mover, int place) {
      const std::uint64_t hash = chains.hash();
      filter[hash % bits / 64] |= std::uint64_t{1} << (hash % 64);
      hashes[static_cast<std::size_t>(count)] = hash;
      positions[static_cast<std::size_t>(count++)] = {chains.stones()[0], chains.stones()[1]};
      chains.play(mover, place);
    }

    [[gnu::noinline]] bool repeats(int mover, int place, std::uint64_t hash) const {
      for (int i = 0; i < count; ++i) {
        if (hashes[static_cast<std::size_t>(i)] != hash) continue;
        Set next[2];
        chains.after(mover, place, next);
        if (positions[static_cast<std::size_t>(i)] == Position{next[0], next[1]}) return true;
      }
      return false;
    }

    static constexpr std::size_t bits = 4096;  // a bit for each hash: most of the others are then out at once
    Chains<Set, MaxSize> chains;
    std::array<std::uint64_t, bits / 64> filter{};
    int count = 0;
    std::array<std::uint64_t, MaxPlies> hashes;
    std::array<Position, MaxPlies> positions;
  };

  int place(int cell) const { return tables_.places[static_cast<std::size_t>(cell)]; }

  // The end

  // The action has been played; `last` if it ends the match.
  [[gnu::always_inline]] void note(State& s, Action action, bool last) const {
    s.past.set(s.count++, action);
    if (++s.ply == max_plies_ || last) s.result = 0;  // over: finish() says how
  }

  bool ended(const State& s) const {
    return s.ply == max_plies_ || (s.count > 1 && passed(s) && s.past.at(s.count - 2) == pass());
  }

  void finish(State& s) const {
    const Set empty = grid_.there() & ~(s.stones[0] | s.stones[1]);
    const Set first = grid_.connected(s.stones[0], s.stones[0] | empty);
    const Set second = grid_.connected(s.stones[1], s.stones[1] | empty);
    s.area = static_cast<std::int16_t>((first & ~second).count() - (second & ~first).count());
    const int lead = 2 * s.area - komi_;
    s.result = static_cast<Result>((lead > 0) - (lead < 0));
  }

  // Texts and bytes

  void parse_past(std::string_view text, State& s) const {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string_view word = text.substr(begin, end - begin);
      const auto cell = board_.parse_cell(word);
      if (!cell && word != "pass") {
        throw InvalidState("'" + std::string(word) + "' in the actions of the match is not an action.");
      }
      if (s.count == s.ply) throw InvalidState("There are more actions in the match than its ply says.");
      s.past.set(s.count++, cell ? *cell : pass());
      begin = end + 1;
    }
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
        legal = placements(now).test(action);
        seen.push_back({now.stones[0], now.stones[1]});
      }
      if (legal) apply(now, action);
      const std::array<Set, 2> position{now.stones[0], now.stones[1]};
      legal = legal && (action == pass() || std::find(seen.begin(), seen.end(), position) == seen.end());
      if (!legal) {
        throw InvalidState("Action " + std::to_string(i + 1) + " of the remembered ones is not legal.");
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
  Grid<Set, Board::Shape::square> grid_;
  ChainTables tables_;
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
           "Surround more of the board than the opponent, by stones and the empty cells that they enclose.",
           {{"size", 9, 2, 19, "rows and columns"},
            {"komi", 15, -722, 722, "points for the second player, in halves", false, false, false, 2},
            {"plies", 0, 0, 722, "the match is over after so many; 0: twice the cells"}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            return make_go<Go<8, 128>, Go<9, 162>, Go<11, 242>, Go<13, 338>, Go<15, 450>, Go<19, 722>>(info,
                                                                                                       p);
          }};
}

}  // namespace glaux
