// States as bytes and as texts: what is not a state is refused, and all else can be used in every way.
#include "core/errors.h"
#include "fuzz/starting.h"
#include "tests/check.h"
#include "tests/drive.h"

namespace glaux::fuzz {

// The state of the input, and some that differ from it in one byte: what the fuzzer does around the target
// costs as much as several states.
TARGET(state_bytes, state) {
  constexpr int states = 16;
  Start start(data);
  const std::vector<std::byte> given = start.state;
  for (int i = 0; i < states; ++i) {
    if (start.accepted()) use_state(start.game, start.state.data(), start.rng);
    start.state = given;
    const std::uint64_t drawn = start.rng.next();
    const auto at = static_cast<std::size_t>(drawn >> 16) % start.state.size();
    const auto change = static_cast<unsigned>(drawn % 4 == 0 ? drawn >> 2 & 255 : 1u << (drawn >> 2 & 7));
    start.state[at] ^= static_cast<std::byte>(change);
  }
}

TARGET(state_text, text) {
  Reader reader(data);
  const Head head = take_head(reader);
  const Game& game = *setting_of(head.setting).game;
  Rng rng(head.seed);
  std::vector<std::byte> state(game.spec().state_size);
  const std::string_view text(reinterpret_cast<const char*>(reader.rest().data()), reader.rest().size());
  try {
    game.parse_state(text, state.data());
  } catch (const InvalidState&) {
    return;
  }
  game.validate(state.data());
  use_state(game, state.data(), rng);
}

// A match from any state: the choices are the actions.
TARGET(play, state) {
  Start start(data);
  const Game& game = start.game;
  if (!start.accepted()) return;
  std::vector<Action> legal(static_cast<std::size_t>(game.spec().max_actions));
  std::vector<std::byte> next(start.state.size());
  use_to_the_end(game, start.state.data(), start.rng);
  for (int moves = 0; moves < 8 && !start.choices.empty(); ++moves) {
    const int count = game.actions(start.state.data(), legal.data());
    if (count == 0) break;
    const auto chosen = start.choices.number<std::uint16_t>() % static_cast<unsigned>(count);
    game.apply(start.state.data(), legal[chosen], next.data());
    start.state.swap(next);
    use_to_the_end(game, start.state.data(), start.rng);
  }
  try {
    game.scramble(start.choices.below(8), start.rng, next.data());
    game.validate(next.data());
  } catch (const InvalidParameter&) {
    // Matches of so few actions are all over: the smallest boards.
  }
}

}  // namespace glaux::fuzz
