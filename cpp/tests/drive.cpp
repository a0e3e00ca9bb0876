#include "tests/drive.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/errors.h"
#include "tests/check.h"

using namespace glaux;

namespace {

using Bytes = std::vector<std::byte>;

void check_measures(const Game& game, const std::byte* state) {
  const Spec& spec = game.spec();
  const Measures measures = game.measures(state);
  CHECK(0 <= measures.ply && measures.ply <= spec.max_plies);
  for (const int player : {0, 1}) {
    if (spec.has_pieces) CHECK(measures.pieces[player] >= 0);
    if (spec.has_mobility) CHECK(measures.mobility[player] >= 1);
  }
  const Status status = game.status(state);
  CHECK(status.result == ongoing || (-1 <= status.result && status.result <= 1));
  if (spec.has_score && status.terminal()) {
    CHECK(std::isfinite(measures.score));
    if (spec.max_score > 0) CHECK(std::fabs(measures.score) <= spec.max_score);
  }
}

void check_cells(const Game& game, const std::byte* state) {
  const Spec& spec = game.spec();
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(spec.cell_count()));
  game.cells(state, 1, codes.data());
  for (int cell = 0; cell < spec.cell_count(); ++cell) {
    CHECK(codes[static_cast<std::size_t>(cell)] < spec.code_count(cell));
  }
  std::vector<std::uint8_t> details(codes.size());
  game.details(state, 1, details.data());
  for (std::size_t cell = 0; cell < codes.size(); ++cell) {
    CHECK(spec.details.empty() ? details[cell] == codes[cell]
                               : details[cell] < spec.details.size() && !details[cell] == !codes[cell]);
  }
  std::vector<std::uint64_t> bits(spec.code_bits() * spec.cell_words()), again(bits.size());
  game.cell_bits(state, 1, bits.data());
  game.Game::cell_bits(state, 1, again.data());
  CHECK(bits == again);
  std::vector<std::uint64_t> reachable(spec.cell_words());
  game.reachable(state, 1, reachable.data());
  std::vector<float> planes(spec.encoding_size());
  game.encode(state, 1, planes.data());
  CHECK(std::all_of(planes.begin(), planes.end(), [](float plane) { return std::isfinite(plane); }));
}

// A text gives the state again. Only its result may be another: a game may accept ends by earlier rules, for
// the sake of what was saved under them, and a text is read by those of today.
void check_texts(const Game& game, const std::byte* state) {
  Bytes again(game.spec().state_size);
  const std::string text = game.state_text(state);
  game.parse_state(text, again.data());
  const bool earlier = game.status(again.data()).result != game.status(state).result;
  CHECK(std::memcmp(again.data(), state, again.size()) == 0 ||
        (earlier && game.state_text(again.data()) == text));
  game.drawing(state);
}

std::vector<Action> legal_actions(const Game& game, const std::byte* state) {
  const Spec& spec = game.spec();
  std::vector<Action> legal(static_cast<std::size_t>(spec.max_actions));
  const int count = game.actions(state, legal.data());
  CHECK(0 <= count && count <= spec.max_actions);
  legal.resize(static_cast<std::size_t>(count));
  CHECK(legal.empty() == game.status(state).terminal());
  for (std::size_t i = 0; i < legal.size(); ++i) {
    CHECK(0 <= legal[i] && legal[i] < spec.action_count);
    if (i > 0) CHECK(legal[i - 1] < legal[i]);
  }
  return legal;
}

// The image of a state through a symmetry is a state with the same choices.
void check_symmetry(const Game& game, const std::byte* state, const std::vector<Action>& legal,
                    std::size_t chosen, Rng& rng) {
  const auto count = static_cast<std::uint32_t>(game.spec().symmetry_count());
  const auto symmetry = static_cast<int>(rng.below(count));
  const std::size_t size = game.spec().state_size;
  Bytes image(size);
  game.transform(state, symmetry, image.data());
  game.validate(image.data());
  const Status status = game.status(state), seen = game.status(image.data());
  CHECK(status.player == seen.player && status.result == seen.result);
  const std::vector<Action> actions = legal_actions(game, image.data());
  CHECK(actions.size() == legal.size());
  if (legal.empty()) return;
  const Action action = game.transform_action(state, legal[chosen], symmetry);
  CHECK(std::binary_search(actions.begin(), actions.end(), action));
  Bytes after(size), after_image(size), image_of_after(size);
  game.apply(image.data(), action, after_image.data());
  game.apply(state, legal[chosen], after.data());
  game.transform(after.data(), symmetry, image_of_after.data());
  CHECK(after_image == image_of_after);
}

// Nor do the choices change when the players are exchanged.
void check_exchange(const Game& game, const std::byte* state, const std::vector<Action>& legal,
                    std::size_t chosen) {
  if (game.spec().exchange.empty()) return;
  const std::size_t size = game.spec().state_size;
  Bytes image(size), again(size);
  game.exchange(state, image.data());
  game.validate(image.data());
  check_texts(game, image.data());
  game.exchange(image.data(), again.data());
  CHECK(std::memcmp(again.data(), state, size) == 0);
  const Status status = game.status(state), seen = game.status(image.data());
  CHECK(status.player != seen.player && status.result == exchanged(seen.result));
  const std::vector<Action> actions = legal_actions(game, image.data());
  CHECK(actions.size() == legal.size());
  if (legal.empty()) return;
  const Action action = game.exchange_action(state, legal[chosen]);
  CHECK(std::binary_search(actions.begin(), actions.end(), action));
  Bytes after(size), after_image(size), image_of_after(size);
  game.apply(image.data(), action, after_image.data());
  game.apply(state, legal[chosen], after.data());
  game.exchange(after.data(), image_of_after.data());
  CHECK(after_image == image_of_after);
}

void check_action(const Game& game, const std::byte* state, Action action) {
  const Spec& spec = game.spec();
  CHECK(!game.action_text(state, action).empty());
  for (const int cell : game.action_cells(state, action)) {
    CHECK(0 <= cell && cell < spec.cell_count() && spec.board.has(cell));
  }
  Bytes after(spec.state_size);
  game.apply(state, action, after.data());
  game.validate(after.data());
  CHECK(game.measures(after.data()).ply == game.measures(state).ply + 1);
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
  Bytes out(game.spec().state_size);
  try {
    game.parse_state(text, out.data());
  } catch (const InvalidState&) {
    return;
  }
  use_to_the_end(game, out.data(), rng);
}

void flip_bit(const Game& game, const std::byte* state, Rng& rng) {
  Bytes bytes(state, state + game.spec().state_size);
  bytes[rng.below(static_cast<std::uint32_t>(bytes.size()))] ^= std::byte{1} << rng.below(8);
  if (accepts(game, bytes.data())) use_to_the_end(game, bytes.data(), rng);
}

}  // namespace

bool accepts(const Game& game, const std::byte* state) {
  try {
    game.validate(state);
  } catch (const InvalidState&) {
    return false;
  }
  return true;
}

void use_state(const Game& game, const std::byte* state, Rng& rng) {
  check_measures(game, state);
  check_cells(game, state);
  check_texts(game, state);
  const std::vector<Action> legal = legal_actions(game, state);
  const std::size_t chosen = legal.empty() ? 0 : rng.below(static_cast<std::uint32_t>(legal.size()));
  if (!legal.empty()) check_action(game, state, legal[chosen]);
  check_symmetry(game, state, legal, chosen, rng);
  check_exchange(game, state, legal, chosen);
}

void use_to_the_end(const Game& game, const std::byte* state, Rng& rng) {
  use_state(game, state, rng);
  const std::size_t size = game.spec().state_size;
  Bytes other(size);
  game.playouts(state, 1, rng, other.data());
  CHECK(game.status(other.data()).terminal());
  game.validate(other.data());
  Expansion expansion;
  game.expand(state, expansion);
  CHECK(expansion.actions == legal_actions(game, state));
  for (std::size_t i = 0; i < expansion.size(); ++i) {
    const std::byte* child = expansion.children.data() + i * size;
    CHECK(expansion.hashes[i] == game.hash(child));
    const Status status = game.status(child);
    CHECK(status.player == expansion.statuses[i].player && status.result == expansion.statuses[i].result);
    CHECK(!status.terminal() || game.may_end(state));
  }
  if (expansion.size() == 0) return;
  const std::size_t i = rng.below(static_cast<std::uint32_t>(expansion.size()));
  game.apply(state, expansion.actions[i], other.data());
  CHECK(std::memcmp(other.data(), expansion.children.data() + i * size, size) == 0);
}

void drive_match(const Game& game, Rng& rng) {
  const std::size_t size = game.spec().state_size;
  Bytes state(size), next(size);
  game.initial(state.data());
  for (int ply = 0;; ++ply) {
    game.validate(state.data());
    CHECK(game.measures(state.data()).ply == ply);
    // A playout from every state would make the time of a match grow with the square of its length.
    if (rng.below(1 + static_cast<std::uint32_t>(ply) / 8) == 0) {
      use_to_the_end(game, state.data(), rng);
      mutate_text(game, state.data(), rng);
      flip_bit(game, state.data(), rng);
    } else {
      use_state(game, state.data(), rng);
    }
    const std::vector<Action> legal = legal_actions(game, state.data());
    if (legal.empty()) break;
    game.apply(state.data(), legal[rng.below(static_cast<std::uint32_t>(legal.size()))], next.data());
    state.swap(next);
  }
}
