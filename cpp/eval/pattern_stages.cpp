#include "eval/pattern_stages.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.h"

namespace glaux {

PatternStages::PatternStages(const PatternProgress& progress, std::size_t cells) {
  const auto [stages, begin, end] = progress;
  if (stages < 1 || stages > most) {
    throw InvalidParameter("A pattern network has 1 to " + std::to_string(most) + " stages, not " +
                           std::to_string(stages) + ".");
  }
  if (stages > 1 && begin == end) {
    throw InvalidParameter(
        "The stages of a pattern network must begin and end at different numbers of cells.");
  }
  stages_ = static_cast<std::size_t>(stages);
  levels_.resize(cells + 1);
  if (stages == 1) return;
  for (std::size_t held = 0; held <= cells; ++held) {
    const double way = (static_cast<double>(held) - begin) / (static_cast<double>(end) - begin);
    const double level = std::clamp(way, 0.0, 1.0) * static_cast<double>(level_count() - 1);
    levels_[held] = static_cast<std::uint8_t>(std::lround(level));
  }
}

void PatternStages::spread(const float* stages, std::size_t size, float* levels) const {
  for (std::size_t level = 0; level < level_count(); ++level) {
    const float* const stage = stages + level / steps * size;
    const float share = static_cast<float>(level % steps) / steps;
    float* const out = levels + level * size;
    if (share == 0) {
      std::copy_n(stage, size, out);
      continue;
    }
    for (std::size_t i = 0; i < size; ++i) out[i] = stage[i] + share * (stage[size + i] - stage[i]);
  }
}

void PatternStages::gather(const float* levels, std::size_t size, float* stages) const {
  for (std::size_t level = 0; level < level_count(); ++level) {
    float* const stage = stages + level / steps * size;
    const float share = static_cast<float>(level % steps) / steps;
    const float* const in = levels + level * size;
    for (std::size_t i = 0; i < size; ++i) stage[i] += (1 - share) * in[i];
    if (share == 0) continue;
    for (std::size_t i = 0; i < size; ++i) stage[size + i] += share * in[i];
  }
}

}  // namespace glaux
