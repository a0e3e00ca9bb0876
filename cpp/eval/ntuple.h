// n-tuple networks: a value is a sum of table entries (eval/tuple_index.h says which).
//
//   v(s) = scale * f(sum of w[i] over the indices i of s),  f = tanh or the identity
//
// with one set of tables for all states or one for each player to move (a bank). The scale is the unit
// of the values: 1 for the gain of a game, the largest score for scores, and so on.
//
// The children of a state differ from it in few cells, so that their values follow from its indices by
// the slots that look at those cells (evaluate_children). Where a move changes much of the board the
// child is worked out afresh. Sums are in double precision, so both ways agree far below 1e-6.
//
// Learning: w[i] += alpha / slots * delta * f'(sum) for a target t, with delta = (t - v) / scale, one
// pair after the other. An index that two symmetries of a tuple share changes once. With temporal
// coherence (Beal and Smith; section II.C of the MCTS-wrapper paper) each weight has a rate of its own,
// high while the changes recommended to it agree in sign: see NTupleLearning.
//
// Any number of threads may evaluate and learn at once, without locks: where two learn from the same
// weight at the same moment, one of the changes may be lost (Hogwild). One thread alone is exact.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "eval/evaluator.h"
#include "eval/table.h"
#include "eval/tuple_index.h"

namespace glaux {

struct NTupleOptions {
  bool per_player = true;  // a bank for each player to move
  bool tanh = true;        // otherwise the identity
  float scale = 1;
};

// How a weight follows the change r = delta * f'(sum) that is recommended to it.
//   sgd                 w += alpha / slots * r
//   temporal coherence  w += alpha / slots * r * g, then N += r, A += |r|, where g is |N| / A
//                       (identity) or exp(beta * (|N| / A - 1)) from before the change;
//                       N = A = init at the start, so that g begins as 1
struct NTupleLearning {
  enum class Rule { sgd, coherence_identity, coherence_exponential };
  Rule rule = Rule::sgd;
  float alpha = 0.1f;
  float beta = 2.7f;
  float init = 1e-4f;
};

class NTuple final : public Evaluator {
 public:
  NTuple(std::shared_ptr<const TupleIndex> index, const NTupleOptions& options);

  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override;
  void evaluate_children(const Game& game, const std::byte* parent, const std::byte* children, std::size_t n,
                         float* values) override;
  bool prefers_children() const override { return true; }

  // One learning step for each of n pairs, in their order; the squared error of all before their steps.
  double learn(const Game& game, const std::byte* states, std::size_t n, const float* targets,
               const NTupleLearning& learning);

  // Where the value of a state stands: its tables and the index of each slot. For learners that come
  // back to a state.
  struct Place {
    std::size_t bank = 0;
    std::vector<std::uint32_t> indices;
  };
  void locate(const Game& game, const std::byte* state, Place& place) const;
  float value_at(const Place& place) const;
  // As the other one, where the parent has been located.
  void evaluate_children(const Game& game, const std::byte* parent, const Place& place,
                         const std::byte* children, std::size_t n, float* values);
  // f' where the value is this.
  float slope(float value) const {
    const float unit = value / options_.scale;
    return options_.tanh ? 1 - unit * unit : 1.0f;
  }
  // Changes the weights of the place by r, in units of the scale: see NTupleLearning. Counters must be
  // there if the rule needs them.
  void change(const Place& place, float r, const NTupleLearning& learning);

  const TupleIndex& index() const { return *index_; }
  const std::shared_ptr<const TupleIndex>& shared_index() const { return index_; }
  const NTupleOptions& options() const { return options_; }
  std::size_t bank_count() const { return options_.per_player ? 2 : 1; }

  // [bank][index], for saving and copying. Counters are [bank][index][N, A], none before they are needed.
  Table& weights() { return weights_; }
  Table& counters() { return counters_; }
  void need_counters(float init);
  // Any thread may ask; counters that are there stay where they are.
  bool has_counters() const;

 private:
  struct Work;  // the buffers of one thread
  Work& work() const;

  std::size_t bank(const Game& game, const std::byte* state) const {
    return options_.per_player && !game.status(state).first_player() ? 1 : 0;
  }
  float* table(std::size_t bank) { return weights_.data() + bank * index_->weight_count(); }
  const float* table(std::size_t bank) const { return weights_.data() + bank * index_->weight_count(); }
  float output(double sum) const;
  void require(const Game& game) const;
  double child_sum(const std::uint64_t* bits, const float* table, const std::uint32_t* parent_indices,
                   Work& work, std::size_t bank) const;

  std::shared_ptr<const TupleIndex> index_;
  NTupleOptions options_;
  Table weights_, counters_;
  mutable std::mutex making_counters_;
};

}  // namespace glaux
