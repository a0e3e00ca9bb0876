// n-tuple networks on every game, so that the sanitizers see both ways to index, the children and the
// learning rules. What the values should be is tested from Python (tests/values).
#include <cmath>

#include "core/errors.h"
#include "core/registry.h"
#include "eval/functions.h"
#include "eval/ntuple.h"
#include "tests/check.h"

using namespace glaux;

namespace {

std::vector<CellTuple> some_tuples(const Spec& spec, Rng& rng) {
  std::vector<CellTuple> tuples;
  const auto cells = static_cast<std::uint32_t>(spec.cell_count());
  for (const std::size_t length : {1, 2, 4}) {
    CellTuple tuple;
    while (tuple.size() < length) {
      const auto cell = static_cast<std::uint16_t>(rng.below(cells));
      if (std::find(tuple.begin(), tuple.end(), cell) == tuple.end()) tuple.push_back(cell);
    }
    std::sort(tuple.begin(), tuple.end());
    tuples.push_back(tuple);
  }
  tuples.push_back({static_cast<std::uint16_t>(cells - 1)});
  return tuples;
}

bool near(float a, float b) {
  return std::fabs(a - b) < 1e-5f;
}

}  // namespace

TEST(codes_that_do_not_fit_are_refused) {
  Spec spec = make_game("othello", {})->spec();
  CHECK(TupleIndex(spec, {{0, 1}}, true, 0, true).tuple_count() > 0);
  while (spec.symbols.size() < 4) spec.symbols.push_back("#");  // two bits are full
  bool refused = false;
  try {
    TupleIndex(spec, {{0, 1}}, true, 0, true);
  } catch (const InvalidParameter&) {
    refused = true;
  }
  CHECK(refused);
}

TEST(ntuple_networks_of_every_game) {
  Rng rng(1);
  for (const GameEntry& entry : registry()) {
    Parameters parameters;
    for (const Parameter& p : entry.info.parameters) parameters[p.name] = p.default_value;
    const GamePointer game = make_game(entry.info.name, parameters);
    const std::size_t size = game->spec().state_size;
    const auto tuples = some_tuples(game->spec(), rng);
    for (const bool use_pext : {false, processor_has_fast_pext()}) {
      NTuple network(std::make_shared<const TupleIndex>(game->spec(), tuples, use_pext), {});
      for (float& w : network.weights()) w = static_cast<float>(rng.below(1000)) * 1e-4f;
      std::vector<std::byte> state(size);
      game->initial(state.data());
      Expansion expansion;
      for (game->expand(state.data(), expansion); expansion.size() > 0;
           game->expand(state.data(), expansion)) {
        const std::size_t n = expansion.size();
        std::vector<float> full(n), fast(n);
        network.evaluate(*game, expansion.children.data(), n, full.data());
        network.evaluate_children(*game, state.data(), expansion.children.data(), n, fast.data());
        for (std::size_t i = 0; i < n; ++i) CHECK(near(full[i], fast[i]));
        for (const auto rule : {NTupleLearning::Rule::sgd, NTupleLearning::Rule::coherence_identity,
                                NTupleLearning::Rule::coherence_exponential}) {
          CHECK(std::isfinite(network.learn(*game, expansion.children.data(), n, full.data(), {rule})));
        }
        const std::size_t chosen = rng.below(static_cast<std::uint32_t>(n));
        std::copy_n(expansion.children.begin() + static_cast<std::ptrdiff_t>(chosen * size), size,
                    state.begin());
      }
    }
  }
}

TEST(ntuple_networks_refuse_what_the_board_lacks) {
  const GamePointer game = make_game("connect_four", {{"rows", 6}, {"columns", 7}});
  for (const std::vector<CellTuple>& tuples :
       {std::vector<CellTuple>{}, {{}}, {{42}}, {{3, 3}}, {{2, 1}}, {CellTuple(17, 0)}}) {
    bool refused = false;
    try {
      TupleIndex(game->spec(), tuples, true);
    } catch (const InvalidParameter&) {
      refused = true;
    }
    CHECK(refused);
  }
}

TEST(functions_are_the_librarys) {
  for (int i = -40000; i <= 40000; ++i) {
    const float x = static_cast<float>(i) / 1000;
    CHECK(std::fabs(hyperbolic_tangent(x) - std::tanh(x)) < 3e-7f);
    if (x < 1) CHECK(std::fabs(exponential(x) / std::exp(x) - 1) < 5e-6f);
  }
  CHECK(hyperbolic_tangent(0) == 0);
  CHECK(hyperbolic_tangent(1e30f) == 1 && hyperbolic_tangent(-1e30f) == -1);
}
