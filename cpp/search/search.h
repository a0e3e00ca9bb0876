// A search as a resumable machine: it works until it needs values, is given them, and goes on.
//
//   search.start(root, limits);
//   while (search.advance()) {            // how many states wait for a value
//     evaluate(search.pending(), ...);
//     search.supply(values);
//   }
//
// So one driver can run one search, or many in lock-step with one batch for all (search/lock_step.h),
// whatever stands behind the values.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/in_use.h"
#include "eval/evaluator.h"

namespace glaux {

class SharedSearch;

// When to stop. A search also stops when there is nothing left to learn, or no memory left to grow.
// An iteration that needs no value counts as one evaluation, so that each limit ends every search.
//
// What is learned from must be whole: then a limit ends no iteration in the middle. Descent goes on to the
// end of the match, and a depth of iterative deepening that is cut short is as if it had not begun.
struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t iterations = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t evaluations = std::numeric_limits<std::uint64_t>::max();
  bool whole = false;
};

// What a search did, since start().
struct Statistics {
  std::uint64_t iterations = 0;
  std::uint64_t expansions = 0;
  std::uint64_t evaluations = 0;  // states given a value by the value function
  int depth = 0;                  // the longest line, in actions from the root
  bool full = false;              // stopped for want of memory
  double seconds = 0;
};

// One row of what a search thinks of the actions of a state.
struct Child {
  Action action;
  float v;          // value, the first player's
  int c;            // completion: +1, 0, -1
  int r;            // resolution: 1 if proven
  std::uint64_t n;  // times selected
};

// States, one after the other, and their values.
struct Labelled {
  std::vector<std::byte> states;
  std::vector<float> values;

  void add(const std::byte* state, std::size_t size, float value) {
    states.insert(states.end(), state, state + size);
    values.push_back(value);
  }
  void append(const Labelled& more) {
    states.insert(states.end(), more.states.begin(), more.states.end());
    values.insert(values.end(), more.values.begin(), more.values.end());
  }
};

class Search {
 public:
  Search(GamePointer game, std::uint64_t seed) : game_(std::move(game)), rng_(seed) {}
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // For drivers and bindings: one caller at a time.
  InUse in_use;
  // Searches in lock-step that have taken it in; see search/lock_step.h.
  const void* holder = nullptr;

  const Game& game() const { return *game_; }
  const GamePointer& game_pointer() const { return game_; }

  // Begins to think about a state that is not terminal. What was learned before is kept.
  void start(const std::byte* root, const Limits& limits) {
    limits_ = limits;
    statistics_ = {};
    begun_ = Clock::now();
    begin(root);
  }

  // Works until values are needed, and says for how many states; 0: the search is over, or paused.
  virtual std::size_t advance() = 0;
  // After advance() gave 0: the search needed no values for a while, lets the driver look around (a
  // deadline, Ctrl-C), and goes on with the next advance().
  bool paused() const { return paused_; }
  // The states that wait, one after the other.
  virtual const std::byte* pending() const = 0;
  // The state whose children they are; null if they are not children of one state.
  virtual const std::byte* parent() const { return nullptr; }
  // Whether supply() wants priors.
  virtual bool wants_priors() const { return false; }
  // Adds the legal actions of the n states that wait, in the order in which it wants their priors.
  virtual void add_legal(std::size_t n, LegalActions& legal) const {
    while (n-- > 0) legal.close();
  }
  virtual void supply(const float* values, const float* priors) = 0;
  // Not null: several threads are to work at it when it runs alone; see search/shared_search.h.
  virtual SharedSearch* shared() { return nullptr; }

  // The action to play in the state of start().
  virtual Action decision() = 0;
  // What is known of the actions of a state; nothing if the state was not expanded.
  virtual std::vector<Child> children(const std::byte* state) const = 0;
  // The rows among which an action may be chosen while learning: those whose v is a value and no bound or
  // guess. At least one, if children() has any.
  virtual std::vector<Child> choices(const std::byte* state) const { return children(state); }
  virtual float value(const std::byte* state) const = 0;
  virtual bool resolved(const std::byte* state) const = 0;
  // The best actions from a state as far as they are known.
  virtual std::vector<Action> principal_variation(const std::byte* state) const = 0;
  // Tree learning's set S with its values: the states of the table that are expanded, then those that are
  // terminal, each once; with leaves also the states that have an evaluation and nothing else (Remark 3).
  virtual Labelled learnable(bool leaves = false) const = 0;
  virtual std::size_t bytes() const = 0;
  virtual void clear() = 0;
  // Forgets all states but those to which it has gone from this one, so that a search whose memory is full
  // can go on. Whether that has freed a tenth of it; false where a search can't.
  virtual bool forget_others(const std::byte*) { return false; }

  // Forgets the match, but for up to `keep` proven states where a search remembers such. From here on ties
  // are broken as by a search that was made with this seed.
  void begin_match(std::uint64_t seed, std::size_t keep) {
    forget_match(keep);
    rng_ = Rng(seed);
  }

  Statistics statistics() const {
    Statistics s = statistics_;
    s.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    return s;
  }

 protected:
  using Clock = std::chrono::steady_clock;

  virtual void begin(const std::byte* root) = 0;
  virtual void forget_match(std::size_t) { clear(); }

  // Iterations that are under way in other threads count as done.
  bool spent(std::size_t under_way = 0) const {
    const std::uint64_t most = std::min(limits_.iterations, limits_.evaluations);
    return statistics_.iterations + under_way >= most || statistics_.evaluations >= limits_.evaluations ||
           out_of_time();
  }
  bool out_of_time() const {
    return limits_.seconds != std::numeric_limits<double>::infinity() &&
           std::chrono::duration<double>(Clock::now() - begun_).count() >= limits_.seconds;
  }

  // A search that needs no values for so long gives its caller a chance to stop it.
  static constexpr std::uint64_t iterations_between_pauses = 1000;
  bool paused_ = false;

  GamePointer game_;
  Rng rng_;
  Limits limits_;
  Statistics statistics_;
  Clock::time_point begun_ = Clock::now();
};

}  // namespace glaux
