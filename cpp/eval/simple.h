// Value functions that need no learning.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/in_use.h"
#include "core/pulse.h"
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

// The mean worth of the ends of random matches from the state. One caller at a time, because equal seeds give
// equal values: Busy for a second one. The pulse beats once a match, so that many of them can be stopped.
class PlayoutValue final : public Evaluator {
 public:
  PlayoutValue(int playouts, Rng rng,
               std::shared_ptr<const TerminalValue> terminal_value = std::make_shared<TerminalValue>(),
               Pulse pulse = Pulse([] {}));
  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override;
  // Plays other matches than this one.
  std::unique_ptr<Evaluator> for_thread(Pulse pulse) override;
  void reseed(Rng rng);

 private:
  int playouts_;
  Rng rng_;
  std::shared_ptr<const TerminalValue> terminal_value_;
  Pulse pulse_;
  std::vector<std::byte> end_;
  InUse in_use_;
};

}  // namespace glaux
