#include "tests/thinking.h"

#include <cmath>

#include "search/alpha_beta.h"
#include "search/best_first.h"
#include "search/lock_step.h"
#include "search/mcts.h"
#include "search/puct.h"
#include "search/pvs.h"
#include "tests/check.h"

using namespace glaux;

namespace {

template <class Options>
Options with(std::size_t memory, std::uint64_t seed) {
  Options options;
  options.memory = memory;
  options.seed = seed;
  return options;
}

}  // namespace

std::unique_ptr<Search> make_search(int kind, const GamePointer& game,
                                    const std::shared_ptr<const TerminalValue>& terminal_value,
                                    std::size_t memory, std::uint64_t seed) {
  CHECK(0 <= kind && kind < search_kinds);
  if (kind < 4) {
    auto options = with<BestFirstOptions>(memory, seed);
    options.descend = kind / 2 != 0;
    options.completion = kind % 2 != 0;
    options.decision = Decision::safest;
    return std::make_unique<BestFirst>(game, terminal_value, options);
  }
  if (kind < 6) {
    auto options = with<AlphaBetaOptions>(memory, seed);
    options.depth = kind == 4 ? 0 : 2;
    return std::make_unique<AlphaBeta>(game, terminal_value, options);
  }
  if (kind < 8) {
    auto options = with<MctsOptions>(memory, seed);
    options.leaf = kind == 6 ? Leaf::state : Leaf::children;
    options.selection = kind == 6 ? Selection::uct : Selection::puct;
    return std::make_unique<Mcts>(game, terminal_value, options);
  }
  if (kind > rave_kind) {
    auto options = with<PvsOptions>(memory, seed);
    options.reductions = kind == rave_kind + 1;
    return std::make_unique<Pvs>(game, terminal_value, options);
  }
  if (kind == rave_kind) {
    auto options = with<MctsOptions>(memory, seed);
    options.rave = 300;
    return std::make_unique<Mcts>(game, terminal_value, options);
  }
  auto options = with<PuctOptions>(memory, seed);
  options.root = kind % 2 == 0 ? RootRule::puct : RootRule::gumbel;
  options.batch = kind < 10 ? 1 : 5;
  options.proven = kind >= 10;
  options.noise = 0.5;
  options.fpu = FirstPlay::parent;
  options.c_base = 100;
  return std::make_unique<Puct>(game, terminal_value, options);
}

void think(Search& search, const std::byte* state, Evaluator& evaluator, std::uint64_t evaluations) {
  Limits limits;
  limits.evaluations = evaluations;
  limits.whole = evaluations % 2 == 0;
  search.start(state, limits);
  Pulse pulse([] {});
  run({&search}, evaluator, pulse);
}

void read_everything(const Search& search, const std::byte* state) {
  for (const Child& child : search.children(state)) CHECK(child.c >= -1 && child.c <= 1);
  search.value(state);
  search.resolved(state);
  CHECK(search.principal_variation(state).size() <= static_cast<std::size_t>(search.game().spec().max_plies));
  CHECK(!search.choices(state).empty());
  for (const bool leaves : {false, true}) {
    const Labelled learnable = search.learnable(leaves);
    CHECK(learnable.states.size() == learnable.values.size() * search.game().spec().state_size);
  }
  if (const auto* tree = dynamic_cast<const BestFirst*>(&search)) {
    tree->dump();
    tree->proven();
  }
  if (const auto* tree = dynamic_cast<const Puct*>(&search)) {
    double sum = 0;
    for (const double share : tree->policy(state)) sum += share;
    CHECK(std::fabs(sum - 1) < 1e-6);
  }
}
