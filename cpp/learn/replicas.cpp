#include "learn/replicas.h"

#include <algorithm>
#include <cmath>

namespace glaux {
namespace {

// The share of a table that a thread works on.
struct Range {
  std::size_t begin, end;
  Range(std::size_t size, std::size_t thread, std::size_t threads)
      : begin(size * thread / threads), end(size * (thread + 1) / threads) {}
};

void copy_range(const Table& from, Table& to, Range range) {
  std::copy(from.data() + range.begin, from.data() + range.end, to.data() + range.begin);
}

}  // namespace

Replicas::Replicas(NTuple& original, std::size_t count) : networks_{&original} {
  for (std::size_t i = 1; i < count; ++i) {
    copies_.push_back(std::make_unique<NTuple>(original.shared_index(), original.options()));
    copies_.back()->counters().resize(original.counters().size());
    networks_.push_back(copies_.back().get());
  }
  weights_.resize(original.weights().size());
  counters_.resize(original.counters().size());
}

void Replicas::copy(std::size_t thread) {
  NTuple& original = *networks_[0];
  copy_range(original.weights(), weights_, Range(weights_.size(), thread, size()));
  copy_range(original.counters(), counters_, Range(counters_.size(), thread, size()));
  if (thread == 0) return;
  networks_[thread]->weights() = original.weights();
  networks_[thread]->counters() = original.counters();
}

void Replicas::join(std::size_t thread) {
  const Range range(weights_.size(), thread, size());
  const bool counting = !counters_.empty();
  float* const weights = networks_[0]->weights().data();
  float* const counters = networks_[0]->counters().data();
  std::vector<const float*> others, their_counters;
  for (const auto& copy : copies_) {
    others.push_back(copy->weights().data());
    their_counters.push_back(copy->counters().data());
  }
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const float before = weights_[k];
    float sum = weights[k] - before, changed = sum != 0 ? 1.0f : 0.0f;
    for (const float* other : others) {
      const float change = other[k] - before;
      sum += change;
      changed += change != 0 ? 1.0f : 0.0f;
    }
    float coherence = 1;
    if (counting) {
      float* const counter = counters + 2 * k;
      const float n = counters_[2 * k], a = counters_[2 * k + 1];
      for (const float* theirs : their_counters) {
        counter[0] += theirs[2 * k] - n;
        counter[1] += theirs[2 * k + 1] - a;
      }
      const float steps = counter[1] - a;
      if (steps > 0) coherence = std::min(std::fabs(counter[0] - n) / steps, 1.0f);
    }
    if (changed > 0) weights[k] = before + sum / changed * (1 + (changed - 1) * coherence);
  }
}

}  // namespace glaux
