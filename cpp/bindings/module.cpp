// glaux._core.native, the table of contents: each bind_ function adds the names of one part of the core.
#include <cstdlib>
#include <string_view>

#include "bindings/bindings.h"
#include "core/errors.h"

namespace glaux::bindings {
namespace {

// Each error of core/errors.h becomes the exception of the same name in glaux.errors.
void translate(const std::exception_ptr& exception, void*) {
  const auto raise = [](const char* name, const std::exception& e) {
    const nb::object type = nb::module_::import_("glaux.errors").attr(name);
    // A sentence may quote a text of the user in the middle of a character.
    const std::string_view text = e.what();
    const nb::object message =
        nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
    PyErr_SetObject(type.ptr(), message.ptr());
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
  } catch (const Busy& e) {
    raise("Busy", e);
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

}  // namespace glaux::bindings

NB_MODULE(native, module) {
  using namespace glaux::bindings;
  require_processor();
  // Objects that are still in use when Python ends are no leak, and nobody wants to read of them.
  nb::set_leak_warnings(std::getenv("GLAUX_LEAK_WARNINGS") != nullptr);
  module.doc() = "The native core of Glaux. Private: use the names of the package glaux.";
  nb::register_exception_translator(translate);
  bind_spec(module);
  bind_states(module);
  bind_games(module);
  bind_python_game(module);
  bind_search(module);
  bind_lock_step(module);
  bind_mcts(module);
  bind_alpha_beta(module);
  bind_ntuple(module);
  bind_patterns(module);
  bind_heuristics(module);
  bind_td(module);
  module.def("set_poll", set_poll, nb::arg("hook"),
             "Call this about twenty times a second in every long call; what it raises ends the call.");
}
