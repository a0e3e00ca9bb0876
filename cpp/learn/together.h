// Threads that begin together, or not at all: the system may refuse some of them.
#pragma once

#include <cstddef>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

namespace glaux {

// Calls work(i), which must not throw, in `count` threads: 0 in the caller's, the others in threads of their
// own. False, and nobody has begun, if the system does not give so many.
template <class Work>
bool run_together(std::size_t count, const Work& work) {
  std::promise<bool> all_there;
  const std::shared_future<bool> begins = all_there.get_future().share();
  std::vector<std::thread> others;
  others.reserve(count);
  bool given = true;
  try {
    for (std::size_t i = 1; i < count; ++i) {
      others.emplace_back([&work, begins, i] {
        if (begins.get()) work(i);
      });
    }
  } catch (const std::system_error&) {
    given = false;
  }
  all_there.set_value(given);
  if (given) work(0);
  for (std::thread& other : others) other.join();
  return given;
}

}  // namespace glaux
