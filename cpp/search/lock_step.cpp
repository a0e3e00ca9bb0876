#include "search/lock_step.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/errors.h"
#include "core/registry.h"
#include "search/shared_search.h"

namespace glaux {

LockStep::LockStep(Evaluator& evaluator, int parts, bool background)
    : evaluator_(&evaluator), background_(background && parts > 1) {
  if (parts < 1 || parts > most_parts) {
    throw InvalidParameter("Searches in lock-step have 1 to " + std::to_string(most_parts) + " parts, not " +
                           std::to_string(parts) + ".");
  }
  for (int i = 0; i < parts; ++i) parts_.push_back(std::make_unique<Part>());
}

LockStep::~LockStep() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  for (const auto& part : parts_) {
    for (const Running& running : part->running) {
      if (running.search != nullptr) release(*running.search);
    }
  }
}

void LockStep::release(Search& search) {
  if (search.holder == this) search.holder = nullptr;
}

LockStep::Ticket LockStep::add(Search& search) {
  if (search.holder != nullptr) {
    throw InvalidParameter("This search is running already, and can think about one state at a time.");
  }
  if (game_ != search.game_pointer()) {
    if (!empty() && !same_states(search.game().spec(), game_->spec())) {
      throw InvalidParameter("Searches that run in lock-step must play the same game.");
    }
    Pulse silent([] {});
    settle(silent);
    game_ = search.game_pointer();
  }
  search.holder = this;
  const auto fewest = std::min_element(parts_.begin(), parts_.end(), [](const auto& a, const auto& b) {
    return a->running.size() < b->running.size();
  });
  (*fewest)->running.push_back({next_, &search});
  return next_++;
}

void LockStep::remove(Ticket ticket) {
  for (const auto& part : parts_) {
    const auto found = std::find_if(part->running.begin(), part->running.end(),
                                    [&](const Running& running) { return running.ticket == ticket; });
    if (found == part->running.end()) continue;
    for (Asked& asked : part->asked) {
      if (asked.search == found->search) asked.search = nullptr;
    }
    release(*found->search);
    part->running.erase(found);
  }
}

std::size_t LockStep::count() const {
  std::size_t sum = 0;
  for (const auto& part : parts_) sum += part->running.size();
  return sum;
}

std::vector<LockStep::Ticket> LockStep::run(Pulse& pulse) {
  while (done_.empty() && !empty()) {
    if (count() == 1) {
      run_last(pulse);
    } else {
      step(pulse);
    }
  }
  return std::exchange(done_, {});
}

// The only search there is, to its end: nobody else has a turn between its batches.
void LockStep::run_last(Pulse& pulse) {
  Part& part =
      **std::find_if(parts_.begin(), parts_.end(), [](const auto& p) { return !p->running.empty(); });
  take(part, pulse);
  if (background_) settle(pulse);  // what a search asked that was taken out
  Search& search = *part.running.front().search;
  for (;;) {
    const std::size_t n = search.advance();
    if (n > 0) {
      answer(search, n, part);
    } else if (!search.paused()) {
      break;
    }
    pulse.beat();
  }
  done_.push_back(part.running.front().ticket);
  part.running.clear();
  release(search);
}

void LockStep::step(Pulse& pulse) {
  Part& part = *parts_[turn_];
  take(part, pulse);
  if (evaluator_->prefers_children() || (part.running.size() == 1 && !background_)) {
    serve(part, pulse);
  } else {
    fill(part, pulse);
  }
  turn_ = (turn_ + 1) % parts_.size();
}

// Gives the searches of the part the values that they have asked for.
void LockStep::take(Part& part, Pulse& pulse) {
  if (part.asked.empty()) return;
  if (background_) wait_for(pulse, [&] { return !part.evaluating; });
  const std::vector<Asked> asked = std::exchange(part.asked, {});
  if (part.error) std::rethrow_exception(std::exchange(part.error, nullptr));
  const float* values = part.values.data();
  const float* priors = part.priors.data();
  const std::int64_t* offset = part.legal.offsets.data();
  for (const auto& [search, count] : asked) {
    if (search != nullptr) search->supply(values, part.with_priors ? priors + *offset : nullptr);
    values += count;
    if (part.with_priors) offset += count;
  }
}

// Lets each search of the part work until it needs values; those that are over leave, also if another one
// fails.
template <class Need>
void LockStep::advance(Part& part, Need need) {
  struct Leave {
    std::vector<Running>& running;
    ~Leave() {
      std::erase_if(running, [](const Running& one) { return one.search == nullptr; });
    }
  } leave{part.running};
  for (Running& running : part.running) {
    const std::size_t n = running.search->advance();
    if (n > 0) {
      need(*running.search, n);
    } else if (!running.search->paused()) {
      done_.push_back(running.ticket);
      release(*running.search);
      running.search = nullptr;
    }
  }
}

// Lets the searches of the part work, and asks for the values that they need.
void LockStep::fill(Part& part, Pulse& pulse) {
  part.states.clear();
  part.legal.clear();
  part.with_priors = std::any_of(part.running.begin(), part.running.end(),
                                 [](const Running& running) { return running.search->wants_priors(); });
  const std::size_t size = game_->spec().state_size;
  try {
    advance(part, [&](Search& search, std::size_t n) {
      part.asked.push_back({&search, n});
      part.states.insert(part.states.end(), search.pending(), search.pending() + n * size);
      if (part.with_priors) search.add_legal(n, part.legal);
    });
    if (!part.asked.empty()) ask(part);
  } catch (...) {
    part.asked.clear();  // they will ask again
    throw;
  }
  if (background_) {
    pulse.look();
  } else {
    pulse.beat();
  }
}

// As take() and fill(), each search by itself and without a copy of its states.
void LockStep::serve(Part& part, Pulse& pulse) {
  advance(part, [&](Search& search, std::size_t n) { answer(search, n, part); });
  pulse.beat();
}

// Gives one search the n values that it waits for, at once.
void LockStep::answer(Search& search, std::size_t n, Part& part) {
  count(n);
  const std::byte* parent = search.parent();
  part.with_priors = search.wants_priors();
  if (parent == nullptr || part.with_priors) {
    part.legal.clear();
    if (part.with_priors) search.add_legal(n, part.legal);
    evaluate(*game_, search.pending(), n, part);
  } else {
    part.values.resize(n);
    evaluator_->evaluate_children(*game_, parent, search.pending(), n, part.values.data());
    check_finite(part.values);
  }
  search.supply(part.values.data(), part.priors.data());
}

void LockStep::ask(Part& part) {
  const std::size_t n = part.states.size() / game_->spec().state_size;
  count(n);
  if (!background_) return evaluate(*game_, part.states.data(), n, part);
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  {
    const std::lock_guard lock(mutex_);
    part.evaluating = true;
    queue_.push_back(&part);
  }
  changed_.notify_all();
}

void LockStep::evaluate(const Game& game, const std::byte* states, std::size_t n, Part& part) {
  part.values.resize(n);
  if (part.with_priors) {
    part.priors.resize(part.legal.actions.size());
    evaluator_->evaluate_with_priors(game, states, n, part.legal, part.values.data(), part.priors.data());
  } else {
    evaluator_->evaluate(game, states, n, part.values.data());
  }
  check_finite(part.values);
}

// The thread: evaluates what is asked for, in order.
void LockStep::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (closing_) return;
    Part& part = *queue_.front();
    queue_.pop_front();
    lock.unlock();
    try {
      evaluate(*game_, part.states.data(), part.states.size() / game_->spec().state_size, part);
    } catch (...) {
      part.error = std::current_exception();
    }
    lock.lock();
    part.evaluating = false;
    changed_.notify_all();
  }
}

// Only one thread counts, so that no update can be lost.
void LockStep::count(std::size_t n) {
  batches_.store(batches() + 1, std::memory_order_relaxed);
  states_.store(states() + n, std::memory_order_relaxed);
}

// Until it is true; what it reads is guarded by mutex_.
void LockStep::wait_for(Pulse& pulse, const std::function<bool()>& done) {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::milliseconds(50), done)) {
    lock.unlock();
    pulse.look();
    lock.lock();
  }
}

void LockStep::settle(Pulse& pulse) {
  wait_for(pulse, [this] {
    return std::none_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->evaluating; });
  });
}

void LockStep::set_evaluator(Evaluator& evaluator, Pulse& pulse) {
  settle(pulse);
  evaluator_ = &evaluator;
}

void run(const std::vector<Search*>& searches, Evaluator& evaluator, Pulse& pulse) {
  if (SharedSearch* const shared = searches.size() == 1 ? searches.front()->shared() : nullptr) {
    return run_shared(*shared, evaluator, pulse);
  }
  LockStep lock_step(evaluator);
  for (Search* search : searches) lock_step.add(*search);
  while (!lock_step.empty()) lock_step.run(pulse);
}

void run(const std::vector<Group>& groups, Pulse& pulse) {
  if (groups.size() == 1) return run(groups.front().searches, *groups.front().evaluator, pulse);
  std::vector<std::unique_ptr<LockStep>> running;
  for (const Group& group : groups) {
    running.push_back(std::make_unique<LockStep>(*group.evaluator));
    for (Search* search : group.searches) running.back()->add(*search);
  }
  while (!running.empty()) {
    for (const auto& lock_step : running) {
      if (!lock_step->empty()) lock_step->step(pulse);
    }
    std::erase_if(running, [](const auto& lock_step) { return lock_step->empty(); });
  }
}

}  // namespace glaux
