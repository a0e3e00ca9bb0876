#include "core/registry.h"

#include <algorithm>
#include <cstdlib>

#include "core/errors.h"

namespace glaux {
namespace {

// The number as people write it.
std::string written(const Parameter& p, int value) {
  std::string text = std::to_string(value / p.scale);
  if (value % p.scale == 0) return text;
  if (value < 0 && value / p.scale == 0) text.insert(0, "-");
  return text + "." + std::to_string(std::abs(value % p.scale) * 10 / p.scale);
}

}  // namespace

bool same_states(const Spec& a, const Spec& b) {
  if (a.name != b.name || a.state_size != b.state_size || a.board.rows != b.board.rows ||
      a.board.columns != b.board.columns || a.action_count != b.action_count) {
    return false;
  }
  const auto& games = registry();
  const auto entry =
      std::find_if(games.begin(), games.end(), [&](const GameEntry& e) { return e.info.name == a.name; });
  Parameters rules[2] = {a.parameters, b.parameters};
  if (entry != games.end()) {
    for (const Parameter& p : entry->info.parameters) {
      if (!p.start && !p.encoding) continue;
      for (Parameters& parameters : rules) parameters.erase(p.name);
    }
  }
  return rules[0] == rules[1];
}

GamePointer make_game(std::string_view name, const Parameters& parameters) {
  const auto& games = registry();
  const auto entry =
      std::find_if(games.begin(), games.end(), [&](const GameEntry& e) { return e.info.name == name; });
  if (entry == games.end()) throw InvalidParameter("There is no game '" + std::string(name) + "'.");

  Parameters complete;
  for (const Parameter& p : entry->info.parameters) complete[p.name] = p.default_value;
  for (const auto& [key, value] : parameters) {
    const auto& known = entry->info.parameters;
    const auto p =
        std::find_if(known.begin(), known.end(), [&](const Parameter& q) { return q.name == key; });
    if (p == known.end()) {
      throw InvalidParameter(entry->info.title + " has no parameter '" + key + "'.");
    }
    if (value < p->low || value > p->high) {
      throw InvalidParameter(entry->info.title + " needs " + key + " between " + written(*p, p->low) +
                             " and " + written(*p, p->high) + ", not " + written(*p, value) + ".");
    }
    complete[key] = value;
  }
  return entry->make(entry->info, complete);
}

}  // namespace glaux
