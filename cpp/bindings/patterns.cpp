// Pattern networks.
#include "eval/patterns.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bindings/tables.h"
#include "core/errors.h"

namespace glaux::bindings {
namespace {

void check(const PatternLearning& learning) {
  for (const float number : {learning.rate, learning.head_rate, learning.average}) {
    if (!std::isfinite(number) || number <= 0) {
      throw InvalidParameter("The numbers of a learning rule must be finite and above 0.");
    }
  }
  constexpr int most = 1 << 16;
  if (learning.minibatch < 1 || learning.minibatch > most) {
    throw InvalidParameter("A minibatch must have 1 to " + std::to_string(most) + " pairs, not " +
                           std::to_string(learning.minibatch) + ".");
  }
}

double learn(Patterns& network, const Game& game, const StateBatch& states, const Targets& targets,
             const PatternLearning& learning, const Trusted* trust) {
  require_targets(states, targets);
  check(learning);
  const CheckedBatch batch(game, states, trust);
  return learn_in_parts(network, game, batch, targets, learning, 4096);
}

auto arrays(const Patterns& network, const Patterns::Weights& weights) {
  return std::make_pair(
      copied(weights.tables, {network.bank_count(), network.index().row_count(), Patterns::k}),
      copied(weights.head, {network.bank_count(), network.head_size()}));
}

auto gradient(Patterns& network, const Game& game, const StateBatch& states, const Targets& targets,
              const Trusted* trust) {
  require_targets(states, targets);
  const CheckedBatch batch(game, states, trust);
  return arrays(network, network.gradient(game, batch.bytes, batch.n, targets.data()));
}

Patterns::Weights to_weights(const Patterns& network, const Floats& tables, const Floats& head) {
  Patterns::Weights weights;
  weights.tables.resize(network.bank_count() * network.index().row_count() * Patterns::k);
  weights.head.resize(network.bank_count() * network.head_size());
  overwrite(weights.tables, tables);
  overwrite(weights.head, head);
  return weights;
}

auto memory(const Patterns& network) {
  const Patterns::Memory memory = network.memory();
  const std::size_t banks = memory.empty() ? 0 : network.bank_count();
  const std::size_t rows = network.index().row_count(), size = network.head_size();
  return std::make_tuple(copied(memory.weights.tables, {banks, rows, Patterns::k}),
                         copied(memory.weights.head, {banks, size}), copied(memory.squares, {banks, rows}),
                         copied(memory.first, {banks, size}), copied(memory.second, {banks, size}),
                         memory.steps, memory.pairs);
}

void set_memory(Patterns& network, const Floats& tables, const Floats& head, const Floats& squares,
                const Floats& first, const Floats& second, std::uint64_t steps, std::uint64_t pairs) {
  Patterns::Memory memory;
  memory.weights = to_weights(network, tables, head);
  memory.squares.resize(network.bank_count() * network.index().row_count());
  memory.first.resize(network.bank_count() * network.head_size());
  memory.second.resize(memory.first.size());
  overwrite(memory.squares, squares);
  overwrite(memory.first, first);
  overwrite(memory.second, second);
  memory.steps = steps;
  memory.pairs = pairs;
  network.set_memory(std::move(memory));
}

}  // namespace

void bind_patterns(nb::module_& module) {
  nb::class_<PatternProgress>(module, "PatternProgress")
      .def(nb::init<>())
      .def_rw("stages", &PatternProgress::stages)
      .def_rw("begin", &PatternProgress::begin)
      .def_rw("end", &PatternProgress::end);
  nb::class_<PatternOptions>(module, "PatternOptions")
      .def(nb::init<>())
      .def_rw("mover", &PatternOptions::mover)
      .def_rw("tanh", &PatternOptions::tanh)
      .def_rw("scale", &PatternOptions::scale)
      .def_rw("progress", &PatternOptions::progress);
  nb::class_<PatternLearning>(module, "PatternLearning")
      .def(nb::init<>())
      .def_rw("rate", &PatternLearning::rate)
      .def_rw("head_rate", &PatternLearning::head_rate)
      .def_rw("minibatch", &PatternLearning::minibatch)
      .def_rw("average", &PatternLearning::average)
      .def_rw("symmetric", &PatternLearning::symmetric);

  nb::class_<Patterns, Evaluator>(
      module, "Patterns",
      "Any number of threads may evaluate and learn at once; learning steps come one after the other.")
      .def(
          "__init__",
          [](Patterns* self, const Game& game, const std::vector<PatternShape>& shapes, int regions,
             const PatternOptions& options, bool details) {
            auto index = std::make_shared<const PatternIndex>(game.spec(), shapes, regions, details);
            require_memory(8.0 * static_cast<double>(index->row_count() * Patterns::k * sizeof(float)),
                           "pattern network", "choose smaller shapes");
            new (self) Patterns(game.spec(), std::move(index), options);
          },
          nb::arg("game"), nb::arg("shapes"), nb::arg("regions"), nb::arg("options"),
          nb::arg("details") = false)
      .def("evaluate_children", evaluate_children<Patterns>, nb::arg("game"), nb::arg("parent"),
           nb::arg("children"), nb::arg("trust") = nb::none())
      .def("learn", learn, nb::arg("game"), nb::arg("states"), nb::arg("targets"), nb::arg("learning"),
           nb::arg("trust") = nb::none())
      .def("gradient", gradient, nb::arg("game"), nb::arg("states"), nb::arg("targets"),
           nb::arg("trust") = nb::none(),
           "The gradient of the mean of half the squared errors, in units of the scale, for the tables and "
           "the layers.")
      .def_prop_ro("row_count", [](const Patterns& network) { return network.index().row_count(); })
      .def_prop_ro("head_size", &Patterns::head_size)
      .def_prop_ro("bank_count", &Patterns::bank_count)
      .def_prop_ro_static("k", [](nb::handle) { return Patterns::k; })
      .def_prop_ro_static("hidden", [](nb::handle) { return Patterns::hidden; })
      .def(
          "active",
          [](Patterns& network) {
            const Patterns::Active active = network.active();
            return std::make_tuple(active.cells, active.first, active.second);
          },
          "The shares of units above 0 since the last call: of the cells, the first and the second layer.")
      .def("weights", [](const Patterns& network) { return arrays(network, network.weights()); })
      .def(
          "set_weights",
          [](Patterns& network, const Floats& tables, const Floats& head) {
            network.set_weights(to_weights(network, tables, head));
          },
          nb::arg("tables"), nb::arg("head"))
      .def("memory", memory)
      .def("set_memory", set_memory, nb::arg("tables"), nb::arg("head"), nb::arg("squares"), nb::arg("first"),
           nb::arg("second"), nb::arg("steps"), nb::arg("pairs"));
}

}  // namespace glaux::bindings
