// A transposition table of bounded size in which what took more work to find stays: states with what is known
// of them, in buckets of four. States are compared in full.
//
// The table begins small and doubles while it fills and the budget has room for the old and the new one. From
// then on a new state takes an empty place of its bucket, or that of the least worth, by the work that went
// into it and how many roots ago that was.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "search/alpha_beta_entry.h"
#include "search/table_search.h"

namespace glaux {

class WorthTable {
 public:
  using Entry = alpha_beta::Entry;
  static constexpr Action no_action = -1;

  struct Known {
    Entry entry;
    Action best = no_action;
  };

  WorthTable(std::size_t state_size, std::size_t budget) : state_size_(state_size), budget_(budget) {}

  // The least budget with which there is a table.
  static std::size_t least_bytes(std::size_t state_size) { return first_buckets * bucket_bytes(state_size); }

  std::size_t bytes() const { return slots_.size() * (sizeof(Slot) + state_size_); }
  std::size_t count() const { return count_; }

  // What is known of a state; null if it is not there. Until the next put().
  const Known* find(const std::byte* state, std::uint64_t hash) const {
    if (slots_.empty()) return nullptr;
    const std::size_t at = place_of(state, hash);
    return at == none ? nullptr : &slots_[at].known;
  }

  // work: states that were expanded to find it.
  void put(const std::byte* state, std::uint64_t hash, const Known& known, std::uint64_t work) {
    if (slots_.empty() || count_ * 2 > slots_.size()) grow();
    std::size_t at = place_of(state, hash);
    if (at == none) {
      at = place_for(hash);
      std::memcpy(states_.data() + at * state_size_, state, state_size_);
    }
    Slot& slot = slots_[at];
    count_ += slot.known.entry.bound == alpha_beta::Bound::none;
    slot = {known, high(hash) << 14 | static_cast<std::uint32_t>(std::bit_width(work)) << 8 | age_};
  }

  // Another root: what was found before is worth less from here on.
  void next_age() { age_ = (age_ + 1) & 0xff; }

  void clear() { *this = WorthTable(state_size_, budget_); }

  // visit(state, known) for each state that can be found.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t at = 0; at < slots_.size(); ++at) {
      const std::byte* state = states_.data() + at * state_size_;
      if (slots_[at].used() && place_of(state, hash_bytes(state, state_size_)) == at) {
        visit(state, slots_[at].known);
      }
    }
  }

 private:
  // tag: 18 bits of the hash, 6 of the work's logarithm, 8 of the age.
  struct Slot {
    Known known;
    std::uint32_t tag = 0;

    bool used() const { return known.entry.bound != alpha_beta::Bound::none; }
    int work() const { return static_cast<int>(tag >> 8 & 0x3f); }
    std::uint32_t age() const { return tag & 0xff; }
  };
  static_assert(sizeof(Slot) == 16, "a bucket is a line of the cache");
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::size_t bucket = 4, first_buckets = 64;
  static constexpr int cost_of_age = 2;  // in doublings of the work

  static std::size_t bucket_bytes(std::size_t state_size) { return bucket * (sizeof(Slot) + state_size); }
  static std::uint32_t high(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 46); }
  std::size_t bucket_of(std::uint64_t hash) const { return hash * bucket & (slots_.size() - 1); }

  std::size_t next_bucket(std::size_t first) const { return (first + bucket) & (slots_.size() - 1); }

  // The place of a state that is there. While the table grows nothing is replaced, and what has no room in
  // its bucket is in one of the next.
  std::size_t place_of(const std::byte* state, std::uint64_t hash) const {
    for (std::size_t first = bucket_of(hash);; first = next_bucket(first)) {
      bool full = true;
      for (std::size_t at = first; at < first + bucket; ++at) {
        full = full && slots_[at].used();
        if (slots_[at].tag >> 14 == high(hash) && slots_[at].used() &&
            std::memcmp(states_.data() + at * state_size_, state, state_size_) == 0) {
          return at;
        }
      }
      if (!full || !growing_) return none;
    }
  }

  // A place that is empty, or worth least if the table does not grow any more.
  std::size_t place_for(std::uint64_t hash) const {
    for (std::size_t first = bucket_of(hash);; first = next_bucket(first)) {
      std::size_t least = first;
      int least_worth = std::numeric_limits<int>::max();
      for (std::size_t at = first; at < first + bucket; ++at) {
        if (!slots_[at].used()) return at;
        const int gap = static_cast<int>((age_ - slots_[at].age()) & 0xff);
        const int worth = slots_[at].work() - cost_of_age * gap;
        if (worth < least_worth) least = at, least_worth = worth;
      }
      if (!growing_) return least;
    }
  }

  void grow() {
    const std::size_t size = slots_.empty() ? first_buckets * bucket : slots_.size() * 2;
    growing_ = growing_ && bytes() + size * (sizeof(Slot) + state_size_) <= budget_;
    if (!growing_) return;
    const std::vector<Slot> slots = std::exchange(slots_, std::vector<Slot>(size));
    const std::vector<std::byte> states = std::exchange(states_, std::vector<std::byte>(size * state_size_));
    for (std::size_t at = 0; at < slots.size(); ++at) {
      if (!slots[at].used()) continue;
      const std::byte* state = states.data() + at * state_size_;
      const std::size_t to = place_for(hash_bytes(state, state_size_));
      slots_[to] = slots[at];
      std::memcpy(states_.data() + to * state_size_, state, state_size_);
    }
  }

  std::size_t state_size_, budget_;
  std::vector<Slot> slots_;        // a power of two
  std::vector<std::byte> states_;  // of the slots
  std::size_t count_ = 0;
  std::uint32_t age_ = 0;
  bool growing_ = true;
};

}  // namespace glaux
