#include "core/registry.h"

#include <algorithm>

#include "core/errors.h"

namespace glaux {

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
      throw InvalidParameter(entry->info.title + " needs " + key + " between " + std::to_string(p->low) +
                             " and " + std::to_string(p->high) + ", not " + std::to_string(value) + ".");
    }
    complete[key] = value;
  }
  return entry->make(entry->info, complete);
}

}  // namespace glaux
