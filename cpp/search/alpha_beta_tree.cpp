// What can be read from the table of an alpha-beta search.
#include "core/errors.h"
#include "search/alpha_beta.h"

namespace glaux {

Action AlphaBeta::decision() {
  if (root_ == no_node || tree_.node(root_).label.best == no_edge) {
    throw InvalidState("This search has not looked at a state yet.");
  }
  const Node& root = tree_.node(root_);
  const Label& label = root.label;
  std::uint32_t chosen = no_edge;
  Draw draw = this->draw();
  for (std::uint32_t i = 0; i < root.edge_count; ++i) {
    const Entry& entry = root.edges[i].entry;
    const bool equal = entry.bound == Bound::exact && entry.key() == label.entry.key() &&
                       (entry.settled() || entry.depth == label.entry.depth);
    if (i != label.best && !equal) continue;
    if (draw.falls_on(chosen == no_edge ? 1 : 0)) chosen = i;
  }
  return root.edges[chosen].action();
}

std::vector<Child> AlphaBeta::children(const std::byte* state) const {
  std::vector<Child> rows;
  const NodeId id = node_of(state);
  if (id == no_node) return rows;
  const Node& node = tree_.node(id);
  for (const Edge& edge : node) rows.push_back(row(edge.action(), edge.entry, node.label.entry));
  return rows;
}

Child AlphaBeta::row(Action action, const Entry& entry, const Entry& parent) const {
  const bool current = entry.settled() || entry.depth == parent.depth;
  return {action, entry.v, entry.c, options_.completion && entry.proven(),
          entry.bound == Bound::exact && current};
}

std::vector<Child> AlphaBeta::choices(const std::byte* state) const {
  std::vector<Child> rows;
  const NodeId id = node_of(state);
  if (id == no_node || !tree_.node(id).expanded()) return rows;
  const Node& node = tree_.node(id);
  const bool finished = id == root_ && complete_ > 0;
  const Entry& entry = finished ? finished_.entry : node.label.entry;
  const std::uint32_t best = finished ? finished_.best : node.label.best;
  for (std::uint32_t i = 0; i < node.edge_count; ++i) {
    // The best edge may have been searched deeper since, but its value then is that of the state.
    const Entry& known = i == best ? entry : finished ? finished_.edges[i] : node.edges[i].entry;
    const Child child = row(node.edges[i].action(), known, entry);
    if (child.n > 0) rows.push_back(child);
  }
  return rows.empty() ? children(state) : rows;
}

struct AlphaBeta::Reader {
  std::optional<float> expanded(const Node& node) const {
    return node.label.has_exact ? std::optional(node.label.exact) : std::nullopt;
  }
  float end(const Edge& edge) const { return edge.entry.v; }
  std::optional<float> leaf(const Node& parent, const Edge& edge, const Node* node) const {
    if (!parent.label.valued || (node != nullptr && node->expanded())) return std::nullopt;
    return edge.child == no_node ? edge.entry.v : node->label.evaluation;
  }
};

Labelled AlphaBeta::learnable(bool leaves) const {
  return learnable_of(*game_, tree_, leaves, Reader{});
}

float AlphaBeta::value(const std::byte* state) const {
  const NodeId id = node_of(state);
  if (id == no_node) return 0;
  const Label& label = tree_.node(id).label;
  return label.best == no_edge ? label.evaluation : label.entry.v;
}

bool AlphaBeta::resolved(const std::byte* state) const {
  const NodeId id = node_of(state);
  return options_.completion && id != no_node && tree_.node(id).label.entry.proven();
}

std::vector<Action> AlphaBeta::principal_variation(const std::byte* state) const {
  std::vector<Action> actions;
  NodeId id = node_of(state);
  while (id != no_node && tree_.node(id).label.best != no_edge &&
         actions.size() < static_cast<std::size_t>(game_->spec().max_plies)) {
    const Node& node = tree_.node(id);
    const Edge& best = node.edges[node.label.best];
    actions.push_back(best.action());
    id = best.child;
  }
  return actions;
}

void AlphaBeta::clear() {
  tree_.clear();
  frames_.clear();
  order_.clear();
  root_ = no_node;
  complete_ = 0;
  was_full_ = false;
  phase_ = Phase::over;
}

}  // namespace glaux
