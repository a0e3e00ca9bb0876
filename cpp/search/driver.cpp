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

// One group, and its searches that are not over.
class Rounds {
 public:
  explicit Rounds(const Group& group)
      : evaluator_(group.evaluator), running_(group.searches), game_(&running_.front()->game()) {
    with_priors_ = std::any_of(running_.begin(), running_.end(),
                               [](const Search* search) { return search->wants_priors(); });
    // No batch for all: nothing to gain, or nothing to copy.
    one_by_one_ = running_.size() == 1 || (evaluator_->prefers_children() && !with_priors_);
  }

  bool over() const { return running_.empty(); }

  void next(Pulse& pulse) {
    if (one_by_one_) {
      std::erase_if(running_, [&](Search* search) {
        const std::size_t n = search->advance();
        if (n > 0) serve(*search, n, with_priors_, *evaluator_, round_);
        pulse.beat();
        return n == 0 && !search->paused();
      });
      return;
    }
    const std::size_t size = game_->spec().state_size;
    const auto actions = static_cast<std::size_t>(game_->spec().action_count);
    round_.states.clear();
    round_.counts.clear();
    std::erase_if(running_, [&](Search* search) {
      const std::size_t n = search->advance();
      if (n == 0 && !search->paused()) return true;
      round_.counts.push_back(n);
      if (n > 0) round_.states.insert(round_.states.end(), search->pending(), search->pending() + n * size);
      return false;
    });
    const std::size_t total = round_.states.size() / size;
    if (total > 0) evaluate(*game_, round_.states.data(), total, with_priors_, *evaluator_, round_);
    std::size_t at = 0;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (round_.counts[i] == 0) continue;
      running_[i]->supply(round_.values.data() + at,
                          with_priors_ ? round_.priors.data() + at * actions : nullptr);
      at += round_.counts[i];
    }
    pulse.beat();
  }

 private:
  Evaluator* evaluator_;
  std::vector<Search*> running_;
  const Game* game_;
  bool with_priors_, one_by_one_;
  Round round_;
};

}  // namespace

void run(const std::vector<Group>& groups, Pulse& pulse) {
  std::vector<Rounds> running;
  for (const Group& group : groups) {
    if (!group.searches.empty()) running.emplace_back(group);
  }
  while (!running.empty()) {
    for (Rounds& rounds : running) rounds.next(pulse);
    std::erase_if(running, [](const Rounds& rounds) { return rounds.over(); });
  }
}

}  // namespace glaux
