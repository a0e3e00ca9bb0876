// The one door between searches and value functions: a batch of states goes out, a batch of values
// comes back. Values are the first player's, in the unit of the terminal values in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/game.h"
#include "core/pulse.h"

namespace glaux {

// The actions of the states of a batch, one after the other: those of state i are actions[offsets[i]] to
// actions[offsets[i + 1] - 1]. Priors have the same layout: a policy is over legal actions only.
struct LegalActions {
  std::vector<Action> actions;
  std::vector<std::int64_t> offsets{0};

  void clear() {
    actions.clear();
    offsets.assign(1, 0);
  }
  // The actions of a state are complete.
  void close() { offsets.push_back(static_cast<std::int64_t>(actions.size())); }
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Writes a finite value for each of n >= 1 states that are not terminal.
  virtual void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) = 0;

  // As evaluate(), for children of one state: a value function may work out the difference only.
  virtual void evaluate_children(const Game& game, const std::byte* parent, const std::byte* children,
                                 std::size_t n, float* values);
  // Whether evaluate_children() is better than one batch for the children of many states.
  virtual bool prefers_children() const { return false; }

  // As evaluate(), with a prior for each of the legal actions, for searches that ask for them: a number that
  // is not negative and need not be a probability. A state that nobody asks priors for has no actions here.
  // Without a policy all the actions are equally likely.
  virtual void evaluate_with_priors(const Game& game, const std::byte* states, std::size_t n,
                                    const LegalActions& legal, float* values, float* priors);

  // What another thread of the same search asks meanwhile, and whose long work beats this pulse; null: this
  // one, which any number of threads may ask.
  virtual std::unique_ptr<Evaluator> for_thread(Pulse) { return nullptr; }
};

// BrokenValue unless all of them are finite.
void check_finite(const std::vector<float>& values);

// What a terminal state is worth, f_t of the paper. The default is the gain of the game, b_t, and the
// score where the game is played for that.
class TerminalValue {
 public:
  virtual ~TerminalValue() = default;
  virtual float value(const Game& game, const std::byte* state, Result result) const;
  // The gain b_t that completion proves: +1, 0 or -1.
  virtual Result gain(const Game& game, const std::byte* state, Result result) const;
};

// Asks not who wins but whether the score is above, at or below a threshold: proving that for a few
// thresholds proves the score.
class ScoreAgainst final : public TerminalValue {
 public:
  explicit ScoreAgainst(double threshold);  // InvalidParameter unless a float holds it
  float value(const Game& game, const std::byte* state, Result result) const override;
  Result gain(const Game& game, const std::byte* state, Result result) const override;

 private:
  double threshold_;
};

}  // namespace glaux
