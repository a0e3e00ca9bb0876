// TD learning on every game, with every option, so that the sanitizers see it. What is learned is
// tested from Python (tests/learn).
#include <cmath>

#include "core/errors.h"
#include "core/registry.h"
#include "learn/td.h"
#include "tests/check.h"

using namespace glaux;

namespace {

TdTally learn(const GamePointer& game, const std::shared_ptr<NTuple>& network, const TdOptions& options,
              int threads) {
  TdLearner learner(game, network, std::make_shared<TerminalValue>(), options);
  Pulse pulse([] {});
  return learner.run(0, 4, 4, 0, threads, pulse, nullptr);
}

}  // namespace

TEST(td_learning_of_every_game) {
  for (const GameEntry& entry : registry()) {
    Parameters parameters;
    for (const Parameter& p : entry.info.parameters) parameters[p.name] = p.default_value;
    const GamePointer game = make_game(entry.info.name, parameters);
    const std::vector<CellTuple> tuples = {{0, 1, 2}, {1, 4}};
    const auto index = std::make_shared<const TupleIndex>(game->spec(), tuples, processor_has_fast_pext());
    const auto network = std::make_shared<NTuple>(index, NTupleOptions{});
    TdOptions options;
    options.starts = {0.5, 1, 3};
    options.epsilon = {0.5, 0.1, true};
    CHECK(learn(game, network, options, 1).episodes == 4);
    options.learning.rule = NTupleLearning::Rule::coherence_exponential;
    options.lambda = 0.8;
    options.gamma = 0.9;
    options.learn_from_random = false;
    options.most_plies = 60;
    const TdTally tally = learn(game, network, options, 3);
    CHECK(tally.episodes == 4);
    CHECK(std::isfinite(tally.squares));
    options.wrapper_iterations = 3;
    options.most_plies = 10;
    CHECK(learn(game, network, options, 1).plies <= 40);
    for (const float w : network->weights()) CHECK(std::isfinite(w));
  }
}

TEST(td_learning_refuses_what_can_not_be) {
  const GamePointer game = make_game("connect_four", {{"rows", 4}, {"columns", 4}, {"length", 4}});
  const std::vector<CellTuple> tuples = {{0, 1}};
  const auto network = std::make_shared<NTuple>(
      std::make_shared<const TupleIndex>(game->spec(), tuples, false), NTupleOptions{});
  TdOptions options;
  options.starts = {0, 1000, 1000};  // no match is so long
  bool refused = false;
  try {
    learn(game, network, options, 2);
  } catch (const InvalidParameter&) {
    refused = true;
  }
  CHECK(refused);
}
