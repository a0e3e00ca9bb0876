// How the inputs of the forms `state` and `text` begin.
#pragma once

#include "fuzz/settings.h"
#include "fuzz/target.h"

namespace glaux::fuzz {

struct Head {
  SettingKey setting;
  std::uint32_t seed;  // of all that is random
};
inline constexpr std::size_t head_size = sizeof(SettingKey) + sizeof(std::uint32_t);

inline Head take_head(Reader& reader) {
  Head head;
  head.setting = reader.number<SettingKey>();
  head.seed = reader.number<std::uint32_t>();
  return head;
}

// An input of the form `state`: the bytes may be no state.
struct Start {
  explicit Start(Data data);

  bool accepted() const;  // whether they are

  Reader choices;  // what comes after them
  Head head;
  const Setting& setting;
  const Game& game;
  Rng rng;
  std::vector<std::byte> state;
};

// A position of a random match.
std::vector<std::byte> random_state(const Game& game, Rng& rng);
// Plays one random action; nothing after the end of the match.
void play_random(const Game& game, std::byte* state, Rng& rng);

}  // namespace glaux::fuzz
