// The tree of mean values that the kinds of MCTS share: UCT and the wrapper (search/mcts.h), PUCT with a
// policy (search/puct.h).
//
// Equal states share a node, with statistics on its edges. Values are the first player's throughout, and the
// player to move of each state decides which sign is good, so a turn may have several actions and a game one
// player. A terminal child is an edge that holds its exact value; it is counted at every visit and needs no
// value function.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "search/table_search.h"

namespace glaux {

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
  bool r() const { return packed.r(); }
  bool terminal() const { return packed.terminal(); }
  float terminal_value() const { return std::bit_cast<float>(child); }
  double q() const { return n == 0 ? 0.0 : w / n; }
};
static_assert(sizeof(MctsEdge) == 24, "a child that is not visited takes 24 bytes");

// A state has a value when n > 0; its own value counts as one visit, so n - 1 are of its actions.
struct MctsLabel {
  double w = 0;
  std::uint32_t n = 0;
  float own = 0;  // its own value, where a search keeps it; the exact one once it is proven
};
static_assert(sizeof(MctsLabel) == 16, "what a state takes besides its bytes and edges");

class MctsTree : public TableSearch<MctsEdge, MctsLabel> {
 public:
  // A state is more than a leaf from `least` visits on.
  MctsTree(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value,
           const SearchOptions& options, std::uint32_t least);

  // The most visited action; then by Q, by prior, and at random.
  Action decision() override;
  // v is the mean value, or 0 before the first visit; a terminal child has its exact value, its
  // result as c, and r = 1.
  std::vector<Child> children(const std::byte* state) const override;
  // The actions that were visited; all of them if none was.
  std::vector<Child> choices(const std::byte* state) const override;
  float value(const std::byte* state) const override;
  // A mean proves nothing.
  bool resolved(const std::byte*) const override { return false; }
  std::vector<Action> principal_variation(const std::byte* state) const override;
  // The states from which an action was taken, with their mean, and the terminal states met. A state that
  // was only evaluated is a leaf, unless its value is that of its children.
  Labelled learnable(bool leaves) const override;

  // P(s,a) in the order of children(); nothing if the state has no edges.
  std::vector<float> priors(const std::byte* state) const;

 protected:
  // Edges and children are made when they are first needed; false if there is no room. Most are there: a
  // step of a search that makes nothing calls nothing.
  bool give_edges(NodeId id) { return tree_.node(id).expanded() || make_edges(id); }
  bool visit(NodeId parent, Edge& edge) {
    return edge.terminal() || edge.child != no_node || make_end_or_node(parent, edge);
  }
  // Knows the actions of a state that end the match before they are taken; false if there are none.
  bool see_ends(NodeId id);
  // What forget_others() does to the tree.
  bool keep_tree_below(const std::byte* state);
  void take_priors(Node& node, const float* priors);
  // The value of a child that is proven or terminal.
  float exact(const Edge& edge) const {
    return edge.terminal() ? edge.terminal_value() : tree_.node(edge.child).label.own;
  }
  static void count(Label& label, double value) {
    label.w += value;
    ++label.n;
  }
  static void count(Edge& edge, double value) {
    edge.w += value;
    ++edge.n;
  }
  // The edge with the highest score, a number or a tuple; drawn among equals.
  template <class Score>
  Edge& best(Node& node, Score score) {
    Edge* chosen = node.begin();
    auto highest = score(*chosen);
    Draw draw = this->draw();
    for (Edge* edge = chosen + 1; edge != node.end(); ++edge) {
      const auto s = score(*edge);
      if (s > highest) {
        chosen = edge, highest = s;
        draw.restart();
      } else if (s == highest && draw.falls_on_equal()) {
        chosen = edge;
      }
    }
    return *chosen;
  }

 private:
  struct Reader;
  bool make_edges(NodeId id);
  bool make_end_or_node(NodeId parent, Edge& edge);
  Child row(const std::byte* state, const Edge& edge) const;
  bool set_end(Edge& edge, const std::byte* state, const Status& status);

  std::uint32_t least_;
  std::vector<Action> actions_;
};

}  // namespace glaux
