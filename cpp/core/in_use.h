// One caller at a time. An object that changes while it works (a search, searches in lock-step, a learner)
// holds an InUse, and each call takes a Use of it. A second caller gets an error instead of a wait: it may
// be another thread, or the value function that the first call is asking, and that one would wait for ever.
#pragma once

#include <atomic>

#include "core/errors.h"

namespace glaux {

class InUse {
 public:
  InUse() = default;
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

  bool try_take() { return !taken_.exchange(true, std::memory_order_acquire); }
  void give_back() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_ = false;
};

// For the time of a call; Busy if somebody else has it.
class Use {
 public:
  Use(InUse& in_use, const char* sentence) : in_use_(in_use) {
    if (!in_use.try_take()) throw Busy(sentence);
  }
  ~Use() { in_use_.give_back(); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  InUse& in_use_;
};

}  // namespace glaux
