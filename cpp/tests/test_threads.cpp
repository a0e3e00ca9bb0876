// What threads share, for the thread sanitizer: a game, a network that others read while one learns, and
// what ends are worth. A search belongs to one thread. The threads of TD learning are in test_td.cpp.
#include <cmath>
#include <thread>

#include "core/registry.h"
#include "eval/ntuple.h"
#include "eval/patterns.h"
#include "eval/simple.h"
#include "search/lock_step.h"
#include "tests/check.h"
#include "tests/thinking.h"

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

  std::unique_ptr<Search> search(int kind) const {
    return make_search(kind, game, gain, std::size_t{16} << 20);
  }

  void think_with(int kind) const {
    const auto made = search(kind);
    std::vector<std::byte> state(game->spec().state_size);
    game->initial(state.data());
    think(*made, state.data(), *network, 200);
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
    for (int kind = 0; kind < search_kinds; ++kind)
      threads.emplace_back([&, kind] { shared.think_with(kind); });
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
  for (int kind = 0; kind < search_kinds; ++kind) {
    searches.push_back(shared.search(kind));
    searches.back()->start(state.data(), limits);
    lock_step.add(*searches.back());
  }
  std::size_t over = 0;
  while (!lock_step.empty()) over += lock_step.run(pulse).size();
  CHECK(over == searches.size() && lock_step.batches() > 8);
}

TEST(threads_evaluate_patterns_while_others_learn) {
  for (const GameEntry& entry : registry()) {
    const Shared shared(entry.info.name);
    const Game& game = *shared.game;
    const std::vector<PatternShape> shapes = {{{0, 0}, {0, 1}, {1, 0}}};
    Patterns network(game.spec(), std::make_shared<const PatternIndex>(game.spec(), shapes, 2), {});
    std::vector<std::byte> state(game.spec().state_size);
    game.initial(state.data());
    Expansion expansion;
    game.expand(state.data(), expansion);
    const std::size_t n = expansion.size();
    const std::vector<float> targets(n, 0.5f);
    std::vector<std::thread> threads;
    for (int number = 0; number < 4; ++number) {
      threads.emplace_back([&, number] {
        std::vector<float> values(n);
        for (int i = 0; i < 10; ++i) {
          if (number % 2 == 0) {
            CHECK(std::isfinite(network.learn(game, expansion.children.data(), n, targets.data(), {})));
          } else {
            network.evaluate_children(game, state.data(), expansion.children.data(), n, values.data());
            CHECK(network.memory().pairs <= 20 * n);
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(network.memory().pairs == 20 * n);
  }
}
