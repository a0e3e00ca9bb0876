#include "search/driver.h"

#include <algorithm>
#include <cmath>

#include "core/errors.h"

namespace glaux {
namespace {

// The buffers of a round, reused from round to round.
struct Round {
  std::vector<std::byte> states;
  std::vector<float> values, priors;
  std::vector<std::size_t> counts;
};

void check_finite(const std::vector<float>& values) {
  if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) {
    throw BrokenValue("The value function gave a value that is not a finite number.");
  }
}

void evaluate(const Game& game, const std::byte* states, std::size_t n, bool with_priors,
              Evaluator& evaluator, Round& round) {
  round.values.resize(n);
  if (with_priors) {
    round.priors.resize(n * static_cast<std::size_t>(game.spec().action_count));
    evaluator.evaluate_with_priors(game, states, n, round.values.data(), round.priors.data());
  } else {
    evaluator.evaluate(game, states, n, round.values.data());
  }
  check_finite(round.values);
}

// Gives one search the values that it waits for.
void serve(Search& search, std::size_t n, bool with_priors, Evaluator& evaluator, Round& round) {
  const std::byte* parent = search.parent();
  if (parent == nullptr || with_priors) {
    evaluate(search.game(), search.pending(), n, with_priors, evaluator, round);
  } else {
    round.values.resize(n);
    evaluator.evaluate_children(search.game(), parent, search.pending(), n, round.values.data());
    check_finite(round.values);
  }
  search.supply(round.values.data(), round.priors.data());
}

}  // namespace

void run(const std::vector<Search*>& searches, Evaluator& evaluator, Pulse& pulse) {
  if (searches.empty()) return;
  const Game& game = searches.front()->game();
  const bool with_priors =
      std::any_of(searches.begin(), searches.end(), [](const Search* s) { return s->wants_priors(); });
  const std::size_t size = game.spec().state_size;
  const auto actions = static_cast<std::size_t>(game.spec().action_count);
  Round round;

  // No batch for all: nothing to gain, or nothing to copy.
  if (searches.size() == 1 || (evaluator.prefers_children() && !with_priors)) {
    std::vector<Search*> running = searches;
    while (!running.empty()) {
      std::erase_if(running, [&](Search* search) {
        const std::size_t n = search->advance();
        if (n > 0) serve(*search, n, with_priors, evaluator, round);
        pulse.beat();
        return n == 0 && !search->paused();
      });
    }
    return;
  }

  for (;;) {
    round.states.clear();
    round.counts.clear();
    bool paused = false;
    for (Search* search : searches) {
      const std::size_t n = search->advance();
      round.counts.push_back(n);
      paused |= search->paused();
      if (n > 0) round.states.insert(round.states.end(), search->pending(), search->pending() + n * size);
    }
    const std::size_t total = round.states.size() / size;
    if (total == 0 && !paused) return;
    if (total > 0) evaluate(game, round.states.data(), total, with_priors, evaluator, round);
    std::size_t at = 0;
    for (std::size_t i = 0; i < searches.size(); ++i) {
      if (round.counts[i] == 0) continue;
      searches[i]->supply(round.values.data() + at,
                          with_priors ? round.priors.data() + at * actions : nullptr);
      at += round.counts[i];
    }
    pulse.beat();
  }
}

}  // namespace glaux
