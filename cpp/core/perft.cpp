#include "core/perft.h"

#include "core/errors.h"

namespace glaux {
namespace {

std::uint64_t count(const Game& game, const std::byte* state, int depth, Pulse& pulse) {
  pulse.beat();
  if (depth == 0) return 1;
  if (depth == 1) {
    std::vector<Action> actions(static_cast<std::size_t>(game.spec().max_actions));
    return static_cast<std::uint64_t>(game.actions(state, actions.data()));
  }
  Expansion expansion;
  game.expand(state, expansion);
  std::uint64_t leaves = 0;
  for (std::size_t i = 0; i < expansion.size(); ++i) {
    leaves += count(game, expansion.children.data() + i * game.spec().state_size, depth - 1, pulse);
  }
  return leaves;
}

}  // namespace

std::uint64_t perft(const Game& game, const std::byte* state, int depth, Pulse& pulse) {
  if (depth < 0) throw InvalidParameter("The depth can't be negative: " + std::to_string(depth) + ".");
  return count(game, state, depth, pulse);
}

}  // namespace glaux
