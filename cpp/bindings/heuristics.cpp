// Reinforcement heuristics: the native ones, and one that is a Python function.
#include "eval/heuristics.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <string>

#include "bindings/bindings.h"
#include "core/errors.h"

namespace glaux::bindings {
namespace {

// What a terminal state is worth by a function(state: bytes, result: int) -> float. Each call takes the
// GIL; an exception of the function travels through the search and comes out in Python again. Any number of
// threads may ask.
class PythonTerminalValue final : public TerminalValue {
 public:
  PythonTerminalValue(std::string name, nb::callable function)
      : name_(std::move(name)), function_(std::move(function)) {}

  float value(const Game& game, const std::byte* state, Result result) const override {
    nb::gil_scoped_acquire gil;
    if (!function_.is_valid()) throw BrokenValue("The heuristic '" + name_ + "' no longer exists.");
    const nb::object given =
        function_(nb::bytes(state, game.spec().state_size), nb::int_(static_cast<int>(result)));
    const double number = PyFloat_AsDouble(given.ptr());
    if (PyErr_Occurred()) {
      PyErr_Clear();
      throw BrokenValue("The heuristic '" + name_ + "' must give a number, not " +
                        nb::cast<std::string>(given.type().attr("__name__")) + ".");
    }
    // Not true of NaN either.
    if (!(std::abs(number) <= std::numeric_limits<float>::max())) {
      throw BrokenValue("The heuristic '" + name_ + "' gave " +
                        nb::cast<std::string>(nb::repr(nb::float_(number))) + ", not a finite number.");
    }
    return static_cast<float>(number);
  }

  nb::callable& function() { return function_; }

 private:
  std::string name_;
  nb::callable function_;
};

// float32[n] for terminal states; InvalidState for any other.
auto terminal_values(const TerminalValue& terminal_value, const Game& game, const StateBatch& states,
                     const Trusted* trust) {
  const CheckedBatch batch(game, states, trust);
  const std::size_t n = batch.n, size = game.spec().state_size;
  const std::byte* bytes = batch.bytes;
  std::vector<float> values(n);
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < n; ++i) {
      const Result result = game.status(bytes + i * size).result;
      if (result == ongoing)
        throw InvalidState("A match is not over: only terminal states have a terminal value.");
      values[i] = terminal_value.value(game, bytes + i * size, result);
    }
  }
  return to_numpy(std::move(values), {n});
}

}  // namespace

void bind_heuristics(nb::module_& module) {
  nb::class_<Scoring, TerminalValue>(module, "Scoring").def(nb::init<>());
  nb::class_<AdditiveDepth, TerminalValue>(module, "AdditiveDepth").def(nb::init<int>(), nb::arg("top"));
  nb::class_<MultiplicativeDepth, TerminalValue>(module, "MultiplicativeDepth")
      .def(nb::init<double>(), nb::arg("average"));
  nb::class_<CumulativeMobility, TerminalValue>(module, "CumulativeMobility").def(nb::init<>());
  nb::class_<Presence, TerminalValue>(module, "Presence").def(nb::init<>());
  nb::class_<Material, TerminalValue>(module, "Material")
      .def(nb::init<double, double, std::vector<double>>(), nb::arg("win"), nb::arg("draw"),
           nb::arg("worth"));
  nb::class_<PythonTerminalValue, TerminalValue>(module, "PythonTerminalValue",
                                                 nb::type_slots(function_slots<PythonTerminalValue>))
      .def(nb::init<std::string, nb::callable>(), nb::arg("name"), nb::arg("function"));
  module.def("terminal_values", terminal_values, nb::arg("terminal_value"), nb::arg("game"),
             nb::arg("states"), nb::arg("trust") = nb::none());
}

}  // namespace glaux::bindings
