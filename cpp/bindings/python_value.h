// A value function in Python, in one of three forms:
//   planes   function(planes), float32[n, planes, rows, columns]
//   states   function(states), uint8[n, state_size]
//   answer   function(states, planes or None, actions, offsets), with the legal actions of LegalActions where
//   a
//            search wants priors: the door of glaux.search.door
// The first two give n values or, if a search wants priors and they have any, the pair of n values and
// priors[n, action_count]; the third gives the pair of n values and a prior for each of the actions, or None.
// The GIL is taken once for a batch. The arrays that the function is given are its own: they stay as they are
// for as long as somebody has them, and their memory is used again once nobody does. Any number of threads
// may ask, and the function may ask itself.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bindings/bindings.h"
#include "core/errors.h"
#include "eval/evaluator.h"

namespace glaux::bindings {

class PythonValue final : public Evaluator {
 public:
  PythonValue(nb::callable function, bool planes, bool answers)
      : function_(std::move(function)), planes_(planes), answers_(answers) {}

  ~PythonValue() override { delete spare_.load(); }

  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override {
    std::unique_ptr<Buffers> buffers = fill(game, states, n, {});
    nb::gil_scoped_acquire gil;
    const nb::object result = call(game.spec(), std::move(buffers), n);
    copy_values(answers_ ? first_of(result) : result, n, values);
  }

  void evaluate_with_priors(const Game& game, const std::byte* states, std::size_t n,
                            const LegalActions& legal, float* values, float* priors) override {
    std::unique_ptr<Buffers> buffers = fill(game, states, n, legal);
    nb::gil_scoped_acquire gil;
    const nb::object result = call(game.spec(), std::move(buffers), n);
    if (!nb::isinstance<nb::tuple>(result) || nb::len(result) != 2) {
      copy_values(result, n, values);  // a value function without a policy
      std::fill_n(priors, legal.actions.size(), 1.0f);
      return;
    }
    copy_values(result[0], n, values);
    if (answers_) {
      copy_answer(result[1], legal.actions.size(), priors);
    } else {
      copy_priors(result[1], n, static_cast<std::size_t>(game.spec().action_count), legal, priors);
    }
  }

  nb::callable& function() { return function_; }

 private:
  using Array = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

  // What the arrays of one batch lie in.
  struct Buffers {
    std::vector<float> planes;
    std::vector<std::uint8_t> states;
    std::vector<Action> actions;
    std::vector<std::int64_t> offsets;
  };

  std::unique_ptr<Buffers> fill(const Game& game, const std::byte* states, std::size_t n,
                                const LegalActions& legal) {
    std::unique_ptr<Buffers> buffers(spare_.exchange(nullptr));
    if (buffers == nullptr) buffers = std::make_unique<Buffers>();
    if (planes_) {
      buffers->planes.resize(n * game.spec().encoding_size());
      game.encode(states, n, buffers->planes.data());
    }
    if (!planes_ || answers_) {
      buffers->states.resize(n * game.spec().state_size);
      std::memcpy(buffers->states.data(), states, buffers->states.size());
    }
    if (answers_) {
      buffers->actions = legal.actions;
      buffers->offsets = legal.offsets;
    }
    return buffers;
  }

  nb::object call(const Spec& spec, std::unique_ptr<Buffers> filled, std::size_t n) {
    if (!function_.is_valid()) throw BrokenValue("This value function no longer exists.");
    Buffers* const buffers = filled.get();
    const auto destroy = [](void* p) noexcept { delete static_cast<Buffers*>(p); };
    const nb::capsule owner(filled.release(), destroy);
    nb::object result;
    {
      nb::object planes = nb::none();
      if (planes_) {
        planes = array(buffers->planes.data(),
                       {n, spec.planes.size(), static_cast<std::size_t>(spec.plane_rows),
                        static_cast<std::size_t>(spec.plane_columns)},
                       owner);
      }
      const auto rows = [&] { return array(buffers->states.data(), {n, spec.state_size}, owner); };
      if (answers_) {
        result = function_(rows(), planes, array(buffers->actions.data(), {buffers->actions.size()}, owner),
                           array(buffers->offsets.data(), {buffers->offsets.size()}, owner));
      } else {
        result = planes_ ? function_(planes) : function_(rows());
      }
    }
    // The answer may be a part of what was given: then somebody has it still.
    if (Py_REFCNT(owner.ptr()) == 1 && PyCapsule_SetDestructor(owner.ptr(), nullptr) == 0) {
      delete spare_.exchange(buffers);
    }
    return result;
  }

  template <class T>
  static nb::object array(T* items, std::initializer_list<std::size_t> shape, const nb::capsule& owner) {
    static T nothing{};  // where there are none
    return nb::cast(nb::ndarray<nb::numpy, T>(items == nullptr ? &nothing : items, shape, owner));
  }

  static nb::object first_of(const nb::object& answer) {
    if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2) {
      throw BrokenValue("An answer must be a pair of values and priors, not " + type_name(answer) + ".");
    }
    return answer[0];
  }

  static std::string type_name(const nb::object& object) {
    return nb::cast<std::string>(nb::str(object.type().attr("__name__")));
  }

  static void copy_values(const nb::object& result, std::size_t n, float* values) {
    Array array;
    if (!nb::try_cast(result, array)) {
      throw BrokenValue("The value function must give an array of " + std::to_string(n) + " numbers, not " +
                        type_name(result) + ".");
    }
    if (array.size() != n) {
      throw BrokenValue("The value function gave " + std::to_string(array.size()) + " values for " +
                        std::to_string(n) + " states.");
    }
    std::copy_n(array.data(), n, values);
  }

  static void copy_priors(const nb::object& result, std::size_t n, std::size_t actions,
                          const LegalActions& legal, float* priors) {
    Array array;
    if (!nb::try_cast(result, array)) {
      throw BrokenValue("The policy must give an array of priors, not " + type_name(result) + ".");
    }
    const std::vector<std::size_t> wanted{n, actions};
    const std::vector<std::size_t> given(array.shape_ptr(), array.shape_ptr() + array.ndim());
    if (given != wanted) {
      throw BrokenValue("The policy must give priors of the shape " + shape_text(wanted) + ", not " +
                        shape_text(given) + ".");
    }
    for (std::size_t i = 0; i < n; ++i) {
      const float* row = array.data() + i * actions;
      for (std::int64_t k = legal.offsets[i]; k < legal.offsets[i + 1]; ++k) {
        priors[k] = row[legal.actions[static_cast<std::size_t>(k)]];
      }
    }
  }

  static void copy_answer(const nb::object& result, std::size_t actions, float* priors) {
    Array array;
    if (result.is_none()) {
      std::fill_n(priors, actions, 1.0f);
    } else if (!nb::try_cast(result, array) || array.size() != actions) {
      throw BrokenValue("An answer must have a prior for each of the " + std::to_string(actions) +
                        " legal actions of its batch, or none at all.");
    } else {
      std::copy_n(array.data(), actions, priors);
    }
  }

  static std::string shape_text(const std::vector<std::size_t>& shape) {
    std::string text = "[";
    for (const std::size_t length : shape) {
      if (text.size() > 1) text += ", ";
      text += std::to_string(length);
    }
    return text += "]";
  }

  nb::callable function_;
  bool planes_, answers_;
  std::atomic<Buffers*> spare_ = nullptr;
};

}  // namespace glaux::bindings
