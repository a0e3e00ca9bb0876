// Tables of value functions at the border.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bindings/bindings.h"
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
                           std::to_string(std::llround(bytes / 1e9)) + " GB, and this computer has " +
                           std::to_string(std::llround(all / 1e9)) + ": " + remedy + ".");
  }
}

inline auto copied(const Table& values, std::initializer_list<std::size_t> shape) {
  return to_numpy(std::vector<float>(values.begin(), values.end()), shape);
}

inline void overwrite(Table& values, const Floats& source) {
  if (source.size() != values.size()) {
    throw InvalidParameter("These are " + std::to_string(source.size()) + " numbers, and the network has " +
                           std::to_string(values.size()) + ".");
  }
  std::copy_n(source.data(), values.size(), values.begin());
}

}  // namespace glaux::bindings
