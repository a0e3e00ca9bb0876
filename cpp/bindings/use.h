// Searches at the border: one caller at a time, and the options that several of them have.
#pragma once

#include <memory>
#include <utility>

#include "bindings/state.h"
#include "core/errors.h"
#include "search/table_search.h"

namespace glaux::bindings {

inline constexpr const char* search_in_use =
    "This search is running: neither another thread nor its own value function can use it meanwhile.";

// For the time of a call that reads a search.
struct Reading : Use {
  explicit Reading(const Search& search) : Use(const_cast<InUse&>(search.in_use), search_in_use) {}
};

// For the time of a call that changes one: then it must not be in lock-step with others, either.
struct Changing : Use {
  explicit Changing(Search& search) : Use(search.in_use, search_in_use) {
    if (search.holder != nullptr) {
      throw Busy("This search is running in lock-step with others: stop it there first.");
    }
  }
};

// What a method of a search gives, for a binding that reads.
template <class Result, class Class>
auto reading(Result (Class::*method)() const) {
  return [method](const Class& search) {
    const Reading use(search);
    return (search.*method)();
  };
}
template <class Result, class Class>
auto reading(Result (Class::*method)(const std::byte*) const) {
  return [method](const Class& search, const StateArgument& state) {
    const std::byte* bytes = state_bytes(search.game(), state);
    const Reading use(search);
    return (search.*method)(bytes);
  };
}

inline void require_parts(const GamePointer& game,
                          const std::shared_ptr<const TerminalValue>& terminal_value) {
  if (game == nullptr || terminal_value == nullptr) {
    throw InvalidParameter("A search needs a game and the values of its terminal states.");
  }
}

// The constructor of a search from Python.
template <class Made, class Options>
void make_search(Made* self, GamePointer game, std::shared_ptr<const TerminalValue> terminal_value,
                 const Options& options) {
  require_parts(game, terminal_value);
  new (self) Made(std::move(game), std::move(terminal_value), options);
}

}  // namespace glaux::bindings
