#include "search/shared_search.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <system_error>
#include <thread>

#include "core/errors.h"

namespace glaux {
namespace {

struct Stopped {};  // thrown within a thread that is to stop

// Microseconds with a fast value function, far longer with a slow one.
void wait(std::size_t waits) {
  if (waits < 1000) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  } else if (waits < 2000) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

enum class Stage { idle, sent, done, failed };

// An errand of a helper. It belongs to the helper while it is sent, to the caller otherwise.
struct Slot {
  alignas(64) std::atomic<Stage> stage = Stage::idle;
  std::unique_ptr<Errand> errand;
  std::exception_ptr error;
};

// A thread that fetches what it is sent for.
class Helper {
 public:
  Helper(const SharedSearch& search, Evaluator& evaluator, const std::atomic<bool>& stopped)
      : slots(search.ahead()),
        search_(search),
        own_(evaluator.for_thread(pulse(stopped))),
        stopped_(stopped) {
    evaluator_ = own_ == nullptr ? &evaluator : own_.get();
    for (Slot& slot : slots) slot.errand = search.make_errand();
  }

  // False if the system has no more threads to give.
  bool start() {
    try {
      thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {
    }
    return thread_.joinable();
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

  std::vector<Slot> slots;

 private:
  static Pulse pulse(const std::atomic<bool>& stopped) {
    return Pulse([&stopped] {
      if (stopped.load(std::memory_order_relaxed)) throw Stopped{};
    });
  }

  void work() {
    for (std::size_t turn = 0, waits = 0; !stopped_.load(std::memory_order_relaxed); ++turn) {
      Slot& slot = slots[turn % slots.size()];
      if (slot.stage.load(std::memory_order_acquire) != Stage::sent) {
        wait(waits++);
        continue;
      }
      waits = 0;
      try {
        search_.fetch(*slot.errand, *evaluator_);
        slot.stage.store(Stage::done, std::memory_order_release);
      } catch (const Stopped&) {
        return;
      } catch (...) {
        slot.error = std::current_exception();
        slot.stage.store(Stage::failed, std::memory_order_release);
      }
    }
  }

  const SharedSearch& search_;
  std::unique_ptr<Evaluator> own_;  // null: it asks the one that all share
  Evaluator* evaluator_;
  const std::atomic<bool>& stopped_;
  std::thread thread_;
};

// The caller and its helpers.
class Team {
 public:
  Team(SharedSearch& search, Evaluator& evaluator)
      : search_(search), evaluator_(evaluator), own_(search.make_errand()) {
    for (int i = 1; i < search.threads(); ++i) {
      helpers_.push_back(std::make_unique<Helper>(search, evaluator, stopped_));
      if (!helpers_.back()->start()) {
        helpers_.pop_back();
        break;
      }
    }
  }

  // Errands that are still under way, after an error, come to nothing.
  ~Team() {
    stopped_.store(true, std::memory_order_relaxed);
    for (const auto& helper : helpers_) helper->join();
    search_.drop(*own_);
    for (const auto& helper : helpers_) {
      for (Slot& slot : helper->slots) search_.drop(*slot.errand);
    }
  }

  void run(Pulse& pulse) {
    for (std::size_t waits = 0;; ++waits) {
      bool served = false, under_way = false;
      for (const auto& helper : helpers_) {
        for (Slot& slot : helper->slots) {
          served |= serve(slot);
          under_way |= slot.stage.load(std::memory_order_relaxed) == Stage::sent;
        }
      }
      // The helpers come first: the caller fetches while they have enough to do.
      const Found found = served ? Found::none : search_.find(*own_);
      if (found == Found::over && !under_way) break;
      if (found == Found::leaf) {
        search_.fetch(*own_, evaluator_);
        search_.bring(*own_);
      }
      if (served || found == Found::leaf) {
        waits = 0;
        pulse.beat();
      } else {
        wait(waits);
        pulse.look();
      }
    }
    search_.finish();
  }

 private:
  // Takes what the helper has fetched, and sends it for more: whether there was something to do.
  bool serve(Slot& slot) {
    const Stage stage = slot.stage.load(std::memory_order_acquire);
    if (stage == Stage::sent) return false;
    if (stage == Stage::failed) std::rethrow_exception(slot.error);
    slot.stage.store(Stage::idle, std::memory_order_relaxed);
    if (stage == Stage::done) search_.bring(*slot.errand);
    const bool sent = search_.find(*slot.errand) == Found::leaf;
    if (sent) slot.stage.store(Stage::sent, std::memory_order_release);
    return sent;
  }

  SharedSearch& search_;
  Evaluator& evaluator_;
  std::atomic<bool> stopped_ = false;
  std::unique_ptr<Errand> own_;
  std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace

SharedSearch::SharedSearch(int threads, std::size_t ahead) : threads_(threads), ahead_(ahead) {
  if (threads < 1 || threads > most_threads) {
    throw InvalidParameter("A search has 1 to " + std::to_string(most_threads) + " threads, not " +
                           std::to_string(threads) + ".");
  }
}

void run_shared(SharedSearch& search, Evaluator& evaluator, Pulse& pulse) {
  Team(search, evaluator).run(pulse);
}

}  // namespace glaux
