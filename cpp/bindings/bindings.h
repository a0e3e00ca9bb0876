// What the files of this folder share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/game.h"
#include "core/pulse.h"
#include "eval/evaluator.h"

namespace nb = nanobind;

namespace glaux::bindings {

void bind_spec(nb::module_& module);
void bind_games(nb::module_& module);
void bind_states(nb::module_& module);
void bind_python_game(nb::module_& module);
void bind_search(nb::module_& module);
void bind_lock_step(nb::module_& module);
void bind_mcts(nb::module_& module);
void bind_alpha_beta(nb::module_& module);
void bind_ntuple(nb::module_& module);
void bind_patterns(nb::module_& module);
void bind_heuristics(nb::module_& module);
void bind_td(nb::module_& module);

// A batch of states: uint8[n, state_size].
using StateBatch = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// An action for each state of a batch.
using ActionBatch = nb::ndarray<const Action, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The word of a caller that it has validated the states it gives: see bindings/state.h.
struct Trusted {};

// The states of a batch; InvalidState for others. Without the word they are copied and validated.
class CheckedBatch {
 public:
  CheckedBatch(const Game& game, const StateBatch& states, const Trusted* trust);
  CheckedBatch(const CheckedBatch&) = delete;
  CheckedBatch& operator=(const CheckedBatch&) = delete;

  const std::byte* bytes;
  std::size_t n;

 private:
  std::vector<std::byte> copy_;
};

// Of n states that lie one after the other.
LegalActions legal_actions_of(const Game& game, const std::byte* states, std::size_t n);

// The number of an action; InvalidAction for anything that can be none.
Action to_action(nb::handle number);
[[noreturn]] void refuse_action(nb::handle number);

// Hands a vector to numpy without a copy.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

// For a class that holds a Python function: it may refer to what refers to the object, and Python's collector
// must see the way around.
template <class T>
struct FunctionHolder {
  static int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<T>(self)->function().ptr());
    return 0;
  }
  static int clear(PyObject* self) {
    if (nb::inst_ready(self)) nb::inst_ptr<T>(self)->function().reset();
    return 0;
  }
};
template <class T>
inline PyType_Slot function_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(FunctionHolder<T>::traverse)},
                                       {Py_tp_clear, reinterpret_cast<void*>(FunctionHolder<T>::clear)},
                                       {0, nullptr}};

// Lets Ctrl-C end a long native call; the call must have released the GIL.
Pulse signal_pulse();

}  // namespace glaux::bindings
