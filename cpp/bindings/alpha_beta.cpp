// Alpha-beta.
#include "search/alpha_beta.h"

#include <nanobind/stl/shared_ptr.h>

#include "bindings/bindings.h"

namespace glaux::bindings {

void bind_alpha_beta(nb::module_& module) {
  nb::class_<AlphaBetaOptions>(module, "AlphaBetaOptions")
      .def(nb::init<>())
      .def_rw("depth", &AlphaBetaOptions::depth)
      .def_rw("completion", &AlphaBetaOptions::completion)
      .def_rw("ordering", &AlphaBetaOptions::ordering)
      .def_rw("random_ties", &AlphaBetaOptions::random_ties)
      .def_rw("seed", &AlphaBetaOptions::seed)
      .def_rw("memory", &AlphaBetaOptions::memory);
  nb::class_<AlphaBeta, Search>(module, "AlphaBeta")
      .def(nb::init<GamePointer, std::shared_ptr<const TerminalValue>, const AlphaBetaOptions&>(),
           nb::arg("game"), nb::arg("terminal_value"), nb::arg("options"));
}

}  // namespace glaux::bindings
