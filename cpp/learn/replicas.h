// Copies of an n-tuple network that learn apart, each in a thread of its own, and come together again.
//
// The idea: threads that change the same tables hinder each other, because the few entries that all
// matches begin with wander between the caches of the cores. So every thread learns from some hundreds
// or thousands of matches in a copy, and then the copies are joined. With w0 from before and wi of the
// k copies that have changed an entry, it becomes
//
//   w = w0 + m (1 + (k - 1) q),   m = the mean of wi - w0,   q = |N| / A of these changes
//
// where N is the sum of the changes that were recommended to the entry in all the copies and A that of
// their sizes, as in temporal coherence. If they agree (q = 1), the entry was on its way, and all the ways
// add up. If they cancel out, each copy has arrived at about the same place, and the mean is it. Without
// counters q = 1. N and A themselves are sums and add up exactly.
//
// What comes out depends on the matches of each copy, not on how fast the threads were.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "eval/ntuple.h"

namespace glaux {

class Replicas {
 public:
  // `count` networks, the first of which is the original itself.
  Replicas(NTuple& original, std::size_t count);

  std::size_t size() const { return networks_.size(); }
  NTuple& operator[](std::size_t i) { return *networks_[i]; }

  // Steps for all threads, each with its own number; every step ends before the next begins.
  void copy(std::size_t thread);  // the original into the copy of the thread
  void join(std::size_t thread);  // a share of the entries, back into the original

 private:
  std::vector<NTuple*> networks_;
  std::vector<std::unique_ptr<NTuple>> copies_;
  Table weights_, counters_;  // as they were before
};

}  // namespace glaux
