// Games, specs and the registry. Every function takes and gives plain bytes and arrays; it checks
// lengths and legality, but trusts that the content of a state has been validated.
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

#include "bindings/bindings.h"
#include "core/errors.h"
#include "core/mobility.h"
#include "core/perft.h"
#include "core/registry.h"

namespace glaux::bindings {
namespace {

nb::bytes to_bytes(const std::vector<std::byte>& state) {
  return nb::bytes(state.data(), state.size());
}

std::vector<Action> legal_actions(const Game& game, const nb::bytes& state) {
  std::vector<Action> actions(static_cast<std::size_t>(game.spec().max_actions));
  actions.resize(static_cast<std::size_t>(game.actions(state_bytes(game, state), actions.data())));
  return actions;
}

void require_legal(const Game& game, const nb::bytes& state, Action action) {
  const auto legal = legal_actions(game, state);
  if (!std::binary_search(legal.begin(), legal.end(), action)) {
    throw InvalidAction("Action " + std::to_string(action) + " is not legal in this state.");
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

nb::bytes apply(const Game& game, const nb::bytes& state, Action action) {
  require_legal(game, state, action);
  std::vector<std::byte> out(game.spec().state_size);
  game.apply(state_bytes(game, state), action, out.data());
  return to_bytes(out);
}

auto expand(const Game& game, const nb::bytes& state) {
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

auto encode(const Game& game, const StateBatch& states) {
  const Spec& spec = game.spec();
  const std::size_t n = states.shape(0);
  const std::byte* bytes = batch_bytes(game, states);
  std::vector<float> planes(n * spec.encoding_size());
  {
    nb::gil_scoped_release release;
    game.encode(bytes, n, planes.data());
  }
  return to_numpy(std::move(planes), {n, spec.planes.size(), static_cast<std::size_t>(spec.plane_rows),
                                      static_cast<std::size_t>(spec.plane_columns)});
}

auto cells(const Game& game, const StateBatch& states) {
  const std::size_t n = states.shape(0);
  std::vector<std::uint8_t> codes(n * static_cast<std::size_t>(game.spec().cell_count()));
  game.cells(batch_bytes(game, states), n, codes.data());
  return to_numpy(std::move(codes), {n, static_cast<std::size_t>(game.spec().board.rows),
                                     static_cast<std::size_t>(game.spec().board.columns)});
}

auto playouts(const Game& game, const StateBatch& states, Rng& rng) {
  const std::size_t n = states.shape(0), size = game.spec().state_size;
  const std::byte* bytes = batch_bytes(game, states);
  std::vector<std::uint8_t> ends(n * size);
  {
    nb::gil_scoped_release release;
    Pulse pulse = signal_pulse();
    for (std::size_t i = 0; i < n; ++i) {
      game.playouts(bytes + i * size, 1, rng, reinterpret_cast<std::byte*>(ends.data()) + i * size);
      pulse.beat();
    }
  }
  return to_numpy(std::move(ends), {n, size});
}

auto transform(const Game& game, const StateBatch& states, int symmetry) {
  const std::size_t n = states.shape(0), size = game.spec().state_size;
  const std::byte* bytes = batch_bytes(game, states);
  std::vector<std::uint8_t> out(n * size);
  for (std::size_t i = 0; i < n; ++i) {
    game.transform(bytes + i * size, symmetry, reinterpret_cast<std::byte*>(out.data()) + i * size);
  }
  return to_numpy(std::move(out), {n, size});
}

void validate(const Game& game, const StateBatch& states) {
  const std::byte* bytes = batch_bytes(game, states);
  for (std::size_t i = 0; i < states.shape(0); ++i) game.validate(bytes + i * game.spec().state_size);
}

nb::bytes parse_state(const Game& game, std::string_view text) {
  std::vector<std::byte> out(game.spec().state_size);
  game.parse_state(text, out.data());
  return to_bytes(out);
}

std::string action_text(const Game& game, const nb::bytes& state, Action action) {
  require_legal(game, state, action);
  return game.action_text(state_bytes(game, state), action);
}

Cells action_cells(const Game& game, const nb::bytes& state, Action action) {
  require_legal(game, state, action);
  return game.action_cells(state_bytes(game, state), action);
}

Action transform_action(const Game& game, const nb::bytes& state, Action action, int symmetry) {
  require_legal(game, state, action);
  return game.transform_action(state_bytes(game, state), action, symmetry);
}

std::uint64_t count_perft(const Game& game, const nb::bytes& state, int depth) {
  const std::byte* bytes = state_bytes(game, state);
  nb::gil_scoped_release release;
  Pulse pulse = signal_pulse();
  return perft(game, bytes, depth, pulse);
}

void bind_spec(nb::module_& module) {
  nb::enum_<Board::Shape>(module, "Shape")
      .value("square", Board::Shape::square)
      .value("hexagonal", Board::Shape::hexagonal);
  nb::enum_<Board::Numbering>(module, "Numbering")
      .value("from_top", Board::Numbering::from_top)
      .value("from_bottom", Board::Numbering::from_bottom);

  nb::enum_<Player>(module, "Player", nb::is_arithmetic(), "Whose move it is: first, second or chance.")
      .value("first", Player::first)
      .value("second", Player::second)
      .value("chance", Player::chance);
  nb::enum_<Spec::Aim>(module, "Aim").value("result", Spec::Aim::result).value("score", Spec::Aim::score);

  nb::class_<Board::Part>(module, "BoardPart")
      .def(nb::init<int, int, int, int>(), nb::arg("row"), nb::arg("column"), nb::arg("rows"),
           nb::arg("columns"))
      .def_ro("row", &Board::Part::row)
      .def_ro("column", &Board::Part::column)
      .def_ro("rows", &Board::Part::rows)
      .def_ro("columns", &Board::Part::columns);

  nb::class_<Board>(module, "Board")
      .def(nb::init<>())
      .def_rw("rows", &Board::rows)
      .def_rw("columns", &Board::columns)
      .def_rw("shape", &Board::shape)
      .def_rw("numbering", &Board::numbering)
      .def_rw("present", &Board::present)
      .def_rw("boards", &Board::boards)
      .def("has", &Board::has, nb::arg("cell"))
      .def("board_of", &Board::board_of, nb::arg("cell"))
      .def("column_text", &Board::column_text, nb::arg("column"))
      .def("cell_text", &Board::cell_text, nb::arg("cell"))
      .def("neighbours", &Board::neighbours)
      .def("square_symmetries", &Board::square_symmetries)
      .def("hexagonal_symmetries", &Board::hexagonal_symmetries)
      .def("identity", &Board::identity)
      .def("mirror_columns", &Board::mirror_columns)
      .def("half_turn", &Board::half_turn);

  nb::class_<Spec>(module, "Spec")
      .def(nb::init<>())
      .def_rw("name", &Spec::name)
      .def_rw("title", &Spec::title)
      .def_rw("parameters", &Spec::parameters)
      .def_rw("players", &Spec::players)
      .def_rw("aim", &Spec::aim)
      .def_rw("board", &Spec::board)
      .def_rw("state_size", &Spec::state_size)
      .def_rw("action_count", &Spec::action_count)
      .def_rw("max_actions", &Spec::max_actions)
      .def_rw("max_plies", &Spec::max_plies)
      .def_rw("max_plies_exact", &Spec::max_plies_exact)
      .def_rw("symbols", &Spec::symbols)
      .def_rw("code_counts", &Spec::code_counts)
      .def("code_count", &Spec::code_count, nb::arg("cell"))
      .def_rw("neighbours", &Spec::neighbours)
      .def("cell_neighbours", &Spec::cell_neighbours)
      .def_rw("planes", &Spec::planes)
      .def_rw("plane_rows", &Spec::plane_rows)
      .def_rw("plane_columns", &Spec::plane_columns)
      .def_rw("symmetries", &Spec::symmetries)
      .def_rw("state_symmetries", &Spec::state_symmetries)
      .def_prop_ro("symmetry_count", &Spec::symmetry_count)
      .def_rw("has_score", &Spec::has_score)
      .def_rw("max_score", &Spec::max_score)
      .def_rw("has_pieces", &Spec::has_pieces)
      .def_rw("has_mobility", &Spec::has_mobility)
      .def_rw("has_history", &Spec::has_history)
      .def_rw("has_scrambles", &Spec::has_scrambles)
      .def_ro("has_reachable", &Spec::has_reachable);

  nb::class_<Parameter>(module, "Parameter")
      .def_ro("name", &Parameter::name)
      .def_ro("default_value", &Parameter::default_value)
      .def_ro("low", &Parameter::low)
      .def_ro("high", &Parameter::high)
      .def_ro("help", &Parameter::help)
      .def_ro("flag", &Parameter::flag)
      .def_ro("start", &Parameter::start)
      .def_ro("encoding", &Parameter::encoding);

  nb::class_<GameInfo>(module, "GameInfo")
      .def_ro("name", &GameInfo::name)
      .def_ro("title", &GameInfo::title)
      .def_ro("summary", &GameInfo::summary)
      .def_ro("parameters", &GameInfo::parameters);

  nb::class_<Status>(module, "Status")
      .def_ro("player", &Status::player)
      .def_prop_ro("first_player", &Status::first_player)
      .def_ro("result", &Status::result)
      .def_prop_ro("terminal", &Status::terminal);

  nb::class_<Measures>(module, "Measures")
      .def_ro("ply", &Measures::ply)
      .def_ro("score", &Measures::score)
      .def_prop_ro("pieces", [](const Measures& m) { return std::pair(m.pieces[0], m.pieces[1]); })
      .def_prop_ro("mobility", [](const Measures& m) { return std::pair(m.mobility[0], m.mobility[1]); });
}

}  // namespace

void bind_games(nb::module_& module) {
  bind_spec(module);

  nb::class_<Rng>(module, "Rng")
      .def(nb::init<std::uint64_t>(), nb::arg("seed"))
      .def_prop_rw("words", &Rng::words, &Rng::set_words);

  nb::class_<Game>(module, "Game")
      .def_prop_ro("spec", &Game::spec, nb::rv_policy::copy)
      .def("initial", initial)
      .def("scramble", scramble, nb::arg("n"), nb::arg("rng"))
      .def(
          "status", [](const Game& g, const nb::bytes& s) { return g.status(state_bytes(g, s)); },
          nb::arg("state"))
      .def(
          "measures", [](const Game& g, const nb::bytes& s) { return g.measures(state_bytes(g, s)); },
          nb::arg("state"))
      .def(
          "hash", [](const Game& g, const nb::bytes& s) { return g.hash(state_bytes(g, s)); },
          nb::arg("state"))
      .def("actions", legal_actions, nb::arg("state"))
      .def("apply", apply, nb::arg("state"), nb::arg("action"))
      .def("expand", expand, nb::arg("state"))
      .def("playouts", playouts, nb::arg("states"), nb::arg("rng"))
      .def("encode", encode, nb::arg("states"))
      .def("cells", cells, nb::arg("states"))
      .def("transform", transform, nb::arg("states"), nb::arg("symmetry"))
      .def("transform_action", transform_action, nb::arg("state"), nb::arg("action"), nb::arg("symmetry"))
      .def("action_text", action_text, nb::arg("state"), nb::arg("action"))
      .def("action_cells", action_cells, nb::arg("state"), nb::arg("action"))
      .def(
          "state_text", [](const Game& g, const nb::bytes& s) { return g.state_text(state_bytes(g, s)); },
          nb::arg("state"))
      .def(
          "drawing", [](const Game& g, const nb::bytes& s) { return g.drawing(state_bytes(g, s)); },
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
      [](const GamePointer& game) -> GamePointer { return std::make_shared<const MobilityGame>(game); },
      nb::arg("game"));
}

}  // namespace glaux::bindings
