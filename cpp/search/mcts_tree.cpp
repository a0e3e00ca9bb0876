#include "search/mcts_tree.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "core/errors.h"

namespace glaux {

MctsTree::MctsTree(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value,
                   const SearchOptions& options, std::uint32_t least)
    : TableSearch(std::move(game), std::move(terminal_value), options),
      least_(least),
      actions_(static_cast<std::size_t>(game_->spec().max_actions)) {}

// Edges that know their actions only: whether a child is terminal is seen when it is visited.
bool MctsTree::make_edges(NodeId id) {
  Node& node = tree_.node(id);
  const int n = game_->actions(tree_.state(id), actions_.data());
  if (n == 0) refuse_dead_end(*game_);
  if (!tree_.add_edges(node, static_cast<std::uint32_t>(n))) return false;
  for (int i = 0; i < n; ++i) {
    node.edges[i].packed = {actions_[static_cast<std::size_t>(i)], 0, false, false};
    node.edges[i].prior = 1.0f / static_cast<float>(n);
  }
  ++statistics_.expansions;
  return true;
}

// The child of an edge: a node or a terminal value.
bool MctsTree::make_end_or_node(NodeId parent, Edge& edge) {
  const std::byte* state = make_child(parent, edge);
  const Status status = game_->status(state);
  if (set_end(edge, state, status)) return true;
  const std::uint64_t hash = game_->hash(state);
  edge.child = tree_.find(state, hash);
  if (edge.child == no_node) edge.child = tree_.add(state, hash, status);
  return edge.child != no_node;
}

bool MctsTree::set_end(Edge& edge, const std::byte* state, const Status& status) {
  if (!status.terminal()) return false;
  const float value = terminal_value_->value(*game_, state, status.result);
  edge.set_terminal(value, terminal_value_->gain(*game_, state, status.result));
  return true;
}

// All children in one call, which costs half of a call for each.
bool MctsTree::see_ends(NodeId id) {
  Node& node = tree_.node(id);
  const std::byte* state = tree_.state(id);
  if (!game_->may_end(state)) return false;
  game_->expand(state, expansion_);
  if (expansion_.size() != node.edge_count) refuse_change();
  const std::size_t size = game_->spec().state_size;
  bool ends = false;
  for (std::size_t i = 0; i < expansion_.size(); ++i) {
    if (!expansion_.statuses[i].terminal()) continue;
    ends = true;
    Edge& edge = node.edges[i];
    if (edge.terminal() || edge.child != no_node) continue;
    if (expansion_.actions[i] != edge.action()) refuse_change();
    set_end(edge, expansion_.children.data() + i * size, expansion_.statuses[i]);
  }
  return ends;
}

// Priors of the legal actions, made to sum to 1; the uniform ones of give_edges() stay if they can't.
void MctsTree::take_priors(Node& node, const float* priors) {
  const auto weight = [](float p) { return p < 0 ? 0.0 : static_cast<double>(p); };
  double sum = 0;
  for (std::uint32_t i = 0; i < node.edge_count; ++i) sum += weight(priors[i]);
  if (!std::isfinite(sum) || sum <= 0) return;
  for (Edge& edge : node) edge.prior = static_cast<float>(weight(*priors++) / sum);
}

Action MctsTree::decision() {
  if (root_ == no_node) throw InvalidState("There is nothing to decide: the search has not begun.");
  Node& root = tree_.node(root_);
  const double sign = glaux::sign(root.player);
  return best(root, [sign](const Edge& edge) { return std::tuple(edge.n, sign * edge.q(), edge.prior); })
      .action();
}

std::vector<Child> MctsTree::children(const std::byte* state) const {
  std::vector<Child> rows;
  const NodeId id = node_of(state);
  if (id == no_node) return rows;
  for (const Edge& edge : tree_.node(id)) rows.push_back(row(state, edge));
  return rows;
}

std::vector<Child> MctsTree::choices(const std::byte* state) const {
  std::vector<Child> all = children(state);
  const auto visited = [](const Child& child) { return child.n > 0; };
  if (std::any_of(all.begin(), all.end(), visited)) std::erase_if(all, std::not_fn(visited));
  return all;
}

Child MctsTree::row(const std::byte* state, const Edge& edge) const {
  if (edge.r()) return {edge.action(), exact(edge), edge.c(), 1, edge.n};
  if (edge.n == 0) {
    // An edge knows that its child is terminal from the first visit on; who asks knows it now.
    std::vector<std::byte> child(game_->spec().state_size);
    game_->apply(state, edge.action(), child.data());
    const Result result = game_->status(child.data()).result;
    if (result != ongoing) {
      return {edge.action(), terminal_value_->value(*game_, child.data(), result),
              terminal_value_->gain(*game_, child.data(), result), 1, 0};
    }
  }
  return {edge.action(), static_cast<float>(edge.q()), 0, 0, edge.n};
}

std::vector<float> MctsTree::priors(const std::byte* state) const {
  std::vector<float> all;
  const NodeId id = node_of(state);
  if (id == no_node) return all;
  for (const Edge& edge : tree_.node(id)) all.push_back(edge.prior);
  return all;
}

float MctsTree::value(const std::byte* state) const {
  const NodeId id = node_of(state);
  if (id == no_node) return 0.0f;
  const Label& label = tree_.node(id).label;
  return label.n == 0 ? 0.0f : static_cast<float>(label.w / label.n);
}

std::vector<Action> MctsTree::principal_variation(const std::byte* state) const {
  std::vector<Action> actions;
  NodeId id = node_of(state);
  while (id != no_node && tree_.node(id).expanded()) {
    const Node& node = tree_.node(id);
    const double sign = glaux::sign(node.player);
    const Edge* best = std::max_element(node.begin(), node.end(), [sign](const Edge& a, const Edge& b) {
      return std::tuple(a.n, sign * a.q(), a.prior) < std::tuple(b.n, sign * b.q(), b.prior);
    });
    if (best->n == 0) break;
    actions.push_back(best->action());
    id = best->terminal() ? no_node : best->child;
  }
  return actions;
}

struct MctsTree::Reader {
  std::uint32_t least;  // visits of a state that is more than a leaf

  static float mean(const Label& label) { return static_cast<float>(label.w / label.n); }
  std::optional<float> expanded(const Node& node) const {
    return node.label.n >= least ? std::optional(mean(node.label)) : std::nullopt;
  }
  float end(const Edge& edge) const { return edge.terminal_value(); }
  std::optional<float> leaf(const Node&, const Edge&, const Node* node) const {
    return node != nullptr && node->label.n > 0 && node->label.n < least ? std::optional(mean(node->label))
                                                                         : std::nullopt;
  }
};

Labelled MctsTree::learnable(bool leaves) const {
  return learnable_of(*game_, tree_, leaves, Reader{least_});
}

bool MctsTree::keep_tree_below(const std::byte* state) {
  return keep_below(state, [](Edge& edge) { return edge.terminal() ? nullptr : &edge.child; });
}

}  // namespace glaux
