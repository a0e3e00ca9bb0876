// States at the border.
//
// A State of Python is bytes that are known to be a state of its game: its constructor, which everybody may
// call, validates, and what the core has made itself becomes one without (make_state, which Python does not
// see). So a call that is given a State may trust it, and costs nothing more; a call that is given bytes or
// an array from Python validates them, unless the caller says with the word `trusted` that it has done so.
#pragma once

#include <vector>

#include "bindings/bindings.h"

namespace glaux::bindings {

// What glaux.Game inherits. Never changes, so that a State may keep a plain pointer to the game: it keeps the
// Python object alive, which keeps this.
struct GameCalls {
  explicit GameCalls(GamePointer pointer);
  GamePointer game;
  std::uint64_t serial;  // no two have the same, also after one is gone
};

struct State {
  nb::object game;  // the glaux.Game
  const Game* native;
  nb::bytes data;

  const std::byte* bytes() const { return static_cast<const std::byte*>(data.data()); }
};

// A state as an argument: a State, or the bytes of one.
struct StateArgument {
  const State* state = nullptr;
  nb::handle bytes;
};

// The type of State, once it is bound.
PyTypeObject* state_type();

// The bytes of a state of this game; InvalidState for anything else.
const std::byte* state_bytes(const Game& game, const StateArgument& state);

// A State from bytes that the core has made, of the game that the Python object is of.
nb::object make_state(nb::handle game, const Game& native, const nb::bytes& data);

}  // namespace glaux::bindings

namespace nanobind::detail {

template <>
struct type_caster<glaux::bindings::StateArgument> {
  NB_TYPE_CASTER(glaux::bindings::StateArgument, const_name("State | bytes"))

  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    if (Py_TYPE(source.ptr()) == glaux::bindings::state_type()) {
      if (!inst_ready(source)) return false;
      value.state = inst_ptr<glaux::bindings::State>(source);
      return true;
    }
    value.bytes = source;
    return PyBytes_Check(source.ptr());
  }
};

}  // namespace nanobind::detail
