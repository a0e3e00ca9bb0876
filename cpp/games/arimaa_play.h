// How Arimaa is played: the set-up, the steps of a turn, and what the end of a turn decides. The rules in
// words, and what people see of a match, are in arimaa.h.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/rules.h"
#include "games/arimaa_board.h"
#include "games/arimaa_keys.h"
#include "kit/results.h"

namespace glaux::arimaa {

inline constexpr int pieces_each = 16, memory = 64;
// of a player: rabbits, cats, dogs, horses, camel, elephant
inline constexpr int copies[kinds] = {8, 2, 2, 2, 1, 1};

class Play {
 public:
  struct State {
    Pieces pieces;
    std::uint64_t start;         // the key of the board when the turn began
    std::uint32_t past[memory];  // fingerprints of the positions between turns since the last capture
    std::uint16_t ply;
    std::uint8_t player;  // to act
    std::uint8_t steps;   // made in this turn
    std::uint8_t remembered;
    Result result;
    std::uint8_t unused[2];
  };

  Play(int repetitions, int limit) : repetitions_(repetitions), limit_(limit) {}

  const Keys& keys() const { return keys_; }

  int actions(const State& s, Action* out) const {
    int n = 0;
    if (placing(s)) {
      free_home(s).for_each([&](int cell) { out[n++] = cell; });
      return n;
    }
    const Turn t = turn(s);
    const Choices& c = t.choices;
    if (t.pass) out[n++] = pass;
    const auto add = [&](const Set& from, int base, int cell) {
      if (from.test(cell) && !restores(s, base, t.key)) out[n++] = base;
    };
    s.pieces.sides[s.player].for_each([&](int cell) {
      for (int d = 0; d < 4; ++d) add(c.steps[d], steps + cell * 4 + d, cell);
    });
    for (int kind = 0; kind < 2; ++kind) {
      const auto& sets = kind == 0 ? c.pushes : c.pulls;
      s.pieces.sides[s.player].for_each([&](int cell) {
        for (int way = 0; way < 16; ++way)
          add(sets[way], (kind == 0 ? pushes : pulls) + cell * 16 + way, cell);
      });
    }
    return n;
  }

  // Uniform over the legal actions: a choice that would leave the board as it was is drawn again.
  Action random_action(const State& s, Rng& rng) const {
    if (placing(s)) {
      const Set cells = free_home(s);
      return random_cell(cells, rng);
    }
    const Turn t = turn(s);
    const int total = t.pass + t.choices.count();
    for (;;) {
      const int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
      const Action action = t.pass && i == 0 ? pass : t.choices.nth(i - t.pass);
      if (!restores(s, action, t.key)) return action;
    }
  }

  void apply(State& s, Action action) const {
    const bool setting_up = placing(s);
    ++s.ply;
    if (setting_up) {
      place(s, action);
    } else if (action == pass) {
      end_turn(s);
    } else {
      const int before = s.pieces.all().count();
      s.pieces.move(action);
      if (s.pieces.all().count() < before) forget(s);
      s.steps = static_cast<std::uint8_t>(s.steps + cost(action));
      if (s.steps == most_steps) end_turn(s);
    }
    if (s.result == ongoing && s.ply >= limit_) s.result = 0;
  }

  static bool placing(const State& s) { return s.ply < 2 * pieces_each; }

  // Whom the player places next.
  static int next_kind(const State& s) {
    int placed = s.pieces.sides[s.player].count(), k = 0;
    while (placed >= copies[k]) placed -= copies[k++];
    return k;
  }

  // The result of a state without its field of that name.
  Result result_of(const State& s) const {
    Result result = ongoing;
    if (!placing(s) && s.steps == 0 && s.ply > 2 * pieces_each) result = result_after(s, 1 - s.player);
    return result == ongoing && s.ply >= limit_ ? Result{0} : result;
  }

 private:
  // The set-up

  static Set free_home(const State& s) {
    const Set home{{s.player == 0 ? ~std::uint64_t{0} << 48 : ~(~std::uint64_t{0} << 16)}};
    return home & ~s.pieces.sides[s.player];
  }
  void place(State& s, int cell) const {
    s.pieces.put(s.player, next_kind(s), cell);
    if (s.pieces.sides[s.player].count() < pieces_each) return;
    s.player ^= 1;
    if (s.ply == 2 * pieces_each) begin_turn(s);
  }

  // Turns

  void begin_turn(State& s) const {
    s.steps = 0;
    s.start = keys_.of(s.pieces, s.player);
    if (s.remembered == memory) {
      std::copy(s.past + 1, s.past + memory, s.past);
      --s.remembered;
    }
    s.past[s.remembered++] = fingerprint(s.start);
  }

  static void forget(State& s) {
    std::fill_n(s.past, s.remembered, 0u);
    s.remembered = 0;
  }

  void end_turn(State& s) const {
    const int mover = s.player;
    s.player ^= 1;
    begin_turn(s);
    s.result = result_after(s, mover);
  }

  // What the end of a turn decides; the position after it is the last that is remembered.
  Result result_after(const State& s, int mover) const {
    const int other = 1 - mover;
    for (const int player : {mover, other}) {
      if ((s.pieces.sides[player] & s.pieces.kind[0] & goal(player)).any()) return win_of(player);
    }
    for (const int player : {other, mover}) {
      if ((s.pieces.sides[player] & s.pieces.kind[0]).none()) return loss_of(player);
    }
    if (!s.pieces.choices(s.player, most_steps).any()) return win_of(mover);
    const std::uint32_t now = s.past[s.remembered - 1];
    if (std::count(s.past, s.past + s.remembered, now) >= repetitions_) return win_of(other);
    return ongoing;
  }
  static Set goal(int player) { return Set{{player == 0 ? std::uint64_t{0xff} : std::uint64_t{0xff} << 56}}; }

  // What the player can do, and the key of the board after the first step of a turn.
  struct Turn {
    Choices choices;
    std::uint64_t key = 0;
    bool pass = false;
  };
  Turn turn(const State& s) const {
    Turn turn{s.pieces.choices(s.player, most_steps - s.steps)};
    if (s.steps > 0) {
      turn.key = keys_.of(s.pieces, s.player);
      turn.pass = turn.key != s.start;
    }
    return turn;
  }

  // Whether an action would end the turn with the board as it was at its beginning. Who is taken does not
  // come back, so that it is enough to look at the pieces that move, and for losses only if these are back.
  bool restores(const State& s, Action action, std::uint64_t key_now) const {
    if (action == pass || s.steps + cost(action) < most_steps) return false;
    const auto [from, d, e] = parts(action);
    const int to = from + step_of[d];
    std::uint64_t after = key_now ^ keys_.change(s.pieces, from, to);
    if (action >= pulls) {
      after ^= keys_.change(s.pieces, from + step_of[e], from);
    } else if (action >= pushes) {
      after ^= keys_.change(s.pieces, to, to + step_of[e]);
    }
    if (after != s.start) return false;
    Pieces next = s.pieces;
    next.move(action);
    return keys_.of(next, s.player) == s.start;
  }

  int repetitions_, limit_;
  Keys keys_;
};

}  // namespace glaux::arimaa
