#include "core/mobility.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "core/errors.h"

namespace glaux {
namespace {

Spec with_mobility(const Game& inner, std::size_t tally_size) {
  if (inner.spec().has_mobility) throw InvalidParameter("This game already counts its players' choices.");
  Spec spec = inner.spec();
  spec.parameters["mobility"] = 1;
  spec.state_size += tally_size;
  spec.has_mobility = true;
  spec.has_history = true;
  return spec;
}

}  // namespace

MobilityGame::MobilityGame(GamePointer inner)
    : GenericGame(with_mobility(*inner, sizeof(Tally))),
      inner_(std::move(inner)),
      inner_size_(inner_->spec().state_size) {}

MobilityGame::Tally MobilityGame::tally(const std::byte* state) const {
  Tally t;
  std::memcpy(&t, state + inner_size_, sizeof t);
  return t;
}

void MobilityGame::set_tally(const Tally& t, std::byte* state) const {
  std::memcpy(state + inner_size_, &t, sizeof t);
}

MobilityGame::Tally MobilityGame::tally_after(const std::byte* state, int n) const {
  Tally t = tally(state);
  const Player player = inner_->status(state).player;
  if (player == Player::chance) return t;
  t.actions[static_cast<std::size_t>(player)] += static_cast<std::uint32_t>(n);
  ++t.decisions[static_cast<std::size_t>(player)];
  return t;
}

std::vector<std::byte> MobilityGame::inner_states(const std::byte* states, std::size_t n) const {
  std::vector<std::byte> inner(n * inner_size_);
  for (std::size_t i = 0; i < n; ++i) {
    std::memcpy(inner.data() + i * inner_size_, states + i * spec_.state_size, inner_size_);
  }
  return inner;
}

void MobilityGame::initial(std::byte* out) const {
  inner_->initial(out);
  set_tally({}, out);
}

Status MobilityGame::status(const std::byte* state) const {
  return inner_->status(state);
}

Measures MobilityGame::measures(const std::byte* state) const {
  Measures measures = inner_->measures(state);
  const Tally t = tally(state);
  for (int player : {0, 1}) {
    // A player who has not had to decide yet had one way to go on.
    measures.mobility[player] =
        t.decisions[player] == 0 ? 1.0 : static_cast<double>(t.actions[player]) / t.decisions[player];
  }
  return measures;
}

int MobilityGame::actions(const std::byte* state, Action* out) const {
  return inner_->actions(state, out);
}

void MobilityGame::apply(const std::byte* state, Action action, std::byte* out) const {
  std::vector<Action> legal(static_cast<std::size_t>(spec_.max_actions));
  const Tally t = tally_after(state, inner_->actions(state, legal.data()));
  inner_->apply(state, action, out);
  set_tally(t, out);
}

void MobilityGame::expand(const std::byte* state, Expansion& out) const {
  inner_->expand(state, out);
  const Tally t = tally_after(state, static_cast<int>(out.size()));
  const std::vector<std::byte> inner = std::move(out.children);
  out.children.resize(out.size() * spec_.state_size);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::byte* child = out.children.data() + i * spec_.state_size;
    std::memcpy(child, inner.data() + i * inner_size_, inner_size_);
    set_tally(t, child);
    if (out.wants_hashes) out.hashes[i] = hash(child);
  }
}

void MobilityGame::scramble(int n, Rng& rng, std::byte* out) const {
  if (!spec_.has_scrambles) return Game::scramble(n, rng, out);
  inner_->scramble(n, rng, out);
  set_tally({}, out);
}

void MobilityGame::encode(const std::byte* states, std::size_t n, float* planes) const {
  inner_->encode(inner_states(states, n).data(), n, planes);
}

void MobilityGame::cells(const std::byte* states, std::size_t n, std::uint8_t* codes) const {
  inner_->cells(inner_states(states, n).data(), n, codes);
}

void MobilityGame::details(const std::byte* states, std::size_t n, std::uint8_t* codes) const {
  inner_->details(inner_states(states, n).data(), n, codes);
}

void MobilityGame::reachable(const std::byte* states, std::size_t n, std::uint64_t* bits) const {
  inner_->reachable(inner_states(states, n).data(), n, bits);
}

void MobilityGame::cell_bits(const std::byte* states, std::size_t n, std::uint64_t* bits) const {
  inner_->cell_bits(inner_states(states, n).data(), n, bits);
}

void MobilityGame::transform(const std::byte* state, int symmetry, std::byte* out) const {
  inner_->transform(state, symmetry, out);
  set_tally(tally(state), out);
}

Action MobilityGame::transform_action(const std::byte* state, Action action, int symmetry) const {
  return inner_->transform_action(state, action, symmetry);
}

void MobilityGame::exchange(const std::byte* state, std::byte* out) const {
  inner_->exchange(state, out);
  Tally t = tally(state);
  std::swap(t.actions[0], t.actions[1]);
  std::swap(t.decisions[0], t.decisions[1]);
  set_tally(t, out);
}

Action MobilityGame::exchange_action(const std::byte* state, Action action) const {
  return inner_->exchange_action(state, action);
}

std::string MobilityGame::action_text(const std::byte* state, Action action) const {
  return inner_->action_text(state, action);
}

Cells MobilityGame::action_cells(const std::byte* state, Action action) const {
  return inner_->action_cells(state, action);
}

std::optional<std::string> MobilityGame::drawing(const std::byte* state) const {
  return inner_->drawing(state);
}

// "... X 12 m:40/6,38/6": the inner text, then actions/decisions of both players.
std::string MobilityGame::state_text(const std::byte* state) const {
  const Tally t = tally(state);
  std::ostringstream text;
  text << inner_->state_text(state) << " m:" << t.actions[0] << '/' << t.decisions[0] << ',' << t.actions[1]
       << '/' << t.decisions[1];
  return text.str();
}

void MobilityGame::parse_state(std::string_view text, std::byte* out) const {
  const std::size_t mark = text.rfind(" m:");
  Tally t{};
  char slash[2] = {0, 0}, comma = 0;
  bool complete = false;
  if (mark != std::string_view::npos) {
    std::istringstream numbers{std::string(text.substr(mark + 3))};
    numbers >> t.actions[0] >> slash[0] >> t.decisions[0] >> comma >> t.actions[1] >> slash[1] >>
        t.decisions[1];
    complete = numbers && slash[0] == '/' && slash[1] == '/' && comma == ',' && (numbers >> std::ws).eof();
  }
  if (!complete) {
    throw InvalidState(
        "With mobility on, a state ends in ' m:A/D,A/D': actions and decisions of both players.");
  }
  inner_->parse_state(text.substr(0, mark), out);
  set_tally(t, out);
  validate(out);
}

void MobilityGame::validate(const std::byte* state) const {
  inner_->validate(state);
  const Tally t = tally(state);
  const auto ply = static_cast<std::uint64_t>(inner_->measures(state).ply);
  const auto most = static_cast<std::uint64_t>(spec_.max_actions);
  bool sane = std::uint64_t{t.decisions[0]} + t.decisions[1] == ply;
  for (int player : {0, 1}) {
    sane =
        sane && t.actions[player] >= t.decisions[player] && t.actions[player] <= most * t.decisions[player];
  }
  if (!sane) throw InvalidState("The mobility counts do not match the ply of the state.");
}

}  // namespace glaux
