// What a network has said of states, kept by state: a row of numbers for each, in the order in which they
// came.
//
// Equal states have one row. A table of row numbers with open addressing finds them, at most half full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/hash.h"

namespace glaux {

class KeptOutputs {
 public:
  using Row = std::uint32_t;

  KeptOutputs(std::size_t state_size, std::size_t width) : state_size_(state_size), width_(width) { clear(); }

  std::size_t size() const { return size_; }
  std::size_t width() const { return width_; }
  float* row(Row i) { return outputs_.data() + i * width_; }
  const std::byte* state(Row i) const { return states_.data() + i * state_size_; }

  // The row of a state; a new one, after all the others and not yet written, if there is none.
  Row find_or_add(const std::byte* state) {
    if (2 * (size_ + 1) > table_.size()) grow();
    Row& slot = slot_of(state);
    if (slot == none) {
      slot = static_cast<Row>(size_++);
      states_.insert(states_.end(), state, state + state_size_);
      outputs_.resize(size_ * width_);
    }
    return slot;
  }

  // Forgets all of them, and keeps the memory for others.
  void clear() {
    size_ = 0;
    states_.clear();
    outputs_.clear();
    table_.assign(least_slots, none);
  }

 private:
  static constexpr Row none = ~Row{0};
  static constexpr std::size_t least_slots = 1024;  // a power of two, as all sizes of the table

  Row& slot_of(const std::byte* state) {
    const std::size_t mask = table_.size() - 1;
    std::size_t i = hash_bytes(state, state_size_) & mask;
    while (table_[i] != none && std::memcmp(this->state(table_[i]), state, state_size_) != 0)
      i = (i + 1) & mask;
    return table_[i];
  }

  void grow() {
    table_.assign(2 * table_.size(), none);
    for (std::size_t i = 0; i < size_; ++i) slot_of(state(static_cast<Row>(i))) = static_cast<Row>(i);
  }

  std::size_t state_size_, width_, size_ = 0;
  std::vector<std::byte> states_;
  std::vector<float> outputs_;
  std::vector<Row> table_;
};

}  // namespace glaux
