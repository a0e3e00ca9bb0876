// What the tree of a PUCT search says: the action to play, values, and the policy that it has found.
#include <algorithm>
#include <tuple>

#include "core/errors.h"
#include "search/puct.h"

namespace glaux {

Action Puct::decision() {
  if (root_ == no_node) throw InvalidState("There is nothing to decide: the search has not begun.");
  Node& root = tree_.node(root_);
  const int sign = glaux::sign(root.player);
  const auto known = [&](const Edge& edge) { return options_.proven && edge.r() ? sign * edge.c() : 0; };
  if (options_.root == RootRule::puct || (options_.proven && proof(root))) {
    return best(
               root,
               [&](const Edge& edge) { return std::tuple(known(edge), edge.n, sign * edge.q(), edge.prior); })
        .action();
  }
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < root.edge_count; ++i) most = std::max(most, since_plan(i));
  const std::vector<double> scores = halving_scores(root, most);
  return best(root, [&](const Edge& edge) { return std::pair(known(edge), scores[&edge - root.begin()]); })
      .action();
}

float Puct::value(const std::byte* state) const {
  const NodeId id = node_of(state);
  if (id != no_node && options_.proven && tree_.node(id).expanded()) {
    if (const std::optional<Proof> found = proof(tree_.node(id))) return found->value;
  }
  return MctsTree::value(state);
}

bool Puct::resolved(const std::byte* state) const {
  const NodeId id = node_of(state);
  return id != no_node && options_.proven && tree_.node(id).expanded() && proof(tree_.node(id)).has_value();
}

std::vector<double> Puct::policy(const std::byte* state) const {
  const NodeId id = node_of(state);
  if (id == no_node || !tree_.node(id).expanded()) return {};
  const Node& node = tree_.node(id);
  std::vector<double> all = options_.root == RootRule::gumbel ? improved(node) : visit_shares(node);
  if (options_.proven) keep_sound(node, all);
  return all;
}

// The priors before any visit.
std::vector<double> Puct::visit_shares(const Node& node) const {
  double visits = 0;
  for (const Edge& edge : node) visits += edge.n;
  std::vector<double> all;
  for (const Edge& edge : node) {
    all.push_back(visits > 0 ? edge.n / visits : static_cast<double>(edge.prior));
  }
  return all;
}

// A search that ends with a proof has hardly visited the action that proves it. So of a proven state those
// actions stay in the policy that have its value, and of another one those that are not lost.
void Puct::keep_sound(const Node& node, std::vector<double>& policy) const {
  const std::optional<Proof> found = proof(node);
  const auto sound = [&](const Edge& edge) {
    return found ? edge.r() && edge.c() == found->c && exact(edge) == found->value : !avoided(node, edge);
  };
  double sum = 0, kept = 0;
  for (std::size_t i = 0; i < policy.size(); ++i) {
    if (!sound(node.edges[i])) policy[i] = 0;
    kept += sound(node.edges[i]);
    sum += policy[i];
  }
  for (std::size_t i = 0; i < policy.size(); ++i) {
    policy[i] = sum > 0 ? policy[i] / sum : sound(node.edges[i]) / kept;
  }
}

}  // namespace glaux
