// Searches, limits, and the run of one or many against a value function.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdlib>

#include "bindings/bindings.h"
#include "bindings/python_value.h"
#include "core/errors.h"
#include "eval/simple.h"
#include "search/best_first.h"
#include "search/lock_step.h"

namespace glaux::bindings {
namespace {

// float64[n] columns of action, v, c, r, n.
auto rows(const std::vector<Child>& children) {
  const std::size_t n = children.size();
  std::vector<Action> action(n);
  std::vector<float> v(n);
  std::vector<std::int8_t> c(n), r(n);
  std::vector<std::uint64_t> visits(n);
  for (std::size_t i = 0; i < n; ++i) {
    action[i] = children[i].action;
    v[i] = children[i].v;
    c[i] = static_cast<std::int8_t>(children[i].c);
    r[i] = static_cast<std::int8_t>(children[i].r);
    visits[i] = children[i].n;
  }
  return std::make_tuple(to_numpy(std::move(action), {n}), to_numpy(std::move(v), {n}),
                         to_numpy(std::move(c), {n}), to_numpy(std::move(r), {n}),
                         to_numpy(std::move(visits), {n}));
}

auto states_array(const std::vector<std::byte>& states, std::size_t size) {
  std::vector<std::uint8_t> bytes(states.size());
  std::memcpy(bytes.data(), states.data(), states.size());
  const std::size_t n = states.size() / size;
  return to_numpy(std::move(bytes), {n, size});
}

void start(Search& search, const nb::bytes& state, const Limits& limits) {
  const std::byte* bytes = state_bytes(search.game(), state);
  if (search.game().status(bytes).terminal()) {
    throw InvalidState("The match is over: there is nothing to search.");
  }
  search.start(bytes, limits);
}

void run_groups(const std::vector<std::pair<std::vector<Search*>, Evaluator*>>& groups) {
  std::vector<Group> native;
  for (const auto& [searches, evaluator] : groups) native.push_back({searches, evaluator});
  nb::gil_scoped_release release;
  Pulse pulse = signal_pulse();
  run(native, pulse);
}

auto learnable(const Search& search, bool leaves) {
  Labelled all = search.learnable(leaves);
  const std::size_t n = all.values.size();
  return std::make_tuple(states_array(all.states, search.game().spec().state_size),
                         to_numpy(std::move(all.values), {n}));
}

auto proven(const BestFirst& search) {
  BestFirst::Proven all = search.proven();
  const std::size_t n = all.v.size();
  return std::make_tuple(states_array(all.states, search.game().spec().state_size),
                         to_numpy(std::move(all.v), {n}), to_numpy(std::move(all.c), {n}));
}

void add_proven(BestFirst& search, const StateBatch& states,
                const nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>& v,
                const nb::ndarray<const std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& c) {
  const std::size_t n = states.shape(0);
  if (v.shape(0) != n || c.shape(0) != n) throw InvalidParameter("Each proven state needs its v and c.");
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(v.data()[i]) || std::abs(c.data()[i]) > 1) {
      throw InvalidParameter("A proven state has a finite v, and -1, 0 or 1 as its c.");
    }
  }
  const std::byte* bytes = batch_bytes(search.game(), states);
  search.add_proven({{bytes, bytes + n * search.game().spec().state_size},
                     {v.data(), v.data() + n},
                     {c.data(), c.data() + n}});
}

auto dump(const BestFirst& search) {
  BestFirst::Dump all = search.dump();
  const std::size_t n = all.v.size(), m = all.edge_node.size();
  return std::make_tuple(states_array(all.states, search.game().spec().state_size),
                         to_numpy(std::move(all.v), {n}), to_numpy(std::move(all.c), {n}),
                         to_numpy(std::move(all.r), {n}), to_numpy(std::move(all.edge_node), {m}),
                         rows(all.edges));
}

void bind_values(nb::module_& module) {
  nb::class_<TerminalValue>(module, "TerminalValue").def(nb::init<>());
  nb::class_<ScoreAgainst, TerminalValue>(module, "ScoreAgainst")
      .def(nb::init<double>(), nb::arg("threshold"));
  nb::class_<Evaluator>(module, "Evaluator")
      .def(
          "evaluate",
          [](Evaluator& evaluator, const Game& game, const StateBatch& states) {
            const std::size_t n = states.shape(0);
            std::vector<float> values(n);
            if (n > 0) evaluator.evaluate(game, batch_bytes(game, states), n, values.data());
            return to_numpy(std::move(values), {n});
          },
          nb::arg("game"), nb::arg("states"));
  nb::class_<ZeroValue, Evaluator>(module, "ZeroValue").def(nb::init<>());
  nb::class_<NoiseValue, Evaluator>(module, "NoiseValue").def(nb::init<>());
  nb::class_<PlayoutValue, Evaluator>(module, "PlayoutValue")
      .def(
          "__init__",
          [](PlayoutValue* self, int playouts, std::uint64_t seed,
             std::shared_ptr<const TerminalValue> terminal_value) {
            if (terminal_value == nullptr) terminal_value = std::make_shared<TerminalValue>();
            new (self) PlayoutValue(playouts, Rng(seed), std::move(terminal_value));
          },
          nb::arg("playouts"), nb::arg("seed"), nb::arg("terminal_value") = nb::none())
      .def(
          "reseed", [](PlayoutValue& value, std::uint64_t seed) { value.reseed(Rng(seed)); },
          nb::arg("seed"));
  nb::class_<PythonValue, Evaluator>(module, "PythonValue", nb::type_slots(function_slots<PythonValue>))
      .def(nb::init<nb::callable, bool, bool>(), nb::arg("function"), nb::arg("planes"),
           nb::arg("answers") = false);
}

void bind_search_base(nb::module_& module) {
  nb::class_<Limits>(module, "Limits")
      .def(nb::init<>())
      .def_rw("seconds", &Limits::seconds)
      .def_rw("iterations", &Limits::iterations)
      .def_rw("evaluations", &Limits::evaluations)
      .def_rw("whole", &Limits::whole);
  nb::class_<Statistics>(module, "Statistics")
      .def_ro("iterations", &Statistics::iterations)
      .def_ro("expansions", &Statistics::expansions)
      .def_ro("evaluations", &Statistics::evaluations)
      .def_ro("depth", &Statistics::depth)
      .def_ro("full", &Statistics::full)
      .def_ro("seconds", &Statistics::seconds);

  const auto with_state = [](auto method) {
    return [method](const Search& search, const nb::bytes& state) {
      return (search.*method)(state_bytes(search.game(), state));
    };
  };
  nb::class_<Search>(module, "Search")
      .def("start", start, nb::arg("state"), nb::arg("limits"))
      .def("decision", &Search::decision)
      .def(
          "children",
          [](const Search& search, const nb::bytes& state) {
            return rows(search.children(state_bytes(search.game(), state)));
          },
          nb::arg("state"))
      .def(
          "choices",
          [](const Search& search, const nb::bytes& state) {
            return rows(search.choices(state_bytes(search.game(), state)));
          },
          nb::arg("state"))
      .def("learnable", learnable, nb::arg("leaves") = false)
      .def("value", with_state(&Search::value), nb::arg("state"))
      .def("resolved", with_state(&Search::resolved), nb::arg("state"))
      .def("principal_variation", with_state(&Search::principal_variation), nb::arg("state"))
      .def_prop_ro("bytes", &Search::bytes)
      .def_prop_ro("statistics", &Search::statistics)
      .def("clear", &Search::clear)
      .def("begin_match", &Search::begin_match, nb::arg("seed"), nb::arg("keep"));
}

void bind_best_first(nb::module_& module) {
  nb::enum_<Decision>(module, "Decision")
      .value("best", Decision::best)
      .value("safest", Decision::safest)
      .value("safest_or_draw", Decision::safest_or_draw);
  nb::class_<BestFirstOptions>(module, "BestFirstOptions")
      .def(nb::init<>())
      .def_rw("descend", &BestFirstOptions::descend)
      .def_rw("completion", &BestFirstOptions::completion)
      .def_rw("decision", &BestFirstOptions::decision)
      .def_rw("random_ties", &BestFirstOptions::random_ties)
      .def_rw("seed", &BestFirstOptions::seed)
      .def_rw("memory", &BestFirstOptions::memory);
  nb::class_<BestFirst, Search>(module, "BestFirst")
      .def(nb::init<GamePointer, std::shared_ptr<const TerminalValue>, const BestFirstOptions&>(),
           nb::arg("game"), nb::arg("terminal_value"), nb::arg("options"))
      .def("clear_but_resolved", &BestFirst::clear_but_resolved, nb::arg("bound"))
      .def("proven", proven)
      .def("add_proven", add_proven, nb::arg("states"), nb::arg("v"), nb::arg("c"))
      .def("dump", dump);
}

}  // namespace

void bind_search(nb::module_& module) {
  bind_values(module);
  bind_search_base(module);
  bind_best_first(module);
  module.def("run", run_groups, nb::arg("groups"));
}

}  // namespace glaux::bindings
