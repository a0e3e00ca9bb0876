// Runs searches against their value functions: one, or many in lock-step with one batch for all that share a
// value function.
#pragma once

#include <vector>

#include "core/pulse.h"
#include "eval/evaluator.h"
#include "search/search.h"

namespace glaux {

// Searches of one game that share a value function.
struct Group {
  std::vector<Search*> searches;
  Evaluator* evaluator;
};

// Runs every search that has been started to its end. Each round collects the states that wait in the
// searches of a group into one batch. BrokenValue if a value is not finite.
void run(const std::vector<Group>& groups, Pulse& pulse);
inline void run(const std::vector<Search*>& searches, Evaluator& evaluator, Pulse& pulse) {
  run({Group{searches, &evaluator}}, pulse);
}

}  // namespace glaux
