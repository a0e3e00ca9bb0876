#include "search/rave.h"

#include <algorithm>
#include <cmath>

#include "core/errors.h"

namespace glaux {

Rave::Rave(const Game& game, double k)
    : game_(game),
      k_(k),
      action_count_(static_cast<std::size_t>(game.spec().action_count)),
      marks_(2 * action_count_),
      at_(game.spec().state_size),
      next_(game.spec().state_size),
      actions_(static_cast<std::size_t>(game.spec().max_actions)) {}

double Rave::beta(std::uint32_t visits) const {
  return std::sqrt(k_ / (3.0 * visits + k_));
}

double Rave::playout(const std::byte* state, const TerminalValue& terminal_value, Rng& rng) {
  begin();
  std::copy_n(state, at_.size(), at_.data());
  for (;;) {
    const Status status = game_.status(at_.data());
    if (status.terminal()) {
      return static_cast<double>(terminal_value.value(game_, at_.data(), status.result));
    }
    const Player player = decider(status);
    const int n = game_.actions(at_.data(), actions_.data());
    if (n == 0) {
      throw BrokenRules(game_.spec().title + " has no legal action in a state that is not terminal.");
    }
    const Action action = actions_[rng.below(static_cast<std::uint32_t>(n))];
    mark(player, action);
    game_.apply(at_.data(), action, next_.data());
    at_.swap(next_);
  }
}

Rave::Means& Rave::of(NodeId id, std::uint32_t count) {
  if (id >= nodes_.size()) {
    const std::size_t before = nodes_.capacity();
    nodes_.resize(id + 1);
    bytes_ += (nodes_.capacity() - before) * sizeof(Means);
  }
  Means& means = nodes_[id];
  if (means.empty()) {
    means.resize(count);
    bytes_ += count * sizeof(Mean);
  }
  return means;
}

void Rave::clear() {
  nodes_ = {};
  bytes_ = 0;
}

}  // namespace glaux
