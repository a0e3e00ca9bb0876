// Value functions that need no learning.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "eval/evaluator.h"

namespace glaux {

// Knows nothing: only terminal states have a value. A search with completion becomes a solver.
class ZeroValue final : public Evaluator {
 public:
  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override;
};

// A fixed number between -1 and 1 for each state, drawn from its hash: for tests, and to measure a
// search without its value function.
class NoiseValue final : public Evaluator {
 public:
  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override;
};

// The mean worth of the ends of random matches from the state.
class PlayoutValue final : public Evaluator {
 public:
  PlayoutValue(int playouts, Rng rng,
               std::shared_ptr<const TerminalValue> terminal_value = std::make_shared<TerminalValue>())
      : playouts_(playouts), rng_(rng), terminal_value_(std::move(terminal_value)) {}
  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override;
  void reseed(Rng rng) { rng_ = rng; }

 private:
  int playouts_;
  Rng rng_;
  std::shared_ptr<const TerminalValue> terminal_value_;
  std::vector<std::byte> end_;
};

}  // namespace glaux
