// What can be read from the tree of an MCTS.
#include <algorithm>
#include <functional>
#include <tuple>

#include "core/errors.h"
#include "search/mcts.h"

namespace glaux {

Action Mcts::decision() {
  if (root_ == no_node) throw InvalidState("There is nothing to decide: the search has not begun.");
  const Node& root = tree_.node(root_);
  const double sign = glaux::sign(root.player);
  const auto key = [sign](const Edge& edge) { return std::tuple(edge.n, sign * edge.q(), edge.prior); };
  const Edge* chosen = root.begin();
  Draw draw = this->draw();
  for (const Edge* edge = chosen + 1; edge != root.end(); ++edge) {
    if (draw.falls_on(compare(key(*edge), key(*chosen)))) chosen = edge;
  }
  return chosen->action();
}

std::vector<Child> Mcts::children(const std::byte* state) const {
  std::vector<Child> rows;
  const NodeId id = node_of(state);
  if (id == no_node) return rows;
  for (const Edge& edge : tree_.node(id)) rows.push_back(row(state, edge));
  return rows;
}

std::vector<Child> Mcts::choices(const std::byte* state) const {
  std::vector<Child> all = children(state);
  const auto visited = [](const Child& child) { return child.n > 0; };
  if (std::any_of(all.begin(), all.end(), visited)) std::erase_if(all, std::not_fn(visited));
  return all;
}

Child Mcts::row(const std::byte* state, const Edge& edge) const {
  if (edge.terminal()) return {edge.action(), edge.terminal_value(), edge.c(), 1, edge.n};
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

std::vector<float> Mcts::priors(const std::byte* state) const {
  std::vector<float> all;
  const NodeId id = node_of(state);
  if (id == no_node) return all;
  for (const Edge& edge : tree_.node(id)) all.push_back(edge.prior);
  return all;
}

float Mcts::value(const std::byte* state) const {
  const NodeId id = node_of(state);
  if (id == no_node) return 0.0f;
  const Label& label = tree_.node(id).label;
  return label.n == 0 ? 0.0f : static_cast<float>(label.w / label.n);
}

// A mean proves nothing.
bool Mcts::resolved(const std::byte*) const {
  return false;
}

std::vector<Action> Mcts::principal_variation(const std::byte* state) const {
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

struct Mcts::Reader {
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

Labelled Mcts::learnable(bool leaves) const {
  return learnable_of(*game_, tree_, leaves, Reader{options_.leaf == Leaf::children ? 1u : 2u});
}

void Mcts::clear() {
  tree_.clear();
  root_ = no_node;
  phase_ = Phase::over;
}

}  // namespace glaux
