// Searches in lock-step.
#include "search/lock_step.h"

#include <nanobind/stl/vector.h>

#include "bindings/bindings.h"
#include "core/errors.h"

namespace glaux::bindings {
namespace {

// Keeps its evaluator alive. Its thread may need the GIL to end what it does, so nobody waits for it with the
// GIL.
class BoundLockStep {
 public:
  BoundLockStep(Evaluator& evaluator, int parts, bool background)
      : evaluator_(nb::find(evaluator)), native_(std::make_unique<LockStep>(evaluator, parts, background)) {}
  ~BoundLockStep() { close(); }

  LockStep& native() {
    if (native_ == nullptr) throw InvalidParameter("These searches in lock-step have been closed.");
    return *native_;
  }
  void set_evaluator(Evaluator& evaluator) {
    LockStep& lock_step = native();
    {
      nb::gil_scoped_release release;
      lock_step.set_evaluator(evaluator);
    }
    evaluator_ = nb::find(evaluator);
  }
  void close() {
    nb::gil_scoped_release release;
    native_.reset();
  }

 private:
  nb::object evaluator_;
  std::unique_ptr<LockStep> native_;
};

}  // namespace

void bind_lock_step(nb::module_& module) {
  const auto released = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<BoundLockStep>(module, "LockStep")
      .def(nb::init<Evaluator&, int, bool>(), nb::arg("evaluator"), nb::arg("parts"), nb::arg("background"))
      .def(
          "add", [](BoundLockStep& self, Search& search) { return self.native().add(search); },
          nb::arg("search"), released)
      .def(
          "remove", [](BoundLockStep& self, std::uint64_t ticket) { self.native().remove(ticket); },
          nb::arg("ticket"))
      .def(
          "run",
          [](BoundLockStep& self) {
            Pulse pulse = signal_pulse();
            return self.native().run(pulse);
          },
          released)
      .def("set_evaluator", &BoundLockStep::set_evaluator, nb::arg("evaluator"))
      .def(
          "settle", [](BoundLockStep& self) { self.native().settle(); }, released)
      .def("close", &BoundLockStep::close)
      .def_prop_ro("batches", [](BoundLockStep& self) { return self.native().batches(); })
      .def_prop_ro("states", [](BoundLockStep& self) { return self.native().states(); });
}

}  // namespace glaux::bindings
