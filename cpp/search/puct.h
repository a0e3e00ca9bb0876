// PUCT: Monte Carlo tree search with a policy, the search of AlphaZero, and its root of Gumbel AlphaZero.
//
// The idea is that of search/mcts.h; but a new state is answered by a network with a value v and a prior
// probability P(s,a) of each action, and an iteration takes at each state the action that maximises, for the
// player to move,
//   Q(s,a) + C(N) P(s,a) sqrt(N + 1e-8) / (1 + n(s,a)),   C(N) = c + c_log ln((1 + N + c_base) / c_base)
// (Silver and others 2018; without c_base C = c). So the search looks first where the policy points, and its
// visits are a better policy than that: what AlphaZero learns (Algorithm 2 of Minimax Strikes Back).
//
//   First play    an action not yet taken has Q = 0, as in the papers, or the mean value of the state less
//                 fpu_reduction sqrt(sum of P of the actions taken), as in Leela Chess Zero.
//   Noise         at the root P is (1 - noise) P + noise D, with D from the Dirichlet distribution of
//                 noise_alpha, by default 10 / number of actions. It is drawn anew at each root, and P itself
//                 stays as it is.
//   Batch         up to `batch` states wait at once: each line that waits counts as a visit with a loss for
//                 those who moved (virtual loss), so that the next line goes elsewhere. A line to a state
//                 that waits already ends the batch. The losses are taken back before anybody sees them.
//   Proofs        with `proven` an action that wins proves its state, and so does the last of the actions if
//                 all are proven. What is proven has its exact value, a lost action is not taken again, and a
//                 proven root ends the search: completion (section 5 of the reference) for means. As there,
//                 the actions of a new state that end the match are known at once: a win needs no value.
//   Gumbel        see search/puct_gumbel.cpp.
//   ExIt          another formula for the same tree, the expert of Algorithm 15 of the reference (8.1):
//                   UCT(s,a) + w_a P(s,a) / (1 + n(s,a)) + w_v Q'(s,a)
//                 with UCT over random playouts from the new states, and Q' the mean of the network's values
//                 over the same visits. So both means are one: a new state is worth
//                   playout_share z + (1 - playout_share) v,   playout_share = 1 / (1 + w_v),
//                 and c and w_a are divided by 1 + w_v. An action not yet taken has n = 1 in UCT's root,
//                 where the reference says nothing: with an infinite UCT every action would be taken once
//                 before any twice, whatever the policy says.
//
// Differs from the papers as search/mcts.h does: transpositions, and a tree that is used again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "search/mcts_tree.h"

namespace glaux {

enum class FirstPlay { zero, parent };

enum class RootRule { puct, gumbel };

enum class Formula { puct, exit };

struct PuctOptions : SearchOptions {
  // Constants named c, losses and reductions are in the unit of the values.
  double c = 1.25;
  double c_base = 0;  // 0: C does not grow
  double c_log = 1;
  FirstPlay fpu = FirstPlay::zero;
  double fpu_reduction = 0.25;
  double noise = 0;        // weight of the Dirichlet noise; scale of the Gumbel noise
  double noise_alpha = 0;  // 0: 10 / number of actions
  bool proven = false;
  int batch = 1;
  double virtual_loss = 1;
  RootRule root = RootRule::puct;
  int gumbel_considered = 16;  // actions at the root
  double gumbel_visits = 50;   // c_visit of the paper
  double gumbel_scale = 0.1;   // c_scale
  Formula formula = Formula::puct;
  double w_a = 0;            // of Formula::exit
  double playout_share = 0;  // of a new state's value
};

class Puct final : public MctsTree {
 public:
  static constexpr int most_batch = 1 << 16;

  Puct(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value, const PuctOptions& options);

  std::size_t advance() override;
  const std::byte* pending() const override { return states_.data(); }
  bool wants_priors() const override { return true; }
  void add_legal(std::size_t n, LegalActions& legal) const override;
  void supply(const float* values, const float* priors) override;
  void clear() override;
  bool forget_others(const std::byte* state) override;

  // As the root says: the most visited action, or that of sequential halving; a proven win before all.
  Action decision() override;
  float value(const std::byte* state) const override;
  bool resolved(const std::byte* state) const override;

  // The policy that the search has found, in the order of children(): the share of visits (the priors before
  // any), or Gumbel's improved policy; with `proven` without what is known to be worse. Nothing if the state
  // has no edges.
  std::vector<double> policy(const std::byte* state) const;
  // What was drawn for the actions of the root; nothing without noise.
  const std::vector<double>& root_noise() const { return noise_; }

 private:
  struct Step {
    NodeId node;
    Edge* edge;
    double node_w, edge_w;  // before the virtual loss
  };
  // One walk from the root, steps_[first] to steps_[end - 1], to a leaf or to an exact value.
  struct Line {
    std::size_t first, end;
    NodeId leaf;
    float value;
  };
  struct Proof {
    int c;
    float value;
  };
  enum class Phase { over, working, waiting };

  void begin(const std::byte* root) override;
  bool over() const;
  std::size_t room_in_batch() const;
  void gather();
  bool walk();
  bool prove_leaf(NodeId id, std::size_t first);
  bool abandon(std::size_t first);
  void lose(const Line& line);
  void take_back();
  void value_leaves(const float* values);
  void back_up(const Line& line, double value);
  std::optional<Proof> proof(const Node& node) const;
  // Whether an action is proven to lose for the player to move, and need not be taken again.
  bool avoided(const Node& node, const Edge& edge) const {
    return options_.proven && edge.r() && edge.c() * glaux::sign(node.player) < 0;
  }

  Edge& select(NodeId id, Node& node);
  Edge& select_puct(Node& node, const double* noise);
  double first_play_value(const Node& node) const;
  void draw_noise(std::size_t count);
  double gamma(double alpha);

  // search/puct_tree.cpp
  std::vector<double> visit_shares(const Node& node) const;
  void keep_sound(const Node& node, std::vector<double>& policy) const;

  // search/puct_gumbel.cpp
  Edge& select_halving(Node& root);
  Edge& select_improved(Node& node);
  std::size_t simulations_left();
  std::size_t simulations_done() const;
  void plan_halving();
  std::vector<double> completed(const Node& node) const;
  std::vector<double> improved(const Node& node) const;
  std::vector<double> halving_scores(const Node& root, std::uint32_t considered_visit) const;
  std::uint32_t since_plan(std::size_t edge) const;

  PuctOptions options_;

  Phase phase_ = Phase::over;
  bool root_proven_ = false;  // with `proven`: the root has a proof, and the search is over
  std::vector<Step> steps_;
  std::vector<Line> lines_;
  std::vector<std::byte> states_;  // of the leaves of lines_, in order
  std::size_t leaves_ = 0;
  std::vector<double> values_;  // of the leaves

  std::vector<double> noise_;        // of the root's actions
  std::vector<std::uint32_t> plan_;  // of sequential halving: how often the next action was visited before
  std::vector<std::uint32_t> plan_base_;  // visits of the root's actions when the plan was made
};

}  // namespace glaux
