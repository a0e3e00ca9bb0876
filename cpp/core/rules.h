// From rules to a Game.
//
// A game is one header with a class of pure rules over a small State, as the concept Rules says;
// the template Adapter turns it into a Game. This is the only place that moves states between bytes
// and types.
//
// Rules may also have any of these, each an exact shortcut for what the Adapter does without it:
//   Action random_action(const State&, Rng&) const       one legal action, uniformly
//   void playout(State&, Rng&) const                     uniformly random actions to the end
//   W wins(const State&) const                           what ends the match, empty if no action does, and
//   void apply(State&, Action, const W&) const           apply for one who knows it, in an expansion
//   void cell_bits(const State&, std::uint64_t*) const   the cell codes as sets, see Game::cell_bits
//   Set reachable(const State&) const                    as Game::reachable, if the spec says so
//   void details(const State&, std::uint8_t*) const      as Game::details, if the spec has some
// and, where the rules have them, these:
//   State scramble(int n, Rng&) const                    starts of their own, with spec().has_scrambles
//   std::string drawing(const State&) const              a picture that is not that of the cells
//   State exchange(const State&) const                   the players exchanged, with spec().exchange,
//   Action exchange_action(Action) const                 and what becomes of the actions
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/game.h"

namespace glaux {

// Mostly an action has the same image in every state.
template <class R>
concept TransformsActions = requires(const R& rules, Action action, int symmetry) {
  { rules.transform_action(action, symmetry) } -> std::same_as<Action>;
} || requires(const R& rules, const typename R::State& state, Action action, int symmetry) {
  { rules.transform_action(state, action, symmetry) } -> std::same_as<Action>;
};

template <class R>
concept Rules =
    TransformsActions<R> &&
    requires(const R& rules, const typename R::State& state, typename R::State& changing, Action action,
             Action* actions, std::uint8_t* codes, float* planes, std::string_view text, int symmetry) {
      // All but the name, the title, the parameters and the state's size, which the Adapter knows.
      { rules.spec() } -> std::same_as<Spec>;
      { rules.initial() } -> std::same_as<typename R::State>;
      { rules.status(state) } -> std::same_as<Status>;
      { rules.measures(state) } -> std::same_as<Measures>;
      // Legal actions of a state that is not terminal, ascending; returns how many.
      { rules.actions(state, actions) } -> std::same_as<int>;
      // Plays a legal action in place.
      { rules.apply(changing, action) } -> std::same_as<void>;
      // spec().cell_count() codes.
      { rules.cells(state, codes) } -> std::same_as<void>;
      // Writes into planes that are all zero.
      { rules.encode(state, planes) } -> std::same_as<void>;
      { rules.transform(state, symmetry) } -> std::same_as<typename R::State>;
      { rules.action_text(state, action) } -> std::same_as<std::string>;
      // The cells that a legal action touches, in order: see Game::action_cells.
      { rules.action_cells(state, action) } -> std::same_as<Cells>;
      { rules.state_text(state) } -> std::same_as<std::string>;
      // Throws InvalidState for a text that is not a state. The Adapter validates what it returns.
      { rules.parse_state(text) } -> std::same_as<typename R::State>;
      // Throws InvalidState unless every function above is safe on the state and its fields agree with
      // one another. It need not be reachable from the initial state.
      { rules.validate(state) } -> std::same_as<void>;
    };

template <Rules R>
class Adapter final : public Game {
  using State = typename R::State;
  static_assert(std::is_trivially_copyable_v<State>);
  static_assert(std::has_unique_object_representations_v<State>, "equal states need equal bytes");
  static_assert(sizeof(State) % 8 == 0 && alignof(State) <= 8, "states are hashed by words");

 public:
  Adapter(R rules, const GameInfo& info, const Parameters& parameters)
      : Game(complete(rules, info, parameters)), rules_(std::move(rules)) {}

  void initial(std::byte* out) const override { write(rules_.initial(), out); }

  Status status(const std::byte* state) const override { return rules_.status(read(state)); }

  Measures measures(const std::byte* state) const override { return rules_.measures(read(state)); }

  int actions(const std::byte* state, Action* out) const override {
    const State s = read(state);
    if (rules_.status(s).terminal()) return 0;
    const int n = rules_.actions(s, out);
    assert(1 <= n && n <= spec_.max_actions && std::is_sorted(out, out + n));
    return n;
  }

  void apply(const std::byte* state, Action action, std::byte* out) const override {
    State s = read(state);
    rules_.apply(s, action);
    write(s, out);
  }

  void expand(const std::byte* state, Expansion& out) const override {
    const State s = read(state);
    out.actions.resize(static_cast<std::size_t>(spec_.max_actions));
    const int n = rules_.status(s).terminal() ? 0 : rules_.actions(s, out.actions.data());
    const auto count = static_cast<std::size_t>(n);
    out.actions.resize(count);
    out.statuses.resize(count);
    out.hashes.resize(out.wants_hashes ? count : 0);
    out.children.resize(count * sizeof(State));
    const auto apply = applies_in(s);
    for (std::size_t i = 0; i < count; ++i) {
      State child = s;
      apply(child, out.actions[i]);
      std::byte* bytes = out.children.data() + i * sizeof(State);
      write(child, bytes);
      out.statuses[i] = rules_.status(child);
      if (out.wants_hashes) out.hashes[i] = hash_bytes(bytes, sizeof(State));
    }
  }

  bool may_end(const std::byte* state) const override {
    if constexpr (knows_wins) {
      const State s = read(state);
      return !rules_.status(s).terminal() && rules_.wins(s).any();
    } else {
      return true;
    }
  }

  void playouts(const std::byte* states, std::size_t n, Rng& rng, std::byte* ends) const override {
    std::vector<Action> buffer(static_cast<std::size_t>(spec_.max_actions));
    for (std::size_t i = 0; i < n; ++i) {
      State s = read(states + i * sizeof(State));
      if constexpr (requires { rules_.playout(s, rng); }) {
        rules_.playout(s, rng);
      } else {
        while (!rules_.status(s).terminal()) rules_.apply(s, random_action(s, rng, buffer.data()));
      }
      write(s, ends + i * sizeof(State));
    }
  }

  void scramble(int n, Rng& rng, std::byte* out) const override {
    if constexpr (requires { rules_.scramble(n, rng); }) {
      write(rules_.scramble(n, rng), out);
    } else {
      Game::scramble(n, rng, out);
    }
  }

  void encode(const std::byte* states, std::size_t n, float* planes) const override {
    const std::size_t size = spec_.encoding_size();
    std::fill_n(planes, n * size, 0.0f);
    for (std::size_t i = 0; i < n; ++i) {
      rules_.encode(read(states + i * sizeof(State)), planes + i * size);
    }
  }

  void cells(const std::byte* states, std::size_t n, std::uint8_t* codes) const override {
    const auto size = static_cast<std::size_t>(spec_.cell_count());
    for (std::size_t i = 0; i < n; ++i) {
      rules_.cells(read(states + i * sizeof(State)), codes + i * size);
    }
  }

  void cell_bits(const std::byte* states, std::size_t n, std::uint64_t* bits) const override {
    if constexpr (requires(const State& s) { rules_.cell_bits(s, bits); }) {
      const std::size_t size = spec_.code_bits() * spec_.cell_words();
      for (std::size_t i = 0; i < n; ++i) {
        rules_.cell_bits(read(states + i * sizeof(State)), bits + i * size);
      }
    } else {
      Game::cell_bits(states, n, bits);
    }
  }

  void details(const std::byte* states, std::size_t n, std::uint8_t* codes) const override {
    if constexpr (requires(const State& s) { rules_.details(s, codes); }) {
      const auto size = static_cast<std::size_t>(spec_.cell_count());
      for (std::size_t i = 0; i < n; ++i) {
        rules_.details(read(states + i * sizeof(State)), codes + i * size);
      }
    } else {
      Game::details(states, n, codes);
    }
  }

  void reachable(const std::byte* states, std::size_t n, std::uint64_t* bits) const override {
    if constexpr (requires(const State& s) { rules_.reachable(s); }) {
      const std::size_t size = spec_.cell_words();
      for (std::size_t i = 0; i < n; ++i) {
        const auto set = rules_.reachable(read(states + i * sizeof(State)));
        std::copy_n(set.word, size, bits + i * size);
      }
    } else {
      Game::reachable(states, n, bits);
    }
  }

  void transform(const std::byte* state, int symmetry, std::byte* out) const override {
    write(rules_.transform(read(state), symmetry), out);
  }

  Action transform_action(const std::byte* state, Action action, int symmetry) const override {
    if constexpr (requires { rules_.transform_action(action, symmetry); }) {
      return rules_.transform_action(action, symmetry);
    } else {
      return rules_.transform_action(read(state), action, symmetry);
    }
  }

  void exchange(const std::byte* state, std::byte* out) const override {
    if constexpr (requires(const State& s) { rules_.exchange(s); }) {
      write(rules_.exchange(read(state)), out);
    } else {
      Game::exchange(state, out);
    }
  }

  Action exchange_action(const std::byte* state, Action action) const override {
    if constexpr (requires { rules_.exchange_action(action); }) {
      return rules_.exchange_action(action);
    } else {
      return Game::exchange_action(state, action);
    }
  }

  std::string action_text(const std::byte* state, Action action) const override {
    return rules_.action_text(read(state), action);
  }

  Cells action_cells(const std::byte* state, Action action) const override {
    return rules_.action_cells(read(state), action);
  }

  std::string state_text(const std::byte* state) const override { return rules_.state_text(read(state)); }

  std::optional<std::string> drawing(const std::byte* state) const override {
    if constexpr (requires(const State& s) { rules_.drawing(s); }) {
      return rules_.drawing(read(state));
    } else {
      return std::nullopt;
    }
  }

  void parse_state(std::string_view text, std::byte* out) const override {
    const State s = rules_.parse_state(text);
    rules_.validate(s);
    write(s, out);
  }

  void validate(const std::byte* state) const override { rules_.validate(read(state)); }

 private:
  static Spec complete(const R& rules, const GameInfo& info, const Parameters& parameters) {
    Spec spec = rules.spec();
    spec.name = info.name;
    spec.title = info.title;
    spec.parameters = parameters;
    spec.state_size = sizeof(State);
    [[maybe_unused]] constexpr bool exchanges = requires(const State& s) { rules.exchange(s); };
    assert(exchanges != spec.exchange.empty());
    return spec;
  }

  static constexpr bool knows_wins = requires(const R& rules, const State& s) { rules.wins(s); };

  // Applies actions to copies of a state.
  auto applies_in([[maybe_unused]] const State& s) const {
    if constexpr (knows_wins) {
      return
          [this, wins = rules_.wins(s)](State& child, Action action) { rules_.apply(child, action, wins); };
    } else {
      return [this](State& child, Action action) { rules_.apply(child, action); };
    }
  }

  static State read(const std::byte* bytes) {
    State s;
    std::memcpy(&s, bytes, sizeof s);
    return s;
  }

  static void write(const State& s, std::byte* bytes) { std::memcpy(bytes, &s, sizeof s); }

  Action random_action(const State& s, Rng& rng, Action* buffer) const {
    if constexpr (requires { rules_.random_action(s, rng); }) {
      return rules_.random_action(s, rng);
    } else {
      const int n = rules_.actions(s, buffer);
      return buffer[rng.below(static_cast<std::uint32_t>(n))];
    }
  }

  R rules_;
};

template <class R>
GamePointer adapt(const GameInfo& info, const Parameters& parameters) {
  return std::make_shared<const Adapter<R>>(R(parameters), info, parameters);
}

// The rules for the smallest of the given numbers of words whose bitboards hold the cells.
template <template <int> class R, int Words, int... More>
GamePointer adapt_sized(int cells, const GameInfo& info, const Parameters& parameters) {
  if constexpr (sizeof...(More) > 0) {
    if (cells > Words * 64) return adapt_sized<R, More...>(cells, info, parameters);
  }
  assert(cells <= Words * 64);
  return adapt<R<Words>>(info, parameters);
}

}  // namespace glaux
