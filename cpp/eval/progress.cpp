#include "eval/progress.h"

#include <cmath>
#include <string>

#include "core/errors.h"

namespace glaux {

void Progress::check() const {
  if (stages < 1 || stages > most_stages) {
    throw InvalidParameter("A network has 1 to " + std::to_string(most_stages) + " stages, not " +
                           std::to_string(stages) + ".");
  }
  if (stages > 1 && begin == end) {
    throw InvalidParameter("The stages of a network begin and end at different numbers of cells.");
  }
}

double Progress::share(std::size_t held) const {
  const double way = (static_cast<double>(held) - begin) / (static_cast<double>(end) - begin);
  return std::clamp(way, 0.0, 1.0);
}

std::vector<std::uint8_t> stages_by_cells(const Progress& progress, std::size_t cells) {
  progress.check();
  if (progress.stages == 1) return {};
  std::vector<std::uint8_t> stages(cells + 1);
  for (std::size_t held = 0; held <= cells; ++held) {
    const double part = std::floor(progress.share(held) * progress.stages);
    stages[held] = static_cast<std::uint8_t>(std::min(part, progress.stages - 1.0));
  }
  return stages;
}

}  // namespace glaux
