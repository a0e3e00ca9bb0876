#include "eval/patterns.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/errors.h"
#include "eval/functions.h"
#include "eval/pattern_layers.h"

namespace glaux {

// Of the thread, not of the network: any number of threads may evaluate one network.
struct Patterns::Work {
  std::vector<std::uint8_t> codes, seen;  // of one state
  std::vector<std::uint32_t> rows;
  std::vector<float> h;
  float x[PatternIndex::most_regions * PatternIndex::most_regions * k];
  // Of the parent in evaluate_children, as each of the two players sees it:
  struct Side {
    bool known;
    std::vector<std::uint32_t> rows;
    std::vector<float> h;
    float x[PatternIndex::most_regions * PatternIndex::most_regions * k];
    std::size_t layers;  // the number of those that z1 is for
    float z1[hidden];
  } sides[2];
  std::vector<std::uint64_t> parent_bits, bits;
  std::vector<std::uint8_t> details;
  // Of the child; all zero between children:
  std::vector<std::uint32_t> shifts;  // of each row's number, modulo 2^32
  std::vector<std::uint8_t> marked;   // the places that are touched
  std::vector<std::uint32_t> touched;
  float dx[PatternIndex::most_regions * PatternIndex::most_regions][k];
  bool changed[PatternIndex::most_regions * PatternIndex::most_regions] = {};
};

Patterns::Patterns(const Spec& spec, std::shared_ptr<const PatternIndex> index, const PatternOptions& options)
    : index_(std::move(index)),
      options_(options),
      stages_(options.progress, index_->cell_count()),
      exchange_(options.mover && !spec.exchange.empty()),
      banks_(spec.players == 2 && !exchange_ ? 2 : 1),
      symmetries_(spec.symmetries),
      state_symmetries_(spec.state_symmetries),
      map_{spec.exchange.cells, index_->details() ? spec.exchange.details : spec.exchange.codes, {}},
      code_bits_(spec.code_bits()),
      cell_words_(spec.cell_words()),
      norm_(1 / std::sqrt(static_cast<float>(index_->place_count()) /
                          static_cast<float>(index_->region_count()))) {
  if (!(options.scale > 0) || !std::isfinite(options.scale)) {
    throw InvalidParameter("The scale of a value function must be a number above 0.");
  }
  weights_.tables.resize(banks_ * index_->row_count() * k);
  weights_.head.resize(banks_ * head_size());
  spread(weights_.head, levels_);
}

Patterns::Work& Patterns::work() const {
  static thread_local Work work;
  const std::size_t places = index_->place_count(), rows = places * index_->slot_count();
  work.codes.resize(index_->cell_count());
  work.seen.resize(index_->cell_count());
  work.rows.resize(rows);
  work.h.resize(places * k);
  for (Work::Side& side : work.sides) {
    side.known = false;
    side.rows.resize(rows);
    side.h.resize(places * k);
  }
  work.shifts.resize(rows);
  work.marked.resize(places);
  return work;
}

void Patterns::require(const Game& game) const {
  if (!index_->fits(game.spec()) || (exchange_ && game.spec().exchange.empty())) {
    throw InvalidParameter("This pattern network was made for another board than that of " +
                           game.spec().title + " here.");
  }
}

void Patterns::see(const std::uint8_t* codes, bool exchange, std::uint8_t* out) const {
  const std::size_t cells = index_->cell_count();
  if (!exchange) {
    std::copy_n(codes, cells, out);
    return;
  }
  for (std::size_t cell = 0; cell < cells; ++cell) out[map_.cells[cell]] = map_.codes[codes[cell]];
}

void Patterns::spread(const Table& head, Table& levels) const {
  const std::size_t size = layers_size(), count = stages_.level_count();
  levels.resize(banks_ * count * size);
  for (std::size_t bank = 0; bank < banks_; ++bank) {
    stages_.spread(head.data() + bank * head_size(), size, levels.data() + bank * count * size);
  }
}

void Patterns::accumulate(const Weights& weights, std::size_t bank, const std::uint32_t* rows, float* h,
                          float* x) const {
  const std::size_t places = index_->place_count(), slots = index_->slot_count();
  std::fill_n(x, input_count(), 0.0f);
  for (std::size_t place = 0; place < places; ++place) {
    float* const region = x + index_->region(place) * k;
#pragma GCC unroll 2
    for (std::size_t i = 0; i < k; i += lanes) {
      Lanes sum = load(row(weights, bank, rows[place * slots]) + i);
      for (std::size_t slot = 1; slot < slots; ++slot) {
        sum += load(row(weights, bank, rows[place * slots + slot]) + i);
      }
      store(sum, h + place * k + i);
      store(load(region + i) + norm_ * above_zero(sum), region + i);
    }
  }
}

void Patterns::first_layer(const float* layers, const float* x, float* z1) const {
  std::copy_n(layers + input_count() * hidden, hidden, z1);
  add_product<hidden>(x, input_count(), layers, z1);
}

float Patterns::output(const float* layers, const float* z1) const {
  const float* second = layers + (input_count() + 1) * hidden;
  const float* third = second + (hidden + 1) * hidden;
  float a1[hidden], z2[hidden], a2[hidden];
  leaky<hidden>(z1, leak, a1);
  std::copy_n(second + hidden * hidden, hidden, z2);
  add_product<hidden>(a1, hidden, second, z2);
  leaky<hidden>(z2, leak, a2);
  return third[hidden] + dot<hidden>(a2, third);
}

float Patterns::value(float y, Status status) const {
  const float v = options_.scale * (options_.tanh ? hyperbolic_tangent(y) : y);
  return exchanges(status) ? -v : v;
}

void Patterns::evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) {
  require(game);
  Work& work = this->work();
  const std::shared_lock lock(evaluating_);
  for (std::size_t i = 0; i < n; ++i) {
    const std::byte* state = states + i * game.spec().state_size;
    const Status status = game.status(state);
    read(game, state, 1, work.codes.data());
    see(work.codes.data(), exchanges(status), work.seen.data());
    index_->rows(work.seen.data(), work.rows.data());
    accumulate(weights_, bank(status), work.rows.data(), work.h.data(), work.x);
    const float* layers = this->layers(levels_, layers_number(bank(status), held_cells(work.codes)));
    float z1[hidden];
    first_layer(layers, work.x, z1);
    values[i] = value(output(layers, z1), status);
  }
}

void Patterns::evaluate_children(const Game& game, const std::byte* parent, const std::byte* children,
                                 std::size_t n, float* values) {
  require(game);
  Work& work = this->work();
  const std::size_t size = code_bits_ * cell_words_, cells = index_->cell_count();
  read(game, parent, 1, work.codes.data());
  if (index_->details()) {
    work.details.resize(n * cells);
    game.details(children, n, work.details.data());
  } else {
    work.parent_bits.resize(size);
    work.bits.resize(n * size);
    game.cell_bits(parent, 1, work.parent_bits.data());
    game.cell_bits(children, n, work.bits.data());
  }
  const std::shared_lock lock(evaluating_);
  for (std::size_t i = 0; i < n; ++i) {
    const Status status = game.status(children + i * game.spec().state_size);
    Work::Side& side = work.sides[status.first_player() ? 0 : 1];
    if (!side.known) {
      see(work.codes.data(), exchanges(status), work.seen.data());
      index_->rows(work.seen.data(), side.rows.data());
      accumulate(weights_, bank(status), side.rows.data(), side.h.data(), side.x);
      side.known = true;
      side.layers = ~std::size_t{0};
    }
    std::size_t held;
    if (index_->details()) {
      const std::uint8_t* const codes = work.details.data() + i * cells;
      note_changes(codes, exchanges(status), work);
      held = held_cells({codes, cells});
    } else {
      const std::uint64_t* const bits = work.bits.data() + i * size;
      note_changes(bits, exchanges(status), work);
      held = held_cells(bits, code_bits_, cell_words_);
    }
    values[i] = child_value(held, status, work);
  }
}

// A cell with another code than in the parent.
[[gnu::always_inline]] inline void Patterns::note_change(std::size_t cell, std::uint32_t code, bool exchange,
                                                         Work& work) const {
  const std::size_t slots = index_->slot_count();
  std::uint32_t before = work.codes[cell];
  if (exchange) {
    cell = map_.cells[cell];
    code = map_.codes[code];
    before = map_.codes[before];
  }
  for (const PatternIndex::Touch& touch : index_->touches(cell)) {
    if (!work.marked[touch.place]) {
      work.marked[touch.place] = 1;
      work.touched.push_back(touch.place);
    }
    work.shifts[touch.place * slots + touch.shape] += (code - before) * touch.power;
  }
}

[[gnu::always_inline]] inline void Patterns::note_changes(const std::uint64_t* bits, bool exchange,
                                                          Work& work) const {
  work.touched.clear();
  for (std::size_t word = 0; word < cell_words_; ++word) {
    std::uint64_t changed = 0;
    for (std::size_t bit = 0; bit < code_bits_; ++bit) {
      changed |= bits[bit * cell_words_ + word] ^ work.parent_bits[bit * cell_words_ + word];
    }
    for (; changed; changed &= changed - 1) {
      const auto at = static_cast<std::size_t>(std::countr_zero(changed));
      std::uint32_t code = 0;
      for (std::size_t bit = 0; bit < code_bits_; ++bit) {
        code |= static_cast<std::uint32_t>(bits[bit * cell_words_ + word] >> at & 1) << bit;
      }
      note_change(word * 64 + at, code, exchange, work);
    }
  }
}

[[gnu::always_inline]] inline void Patterns::note_changes(const std::uint8_t* codes, bool exchange,
                                                          Work& work) const {
  work.touched.clear();
  for (std::size_t cell = 0; cell < index_->cell_count(); ++cell) {
    if (codes[cell] != work.codes[cell]) note_change(cell, codes[cell], exchange, work);
  }
}

float Patterns::child_value(std::size_t held, Status status, Work& work) const {
  Work::Side& side = work.sides[status.first_player() ? 0 : 1];
  const std::size_t slots = index_->slot_count(), shapes = index_->shape_count(), bank = this->bank(status);
  std::size_t regions[PatternIndex::most_regions * PatternIndex::most_regions], region_count = 0;
  for (const std::uint32_t place : work.touched) {
    const float* const h = side.h.data() + place * k;
    static_assert(k == 2 * lanes);
    const Lanes before[2] = {load(h), load(h + lanes)};
    Lanes sums[2] = {before[0], before[1]};
    for (std::size_t shape = 0; shape < shapes; ++shape) {
      std::uint32_t& shift = work.shifts[place * slots + shape];
      if (shift == 0) continue;
      const std::uint32_t old = side.rows[place * slots + shape];
      const float *was = row(weights_, bank, old), *is = row(weights_, bank, old + shift);
      sums[0] += load(is) - load(was);
      sums[1] += load(is + lanes) - load(was + lanes);
      shift = 0;
    }
    work.marked[place] = 0;
    const std::size_t region = index_->region(place);
    float* const dx = work.dx[region];
    if (!work.changed[region]) {
      work.changed[region] = true;
      regions[region_count++] = region;
      std::fill_n(dx, k, 0.0f);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const Lanes change = norm_ * (above_zero(sums[i]) - above_zero(before[i]));
      store(load(dx + i * lanes) + change, dx + i * lanes);
    }
  }
  const std::size_t number = layers_number(bank, held);
  const float* const layers = this->layers(levels_, number);
  if (side.layers != number) {
    first_layer(layers, side.x, side.z1);
    side.layers = number;
  }
  float z1[hidden];
  std::copy_n(side.z1, hidden, z1);
  for (std::size_t i = 0; i < region_count; ++i) {
    work.changed[regions[i]] = false;
    add_product<hidden>(work.dx[regions[i]], k, layers + regions[i] * k * hidden, z1);
  }
  return value(output(layers, z1), status);
}

Patterns::Weights Patterns::weights() const {
  const std::shared_lock lock(evaluating_);
  return weights_;
}

void Patterns::set_weights(Weights weights) {
  const std::scoped_lock locks(learning_, evaluating_);
  weights_ = std::move(weights);
  spread(weights_.head, levels_);
  memory_ = {};
}

Patterns::Memory Patterns::memory() const {
  const std::lock_guard lock(learning_);
  return memory_;
}

void Patterns::set_memory(Memory memory) {
  const std::lock_guard lock(learning_);
  memory_ = std::move(memory);
}

}  // namespace glaux
