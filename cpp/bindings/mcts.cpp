// Monte Carlo tree search.
#include "search/mcts.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.h"

namespace glaux::bindings {

void bind_mcts(nb::module_& module) {
  nb::enum_<Selection>(module, "Selection").value("uct", Selection::uct).value("puct", Selection::puct);
  nb::enum_<Leaf>(module, "Leaf")
      .value("state", Leaf::state)
      .value("children", Leaf::children)
      .value("policy", Leaf::policy);
  nb::enum_<PriorMap>(module, "PriorMap")
      .value("softmax", PriorMap::softmax)
      .value("min_max", PriorMap::min_max);
  nb::class_<MctsOptions>(module, "MctsOptions")
      .def(nb::init<>())
      .def_rw("selection", &MctsOptions::selection)
      .def_rw("leaf", &MctsOptions::leaf)
      .def_rw("c", &MctsOptions::c)
      .def_rw("prior_map", &MctsOptions::prior_map)
      .def_rw("temperature", &MctsOptions::temperature)
      .def_rw("random_ties", &MctsOptions::random_ties)
      .def_rw("seed", &MctsOptions::seed)
      .def_rw("memory", &MctsOptions::memory);
  nb::class_<Mcts, Search>(module, "Mcts")
      .def(nb::init<GamePointer, std::shared_ptr<const TerminalValue>, const MctsOptions&>(), nb::arg("game"),
           nb::arg("terminal_value"), nb::arg("options"))
      .def(
          "priors",
          [](const Mcts& search, const nb::bytes& state) {
            std::vector<float> priors = search.priors(state_bytes(search.game(), state));
            const std::size_t n = priors.size();
            return to_numpy(std::move(priors), {n});
          },
          nb::arg("state"));
}

}  // namespace glaux::bindings
