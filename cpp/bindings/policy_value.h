// A network with a policy whose outputs come from Python, asked once for each state:
//   function(planes), float32[n, planes, rows, columns] -> (values[n], logits[n, width])
// The rest is done here: what it has said of a state is kept, up to so many states, planes are made of the
// others only, and the priors of the legal actions are exp(logit - largest), with the logit of action a at
// place places[a]. The search makes them sum to 1.
//
// One thread at a time, and not the function itself: Busy for others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bindings.h"
#include "core/errors.h"
#include "core/in_use.h"
#include "eval/evaluator.h"
#include "eval/kept_outputs.h"

namespace glaux::bindings {

class PolicyValue final : public Evaluator {
 public:
  using Places = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  PolicyValue(nb::callable function, const Places& places, std::size_t width, std::size_t entries)
      : function_(std::move(function)), width_(width), entries_(entries) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::int64_t place = places.data()[i];
      if (place < 0 || static_cast<std::size_t>(place) >= width) {
        throw InvalidParameter("The places of a policy must be numbers below its width, " +
                               std::to_string(width) + ", not " + std::to_string(place) + ".");
      }
      places_.push_back(static_cast<std::size_t>(place));
    }
  }

  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override {
    const Use use(in_use_, busy);
    look_up(game, states, n);
    for (std::size_t i = 0; i < n; ++i) values[i] = *kept_->row(rows_[i]);
  }

  void evaluate_with_priors(const Game& game, const std::byte* states, std::size_t n,
                            const LegalActions& legal, float* values, float* priors) override {
    if (places_.size() != static_cast<std::size_t>(game.spec().action_count)) {
      throw InvalidParameter("This policy is for " + std::to_string(places_.size()) +
                             " actions, but the game has " + std::to_string(game.spec().action_count) + ".");
    }
    const Use use(in_use_, busy);
    look_up(game, states, n);
    for (std::size_t i = 0; i < n; ++i) {
      const float* const output = kept_->row(rows_[i]);
      values[i] = output[0];
      const auto first = static_cast<std::size_t>(legal.offsets[i]);
      const auto end = static_cast<std::size_t>(legal.offsets[i + 1]);
      softmax(output + 1, legal.actions.data() + first, end - first, priors + first);
    }
  }

  // The legal actions of states and the weights of these, 1 for the largest of a state, as
  // bindings/python_value.h gives actions to policies: what plays without a search.
  auto weights(const Game& game, const StateBatch& states, const Trusted* trust) {
    const CheckedBatch batch(game, states, trust);
    LegalActions legal = legal_actions_of(game, batch.bytes, batch.n);
    const std::size_t count = legal.actions.size();
    std::vector<float> values(batch.n), priors(count);
    evaluate_with_priors(game, batch.bytes, batch.n, legal, values.data(), priors.data());
    return std::make_tuple(to_numpy(std::move(legal.actions), {count}),
                           to_numpy(std::move(legal.offsets), {batch.n + 1}),
                           to_numpy(std::move(priors), {count}));
  }

  nb::callable& function() { return function_; }
  // States that were wanted, and those that the network was given.
  std::uint64_t asked() const { return asked_.load(std::memory_order_relaxed); }
  std::uint64_t evaluated() const { return evaluated_.load(std::memory_order_relaxed); }

 private:
  static constexpr const char* busy =
      "This network is in use: until it is done, neither another thread nor the network itself can use it.";

  // What is kept is of one game: another's states may have the same bytes, or more of them.
  void keep_for(const Spec& spec) {
    if (kept_ != nullptr && size_ == spec.state_size && name_ == spec.name && parameters_ == spec.parameters)
      return;
    kept_ = std::make_unique<KeptOutputs>(spec.state_size, 1 + width_);
    size_ = spec.state_size;
    name_ = spec.name;
    parameters_ = spec.parameters;
  }

  // Sets rows_ to where the outputs of the states are: the value, and behind it the logits.
  void look_up(const Game& game, const std::byte* states, std::size_t n) {
    const std::size_t size = game.spec().state_size;
    keep_for(game.spec());
    if (kept_->size() + n > entries_) kept_->clear();
    const std::size_t before = kept_->size();
    rows_.clear();
    for (std::size_t i = 0; i < n; ++i) rows_.push_back(kept_->find_or_add(states + i * size));
    asked_ += n;
    const std::size_t fresh = kept_->size() - before;
    if (fresh == 0) return;
    try {
      ask(game, static_cast<KeptOutputs::Row>(before), fresh);
    } catch (...) {
      kept_->clear();  // nothing has been said of the new ones
      throw;
    }
    evaluated_ += fresh;
  }

  // Writes the outputs of n states that lie one after the other.
  void ask(const Game& game, KeptOutputs::Row first, std::size_t n) {
    const Spec& spec = game.spec();
    std::vector<float> planes(n * spec.encoding_size());
    game.encode(kept_->state(first), n, planes.data());
    const nb::gil_scoped_acquire gil;
    if (!function_.is_valid()) throw BrokenValue("This network no longer exists.");
    const nb::object result = function_(
        to_numpy(std::move(planes), {n, spec.planes.size(), static_cast<std::size_t>(spec.plane_rows),
                                     static_cast<std::size_t>(spec.plane_columns)}));
    nb::ndarray<const float, nb::c_contig, nb::device::cpu> values, logits;
    if (!nb::isinstance<nb::tuple>(result) || nb::len(result) != 2 || !nb::try_cast(result[0], values) ||
        !nb::try_cast(result[1], logits) || values.size() != n || logits.size() != n * width_) {
      throw BrokenValue("A network with a policy must give " + std::to_string(n) +
                        " values and as many rows of " + std::to_string(width_) + " logits.");
    }
    float* row = kept_->row(first);
    for (std::size_t i = 0; i < n; ++i) {
      *row++ = values.data()[i];
      row = std::copy_n(logits.data() + i * width_, width_, row);
    }
  }

  // 1 for the largest.
  void softmax(const float* logits, const Action* actions, std::size_t n, float* priors) const {
    for (std::size_t i = 0; i < n; ++i) priors[i] = logits[places_[static_cast<std::size_t>(actions[i])]];
    if (n == 0) return;  // nobody asks for priors of this state
    const float largest = *std::max_element(priors, priors + n);
    for (std::size_t i = 0; i < n; ++i) priors[i] = std::exp(priors[i] - largest);
  }

  nb::callable function_;
  std::vector<std::size_t> places_;
  std::size_t width_, entries_;
  std::unique_ptr<KeptOutputs> kept_;  // from the first batch on
  std::size_t size_ = 0;               // the bytes of a state of the game that they are of
  std::string name_;
  Parameters parameters_;
  std::vector<KeptOutputs::Row> rows_;
  std::atomic<std::uint64_t> asked_ = 0, evaluated_ = 0;
  InUse in_use_;
};

}  // namespace glaux::bindings
