// Proofs of a principal variation search: near the end of a match all of what is left is searched at once,
// with neither deepening nor values.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "search/pvs.h"

namespace glaux {
namespace {

constexpr double expansions_per_second = 1e6;  // about, on a machine of today
constexpr double most_expansions = 1e9;
constexpr double patience = 32, least_patience = 1e4;  // times the guess, and at least so many expansions
constexpr int matches = 8;
constexpr std::uint64_t visits_per_look = 64;  // at the clock

}  // namespace

// Whether the match seems to be so near to its end that the share of the run's limits is enough to see all of
// it: pruning leaves about the square root of what there is, and random matches tell how many choices are
// left.
bool Pvs::worth_proving() {
  const double allowed =
      std::min(limits_.seconds * expansions_per_second, static_cast<double>(limits_.evaluations));
  const bool by_depth = options_.depth > 0 || limits_.iterations < std::numeric_limits<std::uint64_t>::max();
  if (by_depth || allowed * options_.endgame < 1) return false;
  const double most = 2 * matches * std::log2(std::min(allowed * options_.endgame, most_expansions));
  const Frame& root = frames_.front();
  Rng rng(root.hash);
  std::vector<Action> actions(replies_.size());
  std::vector<std::byte> at, next(root.state.size());
  double choices = 0;
  for (int i = 0; i < matches; ++i) {
    at = root.state;
    while (!game_->status(at.data()).terminal()) {
      const int n = game_->actions(at.data(), actions.data());
      if (n == 0) refuse_dead_end(*game_);
      choices += std::log2(n);
      if (choices > most) return false;
      game_->apply(at.data(), actions[rng.below(static_cast<std::uint32_t>(n))], next.data());
      at.swap(next);
    }
  }
  proof_limit_ = std::max(least_patience, patience * std::exp2(choices / (2 * matches)));
  return true;
}

// A proof ends with its share of the limits, and when there is far more to see than it seemed.
bool Pvs::proof_spent() const {
  const double share = options_.endgame;
  if (static_cast<double>(statistics_.expansions) >= proof_limit_) return true;
  if (static_cast<double>(statistics_.expansions) >= share * static_cast<double>(limits_.evaluations))
    return true;
  return quiet_ % visits_per_look == 0 &&
         std::chrono::duration<double>(Clock::now() - begun_).count() >= share * limits_.seconds;
}

// What was proven on the way stays in the table.
void Pvs::give_up_proof() {
  proving_ = false;
  height_ = 0;
  phase_ = Phase::between;
}

}  // namespace glaux
