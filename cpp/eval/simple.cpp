#include "eval/simple.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/errors.h"

namespace glaux {

void Evaluator::evaluate_children(const Game& game, const std::byte*, const std::byte* children,
                                  std::size_t n, float* values) {
  evaluate(game, children, n, values);
}

void Evaluator::evaluate_with_priors(const Game& game, const std::byte* states, std::size_t n,
                                     const LegalActions& legal, float* values, float* priors) {
  evaluate(game, states, n, values);
  std::fill_n(priors, legal.actions.size(), 1.0f);
}

void check_finite(const std::vector<float>& values) {
  if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) {
    throw BrokenValue("The value function gave a value that is not a finite number.");
  }
}

float TerminalValue::value(const Game& game, const std::byte* state, Result result) const {
  return game.spec().aim == Spec::Aim::score ? static_cast<float>(game.measures(state).score) : result;
}

Result TerminalValue::gain(const Game&, const std::byte*, Result result) const {
  return result;
}

ScoreAgainst::ScoreAgainst(double threshold) : threshold_(threshold) {
  if (!(std::abs(threshold) <= static_cast<double>(std::numeric_limits<float>::max()) / 2)) {
    throw InvalidParameter("A score is compared with a finite number, not with " + std::to_string(threshold) +
                           ".");
  }
}

float ScoreAgainst::value(const Game& game, const std::byte* state, Result) const {
  return static_cast<float>(game.measures(state).score - threshold_);
}

Result ScoreAgainst::gain(const Game& game, const std::byte* state, Result) const {
  const double score = game.measures(state).score;
  return static_cast<Result>((score > threshold_) - (score < threshold_));
}

void ZeroValue::evaluate(const Game&, const std::byte*, std::size_t n, float* values) {
  std::fill_n(values, n, 0.0f);
}

void NoiseValue::evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = static_cast<std::int32_t>(game.hash(states + i * game.spec().state_size) >> 40);
    values[i] = static_cast<float>(bits - (1 << 23)) * 0x1.0p-23f;
  }
}

namespace {
constexpr const char* in_use =
    "These random matches are in use by another search: each search needs its own.";
}  // namespace

PlayoutValue::PlayoutValue(int playouts, Rng rng, std::shared_ptr<const TerminalValue> terminal_value,
                           Pulse pulse)
    : playouts_(playouts), rng_(rng), terminal_value_(std::move(terminal_value)), pulse_(std::move(pulse)) {
  if (playouts < 1) {
    throw InvalidParameter("A value is the mean of at least one random match, not of " +
                           std::to_string(playouts) + ".");
  }
}

std::unique_ptr<Evaluator> PlayoutValue::for_thread(Pulse pulse) {
  const Use use(in_use_, in_use);
  return std::make_unique<PlayoutValue>(playouts_, Rng(rng_.next()), terminal_value_, std::move(pulse));
}

void PlayoutValue::reseed(Rng rng) {
  const Use use(in_use_, in_use);
  rng_ = rng;
}

void PlayoutValue::evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) {
  const Use use(in_use_, in_use);
  const std::size_t size = game.spec().state_size;
  end_.resize(size);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < playouts_; ++k) {
      game.playouts(states + i * size, 1, rng_, end_.data());
      const Result result = game.status(end_.data()).result;
      sum += static_cast<double>(terminal_value_->value(game, end_.data(), result));
      pulse_.beat();
    }
    values[i] = static_cast<float>(sum / playouts_);
  }
}

}  // namespace glaux
