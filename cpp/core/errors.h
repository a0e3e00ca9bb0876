// Errors that a user can cause. Their text is one sentence that says what is wrong and, where it
// helps, what would be right; cpp/bindings turns each into the exception of the same name in
// glaux.errors. Anything else that goes wrong inside is a bug, and an assert.
#pragma once

#include <stdexcept>
#include <string>

namespace glaux {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct InvalidParameter : Error {
  using Error::Error;
};

struct InvalidState : Error {
  using Error::Error;
};

struct InvalidAction : Error {
  using Error::Error;
};

// The rules themselves misbehave: only possible for rules written by a user.
struct BrokenRules : Error {
  using Error::Error;
};

// A search or a learner came to a state in which chance is to move.
struct ChanceState : Error {
  using Error::Error;
};

// An object that works for one caller was asked by another: see core/in_use.h.
struct Busy : Error {
  using Error::Error;
};

// A value function gave something that is not a value for each state.
struct BrokenValue : Error {
  using Error::Error;
};

}  // namespace glaux
