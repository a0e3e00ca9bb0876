// How a long native call stays polite: it beats a Pulse in its loop, and the Pulse calls poll()
// about twenty times a second. poll() may throw to stop the call; the bindings use it for Ctrl-C.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace glaux {

class Pulse {
 public:
  explicit Pulse(std::function<void()> poll) : poll_(std::move(poll)) {}

  void beat() {
    if (++beats_ % beats_per_look == 0) look();
  }

  // For a loop that comes around seldom.
  void look() {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    poll_();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned beats_per_look = 64;  // a look at the clock costs as much as an expansion

  std::function<void()> poll_;
  unsigned beats_ = 0;
  Clock::time_point last_ = Clock::now();
};

}  // namespace glaux
