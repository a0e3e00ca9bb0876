#include "eval/ntuple.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "core/errors.h"
#include "eval/functions.h"
#include "eval/sums.h"

namespace glaux {

// Of the thread, not of the network: any number of threads may evaluate one network.
struct NTuple::Work {
  std::vector<std::uint64_t> bits;     // of the states
  std::vector<std::uint32_t> indices;  // of one state
  // Of the parent in evaluate_children:
  std::vector<std::uint64_t> parent_bits;
  Place parent;
  std::vector<float> parent_weights[2];  // by bank
  double parent_sum[2];
  bool parent_known[2];
  // Of the child:
  struct Change {
    std::size_t cell;
    std::uint32_t delta;  // of its code, modulo 2^32
  };
  std::vector<Change> changes;
  std::vector<std::uint32_t> shifts;   // of each slot's index, modulo 2^32; zero between children
  std::vector<std::uint32_t> touched;  // slots
};

NTuple::NTuple(std::shared_ptr<const TupleIndex> index, const NTupleOptions& options)
    : index_(std::move(index)), options_(options) {
  if (!(options.scale > 0) || !std::isfinite(options.scale)) {
    throw InvalidParameter("The scale of a value function must be a number above 0.");
  }
  weights_.resize(bank_count() * index_->weight_count());
}

void NTuple::need_counters(float init) {
  const std::lock_guard lock(making_counters_);
  if (counters_.empty()) counters_.resize(2 * weights_.size(), init);
}

bool NTuple::has_counters() const {
  const std::lock_guard lock(making_counters_);
  return !counters_.empty();
}

NTuple::Work& NTuple::work() const {
  static thread_local Work work;
  const std::size_t slots = index_->slot_count();
  if (work.indices.size() < slots) {
    work.indices.resize(slots);
    for (std::vector<float>& weights : work.parent_weights) weights.resize(slots);
    work.shifts.resize(slots);
  }
  return work;
}

float NTuple::output(double sum) const {
  const float raw = static_cast<float>(sum);
  return options_.scale * (options_.tanh ? hyperbolic_tangent(raw) : raw);
}

void NTuple::require(const Game& game) const {
  if (!index_->fits(game.spec())) {
    throw InvalidParameter("This n-tuple network was made for another board than that of " +
                           game.spec().title + " here.");
  }
}

void NTuple::locate(const Game& game, const std::byte* state, Place& place) const {
  Work& work = this->work();
  work.bits.resize(index_->bits_size());
  index_->read(game, state, 1, work.bits.data());
  place.indices.resize(index_->slot_count());
  index_->indices(work.bits.data(), place.indices.data());
  place.bank = bank(game, state);
}

float NTuple::value_at(const Place& place) const {
  return output(sum_of(table(place.bank), place.indices.data(), place.indices.size()));
}

void NTuple::evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) {
  require(game);
  Work& work = this->work();
  const std::size_t size = index_->bits_size(), slots = index_->slot_count();
  work.bits.resize(n * size);
  index_->read(game, states, n, work.bits.data());
  for (std::size_t i = 0; i < n; ++i) {
    index_->indices(work.bits.data() + i * size, work.indices.data());
    const std::size_t bank = this->bank(game, states + i * game.spec().state_size);
    values[i] = output(sum_of(table(bank), work.indices.data(), slots));
  }
}

void NTuple::evaluate_children(const Game& game, const std::byte* parent, const std::byte* children,
                               std::size_t n, float* values) {
  if (index_->board_count() > 1) return evaluate(game, children, n, values);
  require(game);
  Place& place = work().parent;
  locate(game, parent, place);
  evaluate_children(game, parent, place, children, n, values);
}

void NTuple::evaluate_children(const Game& game, const std::byte* parent, const Place& place,
                               const std::byte* children, std::size_t n, float* values) {
  if (index_->board_count() > 1) return evaluate(game, children, n, values);
  Work& work = this->work();
  const std::uint32_t* const indices = place.indices.data();
  const std::size_t size = index_->bits_size(), slots = index_->slot_count();
  work.bits.resize(n * size);
  work.parent_bits.resize(size);
  index_->read(game, children, n, work.bits.data());
  index_->read(game, parent, 1, work.parent_bits.data());
  work.parent_known[0] = work.parent_known[1] = false;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t bank = this->bank(game, children + i * game.spec().state_size);
    const float* weights = table(bank);
    if (!work.parent_known[bank]) {
      float* of_parent = work.parent_weights[bank].data();
      for (std::size_t k = 0; k < slots; ++k) of_parent[k] = peek(weights[indices[k]]);
      work.parent_sum[bank] = sum_of(slots, [=](std::size_t k) { return static_cast<double>(of_parent[k]); });
      work.parent_known[bank] = true;
    }
    values[i] = output(child_sum(work.bits.data() + i * size, weights, indices, work, bank));
  }
}

double NTuple::child_sum(const std::uint64_t* bits, const float* table, const std::uint32_t* indices,
                         Work& work, std::size_t bank) const {
  const std::size_t words = index_->word_count(), rows = index_->row_count();
  const std::uint64_t* const parent_bits = work.parent_bits.data();
  std::size_t looks = 0;  // of slots at changed cells
  work.changes.clear();
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t changed = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      changed |= bits[row * words + word] ^ parent_bits[row * words + word];
    }
    for (; changed; changed &= changed - 1) {
      const std::size_t cell = word * 64 + static_cast<std::size_t>(std::countr_zero(changed));
      work.changes.push_back({cell, index_->code(bits, cell) - index_->code(parent_bits, cell)});
      looks += index_->touches(cell).size();
    }
  }
  if (looks > index_->slot_count()) {
    index_->indices(bits, work.indices.data());
    return sum_of(table, work.indices.data(), index_->slot_count());
  }

  const float* const weights = work.parent_weights[bank].data();
  if (work.changes.size() == 1) {
    const auto [cell, delta] = work.changes.front();
    const TupleIndex::Touch* const touches = index_->touches(cell).data();
    return work.parent_sum[bank] + sum_of(looks, [=](std::size_t i) {
             const auto [slot, power] = touches[i];
             return static_cast<double>(peek(table[indices[slot] + delta * power])) -
                    static_cast<double>(weights[slot]);
           });
  }
  // A slot that looks at two of the cells is listed twice, and its second turn adds nothing.
  work.touched.resize(looks);
  std::uint32_t* touched = work.touched.data();
  std::uint32_t* const shifts = work.shifts.data();
  for (const auto [cell, delta] : work.changes) {
    for (const auto [slot, power] : index_->touches(cell)) {
      shifts[slot] += delta * power;
      *touched++ = slot;
    }
  }
  touched = work.touched.data();
  return work.parent_sum[bank] + sum_of(looks, [=](std::size_t i) {
           const std::uint32_t slot = touched[i], shift = shifts[slot];
           shifts[slot] = 0;
           return static_cast<double>(peek(table[indices[slot] + shift])) -
                  static_cast<double>(weights[slot]);
         });
}

}  // namespace glaux
