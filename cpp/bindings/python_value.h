// A value function in Python, in one of three forms:
//   planes   function(planes), float32[n, planes, rows, columns]
//   states   function(states), uint8[n, state_size]
//   answer   function(states, planes or None, actions, offsets), with the legal actions of LegalActions where
//   a
//            search wants priors: the door of glaux.search.door
// The first two give n values or, for a search that wants priors, the pair of n values and priors[n,
// action_count]; the third gives the pair of n values and a prior for each of the actions, or None.
// The GIL is taken once for a batch, and the arrays that the function is given are views of buffers that the
// next batch overwrites.
#pragma once

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

  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override {
    encode(game, states, n);
    nb::gil_scoped_acquire gil;
    const nb::object result = call(game.spec(), states, n, {});
    copy_values(answers_ ? nb::object(result[0]) : result, n, values);
  }

  void evaluate_with_priors(const Game& game, const std::byte* states, std::size_t n,
                            const LegalActions& legal, float* values, float* priors) override {
    encode(game, states, n);
    nb::gil_scoped_acquire gil;
    const nb::object result = call(game.spec(), states, n, legal);
    if (!nb::isinstance<nb::tuple>(result) || nb::len(result) != 2) {
      throw BrokenValue("The policy must give a pair, (values, priors), not " + type_name(result) + ".");
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

  void encode(const Game& game, const std::byte* states, std::size_t n) {
    if (!planes_) return;
    buffer_.resize(n * game.spec().encoding_size());
    game.encode(states, n, buffer_.data());
  }

  nb::object call(const Spec& spec, const std::byte* states, std::size_t n, const LegalActions& legal) const {
    nb::object planes = nb::none();
    if (planes_) {
      planes = nb::cast(
          nb::ndarray<nb::numpy, float>(const_cast<float*>(buffer_.data()),
                                        {n, spec.planes.size(), static_cast<std::size_t>(spec.plane_rows),
                                         static_cast<std::size_t>(spec.plane_columns)},
                                        nb::none()));
      if (!answers_) return function_(planes);
    }
    auto* bytes = reinterpret_cast<const std::uint8_t*>(states);
    const nb::ndarray<nb::numpy, const std::uint8_t> rows(bytes, {n, spec.state_size}, nb::none());
    if (!answers_) return function_(rows);
    return function_(rows, planes, view(legal.actions), view(legal.offsets));
  }

  template <class T>
  static nb::ndarray<nb::numpy, const T> view(const std::vector<T>& items) {
    static const T nothing{};
    return {items.empty() ? &nothing : items.data(), {items.size()}, nb::none()};
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
      throw BrokenValue("An answer has a prior for each of the " + std::to_string(actions) +
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
  std::vector<float> buffer_;
};

}  // namespace glaux::bindings
