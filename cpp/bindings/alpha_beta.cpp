// Alpha-beta, and the principal variation search that plays as it.
#include "search/alpha_beta.h"

#include <nanobind/stl/shared_ptr.h>

#include "bindings/use.h"
#include "search/pvs.h"

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
      .def("__init__", make_search<AlphaBeta, AlphaBetaOptions>, nb::arg("game"), nb::arg("terminal_value"),
           nb::arg("options"));
  nb::class_<PvsOptions>(module, "PvsOptions")
      .def(nb::init<>())
      .def_rw("depth", &PvsOptions::depth)
      .def_rw("completion", &PvsOptions::completion)
      .def_rw("ordering", &PvsOptions::ordering)
      .def_rw("reductions", &PvsOptions::reductions)
      .def_rw("endgame", &PvsOptions::endgame)
      .def_rw("random_ties", &PvsOptions::random_ties)
      .def_rw("seed", &PvsOptions::seed)
      .def_rw("memory", &PvsOptions::memory);
  nb::class_<Pvs, Search>(module, "Pvs")
      .def("__init__", make_search<Pvs, PvsOptions>, nb::arg("game"), nb::arg("terminal_value"),
           nb::arg("options"));
}

}  // namespace glaux::bindings
