// Pattern networks: a convolution by look-up, with small layers above it.
//
//   h(c)  = sum of the rows that cell c asks the tables for, and the row of its position     k = 16 numbers
//   x(R)  = sum of max(h(c), 0) over the cells c of region R, divided by the root of their mean number
//   z1    = W1 x + b1,  z2 = W2 f(z1) + b2,  y = w3 f(z2) + b3                    32, 32 and one number
//   v(s)  = scale * g(y),   f = leaky ReLU,  g = tanh or the identity
//
// eval/pattern_index.h says which rows: a table is shared by all cells with the same surroundings, as the
// weights of a convolution are, so that what is learned in one place holds everywhere. Rapfi does so for
// Gomoku.
//
// Where the game can exchange its players (Spec::exchange) every state is seen from the side of the player to
// move: one network serves both, and a state and its exchanged one have opposite values. Where it cannot, or
// with `mover` off, there is a network for each player to move (a bank).
//
// Where the game knows more of its cells than what stands there (Game::details), tables may be asked with
// that.
//
// With several stages (eval/pattern_stages.h) W1 to b3 depend on how far the match is; the tables are the
// same from beginning to end.
//
// The children of a state differ from it in few cells, so that their h, x and z1 are worked out from those of
// their parent, seen from the children's side: only the rows around those cells, and only the parts of W1
// that belong to changed regions (as NNUE does in Stockfish). Sums are floats: both ways agree to about 1e-5.
//
// There are two sets of weights: those that learn (eval/patterns_learning.cpp), and a moving average of them,
// which is what evaluates and what is saved as the network. Any number of threads may evaluate, and learn
// meanwhile; learning steps of several threads come one after the other.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "eval/evaluator.h"
#include "eval/pattern_index.h"
#include "eval/pattern_stages.h"
#include "eval/table.h"

namespace glaux {

struct PatternOptions {
  bool mover = true;  // every state from the side of the player to move, if the game can exchange its players
  bool tanh = true;   // otherwise the identity
  float scale = 1;
  PatternProgress progress;
};

struct PatternLearning {
  float rate = 0.3f;        // of the tables: row-wise AdaGrad, divided by the slots of a cell
  float head_rate = 1e-3f;  // of the layers: Adam
  int minibatch = 64;       // pairs that share a step
  float average = 50000;    // pairs over which the weights that evaluate are averaged
  bool symmetric = true;    // each pair is learned as it looks through a random symmetry
};

class Patterns final : public Evaluator {
 public:
  static constexpr std::size_t k = 16, hidden = 32;  // numbers of a row; units of a layer
  static constexpr float leak = 0.01f;               // the slope of f below 0

  Patterns(const Spec& spec, std::shared_ptr<const PatternIndex> index, const PatternOptions& options);

  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override;
  void evaluate_children(const Game& game, const std::byte* parent, const std::byte* children, std::size_t n,
                         float* values) override;
  bool prefers_children() const override { return true; }

  // Learns from n pairs, in their order; the squared error of all before their steps.
  double learn(const Game& game, const std::byte* states, std::size_t n, const float* targets,
               const PatternLearning& learning);

  // The tables, float[bank][row][k], and the layers, float[bank][stage][layers_size]: W1 with b1 as its last
  // row, then W2 with b2, then w3 and b3; all as [input][output].
  struct Weights {
    Table tables, head;
  };
  std::size_t bank_count() const { return banks_; }
  std::size_t input_count() const { return index_->region_count() * k; }
  std::size_t layers_size() const {
    return (input_count() + 1) * hidden + (hidden + 1) * hidden + hidden + 1;
  }
  std::size_t head_size() const { return stages_.count() * layers_size(); }  // of a bank

  // The gradient of the mean over n pairs of ((t - v) / scale)^2 / 2 by the weights that evaluate. For tests.
  Weights gradient(const Game& game, const std::byte* states, std::size_t n, const float* targets);

  // What the learning steps remember.
  struct Memory {
    Weights weights;          // that learn
    Table squares;            // of AdaGrad: float[bank][row]
    Table first, second;      // the moments of Adam: float[bank][head_size]
    std::uint64_t steps = 0;  // of Adam
    std::uint64_t pairs = 0;  // learned from
    bool empty() const { return squares.empty(); }
  };

  // The share of units above 0 among those of the cells, of the first and of the second layer, in what has
  // been learned from since they were asked for last; zeros if that is nothing.
  struct Active {
    double cells = 0, first = 0, second = 0;
  };
  Active active();

  const PatternIndex& index() const { return *index_; }
  // Copies, and what replaces them: sizes are right. Weights that are set also learn on, without a memory.
  Weights weights() const;
  Memory memory() const;
  void set_weights(Weights weights);
  void set_memory(Memory memory);

 private:
  struct Work;  // the buffers of one thread
  struct Forward;
  struct Gradient;
  Work& work() const;

  std::size_t bank(Status status) const { return banks_ == 2 && !status.first_player() ? 1 : 0; }
  // Whether the state is seen with its players exchanged.
  bool exchanges(Status status) const { return exchange_ && !status.first_player(); }
  const float* row(const Weights& weights, std::size_t bank, std::size_t row) const {
    return weights.tables.data() + (bank * index_->row_count() + row) * k;
  }
  // Which of the layers of all banks and levels are those of a state, and where they begin.
  std::size_t layers_number(std::size_t bank, std::size_t held) const {
    return bank * stages_.level_count() + stages_.level(held);
  }
  const float* layers(const Table& levels, std::size_t number) const {
    return levels.data() + number * layers_size();
  }
  // The layers of all banks and levels, from those of the stages.
  void spread(const Table& head, Table& levels) const;

  void require(const Game& game) const;
  // The codes of n states that the index asks for.
  void read(const Game& game, const std::byte* states, std::size_t n, std::uint8_t* codes) const {
    index_->details() ? game.details(states, n, codes) : game.cells(states, n, codes);
  }
  void see(const std::uint8_t* codes, bool exchange, std::uint8_t* out) const;
  // Fills h, and x with what the regions add up to.
  void accumulate(const Weights& weights, std::size_t bank, const std::uint32_t* rows, float* h,
                  float* x) const;
  void first_layer(const float* layers, const float* x, float* z1) const;
  // The places that cells touch which differ from the parent's, and how far the rows of each shape move
  // there.
  void note_change(std::size_t cell, std::uint32_t code, bool exchange, Work& work) const;
  void note_changes(const std::uint64_t* bits, bool exchange, Work& work) const;
  void note_changes(const std::uint8_t* codes, bool exchange, Work& work) const;
  // Of the child whose changes have been noted.
  float child_value(std::size_t held, Status status, Work& work) const;
  float output(const float* layers, const float* z1) const;
  float value(float y, Status status) const;
  void look(const Game& game, const std::byte* state, float target, int symmetry, Forward& out) const;
  void run(const Weights& weights, const Table& levels, Forward& forward) const;
  void add_gradient(const Table& levels, const Forward& forward, float share, Gradient& out) const;
  Table of_stages(const Gradient& gradient) const;
  void step(const Gradient& gradient, const PatternLearning& learning);
  void average(float share);

  std::shared_ptr<const PatternIndex> index_;
  PatternOptions options_;
  PatternStages stages_;
  bool exchange_;
  std::size_t banks_;
  std::vector<CellMap> symmetries_;  // of cells; one identity if the game has none of that kind
  int state_symmetries_ = 0;
  Exchange map_;
  std::size_t code_bits_, cell_words_;
  float norm_;  // of the sums of a region

  Weights weights_;  // that evaluate
  Table levels_;     // their layers
  mutable std::shared_mutex evaluating_;
  Memory memory_;
  mutable std::mutex learning_;
  Active seen_;
  double seen_pairs_ = 0;
};

}  // namespace glaux
