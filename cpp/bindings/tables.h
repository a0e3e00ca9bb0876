// What value functions with tables share at the border: room for them, their weights as arrays, learning, and
// the values of children.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bindings/state.h"
#include "core/errors.h"
#include "eval/table.h"

namespace glaux::bindings {

using Targets = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

// The tables of a network must have room in this computer: the system gives more than there is, and ends
// the process when it is used.
inline void require_memory(double bytes, const std::string& whose, const std::string& remedy) {
  const double all =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (all > 0 && bytes > all) {
    throw InvalidParameter("The tables of this " + whose + " need " +
                           std::to_string(std::llround(bytes / 1e9)) + " GB, but this computer only has " +
                           std::to_string(std::llround(all / 1e9)) + ": " + remedy + ".");
  }
}

inline auto copied(const Table& values, std::initializer_list<std::size_t> shape) {
  return to_numpy(std::vector<float>(values.begin(), values.end()), shape);
}

inline void overwrite(Table& values, const Floats& source) {
  if (source.size() != values.size()) {
    throw InvalidParameter("The network has " + std::to_string(values.size()) + " numbers, but " +
                           std::to_string(source.size()) + " were given.");
  }
  std::copy_n(source.data(), values.size(), values.begin());
}

inline void require_targets(const StateBatch& states, const Targets& targets) {
  if (states.shape(0) != targets.shape(0)) {
    throw InvalidParameter("There must be as many values as states.");
  }
}

// Learns so many pairs at once, with Ctrl-C between them, and returns the sum of the squared errors.
template <class Network, class Learning>
double learn_in_parts(Network& network, const Game& game, const CheckedBatch& batch, const Targets& targets,
                      const Learning& learning, std::size_t at_once) {
  nb::gil_scoped_release release;
  Pulse pulse = signal_pulse();
  double squares = 0;
  for (std::size_t i = 0; i < batch.n; i += at_once) {
    squares += network.learn(game, batch.bytes + i * game.spec().state_size, std::min(at_once, batch.n - i),
                             targets.data() + i, learning);
    pulse.beat();
  }
  return squares;
}

// The values of a state's children, worked out from their parent.
template <class Network>
auto evaluate_children(Network& network, const Game& game, const StateArgument& parent,
                       const StateBatch& children, const Trusted* trust) {
  const std::byte* bytes = state_bytes(game, parent);
  const CheckedBatch batch(game, children, trust);
  std::vector<float> values(batch.n);
  if (batch.n > 0) network.evaluate_children(game, bytes, batch.bytes, batch.n, values.data());
  return to_numpy(std::move(values), {batch.n});
}

}  // namespace glaux::bindings
