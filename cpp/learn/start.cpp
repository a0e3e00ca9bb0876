#include "learn/start.h"

#include "core/errors.h"

namespace glaux {

void random_start(const Game& game, int n, Rng& rng, std::byte* out) {
  constexpr int tries = 1000;
  std::vector<Action> actions(static_cast<std::size_t>(game.spec().max_actions));
  std::vector<std::byte> next(game.spec().state_size);
  for (int i = 0; i < tries; ++i) {
    game.initial(out);
    int ply = 0;
    for (; ply < n && !game.status(out).terminal(); ++ply) {
      const int count = game.actions(out, actions.data());
      const Action action = actions[rng.below(static_cast<std::uint32_t>(count))];
      game.apply(out, action, next.data());
      std::copy(next.begin(), next.end(), out);
    }
    if (ply == n && !game.status(out).terminal()) return;
  }
  throw InvalidParameter("Matches of " + game.spec().title + " are over before " + std::to_string(n) +
                         " random actions.");
}

}  // namespace glaux
