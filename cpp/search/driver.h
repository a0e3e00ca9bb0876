// Runs searches against a value function: one, or many in lock-step with one batch for all.
#pragma once

#include <vector>

#include "core/pulse.h"
#include "eval/evaluator.h"
#include "search/search.h"

namespace glaux {

// Runs every search that has been started to its end. Each round collects the states that wait in
// all of them into one batch. BrokenValue if a value is not finite.
void run(const std::vector<Search*>& searches, Evaluator& evaluator, Pulse& pulse);

}  // namespace glaux
