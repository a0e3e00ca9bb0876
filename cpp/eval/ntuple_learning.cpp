#include <bit>
#include <cmath>

#include "eval/ntuple.h"
#include "eval/sums.h"

namespace glaux {
namespace {

using Rule = NTupleLearning::Rule;

// e^y for -80 < y < 1, to 2e-7 of it. The library's function would be a call for every weight; this one
// is worked out for eight at once. 2^t = 2^i 2^f with a whole i and |f| <= 1/2, and a series for 2^f.
float exponential(float y) {
  const float t = y * 1.44269504f, whole = std::nearbyint(t), x = (t - whole) * 0.69314718f;
  const float series =
      1 + x * (1 + x * (1.f / 2 + x * (1.f / 6 + x * (1.f / 24 + x * (1.f / 120 + x * (1.f / 720))))));
  return series * std::bit_cast<float>((static_cast<std::int32_t>(whole) + 127) << 23);
}

// The buffers of a step: what is read is read before anything is written, so that an index that is
// listed twice changes once.
struct Step {
  explicit Step(std::size_t slots) : indices(slots), w(slots), n(slots), a(slots), g(slots) {}
  std::vector<std::uint32_t> indices;
  std::vector<float> w, n, a, g;
};

void change_by_sgd(float* weights, Step& step, float size) {
  const std::size_t slots = step.indices.size();
  for (std::size_t i = 0; i < slots; ++i) step.w[i] = weights[step.indices[i]] + size;
  for (std::size_t i = 0; i < slots; ++i) weights[step.indices[i]] = step.w[i];
}

void change_by_coherence(float* weights, float* counters, Step& step, float size, float recommended,
                         const NTupleLearning& learning) {
  const std::size_t slots = step.indices.size();
  for (std::size_t i = 0; i < slots; ++i) {
    const float* counter = counters + 2 * std::size_t{step.indices[i]};
    step.n[i] = counter[0];
    step.a[i] = counter[1];
    step.w[i] = weights[step.indices[i]];
  }
  float *w = step.w.data(), *n = step.n.data(), *a = step.a.data(), *g = step.g.data();
  for (std::size_t i = 0; i < slots; ++i) g[i] = std::fabs(n[i]) / a[i];
  if (learning.rule == Rule::coherence_exponential) {
    for (std::size_t i = 0; i < slots; ++i) g[i] = exponential(learning.beta * (g[i] - 1));
  }
  for (std::size_t i = 0; i < slots; ++i) {
    w[i] += size * g[i];
    n[i] += recommended;
    a[i] += std::fabs(recommended);
  }
  for (std::size_t i = 0; i < slots; ++i) {
    float* counter = counters + 2 * std::size_t{step.indices[i]};
    weights[step.indices[i]] = w[i];
    counter[0] = n[i];
    counter[1] = a[i];
  }
}

}  // namespace

double NTuple::learn(const Game& game, const std::byte* states, std::size_t n, const float* targets,
                     const NTupleLearning& learning) {
  require(game);
  if (learning.rule != Rule::sgd) need_counters(learning.init);
  const std::size_t size = index_->bits_size(), slots = index_->slot_count();
  std::vector<std::uint64_t> bits(n * size);
  index_->read(game, states, n, bits.data());
  Step step(slots);
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    index_->indices(bits.data() + i * size, step.indices.data());
    const std::size_t first = bank(game, states + i * game.spec().state_size) * index_->weight_count();
    float* weights = weights_.data() + first;
    const float v = output(sum_of(weights, step.indices.data(), slots));
    const double error = static_cast<double>(targets[i]) - static_cast<double>(v);
    squares += error * error;
    const float unit = v / options_.scale;
    const float slope = options_.tanh ? 1 - unit * unit : 1.0f;
    const float recommended = static_cast<float>(error) / options_.scale * slope;
    const float step_size = learning.alpha / static_cast<float>(slots) * recommended;
    if (learning.rule == Rule::sgd) {
      change_by_sgd(weights, step, step_size);
    } else {
      change_by_coherence(weights, counters_.data() + 2 * first, step, step_size, recommended, learning);
    }
  }
  return squares;
}

}  // namespace glaux
