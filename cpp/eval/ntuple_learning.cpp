#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>

#include "eval/functions.h"
#include "eval/ntuple.h"
#include "eval/sums.h"

namespace glaux {
namespace {

using Rule = NTupleLearning::Rule;

// The buffers of slots that change together, whole tuples: what they read is read before anything is
// written, so that an index that two symmetries of a tuple share changes once; and there are so few of
// them that the lines they read are in the nearest cache still when they write.
struct Buffers {
  std::vector<float> w, n, a, g;
  void fit(std::size_t slots) {
    for (auto* buffer : {&w, &n, &a, &g}) {
      if (buffer->size() < slots) buffer->resize(slots);
    }
  }
};
constexpr std::size_t slots_together = 128;  // about

void change_by_sgd(float* weights, std::span<const std::uint32_t> indices, Buffers& buffers, float step) {
  const std::size_t slots = indices.size();
  float* w = buffers.w.data();
  for (std::size_t i = 0; i < slots; ++i) w[i] = peek(weights[indices[i]]) + step;
  for (std::size_t i = 0; i < slots; ++i) poke(weights[indices[i]], w[i]);
}

void change_by_coherence(float* weights, float* counters, std::span<const std::uint32_t> indices,
                         Buffers& buffers, float step, float r, const NTupleLearning& learning) {
  const std::size_t slots = indices.size();
  float *w = buffers.w.data(), *n = buffers.n.data(), *a = buffers.a.data(), *g = buffers.g.data();
  for (std::size_t i = 0; i < slots; ++i) {
    const float* counter = counters + 2 * std::size_t{indices[i]};
    n[i] = peek(counter[0]);
    a[i] = peek(counter[1]);
    w[i] = peek(weights[indices[i]]);
  }
  // Never above 1 by itself, but the changes of two threads may have mixed N and A.
  for (std::size_t i = 0; i < slots; ++i) g[i] = std::min(std::fabs(n[i]) / a[i], 1.0f);
  if (learning.rule == Rule::coherence_exponential) {
    for (std::size_t i = 0; i < slots; ++i) g[i] = exponential(learning.beta * (g[i] - 1));
  }
  for (std::size_t i = 0; i < slots; ++i) {
    w[i] += step * g[i];
    n[i] += r;
    a[i] += std::fabs(r);
  }
  for (std::size_t i = 0; i < slots; ++i) {
    float* counter = counters + 2 * std::size_t{indices[i]};
    poke(weights[indices[i]], w[i]);
    poke(counter[0], n[i]);
    poke(counter[1], a[i]);
  }
}

}  // namespace

void NTuple::change(const Place& place, float r, const NTupleLearning& learning) {
  static thread_local Buffers buffers;
  const std::size_t slots = place.indices.size(), first = place.bank * index_->weight_count();
  const std::size_t of_tuple = index_->symmetry_count();
  const std::size_t together = std::max(slots_together / of_tuple, std::size_t{1}) * of_tuple;
  buffers.fit(together);
  float* const weights = weights_.data() + first;
  const float step = learning.alpha / static_cast<float>(slots) * r;
  for (std::size_t slot = 0; slot < slots; slot += together) {
    const std::span indices(place.indices.data() + slot, std::min(together, slots - slot));
    if (learning.rule == Rule::sgd) {
      change_by_sgd(weights, indices, buffers, step);
    } else {
      assert(!counters_.empty());
      change_by_coherence(weights, counters_.data() + 2 * first, indices, buffers, step, r, learning);
    }
  }
}

double NTuple::learn(const Game& game, const std::byte* states, std::size_t n, const float* targets,
                     const NTupleLearning& learning) {
  require(game);
  if (learning.rule != Rule::sgd) need_counters(learning.init);
  const std::size_t size = index_->bits_size();
  std::vector<std::uint64_t> bits(n * size);
  index_->read(game, states, n, bits.data());
  Place place;
  place.indices.resize(index_->slot_count());
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    index_->indices(bits.data() + i * size, place.indices.data());
    place.bank = bank(game, states + i * game.spec().state_size);
    const float v = value_at(place);
    const double error = static_cast<double>(targets[i]) - static_cast<double>(v);
    squares += error * error;
    change(place, static_cast<float>(error) / options_.scale * slope(v), learning);
  }
  return squares;
}

}  // namespace glaux
