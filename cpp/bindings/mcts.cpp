// Monte Carlo tree searches.
#include "search/mcts.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bindings/use.h"
#include "search/puct.h"

namespace glaux::bindings {
namespace {

// A method that gives a number for each action of a state.
template <class Number, class Class>
auto as_array(std::vector<Number> (Class::*method)(const std::byte*) const) {
  return [method](const Class& search, const StateArgument& state) {
    std::vector<Number> numbers = reading(method)(search, state);
    const std::size_t n = numbers.size();
    return to_numpy(std::move(numbers), {n});
  };
}

}  // namespace

void bind_mcts(nb::module_& module) {
  nb::enum_<Selection>(module, "Selection").value("uct", Selection::uct).value("puct", Selection::puct);
  nb::enum_<Leaf>(module, "Leaf").value("state", Leaf::state).value("children", Leaf::children);
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
      .def_rw("rave", &MctsOptions::rave)
      .def_rw("threads", &MctsOptions::threads)
      .def_rw("random_ties", &MctsOptions::random_ties)
      .def_rw("seed", &MctsOptions::seed)
      .def_rw("memory", &MctsOptions::memory);
  nb::class_<MctsTree, Search>(module, "MctsTree")
      .def("priors", as_array(&MctsTree::priors), nb::arg("state"));
  nb::class_<Mcts, MctsTree>(module, "Mcts")
      .def("__init__", make_search<Mcts, MctsOptions>, nb::arg("game"), nb::arg("terminal_value"),
           nb::arg("options"));
  nb::enum_<FirstPlay>(module, "FirstPlay").value("zero", FirstPlay::zero).value("parent", FirstPlay::parent);
  nb::enum_<RootRule>(module, "RootRule").value("puct", RootRule::puct).value("gumbel", RootRule::gumbel);
  nb::enum_<Formula>(module, "Formula").value("puct", Formula::puct).value("exit", Formula::exit);
  nb::class_<PuctOptions>(module, "PuctOptions")
      .def(nb::init<>())
      .def_rw("c", &PuctOptions::c)
      .def_rw("c_base", &PuctOptions::c_base)
      .def_rw("c_log", &PuctOptions::c_log)
      .def_rw("fpu", &PuctOptions::fpu)
      .def_rw("fpu_reduction", &PuctOptions::fpu_reduction)
      .def_rw("noise", &PuctOptions::noise)
      .def_rw("noise_alpha", &PuctOptions::noise_alpha)
      .def_rw("proven", &PuctOptions::proven)
      .def_rw("batch", &PuctOptions::batch)
      .def_rw("virtual_loss", &PuctOptions::virtual_loss)
      .def_rw("root", &PuctOptions::root)
      .def_rw("gumbel_considered", &PuctOptions::gumbel_considered)
      .def_rw("gumbel_visits", &PuctOptions::gumbel_visits)
      .def_rw("gumbel_scale", &PuctOptions::gumbel_scale)
      .def_rw("formula", &PuctOptions::formula)
      .def_rw("w_a", &PuctOptions::w_a)
      .def_rw("playout_share", &PuctOptions::playout_share)
      .def_rw("random_ties", &PuctOptions::random_ties)
      .def_rw("seed", &PuctOptions::seed)
      .def_rw("memory", &PuctOptions::memory);
  nb::class_<Puct, MctsTree>(module, "Puct")
      .def("__init__", make_search<Puct, PuctOptions>, nb::arg("game"), nb::arg("terminal_value"),
           nb::arg("options"))
      .def("policy", as_array(&Puct::policy), nb::arg("state"))
      .def("root_noise", [](const Puct& search) {
        const Reading use(search);
        const std::size_t n = search.root_noise().size();
        return to_numpy(std::vector<double>(search.root_noise()), {n});
      });
}

}  // namespace glaux::bindings
