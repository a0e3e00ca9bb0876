// A value function in Python: over planes, float32[n, planes, rows, columns], or over raw states,
// uint8[n, state_size]. The GIL is taken once for a batch, and the array that the function is given
// is a view of a buffer that the next batch overwrites.
#pragma once

#include <string>
#include <vector>

#include "bindings/bindings.h"
#include "core/errors.h"
#include "eval/evaluator.h"

namespace glaux::bindings {

class PythonValue final : public Evaluator {
 public:
  PythonValue(nb::callable function, bool planes) : function_(std::move(function)), planes_(planes) {}

  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override {
    const Spec& spec = game.spec();
    if (planes_) {
      buffer_.resize(n * spec.encoding_size());
      game.encode(states, n, buffer_.data());
    }
    nb::gil_scoped_acquire gil;
    copy_values(call(spec, states, n), n, values);
  }

 private:
  nb::object call(const Spec& spec, const std::byte* states, std::size_t n) const {
    if (planes_) {
      return function_(
          nb::ndarray<nb::numpy, float>(const_cast<float*>(buffer_.data()),
                                        {n, spec.planes.size(), static_cast<std::size_t>(spec.plane_rows),
                                         static_cast<std::size_t>(spec.plane_columns)},
                                        nb::none()));
    }
    auto* bytes = reinterpret_cast<const std::uint8_t*>(states);
    return function_(nb::ndarray<nb::numpy, const std::uint8_t>(bytes, {n, spec.state_size}, nb::none()));
  }

  static void copy_values(const nb::object& result, std::size_t n, float* values) {
    nb::ndarray<const float, nb::c_contig, nb::device::cpu> array;
    if (!nb::try_cast(result, array)) {
      throw BrokenValue("The value function must give an array of " + std::to_string(n) + " numbers, not " +
                        nb::cast<std::string>(nb::str(result.type().attr("__name__"))) + ".");
    }
    if (array.size() != n) {
      throw BrokenValue("The value function gave " + std::to_string(array.size()) + " values for " +
                        std::to_string(n) + " states.");
    }
    std::copy_n(array.data(), n, values);
  }

  nb::callable function_;
  bool planes_;
  std::vector<float> buffer_;
};

}  // namespace glaux::bindings
