// n-tuple networks.
#include "eval/ntuple.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bindings/tables.h"
#include "core/errors.h"

namespace glaux::bindings {
namespace {

double learn(NTuple& network, const Game& game, const StateBatch& states, const Targets& targets,
             const NTupleLearning& learning, const Trusted* trust) {
  require_targets(states, targets);
  for (const float number : {learning.alpha, learning.beta, learning.init}) {
    if (!std::isfinite(number)) throw InvalidParameter("The numbers of a learning rule must be finite.");
  }
  const CheckedBatch batch(game, states, trust);
  // A small part needs no buffer for all pairs.
  return learn_in_parts(network, game, batch, targets, learning, 256);
}

auto indices(const NTuple& network, const Game& game, const StateBatch& states, const Trusted* trust) {
  const TupleIndex& index = network.index();
  const CheckedBatch batch(game, states, trust);
  const std::size_t n = batch.n, size = index.bits_size();
  if (!index.fits(game.spec())) throw InvalidParameter("This n-tuple network was made for another board.");
  std::vector<std::uint64_t> bits(n * size);
  std::vector<std::uint32_t> all(n * index.slot_count());
  index.read(game, batch.bytes, n, bits.data());
  for (std::size_t i = 0; i < n; ++i) {
    index.indices(bits.data() + i * size, all.data() + i * index.slot_count());
  }
  return to_numpy(std::move(all), {n, index.tuple_count(), index.symmetry_count()});
}

}  // namespace

void bind_ntuple(nb::module_& module) {
  module.def("processor_has_fast_pext", processor_has_fast_pext);

  nb::class_<NTupleOptions>(module, "NTupleOptions")
      .def(nb::init<>())
      .def_rw("per_player", &NTupleOptions::per_player)
      .def_rw("tanh", &NTupleOptions::tanh)
      .def_rw("scale", &NTupleOptions::scale);

  nb::enum_<NTupleLearning::Rule>(module, "NTupleRule")
      .value("sgd", NTupleLearning::Rule::sgd)
      .value("coherence_identity", NTupleLearning::Rule::coherence_identity)
      .value("coherence_exponential", NTupleLearning::Rule::coherence_exponential);
  nb::class_<NTupleLearning>(module, "NTupleLearning")
      .def(nb::init<>())
      .def_rw("rule", &NTupleLearning::rule)
      .def_rw("alpha", &NTupleLearning::alpha)
      .def_rw("beta", &NTupleLearning::beta)
      .def_rw("init", &NTupleLearning::init);

  nb::class_<NTuple, Evaluator>(
      module, "NTuple",
      "Any number of threads may evaluate and learn at once; where two learn from the "
      "same weight at the same moment, one of the changes may be lost.")
      .def(
          "__init__",
          [](NTuple* self, const Game& game, const std::vector<CellTuple>& tuples,
             const NTupleOptions& options, bool use_pext, int symmetries, bool reachable) {
            const bool pext = use_pext && processor_has_fast_pext();
            auto index = std::make_shared<const TupleIndex>(game.spec(), tuples, pext, symmetries, reachable);
            const double banks = options.per_player ? 2 : 1;
            require_memory(banks * static_cast<double>(index->weight_count() * sizeof(float)),
                           "n-tuple network", "choose shorter or fewer tuples");
            new (self) NTuple(std::move(index), options);
          },
          nb::arg("game"), nb::arg("tuples"), nb::arg("options"), nb::arg("use_pext") = true,
          nb::arg("symmetries") = 0, nb::arg("reachable") = false)
      .def("evaluate_children", evaluate_children<NTuple>, nb::arg("game"), nb::arg("parent"),
           nb::arg("children"), nb::arg("trust") = nb::none())
      .def("learn", learn, nb::arg("game"), nb::arg("states"), nb::arg("targets"), nb::arg("learning"),
           nb::arg("trust") = nb::none())
      .def("indices", indices, nb::arg("game"), nb::arg("states"), nb::arg("trust") = nb::none())
      .def_prop_ro("uses_pext", [](const NTuple& network) { return network.index().uses_pext(); })
      .def_prop_ro("weight_count", [](const NTuple& network) { return network.index().weight_count(); })
      .def_prop_ro("has_counters", &NTuple::has_counters)
      .def("weights",
           [](NTuple& network) {
             return copied(network.weights(), {network.bank_count(), network.index().weight_count()});
           })
      .def("counters",
           [](NTuple& network) {
             const std::size_t count = network.index().weight_count();
             if (!network.has_counters()) return copied(Table{}, {0, count, 2});
             return copied(network.counters(), {network.bank_count(), count, 2});
           })
      .def(
          "set_weights", [](NTuple& network, const Floats& source) { overwrite(network.weights(), source); },
          nb::arg("weights"))
      .def(
          "set_counters",
          [](NTuple& network, const Floats& source) {
            network.need_counters(0);
            overwrite(network.counters(), source);
          },
          nb::arg("counters"));
}

}  // namespace glaux::bindings
