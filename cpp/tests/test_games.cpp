// Every game at several settings, driven hard so that the sanitizers see all of its code. What the
// results should be is tested from Python (tests/contract.py).
#include "core/errors.h"
#include "core/registry.h"
#include "tests/check.h"
#include "tests/drive.h"

using namespace glaux;

namespace {

std::vector<Parameters> settings(const GameInfo& info) {
  std::vector<Parameters> all{{}};
  for (const Parameter& p : info.parameters) {
    // Every size, and some of the values of a parameter that has many.
    const int step = p.high - p.low <= 40 ? 1 : (p.high - p.low) / 3;
    for (std::int64_t value = p.low; value <= p.high; value += step) {
      all.push_back({{p.name, static_cast<int>(value)}});
    }
  }
  return all;
}

}  // namespace

TEST(games) {
  Rng rng(7);
  for (const GameEntry& entry : registry()) {
    for (const Parameters& parameters : settings(entry.info)) {
      GamePointer game;
      try {
        game = make_game(entry.info.name, parameters);
      } catch (const InvalidParameter&) {
        continue;  // within the range of the parameter, but refused by the game: an odd size, say
      }
      std::printf("  %s", entry.info.name.c_str());
      for (const auto& [name, value] : parameters) std::printf(" %s=%d", name.c_str(), value);
      std::printf(": %zu bytes\n", game->spec().state_size);
      std::fflush(stdout);
      const int matches = game->spec().cell_count() > 100 ? 1 : 3;  // one on a large board has as many states
      for (int i = 0; i < matches; ++i) drive_match(*game, rng);
      std::vector<std::byte> start(game->spec().state_size);
      game->scramble(1, rng, start.data());
      game->validate(start.data());
    }
  }
}
