// n-tuple networks with any tuples on any state: both ways to index agree, and children are worth what they
// are worth by themselves.
#include <cmath>

#include "core/errors.h"
#include "eval/ntuple.h"
#include "fuzz/starting.h"
#include "tests/check.h"

namespace glaux::fuzz {
namespace {

std::vector<CellTuple> any_tuples(const Spec& spec, Reader& choices) {
  std::vector<CellTuple> tuples(static_cast<std::size_t>(choices.below(4)));
  for (CellTuple& tuple : tuples) {
    for (int length = choices.below(6); length > 0; --length) {
      tuple.push_back(static_cast<std::uint16_t>(choices.number<std::uint16_t>() % (spec.cell_count() + 1)));
    }
    if (choices.below(8) > 0) {  // as it should be
      std::sort(tuple.begin(), tuple.end());
      tuple.erase(std::unique(tuple.begin(), tuple.end()), tuple.end());
    }
  }
  return tuples;
}

constexpr std::size_t most_weights = 1 << 16;  // more only take time

}  // namespace

TARGET(ntuples, state) {
  Start start(data);
  const Game& game = start.game;
  Reader& choices = start.choices;
  if (!start.accepted()) return;
  const std::vector<CellTuple> tuples = any_tuples(game.spec(), choices);
  const int symmetries = choices.below(game.spec().symmetry_count() + 2);
  const bool reachable = choices.flag();
  std::shared_ptr<const TupleIndex> plain, fast;
  try {
    plain = std::make_shared<const TupleIndex>(game.spec(), tuples, false, symmetries, reachable);
    fast = std::make_shared<const TupleIndex>(game.spec(), tuples, processor_has_fast_pext(), symmetries,
                                              reachable);
  } catch (const InvalidParameter&) {
    return;
  }
  if (plain->weight_count() > most_weights) return;
  CHECK(plain->fits(game.spec()));
  std::vector<std::uint64_t> bits(plain->bits_size());
  plain->read(game, start.state.data(), 1, bits.data());
  std::vector<std::uint32_t> one(plain->slot_count()), other(plain->slot_count());
  plain->indices(bits.data(), one.data());
  fast->indices(bits.data(), other.data());
  CHECK(one == other);
  for (const std::uint32_t index : one) CHECK(index < plain->weight_count());

  NTupleOptions options;
  options.per_player = choices.flag();
  options.tanh = choices.flag();
  NTuple network(fast, options);
  for (float& weight : network.weights()) weight = static_cast<float>(start.rng.uniform()) * 0.1f;
  Expansion expansion;
  game.expand(start.state.data(), expansion);
  const std::size_t n = expansion.size();
  if (n == 0) return;
  std::vector<float> full(n), quick(n);
  network.evaluate(game, expansion.children.data(), n, full.data());
  network.evaluate_children(game, start.state.data(), expansion.children.data(), n, quick.data());
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(std::isfinite(full[i]) && std::fabs(full[i] - quick[i]) <= 1e-5f * (1 + std::fabs(full[i])));
  }
  NTupleLearning learning;
  learning.rule = static_cast<NTupleLearning::Rule>(choices.below(3));
  CHECK(std::isfinite(network.learn(game, expansion.children.data(), n, full.data(), learning)));
}

}  // namespace glaux::fuzz
