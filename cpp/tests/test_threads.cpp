// What threads share, for the thread sanitizer: a game, a network that others read while one learns, and
// what ends are worth. A search belongs to one thread. The threads of TD learning are in test_td.cpp.
#include <cmath>
#include <thread>

#include "core/registry.h"
#include "eval/ntuple.h"
#include "eval/simple.h"
#include "search/alpha_beta.h"
#include "search/best_first.h"
#include "search/lock_step.h"
#include "search/mcts.h"
#include "tests/check.h"

using namespace glaux;

namespace {

struct Shared {
  GamePointer game;
  std::shared_ptr<const TerminalValue> gain = std::make_shared<const TerminalValue>();
  std::shared_ptr<NTuple> network;

  explicit Shared(const std::string& name) : game(make_game(name, {})) {
    const std::vector<CellTuple> tuples = {{0, 1, 2}, {1, 4}};
    network = std::make_shared<NTuple>(
        std::make_shared<const TupleIndex>(game->spec(), tuples, processor_has_fast_pext()), NTupleOptions{});
  }

  // One of the searches, by a number.
  std::unique_ptr<Search> search(int which) const {
    const std::size_t memory = std::size_t{16} << 20;
    if (which == 0) {
      AlphaBetaOptions options;
      options.memory = memory;
      return std::make_unique<AlphaBeta>(game, gain, options);
    }
    if (which == 1) {
      MctsOptions options;
      options.memory = memory;
      return std::make_unique<Mcts>(game, gain, options);
    }
    BestFirstOptions options;
    options.descend = which == 2;
    options.memory = memory;
    return std::make_unique<BestFirst>(game, gain, options);
  }

  void think(int which) const {
    const auto made = search(which);
    std::vector<std::byte> state(game->spec().state_size);
    game->initial(state.data());
    Limits limits;
    limits.evaluations = 200;
    made->start(state.data(), limits);
    Pulse pulse([] {});
    run({made.get()}, *network, pulse);
    CHECK(made->decision() >= 0);
  }

  void learn(NTupleLearning::Rule rule) const {
    std::vector<std::byte> state(game->spec().state_size);
    game->initial(state.data());
    Expansion expansion;
    game->expand(state.data(), expansion);
    const std::vector<float> targets(expansion.size(), 0.5f);
    for (int i = 0; i < 20; ++i) {
      CHECK(std::isfinite(
          network->learn(*game, expansion.children.data(), expansion.size(), targets.data(), {rule})));
    }
  }
};

}  // namespace

TEST(threads_search_and_learn_at_once) {
  for (const GameEntry& entry : registry()) {
    const Shared shared(entry.info.name);
    std::vector<std::thread> threads;
    for (int which = 0; which < 4; ++which) threads.emplace_back([&, which] { shared.think(which); });
    for (const auto rule : {NTupleLearning::Rule::sgd, NTupleLearning::Rule::coherence_exponential}) {
      threads.emplace_back([&, rule] { shared.learn(rule); });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(threads_evaluate_while_searches_work) {
  const Shared shared("othello");
  std::vector<std::byte> state(shared.game->spec().state_size);
  shared.game->initial(state.data());
  NoiseValue noise;
  Pulse pulse([] {});
  Limits limits;
  limits.evaluations = 200;
  LockStep lock_step(noise, 2, true);
  std::vector<std::unique_ptr<Search>> searches;
  for (int i = 0; i < 8; ++i) {
    searches.push_back(shared.search(i % 4));
    searches.back()->start(state.data(), limits);
    lock_step.add(*searches.back());
  }
  std::size_t over = 0;
  while (!lock_step.empty()) over += lock_step.run(pulse).size();
  CHECK(over == searches.size() && lock_step.batches() > 8);
}
