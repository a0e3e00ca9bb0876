// glaux._core.native, the table of contents: each bind_ function adds the names of one part of the core.
#include "bindings/bindings.h"
#include "core/errors.h"

namespace glaux::bindings {
namespace {

// Each error of core/errors.h becomes the exception of the same name in glaux.errors.
void translate(const std::exception_ptr& exception, void*) {
  const auto raise = [](const char* name, const std::exception& e) {
    const nb::object type = nb::module_::import_("glaux.errors").attr(name);
    PyErr_SetString(type.ptr(), e.what());
  };
  try {
    std::rethrow_exception(exception);
  } catch (const InvalidParameter& e) {
    raise("InvalidParameter", e);
  } catch (const InvalidState& e) {
    raise("InvalidState", e);
  } catch (const InvalidAction& e) {
    raise("InvalidAction", e);
  } catch (const BrokenRules& e) {
    raise("BrokenRules", e);
  } catch (const ChanceState& e) {
    raise("ChanceState", e);
  } catch (const BrokenValue& e) {
    raise("BrokenValue", e);
  }
}

// The instructions that the core was compiled for must be there: a sentence beats a SIGILL.
void require_processor() {
#if defined(__x86_64__) && defined(GLAUX_MARCH)
  __builtin_cpu_init();
#ifdef __AVX2__
  const bool enough = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
  const bool enough = __builtin_cpu_supports("popcnt");
#endif
  if (!enough) {
    throw nb::import_error(
        "glaux was compiled for " GLAUX_MARCH
        " processors and this one is older: build it here with 'pip install --no-binary glaux glaux'.");
  }
#endif
}

}  // namespace

namespace {

// What Python wants to be asked in a long call, in the thread of the call; never freed.
PyObject* poll_hook = nullptr;

void set_poll(nb::callable hook) {
  nb::object old = nb::steal(poll_hook);
  poll_hook = hook.release().ptr();
}

}  // namespace

Pulse signal_pulse() {
  return Pulse([] {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (poll_hook != nullptr) nb::borrow<nb::callable>(poll_hook)();
  });
}

const std::byte* state_bytes(const Game& game, const nb::bytes& state) {
  if (state.size() != game.spec().state_size) {
    throw InvalidState("A state of " + game.spec().title + " has " + std::to_string(game.spec().state_size) +
                       " bytes here, not " + std::to_string(state.size()) + ".");
  }
  return static_cast<const std::byte*>(state.data());
}

const std::byte* batch_bytes(const Game& game, const StateBatch& states) {
  if (states.shape(1) != game.spec().state_size) {
    throw InvalidState("A state of " + game.spec().title + " has " + std::to_string(game.spec().state_size) +
                       " bytes here, not " + std::to_string(states.shape(1)) + ".");
  }
  return reinterpret_cast<const std::byte*>(states.data());
}

}  // namespace glaux::bindings

NB_MODULE(native, module) {
  using namespace glaux::bindings;
  require_processor();
  module.doc() = "The native core of Glaux. Private: use the names of the package glaux.";
  nb::register_exception_translator(translate);
  bind_games(module);
  bind_python_game(module);
  bind_search(module);
  bind_lock_step(module);
  bind_mcts(module);
  bind_alpha_beta(module);
  bind_ntuple(module);
  bind_heuristics(module);
  bind_td(module);
  module.def("set_poll", set_poll, nb::arg("hook"),
             "Call this about twenty times a second in every long call; what it raises ends the call.");
}
