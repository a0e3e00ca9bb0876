// Pattern networks on every game, so that the sanitizers see the children, the symmetries and the learning
// steps. What the values should be is tested from Python (tests/values).
#include <cmath>

#include "core/errors.h"
#include "core/registry.h"
#include "eval/patterns.h"
#include "tests/check.h"

using namespace glaux;

TEST(pattern_networks_of_every_game) {
  const std::vector<PatternShape> shapes = {{{0, 0}, {0, 1}, {1, 0}}, {{-1, -1}, {0, 0}, {1, 1}}};
  Rng rng(1);
  for (const GameEntry& entry : registry()) {
    const GamePointer game = make_game(entry.info.name, {});
    const std::size_t size = game->spec().state_size;
    for (const bool mover : {false, true}) {
      auto index = std::make_shared<const PatternIndex>(game->spec(), shapes, 3);
      const PatternProgress progress{.stages = mover ? 3 : 1, .begin = 2, .end = 12};
      Patterns network(game->spec(), index, {.mover = mover, .tanh = true, .scale = 1, .progress = progress});
      Patterns::Weights weights = network.weights();
      for (Table* table : {&weights.tables, &weights.head}) {
        for (float& w : *table) w = static_cast<float>(rng.uniform() - 0.4) * 0.2f;
      }
      network.set_weights(std::move(weights));
      std::vector<std::byte> state(size);
      game->initial(state.data());
      Expansion expansion;
      for (game->expand(state.data(), expansion); expansion.size() > 0;
           game->expand(state.data(), expansion)) {
        const std::size_t n = expansion.size();
        std::vector<float> full(n), fast(n);
        network.evaluate(*game, expansion.children.data(), n, full.data());
        network.evaluate_children(*game, state.data(), expansion.children.data(), n, fast.data());
        for (std::size_t i = 0; i < n; ++i) CHECK(std::fabs(full[i] - fast[i]) < 1e-4f);
        const std::size_t some = std::min<std::size_t>(n, 8);
        CHECK(std::isfinite(network.learn(*game, expansion.children.data(), some, full.data(), {})));
        const std::size_t chosen = rng.below(static_cast<std::uint32_t>(n));
        std::copy_n(expansion.children.begin() + static_cast<std::ptrdiff_t>(chosen * size), size,
                    state.begin());
      }
      CHECK(network.active().cells > 0);
    }
  }
}

TEST(pattern_networks_refuse_stages_that_are_none) {
  for (const PatternProgress& progress :
       {PatternProgress{0, 0, 9}, PatternProgress{17, 0, 9}, PatternProgress{2, 5, 5}}) {
    bool refused = false;
    try {
      PatternStages(progress, 9);
    } catch (const InvalidParameter&) {
      refused = true;
    }
    CHECK(refused);
  }
}

TEST(pattern_networks_refuse_shapes_that_make_none) {
  const Spec spec = make_game("connect_four", {})->spec();
  PatternShape large;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) large.emplace_back(row, column);
  }
  for (const std::vector<PatternShape>& shapes : {std::vector<PatternShape>{},
                                                  {{}},
                                                  {{{0, 0}, {0, 0}}},
                                                  {large},
                                                  std::vector<PatternShape>(17, PatternShape{{0, 0}})}) {
    bool refused = false;
    try {
      PatternIndex(spec, shapes, 3);
    } catch (const InvalidParameter&) {
      refused = true;
    }
    CHECK(refused);
  }
}
