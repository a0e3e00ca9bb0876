// A search that several threads work at: one tree, and errands that lead away from it.
//
//   while (search.find(errand) == Found::leaf) {
//     search.fetch(errand, evaluator);  // away from the tree: children, ends, values
//     search.bring(errand);
//   }
//
// The tree belongs to the thread that runs the search: it alone finds and brings. What takes most of the
// time, the children of a leaf and their values, is fetched by all. So the tree needs no lock and stays in
// one core's cache, which is what decides: with a lock, and the threads at the tree in turn, two cores could
// be slower than one (docs/decisions/0110-threads.md). Each of the other threads has several errands, one to
// fetch and those that it goes on with at once.
//
// While errands are under way the search sends the others elsewhere: how is the affair of each search. With
// one thread none of this is used: search/lock_step.h runs the search as a machine.
#pragma once

#include <memory>
#include <vector>

#include "core/pulse.h"
#include "eval/evaluator.h"
#include "search/search.h"

namespace glaux {

// What a terminal child is worth: f_t and b_t of the paper.
struct End {
  float value;
  Result gain;
};

// What one thread is out for: of a leaf its children, its ends, or its value alone.
struct Errand {
  Errand() { expansion.wants_hashes = false; }
  virtual ~Errand() = default;

  bool out = false;  // from find() to bring() or drop()
  std::vector<std::byte> state;
  Expansion expansion;
  std::vector<End> ends;      // of the terminal children, in order
  std::vector<float> values;  // of the others, or of the state
};

enum class Found {
  leaf,  // the errand has something to fetch
  none,  // all that could be looked at now is under way: ask again
  over
};

class SharedSearch {
 public:
  static constexpr int most_threads = 1024;

  // `ahead`: errands of each of the other threads. InvalidParameter unless there can be so many threads.
  SharedSearch(int threads, std::size_t ahead);
  virtual ~SharedSearch() = default;

  int threads() const { return threads_; }
  std::size_t ahead() const { return ahead_; }

  virtual std::unique_ptr<Errand> make_errand() const = 0;
  // Finds the next leaf for an errand that is not out.
  virtual Found find(Errand& errand) = 0;
  // Away from the tree: any thread may. BrokenValue if a value is not finite.
  virtual void fetch(Errand& errand, Evaluator& evaluator) const = 0;
  // Puts into the tree what an errand has fetched.
  virtual void bring(Errand& errand) = 0;
  // The errand has failed: no value comes of it. Nothing if it is not out.
  virtual void drop(Errand& errand) = 0;
  // All errands are back, and the search is over.
  virtual void finish() {}

 protected:
  int threads_;
  std::size_t ahead_;
};

// Runs a search that has been started to its end, by as many threads as it has, the caller's among them. An
// error of any of them, or of the pulse, comes out when all have stopped; the search may then be run again.
void run_shared(SharedSearch& search, Evaluator& evaluator, Pulse& pulse);

}  // namespace glaux
