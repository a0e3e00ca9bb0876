// Games and the registry. Every function takes and gives plain bytes and arrays, and checks all that it is
// given: states (see bindings/state.h), legality, numbers.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/state.h"
#include "core/errors.h"
#include "core/mobility.h"
#include "core/perft.h"
#include "core/registry.h"

namespace glaux::bindings {
namespace {

nb::bytes to_bytes(const std::vector<std::byte>& state) {
  return nb::bytes(state.data(), state.size());
}

std::vector<Action> legal_actions(const Game& game, const std::byte* state) {
  std::vector<Action> actions(static_cast<std::size_t>(game.spec().max_actions));
  actions.resize(static_cast<std::size_t>(game.actions(state, actions.data())));
  return actions;
}

bool is_legal(const Game& game, const std::byte* state, Action action) {
  const auto legal = legal_actions(game, state);
  return std::binary_search(legal.begin(), legal.end(), action);
}

Action legal_action(const Game& game, const std::byte* state, nb::handle number) {
  const Action action = to_action(number);
  if (!is_legal(game, state, action)) refuse_action(number);
  return action;
}

void require_symmetry(const Game& game, int symmetry) {
  const int count = game.spec().symmetry_count();
  if (symmetry < 0 || symmetry >= count) {
    throw InvalidParameter(game.spec().title + " has the symmetries 0 to " + std::to_string(count - 1) +
                           ", not " + std::to_string(symmetry) + ".");
  }
}

nb::bytes initial(const Game& game) {
  std::vector<std::byte> out(game.spec().state_size);
  game.initial(out.data());
  return to_bytes(out);
}

nb::bytes scramble(const Game& game, int n, Rng& rng) {
  std::vector<std::byte> out(game.spec().state_size);
  game.scramble(n, rng, out.data());
  return to_bytes(out);
}

nb::bytes apply(const Game& game, const StateArgument& state, nb::handle number) {
  const std::byte* bytes = state_bytes(game, state);
  const Action action = legal_action(game, bytes, number);
  std::vector<std::byte> out(game.spec().state_size);
  game.apply(bytes, action, out.data());
  return to_bytes(out);
}

auto expand(const Game& game, const StateArgument& state) {
  Expansion expansion;
  game.expand(state_bytes(game, state), expansion);
  const std::size_t n = expansion.size(), size = game.spec().state_size;
  std::vector<std::int8_t> results(n);
  std::vector<std::uint8_t> first_player(n), children(n * size);
  for (std::size_t i = 0; i < n; ++i) {
    results[i] = expansion.statuses[i].result;
    first_player[i] = expansion.statuses[i].first_player();
  }
  std::transform(expansion.children.begin(), expansion.children.end(), children.begin(),
                 [](std::byte b) { return static_cast<std::uint8_t>(b); });
  return std::make_tuple(to_numpy(std::move(expansion.actions), {n}),
                         to_numpy(std::move(children), {n, size}), to_numpy(std::move(results), {n}),
                         to_numpy(std::move(first_player), {n}), to_numpy(std::move(expansion.hashes), {n}));
}

auto encode(const Game& game, const StateBatch& states, const Trusted* trust) {
  const Spec& spec = game.spec();
  const CheckedBatch batch(game, states, trust);
  std::vector<float> planes(batch.n * spec.encoding_size());
  {
    nb::gil_scoped_release release;
    game.encode(batch.bytes, batch.n, planes.data());
  }
  return to_numpy(std::move(planes), {batch.n, spec.planes.size(), static_cast<std::size_t>(spec.plane_rows),
                                      static_cast<std::size_t>(spec.plane_columns)});
}

template <void (Game::*Codes)(const std::byte*, std::size_t, std::uint8_t*) const>
auto codes(const Game& game, const StateBatch& states, const Trusted* trust) {
  const CheckedBatch batch(game, states, trust);
  std::vector<std::uint8_t> codes(batch.n * static_cast<std::size_t>(game.spec().cell_count()));
  if (batch.n > 0) (game.*Codes)(batch.bytes, batch.n, codes.data());
  return to_numpy(std::move(codes), {batch.n, static_cast<std::size_t>(game.spec().board.rows),
                                     static_cast<std::size_t>(game.spec().board.columns)});
}

// The generator is worked on as a copy, so that two threads that share one do not tear it.
auto playouts(const Game& game, const StateBatch& states, Rng& rng, const Trusted* trust) {
  const CheckedBatch batch(game, states, trust);
  const std::size_t size = game.spec().state_size;
  std::vector<std::uint8_t> ends(batch.n * size);
  Rng stream = rng;
  {
    nb::gil_scoped_release release;
    Pulse pulse = signal_pulse();
    for (std::size_t i = 0; i < batch.n; ++i) {
      game.playouts(batch.bytes + i * size, 1, stream, reinterpret_cast<std::byte*>(ends.data()) + i * size);
      pulse.beat();
    }
  }
  rng = stream;
  return to_numpy(std::move(ends), {batch.n, size});
}

auto transform(const Game& game, const StateBatch& states, int symmetry, const Trusted* trust) {
  require_symmetry(game, symmetry);
  const CheckedBatch batch(game, states, trust);
  const std::size_t size = game.spec().state_size;
  std::vector<std::uint8_t> out(batch.n * size);
  for (std::size_t i = 0; i < batch.n; ++i) {
    game.transform(batch.bytes + i * size, symmetry, reinterpret_cast<std::byte*>(out.data()) + i * size);
  }
  return to_numpy(std::move(out), {batch.n, size});
}

auto exchange(const Game& game, const StateBatch& states, const Trusted* trust) {
  const CheckedBatch batch(game, states, trust);
  const std::size_t size = game.spec().state_size;
  std::vector<std::uint8_t> out(batch.n * size);
  for (std::size_t i = 0; i < batch.n; ++i) {
    game.exchange(batch.bytes + i * size, reinterpret_cast<std::byte*>(out.data()) + i * size);
  }
  return to_numpy(std::move(out), {batch.n, size});
}

void validate(const Game& game, const StateBatch& states) {
  const CheckedBatch batch(game, states, nullptr);
}

nb::bytes parse_state(const Game& game, const nb::str& given) {
  Py_ssize_t size = 0;
  const char* characters = PyUnicode_AsUTF8AndSize(given.ptr(), &size);
  if (characters == nullptr) {  // half a character: bytes that were no UTF-8 come in so
    PyErr_Clear();
    throw InvalidState("This is not the text of a state: some of its bytes are not characters.");
  }
  const std::string_view text(characters, static_cast<std::size_t>(size));
  std::vector<std::byte> out(game.spec().state_size);
  game.parse_state(text, out.data());
  return to_bytes(out);
}

std::string action_text(const Game& game, const StateArgument& state, nb::handle number) {
  const std::byte* bytes = state_bytes(game, state);
  return game.action_text(bytes, legal_action(game, bytes, number));
}

Cells action_cells(const Game& game, const StateArgument& state, nb::handle number) {
  const std::byte* bytes = state_bytes(game, state);
  return game.action_cells(bytes, legal_action(game, bytes, number));
}

Action transform_action(const Game& game, const StateArgument& state, nb::handle number, int symmetry) {
  require_symmetry(game, symmetry);
  const std::byte* bytes = state_bytes(game, state);
  return game.transform_action(bytes, legal_action(game, bytes, number), symmetry);
}

// The legal actions of many states, as bindings/python_value.h gives them to policies, each seen through a
// symmetry: actions[offsets[i]] to actions[offsets[i + 1] - 1] are the images of those of state i, in the
// ascending order of the actions themselves.
auto legal(const Game& game, const StateBatch& states, int symmetry, const Trusted* trust) {
  require_symmetry(game, symmetry);
  const CheckedBatch batch(game, states, trust);
  LegalActions found;
  {
    nb::gil_scoped_release release;
    found = legal_actions_of(game, batch.bytes, batch.n);
    const std::size_t size = game.spec().state_size;
    for (std::size_t i = 0; symmetry != 0 && i < batch.n; ++i) {
      for (auto j = found.offsets[i]; j < found.offsets[i + 1]; ++j) {
        Action& action = found.actions[static_cast<std::size_t>(j)];
        action = game.transform_action(batch.bytes + i * size, action, symmetry);
      }
    }
  }
  const std::size_t count = found.actions.size();
  return std::make_pair(to_numpy(std::move(found.actions), {count}),
                        to_numpy(std::move(found.offsets), {batch.n + 1}));
}

// Each state after an action of it, and which of those are terminal. Who says that the states can be trusted
// says so of the actions.
auto apply_each(const Game& game, const StateBatch& states, const ActionBatch& actions,
                const Trusted* trust) {
  const CheckedBatch batch(game, states, trust);
  if (actions.size() != batch.n) {
    throw InvalidAction("There must be an action for each of the " + std::to_string(batch.n) +
                        " states, not " + std::to_string(actions.size()) + ".");
  }
  const std::size_t size = game.spec().state_size;
  std::vector<std::uint8_t> children(batch.n * size), over(batch.n);
  for (std::size_t i = 0; i < batch.n; ++i) {
    const std::byte* state = batch.bytes + i * size;
    const Action action = actions.data()[i];
    if (trust == nullptr && !is_legal(game, state, action)) refuse_action(nb::int_(action));
    auto* child = reinterpret_cast<std::byte*>(children.data()) + i * size;
    game.apply(state, action, child);
    over[i] = game.status(child).terminal();
  }
  return std::make_pair(to_numpy(std::move(children), {batch.n, size}), to_numpy(std::move(over), {batch.n}));
}

Action exchange_action(const Game& game, const StateArgument& state, nb::handle number) {
  const std::byte* bytes = state_bytes(game, state);
  return game.exchange_action(bytes, legal_action(game, bytes, number));
}

std::uint64_t count_perft(const Game& game, const StateArgument& state, int depth) {
  const std::byte* bytes = state_bytes(game, state);
  nb::gil_scoped_release release;
  Pulse pulse = signal_pulse();
  return perft(game, bytes, depth, pulse);
}

}  // namespace

LegalActions legal_actions_of(const Game& game, const std::byte* states, std::size_t n) {
  LegalActions legal;
  std::vector<Action> actions(static_cast<std::size_t>(game.spec().max_actions));
  for (std::size_t i = 0; i < n; ++i) {
    const int count = game.actions(states + i * game.spec().state_size, actions.data());
    legal.actions.insert(legal.actions.end(), actions.begin(), actions.begin() + count);
    legal.close();
  }
  return legal;
}

void bind_games(nb::module_& module) {
  nb::class_<Rng>(module, "Rng")
      .def(nb::init<std::uint64_t>(), nb::arg("seed"))
      .def_prop_rw("words", &Rng::words, [](Rng& rng, const std::array<std::uint64_t, 4>& words) {
        if (words == std::array<std::uint64_t, 4>{}) {
          throw InvalidParameter(
              "A random generator with the words 0, 0, 0, 0 would give nothing but zeros.");
        }
        rng.set_words(words);
      });

  const auto trust = nb::arg("trust") = nb::none();
  nb::class_<Game>(module, "Game")
      .def_prop_ro("spec", &Game::spec, nb::rv_policy::copy)
      .def("initial", initial)
      .def("scramble", scramble, nb::arg("n"), nb::arg("rng"))
      .def(
          "status", [](const Game& g, const StateArgument& s) { return g.status(state_bytes(g, s)); },
          nb::arg("state"))
      .def(
          "measures", [](const Game& g, const StateArgument& s) { return g.measures(state_bytes(g, s)); },
          nb::arg("state"))
      .def(
          "hash", [](const Game& g, const StateArgument& s) { return g.hash(state_bytes(g, s)); },
          nb::arg("state"))
      .def(
          "actions",
          [](const Game& g, const StateArgument& s) { return legal_actions(g, state_bytes(g, s)); },
          nb::arg("state"))
      .def("apply", apply, nb::arg("state"), nb::arg("action").none())
      .def("apply_each", apply_each, nb::arg("states"), nb::arg("actions"), trust)
      .def("expand", expand, nb::arg("state"))
      .def("playouts", playouts, nb::arg("states"), nb::arg("rng"), trust)
      .def("encode", encode, nb::arg("states"), trust)
      .def("cells", codes<&Game::cells>, nb::arg("states"), trust)
      .def("details", codes<&Game::details>, nb::arg("states"), trust)
      .def("transform", transform, nb::arg("states"), nb::arg("symmetry"), trust)
      .def("exchange", exchange, nb::arg("states"), trust)
      .def("exchange_action", exchange_action, nb::arg("state"), nb::arg("action").none())
      .def("transform_action", transform_action, nb::arg("state"), nb::arg("action").none(),
           nb::arg("symmetry"))
      .def("legal", legal, nb::arg("states"), nb::arg("symmetry") = 0, trust)
      .def("action_text", action_text, nb::arg("state"), nb::arg("action").none())
      .def("action_cells", action_cells, nb::arg("state"), nb::arg("action").none())
      .def(
          "state_text", [](const Game& g, const StateArgument& s) { return g.state_text(state_bytes(g, s)); },
          nb::arg("state"))
      .def(
          "drawing", [](const Game& g, const StateArgument& s) { return g.drawing(state_bytes(g, s)); },
          nb::arg("state"))
      .def("parse_state", parse_state, nb::arg("text"))
      .def("validate", validate, nb::arg("states"))
      .def("perft", count_perft, nb::arg("state"), nb::arg("depth"));

  module.attr("ongoing") = static_cast<int>(ongoing);
  module.def("registry", [] {
    std::vector<GameInfo> infos;
    for (const GameEntry& entry : registry()) infos.push_back(entry.info);
    return infos;
  });
  module.def("make_game", make_game, nb::arg("name"), nb::arg("parameters"));
  module.def(
      "with_mobility",
      [](const GamePointer& game) -> GamePointer {
        if (game == nullptr) throw InvalidParameter("A game is needed.");
        return std::make_shared<const MobilityGame>(game);
      },
      nb::arg("game"));
}

}  // namespace glaux::bindings
