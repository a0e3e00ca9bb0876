// Xiangqi, Chinese chess.
//
// Generals and advisors stay in their palaces, elephants on their side of the river; horses and elephants are
// blocked by the piece that they would pass, cannons capture over exactly one piece, soldiers step forward
// and, across the river, to the sides. No move may leave the own general attacked or the two generals facing
// each other on an open column; a player without a move has lost. At the third occurrence of a position with
// the same player to move, whoever has given check with every move since the first occurrence loses, unless
// both have; otherwise it is a draw. 200 plies without a capture are a draw.
//
// By the rules of the Computer Olympiad (parameter `olympiad`) check is no rule and who takes the general
// wins, but generals still never face each other; who makes a position for the second time loses; and the
// match is a draw at ply 200.
//
// Actions: from * 90 + to.
// The state keeps the moves since the last that cannot be undone, a capture or a soldier's step forward: an
// earlier position cannot come back. Which of these moves gave check follows from the board.
// How it is played is in xiangqi_play.h, and where the pieces can go in xiangqi_board.h.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "games/xiangqi_board.h"
#include "games/xiangqi_play.h"
#include "kit/planes.h"
#include "kit/results.h"
#include "kit/text.h"

namespace glaux {

class Xiangqi {
  using Set = xiangqi::Set;
  using Pieces = xiangqi::Pieces;
  using Play = xiangqi::Play;

 public:
  using State = Play::State;

  explicit Xiangqi(const Parameters& p)
      : limit_(p.at("limit")),
        olympiad_(p.at("olympiad") != 0),
        play_(limit_, olympiad_),
        board_{xiangqi::rows, xiangqi::columns, Board::Shape::square, Board::Numbering::from_bottom},
        symbols_{".", "K", "A", "B", "N", "R", "C", "P", "k", "a", "b", "n", "r", "c", "p"} {
    board_.first_row = 0;
    symmetries_ = {board_.identity(), board_.mirror_columns()};
  }

  Spec spec() const {
    Spec spec;
    spec.board = board_;
    spec.action_count = count * count;
    // More than any board has: rooks and cannons 17, horses 8, the others 4 and 3 each.
    spec.max_actions = 4 * 17 + 2 * 8 + 5 * 4 + 5 * 3;
    spec.max_plies = max_plies();
    spec.max_plies_exact = false;
    spec.symbols = symbols_;
    for (const char* player : {"first player's ", "second player's "}) {
      for (const char* kind :
           {"general", "advisors", "elephants", "horses", "rooks", "cannons", "soldiers"}) {
        spec.planes.push_back(std::string(player) + kind);
      }
    }
    spec.planes.insert(spec.planes.end(), {"first player to move", "ply / longest match",
                                           "plies since the last capture / the most there can be"});
    spec.plane_rows = xiangqi::rows;
    spec.plane_columns = xiangqi::columns;
    spec.symmetries = symmetries_;
    spec.has_pieces = spec.has_history = true;
    return spec;
  }

  State initial() const {
    State s{};
    constexpr int back[] = {xiangqi::rook,     xiangqi::horse,   xiangqi::elephant,
                            xiangqi::advisor,  xiangqi::general, xiangqi::advisor,
                            xiangqi::elephant, xiangqi::horse,   xiangqi::rook};
    for (int player : {0, 1}) {
      const auto put = [&](int row, int column, int kind) {
        s.pieces.put(board_.cell(player == 0 ? row : 9 - row, column), xiangqi::code_of(player, kind));
      };
      for (int column = 0; column < xiangqi::columns; ++column) {
        put(9, column, back[column]);
        if (column % 2 == 0) put(6, column, xiangqi::soldier);
      }
      put(7, 1, xiangqi::cannon);
      put(7, 7, xiangqi::cannon);
    }
    s.result = ongoing;
    return s;
  }

  Status status(const State& s) const { return {player_of(player(s)), s.result}; }

  Measures measures(const State& s) const {
    return {static_cast<int>(s.ply), 0, {s.pieces.of(0).count(), s.pieces.of(1).count()}};
  }

  int actions(const State& s, Action* out) const { return play_.actions(s, out); }
  void apply(State& s, Action action) const { play_.apply(s, action); }
  void playout(State& s, Rng& rng) const { play_.playout(s, rng); }

  void cells(const State& s, std::uint8_t* codes) const {
    for (int cell = 0; cell < count; ++cell) codes[cell] = static_cast<std::uint8_t>(s.pieces.at(cell));
  }
  void cell_bits(const State& s, std::uint64_t* bits) const {
    for (const Set& set : s.pieces.code) bits = std::copy_n(set.word, 2, bits);
  }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    for (int player : {0, 1}) {
      for (int kind = 0; kind < xiangqi::kinds; ++kind) {
        planes.set(player * xiangqi::kinds + kind, s.pieces.of(player, kind));
      }
    }
    if (player(s) == 0) planes.fill(14, 1.0f);
    planes.fill(15, static_cast<float>(s.ply) / static_cast<float>(max_plies()));
    planes.fill(16, static_cast<float>(s.quiet) / static_cast<float>(limit_));
  }

  State transform(const State& s, int symmetry) const {
    const CellMap& map = symmetries_[static_cast<std::size_t>(symmetry)];
    State t = s;
    for (Set& set : t.pieces.code) set = permuted(set, map);
    t.run.permute(map);
    return t;
  }

  Action transform_action(Action action, int symmetry) const {
    const CellMap& map = symmetries_[static_cast<std::size_t>(symmetry)];
    return map[static_cast<std::size_t>(action / count)] * count +
           map[static_cast<std::size_t>(action % count)];
  }

  std::string action_text(const State&, Action action) const {
    return board_.cell_text(action / count) + board_.cell_text(action % count);
  }

  Cells action_cells(const State&, Action action) const { return {action / count, action % count}; }

  std::string state_text(const State& s) const {
    std::uint8_t codes[count];
    cells(s, codes);
    return format_state(board_, symbols_, codes, player(s) == 0, static_cast<int>(s.ply)) + " " +
           std::to_string(s.quiet) + " " + s.run.text(board_);
  }

  State parse_state(std::string_view text) const {
    const StateText parsed(text, board_, symbols_, max_plies());
    parsed.expect_extra(2);
    parsed.expect_first_at_even_plies();
    State s{};
    for (int cell = 0; cell < count; ++cell) s.pieces.put(cell, parsed.codes[static_cast<std::size_t>(cell)]);
    s.ply = static_cast<std::uint32_t>(parsed.ply);
    s.quiet = static_cast<std::uint8_t>(parse_quiet(parsed.extra[0]));
    s.run = Play::Run::parse(parsed.extra[1], board_);
    validate_pieces(s);
    s.result = play_.result_of(s);
    return s;
  }

  void validate(const State& s) const {
    validate_pieces(s);
    const int captures = 32 - s.pieces.occupied().count(), ply = static_cast<int>(s.ply);
    const int quiet = olympiad_ ? s.run.count : s.quiet;
    if ((olympiad_ && s.quiet != 0) || quiet > limit_ || s.run.count > quiet) {
      throw InvalidState("The plies since the last capture do not match the moves or the rules.");
    }
    if (ply < captures + quiet || ply > (olympiad_ ? limit_ : captures * limit_ + quiet)) {
      throw InvalidState("The ply does not match the pieces and the plies since the last capture.");
    }
    validate_run(s);
    expect_result(s.result, play_.result_of(s));
  }

 private:
  static constexpr int count = xiangqi::cells;

  static int player(const State& s) { return Play::player(s); }
  // All pieces but the generals can be captured, each time after fewer plies than the limit.
  int max_plies() const { return olympiad_ ? limit_ : 31 * limit_; }

  static int parse_quiet(const std::string& text) {
    if (const auto quiet = parse_number(text, Play::most_quiet)) return static_cast<int>(*quiet);
    throw InvalidState("The plies since the last capture must be a number from 0 to " +
                       std::to_string(Play::most_quiet) + ", not '" + text + "'.");
  }

  void validate_pieces(const State& s) const {
    const auto& code = s.pieces.code;
    if (s.unused != 0 || (s.pieces.occupied() & ~Set::below(count)).any() ||
        (code[0] & code[1] & code[2] & code[3]).any()) {
      throw InvalidState("These bytes are not a Xiangqi state.");
    }
    for (int owner : {0, 1}) {
      for (int kind = 0; kind < xiangqi::kinds; ++kind) {
        const Set pieces = s.pieces.of(owner, kind);
        // By the Olympiad's rules the general of the player to move may have been taken.
        const bool missing = pieces.none() && kind == xiangqi::general && !(olympiad_ && owner == player(s));
        if (pieces.count() > xiangqi::pieces_each[kind] ||
            (pieces & ~xiangqi::tables.zones[owner][kind]).any() || missing) {
          throw InvalidState(
              "There are too many pieces of one kind, a piece where it can't stand, or no general.");
        }
      }
    }
    if (s.pieces.of(player(s), xiangqi::general).any() && play_.forbidden(s.pieces, 1 - player(s))) {
      throw InvalidState(
          "The player who has just moved has left the general in check, or the generals facing each other.");
    }
  }

  // The moves of the run can have led to the pieces, and no repetition has ended the match on the way.
  void validate_run(const State& s) const {
    bool possible = s.run.count <= Play::most_quiet;
    for (int i = s.run.count; i < Play::most_quiet; ++i) {
      possible = possible && s.run.moves[i].from == 0 && s.run.moves[i].to == 0;
    }
    for (int i = 0; possible && i < s.run.count; ++i) {
      possible = s.run.moves[i].from < count && s.run.moves[i].to < count;
    }
    possible = possible && (s.run.count == 0 || s.pieces.of(player(s), xiangqi::general).any());
    State t = s;
    while (possible && t.run.count > 0) {
      const auto [from, to] = t.run.moves[t.run.count - 1];
      const int mover = 1 - player(t);
      const int what = from < count && to < count ? t.pieces.at(to) : 0;
      possible = what != 0 && t.pieces.at(from) == 0 && xiangqi::owner_of(what) == mover &&
                 !xiangqi::cannot_be_undone(xiangqi::kind_of(what), from, to) &&
                 !play_.forbidden(t.pieces, mover);
      if (!possible) break;
      t.pieces.move(to, from);
      --t.ply;
      t.run.moves[--t.run.count] = {0, 0};
      possible =
          xiangqi::targets(mover, xiangqi::kind_of(what), from, t.pieces.of(mover), t.pieces.occupied())
              .test(to) &&
          play_.result_by_repetition(t) == ongoing;
    }
    if (!possible) {
      throw InvalidState("The moves since the last irreversible one do not lead to this board.");
    }
  }

  int limit_;
  bool olympiad_;
  Play play_;
  Board board_;
  std::vector<std::string> symbols_;
  std::vector<CellMap> symmetries_;
};

inline GameEntry xiangqi_entry() {
  return {
      {"xiangqi",
       "Xiangqi",
       "Chinese chess: checkmate the enemy general.",
       {{"limit", 200, 1, 200, "how many plies without a capture are a draw"},
        {"olympiad", 0, 0, 1,
         "the Computer Olympiad's rules: capturing the general wins, a player who repeats a position loses, "
         "and the limit counts all plies",
         true}}},
      [](const GameInfo& info, const Parameters& p) { return adapt<Xiangqi>(info, p); }};
}

}  // namespace glaux
