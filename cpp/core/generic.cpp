#include "core/generic.h"

#include <cstring>

namespace glaux {

void GenericGame::expand(const std::byte* state, Expansion& out) const {
  out.actions.resize(static_cast<std::size_t>(spec_.max_actions));
  const auto count = static_cast<std::size_t>(actions(state, out.actions.data()));
  out.actions.resize(count);
  out.statuses.resize(count);
  out.hashes.resize(out.wants_hashes ? count : 0);
  out.children.resize(count * spec_.state_size);
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* child = out.children.data() + i * spec_.state_size;
    apply(state, out.actions[i], child);
    out.statuses[i] = status(child);
    if (out.wants_hashes) out.hashes[i] = hash(child);
  }
}

void GenericGame::playouts(const std::byte* states, std::size_t n, Rng& rng, std::byte* ends) const {
  const std::size_t size = spec_.state_size;
  std::vector<Action> legal(static_cast<std::size_t>(spec_.max_actions));
  std::vector<std::byte> next(size);
  for (std::size_t i = 0; i < n; ++i) {
    std::byte* state = ends + i * size;
    std::memcpy(state, states + i * size, size);
    while (const int count = actions(state, legal.data())) {
      apply(state, legal[rng.below(static_cast<std::uint32_t>(count))], next.data());
      std::memcpy(state, next.data(), size);
    }
  }
}

}  // namespace glaux
