// Runs many searches of one game against one value function, with one batch for the states of all that wait.
//
//   LockStep lock_step(evaluator, 2, true);
//   lock_step.add(search) ...            // each has been started
//   for (ticket : lock_step.run(pulse))  // those that are over; the others go on waiting
//     ... read the tree, start the search on its next state, add it again
//
// The searches are dealt out to parts. While the batch of one part is evaluated by a thread of its own the
// next part works and fills its batch, so that the value function and the searches are busy at the same time.
// What a search finds depends on neither the thread nor the clock: a part asks, waits for all its values and
// goes on, and whether it has to wait changes nothing.
//
// A value function that prefers the children of one state (an n-tuple network) has no use for batches: then,
// and where there is one search only, each search is served by itself.
//
// An error of the value function, of a search, or of the pulse (Ctrl-C) comes out of run(). Every search is
// then as it was when it asked, so that run() may be called again, or the searches be started anew.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/pulse.h"
#include "eval/evaluator.h"
#include "search/search.h"

namespace glaux {

class LockStep {
 public:
  using Ticket = std::uint64_t;  // 0, 1, 2 ... in the order of add()

  // With parts = 1 there is one batch for all. A thread needs two parts to be of use.
  static constexpr int most_parts = 1024;
  explicit LockStep(Evaluator& evaluator, int parts = 1, bool background = false);
  ~LockStep();
  LockStep(const LockStep&) = delete;
  LockStep& operator=(const LockStep&) = delete;

  // Takes in a search that has been started, of the same game as the others, and holds it: it must stay
  // alive, and nobody else may change it, until it is over, removed, or all of this is destroyed.
  // InvalidParameter for a search of another game, and for one that is held already.
  Ticket add(Search& search);
  void remove(Ticket ticket);
  std::size_t count() const;
  bool empty() const { return count() == 0; }

  // Works until at least one search is over; gives those, which have left. Nothing if there are none.
  // BrokenValue if a value is not finite.
  std::vector<Ticket> run(Pulse& pulse);
  // One turn of one part.
  void step(Pulse& pulse);
  // Waits until nothing is being evaluated: then the value function may change.
  void settle(Pulse& pulse);
  void set_evaluator(Evaluator& evaluator, Pulse& pulse);
  // Whether the caller is the value function, asked by the thread: then it can't wait for itself.
  bool on_own_thread() const { return thread_.get_id() == std::this_thread::get_id(); }

  // Any thread may ask.
  std::uint64_t batches() const { return batches_.load(std::memory_order_relaxed); }
  std::uint64_t states() const { return states_.load(std::memory_order_relaxed); }  // in all the batches

 private:
  struct Running {
    Ticket ticket;
    Search* search;  // null: over
  };
  struct Asked {
    Search* search;  // null: removed
    std::size_t count;
  };
  // Between ask() and answer of a batch the buffers belong to the thread, the rest to the caller.
  struct Part {
    std::vector<Running> running;
    std::vector<Asked> asked;
    bool evaluating = false;  // guarded by mutex_

    std::vector<std::byte> states;
    std::vector<float> values, priors;
    LegalActions legal;
    bool with_priors = false;
    std::exception_ptr error;
  };

  void take(Part& part, Pulse& pulse);
  void fill(Part& part, Pulse& pulse);
  void serve(Part& part, Pulse& pulse);
  void run_last(Pulse& pulse);
  void answer(Search& search, std::size_t n, Part& part);
  template <class Need>
  void advance(Part& part, Need need);
  void ask(Part& part);
  void count(std::size_t n);
  void release(Search& search);
  void wait_for(Pulse& pulse, const std::function<bool()>& done);
  void evaluate(const Game& game, const std::byte* states, std::size_t n, Part& part);
  void work();

  Evaluator* evaluator_;
  GamePointer game_;
  bool background_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::size_t turn_ = 0;
  Ticket next_ = 0;
  std::vector<Ticket> done_;
  std::atomic<std::uint64_t> batches_ = 0, states_ = 0;

  std::thread thread_;  // from the first batch on, if background_
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Part*> queue_;  // guarded by mutex_, as the next
  bool closing_ = false;
};

// Runs every search that has been started to its end; one alone by as many threads as it has.
void run(const std::vector<Search*>& searches, Evaluator& evaluator, Pulse& pulse);

// Searches that share a value function.
struct Group {
  std::vector<Search*> searches;
  Evaluator* evaluator;
};

// The same for several groups of one game, turn by turn, so that they end at the same time.
void run(const std::vector<Group>& groups, Pulse& pulse);

}  // namespace glaux
