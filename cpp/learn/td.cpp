#include "learn/td.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cassert>
#include <cmath>
#include <cstring>
#include <exception>
#include <string>

#include "core/errors.h"
#include "core/hash.h"
#include "learn/together.h"
#include "search/lock_step.h"
#include "search/mcts.h"

namespace glaux {

double Schedule::at(double share) const {
  share = std::clamp(share, 0.0, 1.0);
  return geometric ? from * std::pow(to / from, share) : from + (to - from) * share;
}

void TdTally::add(const TdTally& other) {
  episodes += other.episodes;
  plies += other.plies;
  steps += other.steps;
  evaluations += other.evaluations;
  squares += other.squares;
  for (int i = 0; i < 3; ++i) outcomes[i] += other.outcomes[i];
}

// One thread: plays episodes and learns from them.
class TdLearner::Player {
 public:
  Player(const TdLearner& learner, NTuple& network)
      : learner_(learner),
        game_(*learner.game_),
        network_(network),
        options_(learner.options_),
        learning_(options_.learning),
        state_(game_.spec().state_size) {
    expansion_.wants_hashes = false;
    for (Trace& trace : traces_) trace.states.resize(learner.factors_.size());
    if (options_.wrapper_iterations > 0) {
      MctsOptions wrapper;
      wrapper.selection = Selection::puct;
      wrapper.leaf = Leaf::children;
      search_ = std::make_unique<Mcts>(learner.game_, learner.terminal_value_, wrapper);
    }
  }

  void play(std::uint64_t number, double share, Pulse& pulse, Episode* record) {
    Rng rng(fold(options_.seed ^ 0x9e3779b97f4a7c15ULL, number + 0xbf58476d1ce4e5b9ULL));
    epsilon_ = options_.epsilon.at(share);
    learning_.alpha = static_cast<float>(options_.alpha.at(share));
    for (Trace& trace : traces_) trace.size = 0;
    if (search_) search_->clear();
    start(rng);
    if (record) record->start = state_;
    ++tally_.episodes;
    for (int ply = 0;; ++ply) {
      if (options_.most_plies > 0 && ply >= options_.most_plies) return;
      const Choice choice = choose(rng, pulse);
      if (record) {
        record->actions.push_back(expansion_.actions[choice.child]);
        record->random.push_back(choice.random);
      }
      ++tally_.plies;
      if (!act(choice)) return;
      pulse.beat();
    }
  }

  const TdTally& tally() const { return tally_; }

 private:
  struct Trace {
    struct State {
      NTuple::Place place;
      float slope = 0;  // once it has been learned
    };
    std::vector<State> states;  // a ring
    std::size_t newest = 0, size = 0;

    // k = 0 is the newest.
    State& at(std::size_t k) { return states[(newest + states.size() - k) % states.size()]; }
    State& push() {
      newest = (newest + 1) % states.size();
      size = std::min(size + 1, states.size());
      return states[newest];
    }
  };
  struct Choice {
    std::size_t child;
    bool random;
  };

  void start(Rng& rng) {
    const Starts& starts = options_.starts;
    if (starts.initial_share >= 1 || rng.uniform() < starts.initial_share) {
      game_.initial(state_.data());
    } else {
      const auto range = static_cast<std::uint32_t>(starts.most - starts.least + 1);
      game_.scramble(starts.least + static_cast<int>(rng.below(range)), rng, state_.data());
    }
    player_ = decider(game_.status(state_.data()));
    here_ = nullptr;
  }

  const std::byte* child(std::size_t i) const {
    return expansion_.children.data() + i * game_.spec().state_size;
  }

  // What child i is worth to the player to move, the reward on the way included.
  double worth(std::size_t i) const {
    const double sign = glaux::sign(player_);
    const Status status = expansion_.statuses[i];
    if (status.terminal()) return sign * static_cast<double>(reward(i));
    return options_.step_reward + options_.gamma * sign * static_cast<double>(values_[i]);
  }

  float reward(std::size_t i) const {
    return learner_.terminal_value_->value(game_, child(i), expansion_.statuses[i].result);
  }

  Choice choose(Rng& rng, Pulse& pulse) {
    game_.expand(state_.data(), expansion_);
    const std::size_t n = expansion_.size();
    if (n == 0) {
      throw BrokenRules(game_.spec().title + " has no legal action in a state that is not terminal.");
    }
    const bool random = epsilon_ > 0 && rng.uniform() < epsilon_;
    values_.resize(n);
    if (random || search_) {
      const std::size_t i = random ? rng.below(static_cast<std::uint32_t>(n)) : searched(pulse);
      if (!expansion_.statuses[i].terminal()) {
        network_.evaluate(game_, child(i), 1, &values_[i]);
        ++tally_.evaluations;
      }
      return {i, random};
    }
    if (here_) {
      network_.evaluate_children(game_, state_.data(), *here_, expansion_.children.data(), n, values_.data());
    } else {
      network_.evaluate_children(game_, state_.data(), expansion_.children.data(), n, values_.data());
    }
    tally_.evaluations += n;
    std::size_t best = 0;
    double most = worth(0);
    std::uint32_t ties = 1;
    for (std::size_t i = 1; i < n; ++i) {
      const double value = worth(i);
      if (value > most) {
        best = i;
        most = value;
        ties = 1;
      } else if (value == most && rng.below(++ties) == 0) {
        best = i;
      }
    }
    return {best, false};
  }

  // The action that the MCTS wrapper takes.
  std::size_t searched(Pulse& pulse) {
    Limits limits;
    limits.iterations = static_cast<std::uint64_t>(options_.wrapper_iterations);
    search_->start(state_.data(), limits);
    glaux::run({search_.get()}, network_, pulse);
    tally_.evaluations += search_->statistics().evaluations;
    const Action action = search_->decision();
    const auto& actions = expansion_.actions;
    const auto found = std::find(actions.begin(), actions.end(), action);
    if (found == actions.end()) {
      throw BrokenRules(game_.spec().title + " gave different actions for the same state than before.");
    }
    return static_cast<std::size_t>(found - actions.begin());
  }

  // Takes the action and learns from it; false if the episode is over.
  bool act(const Choice& choice) {
    const std::size_t i = choice.child;
    const Status status = expansion_.statuses[i];
    const auto me = static_cast<std::size_t>(player_);
    if (status.terminal()) {
      ++tally_.outcomes[status.result + 1];
      if (game_.spec().players == 1 && status.result < 0) return false;  // cut off
    }
    if (choice.random && !options_.learn_from_random) {
      traces_[me].size = 0;
    } else {
      adapt(me, sign(player_) * worth(i));
    }
    if (status.terminal()) {
      if (game_.spec().players == 2) adapt(1 - me, static_cast<double>(reward(i)));
      if (options_.final_to_zero) {
        traces_[me].size = 0;
        network_.locate(game_, child(i), traces_[me].push().place);
        adapt(me, 0);
      }
      return false;
    }
    NTuple::Place& place = traces_[me].push().place;
    network_.locate(game_, child(i), place);
    here_ = &place;
    std::memcpy(state_.data(), child(i), state_.size());
    player_ = decider(status);
    return true;
  }

  // Moves the newest afterstate of a player towards a target, a value of the first player, and the
  // earlier ones along.
  void adapt(std::size_t player, double target) {
    Trace& trace = traces_[player];
    if (trace.size == 0) return;
    Trace::State& newest = trace.at(0);
    const float value = network_.value_at(newest.place);
    newest.slope = network_.slope(value);
    const double delta =
        (target - static_cast<double>(value)) / static_cast<double>(network_.options().scale);
    tally_.squares += delta * delta;
    ++tally_.steps;
    for (std::size_t k = 0; k < trace.size; ++k) {
      const Trace::State& state = trace.at(k);
      network_.change(state.place, static_cast<float>(delta * learner_.factors_[k]) * state.slope, learning_);
    }
  }

  const TdLearner& learner_;
  const Game& game_;
  NTuple& network_;
  const TdOptions& options_;
  NTupleLearning learning_;
  std::vector<std::byte> state_;
  glaux::Player player_ = glaux::Player::first;
  const NTuple::Place* here_ = nullptr;  // that of the state, once it is an afterstate
  double epsilon_ = 0;
  Expansion expansion_;
  std::vector<float> values_;  // of the children, the first player's; only those that are needed
  std::array<Trace, 2> traces_;
  std::unique_ptr<Mcts> search_;
  TdTally tally_;
};

namespace {

void require(bool holds, const char* sentence) {
  if (!holds) throw InvalidParameter(sentence);
}

void check(const Schedule& schedule, const char* sentence) {
  require(
      std::isfinite(schedule.from) && std::isfinite(schedule.to) && schedule.from >= 0 && schedule.to >= 0,
      sentence);
  require(!schedule.geometric || (schedule.from > 0 && schedule.to > 0), sentence);
}

}  // namespace

TdLearner::TdLearner(GamePointer game, std::shared_ptr<NTuple> network,
                     std::shared_ptr<const TerminalValue> terminal_value, const TdOptions& options)
    : game_(std::move(game)),
      network_(std::move(network)),
      terminal_value_(std::move(terminal_value)),
      options_(options) {
  check(options.alpha, "The learning rate alpha can't be negative, and must be above 0 to fall by a factor.");
  check(options.epsilon, "The rate epsilon must be from 0 to 1, and above 0 to fall by a factor.");
  require(options.epsilon.from <= 1 && options.epsilon.to <= 1, "The rate epsilon must be from 0 to 1.");
  require(options.gamma >= 0 && options.gamma <= 1, "The discount gamma must be from 0 to 1.");
  require(options.lambda >= 0 && options.lambda <= 1, "The trace factor lambda must be from 0 to 1.");
  require(options.cut > 0 && options.cut <= 1, "The cut of traces must be above 0 and at most 1.");
  require(std::isfinite(options.step_reward), "The reward of a step must be a finite number.");
  require(options.starts.least >= 1 && options.starts.most >= options.starts.least,
          "Random starts need at least one step.");
  require(options.most_plies >= 0 && options.wrapper_iterations >= 0, "Limits can't be negative.");
  require(options.starts.initial_share >= 0 && options.starts.initial_share <= 1,
          "The share of episodes that begin with the initial state must be from 0 to 1.");
  for (const float number : {options.learning.beta, options.learning.init}) {
    require(std::isfinite(number) && number > 0, "The beta and init of learning must be numbers above 0.");
  }
  require(network_->index().fits(game_->spec()), "The network was made for another board.");
  constexpr std::size_t longest_trace = 1000;
  for (double factor = 1; factor >= options.cut && factors_.size() < longest_trace;
       factor *= options.gamma * options.lambda) {
    factors_.push_back(factor);
  }
}

TdTally TdLearner::run(std::uint64_t first, std::uint64_t count, std::uint64_t total, double share,
                       int threads, Pulse& pulse, std::vector<Episode>* record) {
  if (threads < 1 || threads > most_threads) {
    throw InvalidParameter("Training can use 1 to " + std::to_string(most_threads) + " threads, not " +
                           std::to_string(threads) + ".");
  }
  require(!std::isnan(share), "The share of the training that is done must be a number from 0 to 1.");
  const Use use(in_use_, "This learner is already training: it can't train twice at once.");
  if (options_.learning.rule != NTupleLearning::Rule::sgd) network_->need_counters(options_.learning.init);
  if (record) record->assign(count, {});
  const auto size = static_cast<std::size_t>(threads);
  const bool several = size > 1;
  if (several && (!replicas_ || replicas_->size() != size)) {
    replicas_ = std::make_unique<Replicas>(*network_, size);
  }
  std::vector<TdTally> tallies(size);
  std::vector<std::exception_ptr> failures(size);
  std::atomic<bool> stop = false;
  std::barrier meeting(threads);
  // A thread that fails still comes to the meetings.
  const auto guarded = [&](std::size_t thread, const auto& step) {
    try {
      step();
    } catch (...) {
      failures[thread] = std::current_exception();
      stop = true;
    }
  };
  const auto work = [&](std::size_t thread, Pulse& beat) {
    if (several) {
      guarded(thread, [&] { replicas_->copy(thread); });
      meeting.arrive_and_wait();
    }
    guarded(thread, [&] {
      Player player(*this, several ? (*replicas_)[thread] : *network_);
      for (std::uint64_t i = thread; i < count && !stop; i += size) {
        const std::uint64_t number = first + i;
        const double done = total > 0 ? static_cast<double>(number) / static_cast<double>(total) : share;
        player.play(number, done, beat, record ? &(*record)[i] : nullptr);
      }
      tallies[thread] = player.tally();
    });
    if (several) {
      meeting.arrive_and_wait();
      guarded(thread, [&] { replicas_->join(thread); });
    }
  };
  const bool given = run_together(size, [&](std::size_t thread) {
    Pulse silent([] {});
    work(thread, thread == 0 ? pulse : silent);
  });
  if (!given) {
    throw InvalidParameter("This computer can't start " + std::to_string(threads) + " threads for training.");
  }
  TdTally tally;
  for (std::size_t thread = 0; thread < size; ++thread) {
    if (failures[thread]) std::rethrow_exception(failures[thread]);
    tally.add(tallies[thread]);
  }
  return tally;
}

}  // namespace glaux
