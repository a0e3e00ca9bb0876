#include "search/best_first.h"

#include <algorithm>
#include <cassert>

#include "core/errors.h"

namespace glaux {
namespace {

template <class T>
int compare(const T& a, const T& b) {
  return (a > b) - (a < b);
}

// Comparison of (c, v) with the given sign: 1 for the first player, -1 for the second.
template <class E>
int compare_value(const E& a, const E& b, int sign) {
  if (a.c() != b.c()) return a.c() > b.c() ? sign : -sign;
  if (a.v != b.v) return a.v > b.v ? sign : -sign;
  return 0;
}

}  // namespace

BestFirst::BestFirst(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value,
                     const BestFirstOptions& options)
    : Search(std::move(game)),
      options_(options),
      terminal_value_(std::move(terminal_value)),
      tree_(game_->spec().state_size, options.memory),
      resolved_(game_->spec().state_size, options.memory / 4),
      rng_(options.seed),
      scratch_(game_->spec().state_size) {
  const Spec& spec = game_->spec();
  if (spec.action_count >= 1 << 28) {
    throw InvalidParameter(spec.title + " has too many actions for this search.");
  }
  const std::size_t needed = Tree::bytes_for(spec.state_size, static_cast<std::size_t>(spec.max_actions));
  if (options.memory < needed) {
    throw InvalidParameter("A search of " + spec.title + " needs a memory budget of at least " +
                           std::to_string(needed) + " bytes, not " + std::to_string(options.memory) + ".");
  }
}

// A value function failed while the search waited for it: as if this iteration had not begun.
void BestFirst::abandon() {
  Node& node = tree_.node(at_);
  node.edges = nullptr;
  node.edge_count = 0;
  for (const Step& step : path_) --step.edge->n;
  waiting_.clear();
}

void BestFirst::begin(const std::byte* root) {
  if (phase_ == Phase::waiting) abandon();
  const std::uint64_t hash = game_->hash(root);
  root_ = tree_.find(root, hash);
  if (root_ == no_node) root_ = tree_.add(root, hash, game_->status(root));
  if (root_ == no_node) {
    tree_.clear();
    root_ = tree_.add(root, hash, game_->status(root));
  }
  assert(root_ != no_node && !tree_.node(root_).terminal());
  phase_ = Phase::between;
}

// A full table in which the root has no children can't answer: it begins anew from the root.
void BestFirst::forget_all_but_root() {
  const std::vector<std::byte> root(tree_.state(root_), tree_.state(root_) + game_->spec().state_size);
  tree_.clear();
  root_ = at_ = tree_.add(root.data(), game_->hash(root.data()), game_->status(root.data()));
}

bool BestFirst::over() const {
  const Node& root = tree_.node(root_);
  return statistics_.full || (options_.completion && root.expanded() && root.label.r) ||
         (root.expanded() && spent());
}

std::size_t BestFirst::advance() {
  for (;;) {
    switch (phase_) {
      case Phase::over:
        return 0;
      case Phase::between:
        if (over()) {
          phase_ = Phase::over;
          return 0;
        }
        path_.clear();
        at_ = root_;
        phase_ = Phase::walking;
        break;
      case Phase::walking: {
        Node& node = tree_.node(at_);
        if (!node.expanded() && !node.label.r) {
          if (!expand(at_)) {
            if (at_ == root_) {
              forget_all_but_root();
              break;
            }
            statistics_.full = true;
            back_up();
            break;
          }
          if (!waiting_.empty()) {
            phase_ = Phase::waiting;
            return waiting_.size() / game_->spec().state_size;
          }
          label(node);
          arrived();
          break;
        }
        if (options_.completion && node.label.r) {
          back_up();
          break;
        }
        Edge* edge = select(node);
        ++edge->n;
        path_.push_back({at_, edge});
        statistics_.depth = std::max(statistics_.depth, static_cast<int>(path_.size()));
        if (edge->terminal()) {
          back_up();
          break;
        }
        at_ = child_of(at_, *edge);
        if (at_ == no_node) {
          statistics_.full = true;
          --edge->n;
          path_.pop_back();
          back_up();
        }
        break;
      }
      case Phase::waiting:
        return waiting_.size() / game_->spec().state_size;
    }
  }
}

void BestFirst::supply(const float* values, const float*) {
  assert(phase_ == Phase::waiting);
  Node& node = tree_.node(at_);
  std::size_t next = 0;
  for (Edge& edge : node) {
    if (!edge.terminal()) edge.v = values[next++];
  }
  statistics_.evaluations += next;
  waiting_.clear();
  label(node);
  arrived();
}

// The walk has expanded a state: UBFM ends its iteration here, Descent goes on from it.
void BestFirst::arrived() {
  ++statistics_.expansions;
  const bool proven = options_.completion && tree_.node(at_).label.r;
  if (options_.descend && !proven && !out_of_time()) {
    phase_ = Phase::walking;
  } else {
    back_up();
  }
}

// Gives the node its edges; the children that need a value wait.
bool BestFirst::expand(NodeId id) {
  game_->expand(tree_.state(id), expansion_);
  Node& node = tree_.node(id);
  const std::size_t size = game_->spec().state_size;
  // First all that can throw, so that a node never has half of its edges.
  terminal_values_.clear();
  terminal_gains_.clear();
  for (std::size_t i = 0; i < expansion_.size(); ++i) {
    const Result result = expansion_.statuses[i].result;
    if (result == ongoing) continue;
    const std::byte* child = expansion_.children.data() + i * size;
    terminal_values_.push_back(terminal_value_->value(*game_, child, result));
    terminal_gains_.push_back(terminal_value_->gain(*game_, child, result));
  }
  if (!tree_.add_edges(node, static_cast<std::uint32_t>(expansion_.size()))) return false;
  waiting_.clear();
  std::size_t terminals = 0;
  for (std::size_t i = 0; i < expansion_.size(); ++i) {
    const Status status = expansion_.statuses[i];
    const std::byte* child = expansion_.children.data() + i * size;
    Edge& edge = node.edges[i];
    if (status.terminal()) {
      edge.set(expansion_.actions[i], terminal_gains_[terminals], true, true);
      edge.v = terminal_values_[terminals++];
    } else {
      edge.set(expansion_.actions[i], 0, false, false);
      waiting_.insert(waiting_.end(), child, child + size);
    }
  }
  return true;
}

NodeId BestFirst::node_of(const std::byte* state) const {
  return tree_.find(state, game_->hash(state));
}

NodeId BestFirst::child_of(NodeId parent, Edge& edge) {
  if (edge.child != no_node) return edge.child;
  game_->apply(tree_.state(parent), edge.action(), scratch_.data());
  const std::uint64_t hash = game_->hash(scratch_.data());
  edge.child = tree_.find(scratch_.data(), hash);
  if (edge.child == no_node) {
    edge.child = tree_.add(scratch_.data(), hash, game_->status(scratch_.data()));
    if (const NodeId known = resolved_.find(scratch_.data(), hash);
        known != no_node && edge.child != no_node) {
      tree_.node(edge.child).label = resolved_.node(known).label;
    }
  }
  return edge.child;
}

// v, c and r of a state from all of its edges.
void BestFirst::label(Node& node) const {
  const int sign = node.first_player ? 1 : -1;
  const Edge* best = node.begin();
  std::uint32_t unresolved = 0;
  for (const Edge& edge : node) {
    unresolved += !edge.r();
    const bool better = options_.completion
                            ? compare_value(edge, *best, sign) > 0
                            : static_cast<float>(sign) * edge.v > static_cast<float>(sign) * best->v;
    if (better) best = &edge;
  }
  node.label.v = best->v;
  node.label.c = static_cast<std::int8_t>(options_.completion ? best->c() : 0);
  node.label.unresolved = unresolved;
  node.label.r = options_.completion && (node.label.c != 0 || unresolved == 0);
}

// Carries the labels from the end of the walk to the root.
void BestFirst::back_up() {
  while (!path_.empty()) {
    const auto [id, edge] = path_.back();
    path_.pop_back();
    if (edge->child != no_node) {
      const Label& child = tree_.node(edge->child).label;
      edge->v = child.v;
      edge->set(edge->action(), child.c, child.r, false);
    }
    label(tree_.node(id));
  }
  ++statistics_.iterations;
  phase_ = Phase::between;
}

// One pass over the edges; equals are chosen among at random, or the first of them is kept.
template <class Better>
const BestFirst::Edge* BestFirst::best(const Node& node, Better better, bool unresolved_only) {
  const Edge* chosen = nullptr;
  std::uint32_t ties = 1;
  for (const Edge& edge : node) {
    if (unresolved_only && edge.r()) continue;
    const int order = chosen == nullptr ? 1 : better(edge, *chosen);
    if (order > 0) {
      chosen = &edge;
      ties = 1;
    } else if (order == 0 && options_.random_ties && rng_.below(++ties) == 0) {
      chosen = &edge;
    }
  }
  return chosen;
}

// best_action(s), or completed_best_action_dual(s, A) over the unresolved actions.
BestFirst::Edge* BestFirst::select(Node& node) {
  const int sign = node.first_player ? 1 : -1;
  const Edge* edge = nullptr;
  if (options_.completion) {
    edge = best(
        node,
        [sign](const Edge& a, const Edge& b) {
          const int order = compare_value(a, b, sign);
          return order != 0 ? order : compare(b.n, a.n);
        },
        true);
  } else {
    edge = best(node, [sign](const Edge& a, const Edge& b) { return sign * compare(a.v, b.v); }, false);
  }
  assert(edge != nullptr);
  return const_cast<Edge*>(edge);
}

Action BestFirst::decision() {
  if (root_ == no_node || !tree_.node(root_).expanded()) {
    throw InvalidState("This search has not looked at a state yet.");
  }
  const Node& root = tree_.node(root_);
  const int sign = root.first_player ? 1 : -1;
  const bool completion = options_.completion;
  const auto order = [&](const Edge& a, const Edge& b) {
    const int by_c = completion ? sign * compare(a.c(), b.c()) : 0;
    const int by_v = sign * compare(a.v, b.v);
    const int by_n = compare(a.n, b.n);
    const int by_r = completion ? compare(a.r(), b.r()) : 0;
    if (by_c != 0) return by_c;
    if (options_.decision == Decision::best) return by_v != 0 ? by_v : by_n;
    if (options_.decision == Decision::safest_or_draw && by_r != 0) return by_r;
    return by_n != 0 ? by_n : by_v;
  };
  return best(root, order, false)->action();
}

}  // namespace glaux
