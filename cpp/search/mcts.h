// Monte Carlo tree search: UCT and PUCT over a table of states.
//
// The idea: an iteration walks from the root, at each state by a compromise between the action that
// has been best so far and those seldom tried, to a state that is new; gives it a value; and adds the
// value to the statistics of every action on the way. Good actions are tried more and more often, so
// that the mean values tend to the minimax values, and the most visited action is played.
//
// At a state with N visits of its actions, the action is taken that maximises, for the player to move,
//   UCT    Q(s,a) + c sqrt(ln N / n(s,a))                     every action once before any twice
//   PUCT   Q(s,a) + c P(s,a) sqrt(N + 1e-8) / (1 + n(s,a))    Q = 0 for an action not yet taken
// with Q the mean of the values seen through the action and P the prior probability. UCT is Kocsis and
// Szepesvari's; with a value function instead of playouts it is the MCTS of Cohen-Solal's experiments
// (Remark 6, c = 0.4; Remark 7, c = sqrt 2). PUCT is AlphaGo Zero's, here as Scheiermann and Konen
// write it (section II.B, equations 1 and 2), with all that their MCTS wrapper needs.
//
// A new state gets its value in one of three ways:
//   state      the state goes through the door: a random playout, or any value function;
//   children   all its children go: the value is the best of theirs for the player to move, and the
//              priors are made from them (the MCTS wrapper: a value function becomes a policy);
//   policy     the state goes, and value and priors come back (AlphaZero).
//
// Values are the first player's throughout, and the player to move of each state decides which sign is
// good, so a turn may have several actions and a game one player. A terminal child is an edge that
// holds its exact value; it is counted at every visit and needs no value function.
//
// Differs from the papers: equal states share a node, with statistics on edges, so that an iteration
// that meets a known state by a new path walks on from it; the tree of a state met before is always
// used again; a prior that is not a probability distribution becomes the uniform one. A new state is
// only a node, and gets its edges at the second visit, unless it needs them for its priors: most
// states are visited once (figures in experiments/LOG.md). Statistics change on the way back only, so
// a value function that fails leaves no trace.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "search/table_search.h"

namespace glaux {

enum class Selection { uct, puct };

enum class Leaf { state, children, policy };

// How the values of the children become priors: exp(v / temperature), or (v - min) / (max - min),
// for v from the point of view of the player to move; normalised to the sum 1.
enum class PriorMap { softmax, min_max };

struct MctsOptions : SearchOptions {
  Selection selection = Selection::uct;
  Leaf leaf = Leaf::state;
  double c = 1.0;  // exploration, in the unit of the values
  PriorMap prior_map = PriorMap::softmax;
  double temperature = 1.0;
};

struct MctsEdge {
  double w = 0;  // sum of the values seen
  std::uint32_t n = 0;
  NodeId child = no_node;  // until the edge is taken; the bits of the value if the child is terminal
  float prior = 0;
  PackedAction packed;

  void set_terminal(float value, Result gain) {
    child = std::bit_cast<NodeId>(value);
    packed = {action(), gain, true, true};
  }
  Action action() const { return packed.action(); }
  int c() const { return packed.c(); }
  bool terminal() const { return packed.terminal(); }
  float terminal_value() const { return std::bit_cast<float>(child); }
  double q() const { return n == 0 ? 0.0 : w / n; }
};
static_assert(sizeof(MctsEdge) == 24, "a child that is not visited takes 24 bytes");

// A state has a value when n > 0; its own value counts as one visit, so n - 1 are of its actions.
struct MctsLabel {
  double w = 0;
  std::uint32_t n = 0;
};

class Mcts final : public TableSearch<MctsEdge, MctsLabel> {
 public:
  Mcts(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value, const MctsOptions& options);

  std::size_t advance() override;
  const std::byte* pending() const override { return pending_; }
  const std::byte* parent() const override {
    return options_.leaf == Leaf::children ? tree_.state(at_) : nullptr;
  }
  bool wants_priors() const override { return options_.leaf == Leaf::policy; }
  void add_legal(std::size_t n, LegalActions& legal) const override;
  void supply(const float* values, const float* priors) override;

  // The most visited action; then by Q, by prior, and at random.
  Action decision() override;
  // v is the mean value, or 0 before the first visit; a terminal child has its exact value, its
  // result as c, and r = 1.
  std::vector<Child> children(const std::byte* state) const override;
  // The actions that were visited; all of them if none was.
  std::vector<Child> choices(const std::byte* state) const override;
  float value(const std::byte* state) const override;
  bool resolved(const std::byte* state) const override;
  std::vector<Action> principal_variation(const std::byte* state) const override;
  // The states from which an action was taken, with their mean, and the terminal states met. A state that
  // was only evaluated is a leaf, unless its value is that of its children.
  Labelled learnable(bool leaves) const override;
  void clear() override;

  // P(s,a) in the order of children(); nothing if the state has no edges.
  std::vector<float> priors(const std::byte* state) const;

 private:
  struct Step {
    NodeId node;
    Edge* edge;
  };
  enum class Phase { over, between, walking, waiting };

  struct Reader;
  void begin(const std::byte* root) override;
  bool over() const;
  bool give_edges(NodeId id);
  bool enter(NodeId id);
  bool open_children(NodeId id);
  bool visit(NodeId parent, Edge& edge);
  Edge& select(Node& node);
  Edge& unvisited(Node& node);
  template <class Score>
  Edge& best(Node& node, Score score);
  void value_of_children(Node& node, const float* values);
  void take_priors(Node& node, const float* priors);
  void arrived(double value);
  void back_up(double value);
  Child row(const std::byte* state, const Edge& edge) const;

  MctsOptions options_;

  Phase phase_ = Phase::over;
  std::vector<Step> path_;
  const std::byte* pending_ = nullptr;
  std::size_t pending_count_ = 0;
  std::vector<std::byte> waiting_;  // the non-terminal children of at_
  std::vector<double> weights_;
  std::vector<Action> actions_;
};

}  // namespace glaux
