// What can be read from the tree of an unbounded minimax search.
#include <algorithm>

#include "search/best_first.h"

namespace glaux {

std::vector<Child> BestFirst::children(const std::byte* state) const {
  std::vector<Child> rows;
  const NodeId id = node_of(state);
  if (id == no_node) return rows;
  for (const Edge& edge : tree_.node(id)) rows.push_back(row(edge));
  return rows;
}

Child BestFirst::row(const Edge& edge) const {
  return {edge.action(), edge.v, edge.c(), edge.r(), edge.n};
}

float BestFirst::value(const std::byte* state) const {
  const NodeId id = node_of(state);
  return id == no_node ? 0.0f : tree_.node(id).label.v;
}

bool BestFirst::resolved(const std::byte* state) const {
  const NodeId id = node_of(state);
  return id != no_node && tree_.node(id).label.r;
}

std::size_t BestFirst::bytes() const {
  return tree_.bytes() + resolved_.bytes();
}

void BestFirst::clear() {
  tree_.clear();
  resolved_.clear();
  path_.clear();
  root_ = no_node;
  phase_ = Phase::over;
}

bool BestFirst::forget_others(const std::byte* state) {
  if (phase_ == Phase::waiting) abandon();
  settle();
  phase_ = Phase::over;
  return keep_below(state, [](Edge& edge) { return &edge.child; });
}

void BestFirst::clear_but_resolved(std::size_t bound) {
  std::size_t count = 0;
  for (NodeId id = 1; id <= tree_.node_count(); ++id) count += tree_.node(id).label.r;
  if (resolved_.node_count() + count > bound) resolved_.clear();
  for (NodeId id = 1; id <= tree_.node_count() && resolved_.node_count() < bound; ++id) {
    const Node& node = tree_.node(id);
    if (!node.label.r) continue;
    const std::uint64_t hash = game_->hash(tree_.state(id));
    if (resolved_.find(tree_.state(id), hash) != no_node) continue;
    const NodeId copy = resolved_.add(tree_.state(id), hash, {node.player, node.result});
    if (copy == no_node) break;  // the memory for proven states is used up
    resolved_.node(copy).label = node.label;
  }
  tree_.clear();
  path_.clear();
  root_ = no_node;
  phase_ = Phase::over;
}

BestFirst::Proven BestFirst::proven() const {
  Proven all;
  const std::size_t size = game_->spec().state_size;
  for (NodeId id = 1; id <= resolved_.node_count(); ++id) {
    all.states.insert(all.states.end(), resolved_.state(id), resolved_.state(id) + size);
    all.v.push_back(resolved_.node(id).label.v);
    all.c.push_back(resolved_.node(id).label.c);
  }
  return all;
}

void BestFirst::add_proven(const Proven& proven) {
  if (!options_.completion) return;
  for (std::size_t i = 0; i < proven.v.size(); ++i) {
    const std::byte* state = proven.states.data() + i * game_->spec().state_size;
    const std::uint64_t hash = game_->hash(state);
    if (resolved_.find(state, hash) != no_node) continue;
    const NodeId id = resolved_.add(state, hash, game_->status(state));
    if (id == no_node) return;  // the memory for proven states is used up
    Label& label = resolved_.node(id).label;
    label.v = proven.v[i];
    label.c = proven.c[i];
    label.r = true;
  }
}

std::vector<Action> BestFirst::principal_variation(const std::byte* state) const {
  std::vector<Action> actions;
  NodeId id = node_of(state);
  while (id != no_node && tree_.node(id).expanded() &&
         actions.size() < static_cast<std::size_t>(game_->spec().max_plies)) {
    const Node& node = tree_.node(id);
    const int sign = glaux::sign(node.player);
    const Edge* best = std::max_element(node.begin(), node.end(), [&](const Edge& a, const Edge& b) {
      const int by_c = sign * (a.c() - b.c());
      if (by_c != 0) return by_c < 0;
      if (a.v != b.v) return sign > 0 ? a.v < b.v : a.v > b.v;
      return a.n < b.n;
    });
    actions.push_back(best->action());
    id = best->child;
  }
  return actions;
}

struct BestFirst::Reader {
  std::optional<float> expanded(const Node& node) const { return node.label.v; }
  float end(const Edge& edge) const { return edge.v; }
  std::optional<float> leaf(const Node&, const Edge& edge, const Node* node) const {
    if (node != nullptr && node->expanded()) return std::nullopt;
    return edge.v;
  }
};

Labelled BestFirst::learnable(bool leaves) const {
  return learnable_of(*game_, tree_, leaves, Reader{});
}

BestFirst::Dump BestFirst::dump() const {
  const std::size_t size = game_->spec().state_size;
  Dump all;
  for (NodeId id = 1; id <= tree_.node_count(); ++id) {
    const Node& node = tree_.node(id);
    if (!node.expanded()) continue;
    const auto index = static_cast<std::uint32_t>(all.v.size());
    all.states.insert(all.states.end(), tree_.state(id), tree_.state(id) + size);
    all.v.push_back(node.label.v);
    all.c.push_back(node.label.c);
    all.r.push_back(node.label.r);
    for (const Edge& edge : node) {
      all.edge_node.push_back(index);
      all.edges.push_back(row(edge));
    }
  }
  return all;
}

}  // namespace glaux
