// Searches, limits, and the run of one or many against a value function.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdlib>
#include <deque>

#include "bindings/policy_value.h"
#include "bindings/python_value.h"
#include "bindings/use.h"
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
  const auto* begin = reinterpret_cast<const std::uint8_t*>(states.data());
  std::vector<std::uint8_t> bytes(begin, begin + states.size());
  const std::size_t n = states.size() / size;
  return to_numpy(std::move(bytes), {n, size});
}

const std::byte* ongoing_bytes(const Search& search, const StateArgument& state) {
  const std::byte* bytes = state_bytes(search.game(), state);
  if (search.game().status(bytes).terminal()) {
    throw InvalidState("The match is over: there is nothing to search.");
  }
  return bytes;
}

void start(Search& search, const StateArgument& state, const Limits& limits) {
  const std::byte* bytes = ongoing_bytes(search, state);
  const Changing use(search);
  search.start(bytes, limits);
}

// Each search once, and none that somebody else uses.
void run_groups(const std::vector<std::pair<std::vector<Search*>, Evaluator*>>& groups) {
  std::vector<Group> native;
  std::deque<Changing> uses;
  for (const auto& [searches, evaluator] : groups) {
    if (evaluator == nullptr) throw InvalidParameter("Searches need a value function.");
    for (Search* search : searches) {
      if (search == nullptr) throw InvalidParameter("A search is needed, not None.");
      uses.emplace_back(*search);
    }
    native.push_back({searches, evaluator});
  }
  nb::gil_scoped_release release;
  Pulse pulse = signal_pulse();
  run(native, pulse);
}

auto learnable(const Search& search, bool leaves) {
  const Reading use(search);
  Labelled all = search.learnable(leaves);
  const std::size_t n = all.values.size();
  return std::make_tuple(states_array(all.states, search.game().spec().state_size),
                         to_numpy(std::move(all.values), {n}));
}

auto proven(const BestFirst& search) {
  const Reading use(search);
  BestFirst::Proven all = search.proven();
  const std::size_t n = all.v.size();
  return std::make_tuple(states_array(all.states, search.game().spec().state_size),
                         to_numpy(std::move(all.v), {n}), to_numpy(std::move(all.c), {n}));
}

void add_proven(BestFirst& search, const StateBatch& states,
                const nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>& v,
                const nb::ndarray<const std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& c,
                const Trusted* trust) {
  const std::size_t n = states.shape(0);
  if (v.shape(0) != n || c.shape(0) != n) throw InvalidParameter("Each proven state needs its v and c.");
  BestFirst::Proven proven{{}, {v.data(), v.data() + n}, {c.data(), c.data() + n}};
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(proven.v[i]) || std::abs(proven.c[i]) > 1) {
      throw InvalidParameter("A proven state needs a finite v, and -1, 0 or 1 as its c.");
    }
  }
  const CheckedBatch batch(search.game(), states, trust);
  proven.states.assign(batch.bytes, batch.bytes + n * search.game().spec().state_size);
  const Changing use(search);
  search.add_proven(proven);
}

auto dump(const BestFirst& search) {
  const Reading use(search);
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
          [](Evaluator& evaluator, const Game& game, const StateBatch& states, const Trusted* trust) {
            const CheckedBatch batch(game, states, trust);
            std::vector<float> values(batch.n);
            if (batch.n > 0) {
              nb::gil_scoped_release release;
              evaluator.evaluate(game, batch.bytes, batch.n, values.data());
            }
            return to_numpy(std::move(values), {batch.n});
          },
          nb::arg("game"), nb::arg("states"), nb::arg("trust") = nb::none());
  nb::class_<ZeroValue, Evaluator>(module, "ZeroValue").def(nb::init<>());
  nb::class_<NoiseValue, Evaluator>(module, "NoiseValue").def(nb::init<>());
  nb::class_<PlayoutValue, Evaluator>(module, "PlayoutValue")
      .def(
          "__init__",
          [](PlayoutValue* self, int playouts, std::uint64_t seed,
             std::shared_ptr<const TerminalValue> terminal_value) {
            if (terminal_value == nullptr) terminal_value = std::make_shared<TerminalValue>();
            new (self) PlayoutValue(playouts, Rng(seed), std::move(terminal_value), signal_pulse());
          },
          nb::arg("playouts"), nb::arg("seed"), nb::arg("terminal_value") = nb::none())
      .def(
          "reseed", [](PlayoutValue& value, std::uint64_t seed) { value.reseed(Rng(seed)); },
          nb::arg("seed"));
  nb::class_<PythonValue, Evaluator>(module, "PythonValue", nb::type_slots(function_slots<PythonValue>))
      .def(nb::init<nb::callable, bool, bool>(), nb::arg("function"), nb::arg("planes"),
           nb::arg("answers") = false);
  nb::class_<PolicyValue, Evaluator>(module, "PolicyValue", nb::type_slots(function_slots<PolicyValue>))
      .def(nb::init<nb::callable, const PolicyValue::Places&, std::size_t, std::size_t>(),
           nb::arg("function"), nb::arg("places"), nb::arg("width"), nb::arg("entries"))
      .def("weights", &PolicyValue::weights, nb::arg("game"), nb::arg("states"),
           nb::arg("trust") = nb::none())
      .def_prop_ro("asked", &PolicyValue::asked)
      .def_prop_ro("evaluated", &PolicyValue::evaluated);
}

void bind_search_base(nb::module_& module) {
  nb::class_<Limits>(module, "Limits")
      .def(nb::init<>())
      .def_prop_rw(
          "seconds", [](const Limits& limits) { return limits.seconds; },
          [](Limits& limits, double seconds) {
            if (!(seconds >= 0)) throw InvalidParameter("The seconds of a search must be 0 or more.");
            limits.seconds = seconds;
          })
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

  nb::class_<Search>(
      module, "Search",
      "One caller at a time: while it runs, other threads and its own value function get Busy.")
      .def("start", start, nb::arg("state"), nb::arg("limits"))
      .def("decision",
           [](Search& search) {
             const Reading use(search);
             return search.decision();
           })
      .def(
          "children",
          [](const Search& search, const StateArgument& state) {
            return rows(reading(&Search::children)(search, state));
          },
          nb::arg("state"))
      .def(
          "choices",
          [](const Search& search, const StateArgument& state) {
            return rows(reading(&Search::choices)(search, state));
          },
          nb::arg("state"))
      .def("learnable", learnable, nb::arg("leaves") = false)
      .def("value", reading(&Search::value), nb::arg("state"))
      .def("resolved", reading(&Search::resolved), nb::arg("state"))
      .def("principal_variation", reading(&Search::principal_variation), nb::arg("state"))
      .def(
          "forget_others",
          [](Search& search, const StateArgument& state) {
            const std::byte* bytes = ongoing_bytes(search, state);
            const Changing use(search);
            return search.forget_others(bytes);
          },
          nb::arg("state"))
      .def_prop_ro("bytes", reading(&Search::bytes))
      .def_prop_ro("statistics", reading(&Search::statistics))
      .def("clear",
           [](Search& search) {
             const Changing use(search);
             search.clear();
           })
      .def(
          "begin_match",
          [](Search& search, std::uint64_t seed, std::size_t keep) {
            const Changing use(search);
            search.begin_match(seed, keep);
          },
          nb::arg("seed"), nb::arg("keep"));
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
      .def_rw("threads", &BestFirstOptions::threads)
      .def_rw("random_ties", &BestFirstOptions::random_ties)
      .def_rw("seed", &BestFirstOptions::seed)
      .def_rw("memory", &BestFirstOptions::memory);
  nb::class_<BestFirst, Search>(module, "BestFirst")
      .def("__init__", make_search<BestFirst, BestFirstOptions>, nb::arg("game"), nb::arg("terminal_value"),
           nb::arg("options"))
      .def(
          "clear_but_resolved",
          [](BestFirst& search, std::size_t bound) {
            const Changing use(search);
            search.clear_but_resolved(bound);
          },
          nb::arg("bound"))
      .def("proven", proven)
      .def("add_proven", add_proven, nb::arg("states"), nb::arg("v"), nb::arg("c"),
           nb::arg("trust") = nb::none())
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
