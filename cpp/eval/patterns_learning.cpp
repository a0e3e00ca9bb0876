// How a pattern network learns. Pairs that share a step have one gradient, that of the mean of their squared
// errors in units of the scale.
//
//   tables  row-wise AdaGrad: a row has one sum S of the mean squares of its gradients g, and changes by
//           -rate / slots * g / sqrt(S). Rows that are rarely asked for keep a high rate.
//   layers  Adam (Kingma and Ba).
//
// A pair is learned by the layers of its level; what they should change by is shared by the two stages that
// they lie between (eval/pattern_stages.h).
//
// What evaluates is a moving average of the weights that learn: over as many pairs as `average` says, and
// over all of them before there are so many. Rates that never decay make weights wander around; their mean
// does not.
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/rng.h"
#include "eval/functions.h"
#include "eval/pattern_layers.h"
#include "eval/patterns.h"

namespace glaux {
namespace {

constexpr std::size_t pairs_between_averages = 4096;
constexpr float adam_first = 0.9f, adam_second = 0.999f, adam_least = 1e-8f, adagrad_least = 1e-20f;

template <std::size_t Size>
std::size_t count_above_zero(const float* z) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < Size; ++i) count += z[i] > 0;
  return count;
}

}  // namespace

// One pair on its way through the network.
struct Patterns::Forward {
  std::size_t bank = 0, layers = 0;
  float target = 0;  // in units of the scale, as the side sees it that the state is seen from
  std::vector<std::byte> image;
  std::vector<std::uint8_t> codes, seen, turned;
  std::vector<std::uint32_t> rows;
  std::vector<float> h;
  std::vector<float> x;
  float z1[hidden], a1[hidden], z2[hidden], a2[hidden];
  float v = 0;
};

// Of the rows that were asked for, and of the layers of all levels.
struct Patterns::Gradient {
  Gradient(std::size_t row_count, std::size_t levels_size) : where(row_count), levels(levels_size) {}

  std::vector<std::uint32_t> where;  // of each row, its place in `rows` and one more; 0 if it has none
  std::vector<std::uint32_t> rows;   // bank * row_count + row
  std::vector<float> values;         // [rows][k]
  std::vector<float> levels;
  bool banks[2] = {};  // whose layers have any

  float* of_row(std::size_t row) {
    if (where[row] == 0) {
      rows.push_back(static_cast<std::uint32_t>(row));
      where[row] = static_cast<std::uint32_t>(rows.size());
      values.resize(rows.size() * k);
    }
    return values.data() + (where[row] - 1) * k;
  }
  void clear() {
    for (const std::uint32_t row : rows) where[row] = 0;
    rows.clear();
    values.clear();
    std::fill(levels.begin(), levels.end(), 0.0f);
    banks[0] = banks[1] = false;
  }
};

void Patterns::look(const Game& game, const std::byte* state, float target, int symmetry,
                    Forward& out) const {
  const std::size_t cells = index_->cell_count();
  if (symmetry > 0 && state_symmetries_ > 0) {
    out.image.resize(game.spec().state_size);
    game.transform(state, symmetry, out.image.data());
    state = out.image.data();
  }
  const Status status = game.status(state);
  out.codes.resize(cells);
  out.seen.resize(cells);
  out.rows.resize(index_->place_count() * index_->slot_count());
  read(game, state, 1, out.codes.data());
  const std::uint8_t* codes = out.codes.data();
  if (symmetry > 0 && state_symmetries_ == 0) {
    out.turned.resize(cells);
    const CellMap& map = symmetries_[static_cast<std::size_t>(symmetry)];
    for (std::size_t cell = 0; cell < cells; ++cell) out.turned[map[cell]] = codes[cell];
    codes = out.turned.data();
  }
  see(codes, exchanges(status), out.seen.data());
  index_->rows(out.seen.data(), out.rows.data());
  out.bank = bank(status);
  out.layers = layers_number(out.bank, held_cells(out.codes));
  out.target = (exchanges(status) ? -target : target) / options_.scale;
}

void Patterns::run(const Weights& weights, const Table& levels, Forward& f) const {
  f.h.resize(index_->place_count() * k);
  f.x.resize(input_count());
  accumulate(weights, f.bank, f.rows.data(), f.h.data(), f.x.data());
  const float* first = layers(levels, f.layers);
  const float* second = first + (input_count() + 1) * hidden;
  const float* third = second + (hidden + 1) * hidden;
  first_layer(first, f.x.data(), f.z1);
  leaky<hidden>(f.z1, leak, f.a1);
  std::copy_n(second + hidden * hidden, hidden, f.z2);
  add_product<hidden>(f.a1, hidden, second, f.z2);
  leaky<hidden>(f.z2, leak, f.a2);
  const float y = third[hidden] + dot<hidden>(f.a2, third);
  f.v = options_.tanh ? hyperbolic_tangent(y) : y;
}

void Patterns::add_gradient(const Table& levels, const Forward& f, float share, Gradient& out) const {
  const std::size_t inputs = input_count(), places = index_->place_count(), slots = index_->slot_count();
  const float* first = layers(levels, f.layers);
  const float* second = first + (inputs + 1) * hidden;
  const float* third = second + (hidden + 1) * hidden;
  float* to_first = out.levels.data() + f.layers * layers_size();
  float* to_second = to_first + (inputs + 1) * hidden;
  float* to_third = to_second + (hidden + 1) * hidden;
  out.banks[f.bank] = true;

  const float of_y = share * (f.v - f.target) * (options_.tanh ? 1 - f.v * f.v : 1.0f);
  float of_z2[hidden], of_z1[hidden];
  for (std::size_t j = 0; j < hidden; ++j) {
    to_third[j] += of_y * f.a2[j];
    of_z2[j] = of_y * third[j] * (f.z2[j] > 0 ? 1 : leak);
    to_second[hidden * hidden + j] += of_z2[j];
  }
  to_third[hidden] += of_y;
  add_outer<hidden>(f.a1, hidden, of_z2, to_second);
  for (std::size_t i = 0; i < hidden; ++i) {
    of_z1[i] = dot<hidden>(second + i * hidden, of_z2) * (f.z1[i] > 0 ? 1 : leak);
    to_first[inputs * hidden + i] += of_z1[i];
  }
  add_outer<hidden>(f.x.data(), inputs, of_z1, to_first);
  float of_x[PatternIndex::most_regions * PatternIndex::most_regions * k];
  for (std::size_t i = 0; i < inputs; ++i) of_x[i] = norm_ * dot<hidden>(first + i * hidden, of_z1);
  for (std::size_t place = 0; place < places; ++place) {
    const float *h = f.h.data() + place * k, *of_region = of_x + index_->region(place) * k;
    static_assert(k == 2 * lanes);
    Lanes of_h[2];
    for (std::size_t i = 0; i < 2; ++i) {
      of_h[i] = load(h + i * lanes) > 0 ? load(of_region + i * lanes) : Lanes{};
    }
    for (std::size_t slot = 0; slot < slots; ++slot) {
      float* const to_row = out.of_row(f.bank * index_->row_count() + f.rows[place * slots + slot]);
      store(load(to_row) + of_h[0], to_row);
      store(load(to_row + lanes) + of_h[1], to_row + lanes);
    }
  }
}

Patterns::Weights Patterns::gradient(const Game& game, const std::byte* states, std::size_t n,
                                     const float* targets) {
  require(game);
  const std::shared_lock lock(evaluating_);
  Gradient gradient(banks_ * index_->row_count(), levels_.size());
  Forward forward;
  for (std::size_t i = 0; i < n; ++i) {
    look(game, states + i * game.spec().state_size, targets[i], 0, forward);
    run(weights_, levels_, forward);
    add_gradient(levels_, forward, 1 / static_cast<float>(n), gradient);
  }
  Weights dense;
  dense.tables.resize(weights_.tables.size());
  for (std::size_t i = 0; i < gradient.rows.size(); ++i) {
    std::copy_n(gradient.values.data() + i * k, k, dense.tables.data() + gradient.rows[i] * k);
  }
  dense.head = of_stages(gradient);
  return dense;
}

Table Patterns::of_stages(const Gradient& gradient) const {
  const std::size_t size = layers_size(), count = stages_.level_count();
  Table head(banks_ * head_size());
  for (std::size_t bank = 0; bank < banks_; ++bank) {
    stages_.gather(gradient.levels.data() + bank * count * size, size, head.data() + bank * head_size());
  }
  return head;
}

void Patterns::step(const Gradient& gradient, const PatternLearning& learning) {
  const float rate = learning.rate / static_cast<float>(index_->slot_count());
  for (std::size_t i = 0; i < gradient.rows.size(); ++i) {
    const float* g = gradient.values.data() + i * k;
    float* w = memory_.weights.tables.data() + gradient.rows[i] * k;
    float& sum = memory_.squares[gradient.rows[i]];
    sum += dot<k>(g, g) / static_cast<float>(k);
    const float factor = rate / std::sqrt(sum + adagrad_least);
    for (std::size_t j = 0; j < k; ++j) w[j] -= factor * g[j];
  }
  const Table of_head = of_stages(gradient);
  ++memory_.steps;
  const auto steps = static_cast<double>(memory_.steps);
  const auto root = static_cast<float>(std::sqrt(1 - std::pow(double{adam_second}, steps)));
  const float factor =
      learning.head_rate * root / static_cast<float>(1 - std::pow(double{adam_first}, steps));
  for (std::size_t bank = 0; bank < banks_; ++bank) {
    if (!gradient.banks[bank]) continue;
    const std::size_t size = head_size(), begin = bank * size;
    const float* const g = of_head.data() + begin;
    float* const m = memory_.first.data() + begin;
    float* const v = memory_.second.data() + begin;
    float* const w = memory_.weights.head.data() + begin;
    for (std::size_t i = 0; i < size; ++i) {
      m[i] += (1 - adam_first) * (g[i] - m[i]);
      v[i] += (1 - adam_second) * (g[i] * g[i] - v[i]);
      w[i] -= factor * m[i] / (std::sqrt(v[i]) + adam_least * root);
    }
  }
}

void Patterns::average(float share) {
  const std::unique_lock lock(evaluating_);
  const auto follow = [share](Table& mean, const Table& weights) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += share * (weights[i] - mean[i]);
  };
  follow(weights_.tables, memory_.weights.tables);
  follow(weights_.head, memory_.weights.head);
  spread(weights_.head, levels_);
}

double Patterns::learn(const Game& game, const std::byte* states, std::size_t n, const float* targets,
                       const PatternLearning& learning) {
  require(game);
  const std::lock_guard lock(learning_);
  if (memory_.empty()) {
    memory_.weights = weights();
    memory_.squares.assign(banks_ * index_->row_count(), 0.0f);
    memory_.first.assign(banks_ * head_size(), 0.0f);
    memory_.second.assign(banks_ * head_size(), 0.0f);
  }
  static thread_local std::unique_ptr<Gradient> gradient;
  if (!gradient || gradient->where.size() != memory_.squares.size() ||
      gradient->levels.size() != levels_.size()) {
    gradient = std::make_unique<Gradient>(memory_.squares.size(), levels_.size());
  }
  const auto symmetries = static_cast<std::uint32_t>(learning.symmetric ? game.spec().symmetry_count() : 1);
  static thread_local Forward forward;
  static thread_local Table levels;  // of the weights that learn
  const auto together = static_cast<std::size_t>(learning.minibatch);
  double squares = 0;
  std::size_t since = 0;  // the last average
  for (std::size_t begin = 0; begin < n; begin += together) {
    const std::size_t end = std::min(n, begin + together);
    gradient->clear();
    spread(memory_.weights.head, levels);
    for (std::size_t i = begin; i < end; ++i) {
      // Of the number of the pair alone, so that a training that has been resumed draws the same.
      const auto symmetry = symmetries > 1 ? static_cast<int>(Rng(memory_.pairs).below(symmetries)) : 0;
      ++memory_.pairs;
      look(game, states + i * game.spec().state_size, targets[i], symmetry, forward);
      run(memory_.weights, levels, forward);
      const double error = double{options_.scale} * (double{forward.target} - double{forward.v});
      squares += error * error;
      add_gradient(levels, forward, 1 / static_cast<float>(end - begin), *gradient);
      std::size_t active = 0;
      for (std::size_t at = 0; at < forward.h.size(); at += k)
        active += count_above_zero<k>(forward.h.data() + at);
      seen_.cells += static_cast<double>(active) / static_cast<double>(forward.h.size());
      seen_.first += static_cast<double>(count_above_zero<hidden>(forward.z1)) / hidden;
      seen_.second += static_cast<double>(count_above_zero<hidden>(forward.z2)) / hidden;
      ++seen_pairs_;
    }
    step(*gradient, learning);
    since += end - begin;
    if (since >= pairs_between_averages || end == n) {
      const double over = std::min(double{learning.average}, static_cast<double>(memory_.pairs));
      average(static_cast<float>(std::min(1.0, static_cast<double>(since) / over)));
      since = 0;
    }
  }
  return squares;
}

Patterns::Active Patterns::active() {
  const std::lock_guard lock(learning_);
  Active mean = seen_;
  if (seen_pairs_ > 0) {
    mean.cells /= seen_pairs_;
    mean.first /= seen_pairs_;
    mean.second /= seen_pairs_;
  }
  seen_ = {};
  seen_pairs_ = 0;
  return mean;
}

}  // namespace glaux
