// Searches in lock-step.
#include "search/lock_step.h"

#include <nanobind/stl/vector.h>

#include <deque>
#include <map>

#include "bindings/bindings.h"
#include "bindings/use.h"
#include "core/errors.h"

namespace glaux::bindings {
namespace {

// Keeps its evaluator and its searches alive. One caller at a time, and never the value function. Its thread
// may need the GIL to end what it does, so nobody waits for it with the GIL.
class BoundLockStep {
 public:
  BoundLockStep(Evaluator& evaluator, int parts, bool background)
      : evaluator_(nb::find(evaluator)), native_(std::make_unique<LockStep>(evaluator, parts, background)) {}

  ~BoundLockStep() {
    if (native_ != nullptr && native_->on_own_thread()) {
      // The value function has dropped the last reference to all this, and is still being asked by it.
      static_cast<void>(native_.release());
      static_cast<void>(evaluator_.release());
      for (auto& [ticket, search] : searches_) static_cast<void>(search.release());
      return;
    }
    nb::gil_scoped_release release;
    native_.reset();
  }

  std::uint64_t add(Search& search) {
    const Call call(*this);
    const Reading reading(search);
    std::uint64_t ticket = 0;
    {
      nb::gil_scoped_release release;
      ticket = call.native.add(search);
    }
    searches_[ticket] = nb::find(search);
    return ticket;
  }

  void remove(std::uint64_t ticket) {
    const Call call(*this);
    call.native.remove(ticket);
    searches_.erase(ticket);
  }

  std::vector<std::uint64_t> run() {
    const Call call(*this);
    std::deque<Reading> uses;
    for (const auto& [ticket, search] : searches_) uses.emplace_back(nb::cast<const Search&>(search));
    std::vector<std::uint64_t> over;
    {
      nb::gil_scoped_release release;
      Pulse pulse = signal_pulse();
      over = call.native.run(pulse);
    }
    uses.clear();
    for (const std::uint64_t ticket : over) searches_.erase(ticket);
    return over;
  }

  void set_evaluator(Evaluator& evaluator) {
    const Call call(*this);
    {
      nb::gil_scoped_release release;
      Pulse pulse = signal_pulse();
      call.native.set_evaluator(evaluator, pulse);
    }
    evaluator_ = nb::find(evaluator);
  }

  void settle() {
    const Call call(*this);
    nb::gil_scoped_release release;
    Pulse pulse = signal_pulse();
    call.native.settle(pulse);
  }

  void close() {
    if (native_ == nullptr) return;
    const Call call(*this);
    std::unique_ptr<LockStep> closing = std::move(native_);  // from here on it is closed for all
    {
      nb::gil_scoped_release release;
      closing.reset();
    }
    searches_.clear();
  }

  std::uint64_t batches() const { return open().batches(); }
  std::uint64_t states() const { return open().states(); }

 private:
  // The time of a call.
  struct Call {
    explicit Call(BoundLockStep& self) : native(self.open()), use(self.in_use_, in_use) {
      if (native.on_own_thread()) throw Busy(in_use);
    }
    LockStep& native;
    Use use;
    static constexpr const char* in_use =
        "These searches in lock-step are running: neither another thread nor their value function can use "
        "them meanwhile.";
  };

  LockStep& open() const {
    if (native_ == nullptr) throw InvalidParameter("These searches in lock-step have been closed.");
    return *native_;
  }

  nb::object evaluator_;
  std::map<std::uint64_t, nb::object> searches_;  // by ticket
  std::unique_ptr<LockStep> native_;
  InUse in_use_;
};

}  // namespace

void bind_lock_step(nb::module_& module) {
  nb::class_<BoundLockStep>(module, "LockStep",
                            "One caller at a time: other threads and the value function get Busy.")
      .def(nb::init<Evaluator&, int, bool>(), nb::arg("evaluator"), nb::arg("parts"), nb::arg("background"))
      .def("add", &BoundLockStep::add, nb::arg("search"))
      .def("remove", &BoundLockStep::remove, nb::arg("ticket"))
      .def("run", &BoundLockStep::run)
      .def("set_evaluator", &BoundLockStep::set_evaluator, nb::arg("evaluator"))
      .def("settle", &BoundLockStep::settle)
      .def("close", &BoundLockStep::close)
      .def_prop_ro("batches", &BoundLockStep::batches)
      .def_prop_ro("states", &BoundLockStep::states);
}

}  // namespace glaux::bindings
