#include "tests/drive.h"

#include <cstring>

#include "core/errors.h"
#include "tests/check.h"

using namespace glaux;

namespace {

// A state that validate() accepts can be used in every way; any other is refused by an exception.
void use_if_valid(const Game& game, const std::byte* state, Rng& rng) {
  try {
    game.validate(state);
  } catch (const InvalidState&) {
    return;
  }
  std::vector<std::byte> end(game.spec().state_size);
  std::vector<float> planes(game.spec().encoding_size());
  game.playouts(state, 1, rng, end.data());
  game.encode(state, 1, planes.data());
  std::vector<std::byte> again(game.spec().state_size);
  game.parse_state(game.state_text(state), again.data());
  CHECK(std::memcmp(again.data(), state, again.size()) == 0);
}

void mutate_text(const Game& game, const std::byte* state, Rng& rng) {
  const std::string alphabet = "XOxo.-/ 0123456789abcdefghijklmnop#\n\xff";
  std::string text = game.state_text(state);
  const auto at = rng.below(static_cast<std::uint32_t>(text.size()));
  switch (rng.below(4)) {
    case 0:
      text.erase(at, 1 + rng.below(4));
      break;
    case 1:
      text.insert(at, 1, alphabet[rng.below(static_cast<std::uint32_t>(alphabet.size()))]);
      break;
    case 2:
      text += " 7";
      break;
    default:
      text[at] = alphabet[rng.below(static_cast<std::uint32_t>(alphabet.size()))];
  }
  std::vector<std::byte> out(game.spec().state_size);
  try {
    game.parse_state(text, out.data());
  } catch (const InvalidState&) {
    return;
  }
  use_if_valid(game, out.data(), rng);
}

void flip_bit(const Game& game, const std::byte* state, Rng& rng) {
  std::vector<std::byte> bytes(state, state + game.spec().state_size);
  bytes[rng.below(static_cast<std::uint32_t>(bytes.size()))] ^= std::byte{1} << rng.below(8);
  use_if_valid(game, bytes.data(), rng);
}

}  // namespace

void drive_match(const Game& game, Rng& rng) {
  const Spec& spec = game.spec();
  const std::size_t size = spec.state_size;
  std::vector<std::byte> state(size), other(size);
  std::vector<float> planes(spec.encoding_size());
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(spec.cell_count()));
  Expansion expansion;
  game.initial(state.data());
  for (int ply = 0;; ++ply) {
    CHECK(ply <= spec.max_plies);
    game.validate(state.data());
    CHECK(game.measures(state.data()).ply == ply);
    game.encode(state.data(), 1, planes.data());
    game.cells(state.data(), 1, codes.data());
    for (int cell = 0; cell < spec.cell_count(); ++cell) {
      CHECK(codes[static_cast<std::size_t>(cell)] < spec.code_count(cell));
    }
    const auto symmetry = static_cast<int>(rng.below(static_cast<std::uint32_t>(spec.symmetry_count())));
    game.transform(state.data(), symmetry, other.data());
    game.validate(other.data());
    game.parse_state(game.state_text(state.data()), other.data());
    CHECK(std::memcmp(state.data(), other.data(), size) == 0);
    game.playouts(state.data(), 1, rng, other.data());
    CHECK(game.status(other.data()).terminal());
    game.validate(other.data());
    mutate_text(game, state.data(), rng);
    flip_bit(game, state.data(), rng);
    game.drawing(state.data());

    game.expand(state.data(), expansion);
    CHECK(expansion.actions.empty() == game.status(state.data()).terminal());
    if (expansion.actions.empty()) break;
    const auto choice = rng.below(static_cast<std::uint32_t>(expansion.size()));
    CHECK(!game.action_text(state.data(), expansion.actions[choice]).empty());
    for (const int cell : game.action_cells(state.data(), expansion.actions[choice])) {
      CHECK(0 <= cell && cell < spec.cell_count() && spec.board.has(cell));
    }
    game.transform_action(state.data(), expansion.actions[choice], symmetry);
    std::memcpy(state.data(), expansion.children.data() + choice * size, size);
  }
}
