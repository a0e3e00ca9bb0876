// Every native heuristic on the ends of random matches of every game, with and without the measure that
// it reads. What the values should be is tested from Python (tests/search/test_heuristics.py).
#include <cmath>
#include <memory>
#include <vector>

#include "core/errors.h"
#include "core/mobility.h"
#include "core/registry.h"
#include "eval/heuristics.h"
#include "tests/check.h"

using namespace glaux;

namespace {

std::vector<std::unique_ptr<TerminalValue>> all_heuristics(const Spec& spec) {
  std::vector<std::unique_ptr<TerminalValue>> all;
  all.push_back(std::make_unique<TerminalValue>());
  all.push_back(std::make_unique<Scoring>());
  all.push_back(std::make_unique<AdditiveDepth>(spec.max_plies + 1));
  all.push_back(std::make_unique<AdditiveDepth>(1));  // every match is longer
  all.push_back(std::make_unique<MultiplicativeDepth>(1.0));
  all.push_back(std::make_unique<CumulativeMobility>());
  all.push_back(std::make_unique<Presence>());
  return all;
}

// How many of the heuristics the game can have: each gives a finite value of the result's sign. A draw of a
// game that is played for its score may be worth that score.
int check_end(const Game& game, const std::byte* end) {
  const Result result = game.status(end).result;
  int had = 0;
  for (const auto& heuristic : all_heuristics(game.spec())) {
    CHECK(heuristic->gain(game, end, result) == result);
    try {
      const float value = heuristic->value(game, end, result);
      const bool scored = game.spec().aim == Spec::Aim::score && result == 0;
      CHECK(std::isfinite(value) && (scored || (value > 0) - (value < 0) == result));
      ++had;
    } catch (const InvalidParameter&) {
    }
  }
  return had;
}

}  // namespace

TEST(heuristics_keep_the_order_on_every_game) {
  Rng rng(1);
  for (const GameEntry& entry : registry()) {
    const GamePointer game = make_game(entry.info.name, {});
    const MobilityGame with_mobility(game);
    for (const Game* g : {static_cast<const Game*>(game.get()), static_cast<const Game*>(&with_mobility)}) {
      const Spec& spec = g->spec();
      std::vector<std::byte> start(spec.state_size), end(spec.state_size);
      g->initial(start.data());
      for (int i = 0; i < 20; ++i) {
        g->playouts(start.data(), 1, rng, end.data());
        CHECK(check_end(*g, end.data()) == 4 + spec.has_score + spec.has_mobility + spec.has_pieces);
      }
    }
  }
}
