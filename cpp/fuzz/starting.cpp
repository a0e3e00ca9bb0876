#include "fuzz/starting.h"

#include "tests/drive.h"

namespace glaux::fuzz {

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

const Target* find_target(std::string_view name) {
  for (const Target& target : targets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

Start::Start(Data data)
    : choices(data),
      head(take_head(choices)),
      setting(setting_of(head.setting)),
      game(*setting.game),
      rng(head.seed),
      state(game.spec().state_size) {
  choices.take(state.data(), state.size());
}

bool Start::accepted() const {
  return accepts(game, state.data());
}

void play_random(const Game& game, std::byte* state, Rng& rng) {
  std::vector<Action> legal(static_cast<std::size_t>(game.spec().max_actions));
  const int count = game.actions(state, legal.data());
  if (count == 0) return;
  std::vector<std::byte> next(game.spec().state_size);
  game.apply(state, legal[rng.below(static_cast<std::uint32_t>(count))], next.data());
  std::memcpy(state, next.data(), next.size());
}

std::vector<std::byte> random_state(const Game& game, Rng& rng) {
  std::vector<std::byte> state(game.spec().state_size);
  game.initial(state.data());
  for (auto plies = rng.below(100); plies > 0; --plies) play_random(game, state.data(), rng);
  return state;
}

}  // namespace glaux::fuzz
