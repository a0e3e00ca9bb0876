#include "search/mcts.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/errors.h"

namespace glaux {
Mcts::Mcts(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value, const MctsOptions& options)
    : TableSearch(std::move(game), std::move(terminal_value), options),
      options_(options),
      actions_(static_cast<std::size_t>(game_->spec().max_actions)) {
  if (!(options.c >= 0) || !std::isfinite(options.c)) {
    throw InvalidParameter("The exploration constant c must be a number that is not negative, not " +
                           std::to_string(options.c) + ".");
  }
  if (!(options.temperature > 0) || !std::isfinite(options.temperature)) {
    throw InvalidParameter("The temperature must be a positive number, not " +
                           std::to_string(options.temperature) + ".");
  }
}

// The root has edges from the beginning, so that there is always something to decide.
void Mcts::begin(const std::byte* root) {
  phase_ = Phase::over;
  set_root(root, [this](NodeId id) { return give_edges(id); });
  phase_ = Phase::between;
}

bool Mcts::over() const {
  return statistics_.full || (tree_.node(root_).label.n > 0 && spent());
}

std::size_t Mcts::advance() {
  if (phase_ == Phase::waiting) return pending_count_;
  paused_ = false;
  const std::uint64_t pause = statistics_.iterations + iterations_between_pauses;
  while (phase_ != Phase::over) {
    if (phase_ == Phase::between) {
      if (over()) {
        phase_ = Phase::over;
        break;
      }
      paused_ = statistics_.iterations == pause;
      if (paused_) break;
      path_.clear();
      at_ = root_;
      phase_ = Phase::walking;
    }
    Node& node = tree_.node(at_);
    bool room = true;
    if (node.label.n == 0) {
      room = enter(at_);
      if (phase_ == Phase::waiting) return pending_count_;
    } else if (room = give_edges(at_); room) {
      Edge& edge = select(node);
      path_.push_back({at_, &edge});
      room = visit(at_, edge);
      if (room && edge.terminal()) {
        back_up(edge.terminal_value());
      } else {
        at_ = edge.child;
      }
    }
    if (!room) {
      statistics_.full = true;
      phase_ = Phase::between;
    }
  }
  return 0;
}

// Edges that know their actions only: whether a child is terminal is seen when it is visited.
bool Mcts::give_edges(NodeId id) {
  Node& node = tree_.node(id);
  if (node.expanded()) return true;
  const int n = game_->actions(tree_.state(id), actions_.data());
  if (!tree_.add_edges(node, static_cast<std::uint32_t>(n))) return false;
  for (int i = 0; i < n; ++i) {
    node.edges[i].packed = {actions_[static_cast<std::size_t>(i)], 0, false, false};
    node.edges[i].prior = 1.0f / static_cast<float>(n);
  }
  ++statistics_.expansions;
  return true;
}

// Makes the child of an edge, a node or a terminal value.
bool Mcts::visit(NodeId parent, Edge& edge) {
  if (edge.terminal() || edge.child != no_node) return true;
  const std::byte* state = make_child(parent, edge);
  const Status status = game_->status(state);
  if (status.terminal()) {
    const float value = terminal_value_->value(*game_, state, status.result);
    edge.set_terminal(value, terminal_value_->gain(*game_, state, status.result));
    return true;
  }
  const std::uint64_t hash = game_->hash(state);
  edge.child = tree_.find(state, hash);
  if (edge.child == no_node) edge.child = tree_.add(state, hash, status);
  return edge.child != no_node;
}

// A state without a value: what it needs for one waits.
bool Mcts::enter(NodeId id) {
  statistics_.depth = std::max(statistics_.depth, static_cast<int>(path_.size()));
  if (options_.leaf == Leaf::children) return open_children(id);
  if (options_.leaf == Leaf::policy && !give_edges(id)) return false;
  pending_ = tree_.state(id);
  pending_count_ = 1;
  phase_ = Phase::waiting;
  return true;
}

bool Mcts::open_children(NodeId id) {
  if (!give_edges(id)) return false;
  expand_state(id);
  Node& node = tree_.node(id);
  const std::size_t size = game_->spec().state_size;
  assert(expansion_.size() == node.edge_count);
  waiting_.clear();
  const End* end = ends_.data();
  for (std::size_t i = 0; i < expansion_.size(); ++i) {
    if (expansion_.statuses[i].terminal()) {
      node.edges[i].set_terminal(end->value, end->gain);
      ++end;
    } else {
      const std::byte* child = expansion_.children.data() + i * size;
      waiting_.insert(waiting_.end(), child, child + size);
    }
  }
  pending_ = waiting_.data();
  pending_count_ = waiting_.size() / size;
  if (pending_count_ > 0) {
    phase_ = Phase::waiting;
  } else {
    value_of_children(node, nullptr);
  }
  return true;
}

// Only asked of a policy's leaf: one state, which has its edges.
void Mcts::add_legal(std::size_t n, LegalActions& legal) const {
  if (!wants_priors()) return Search::add_legal(n, legal);
  for (const Edge& edge : tree_.node(at_)) legal.actions.push_back(edge.action());
  legal.close();
}

void Mcts::supply(const float* values, const float* priors) {
  if (phase_ != Phase::waiting) return;  // begun anew meanwhile
  statistics_.evaluations += pending_count_;
  Node& node = tree_.node(at_);
  if (options_.leaf == Leaf::children) {
    value_of_children(node, values);
  } else {
    if (options_.leaf == Leaf::policy) take_priors(node, priors);
    arrived(values[0]);
  }
}

// The value of a state by one ply of minimax, and its priors from the same values.
void Mcts::value_of_children(Node& node, const float* values) {
  const double sign = glaux::sign(node.player);
  weights_.clear();
  for (const Edge& edge : node) {
    weights_.push_back(sign * (edge.terminal() ? edge.terminal_value() : *values++));
  }
  const auto [low, high] = std::minmax_element(weights_.begin(), weights_.end());
  const double worst = *low, best = *high;
  double sum = 0;
  for (double& weight : weights_) {
    if (options_.prior_map == PriorMap::softmax) {
      weight = std::exp((weight - best) / options_.temperature);
    } else {
      weight = best > worst ? (weight - worst) / (best - worst) : 1.0;
    }
    sum += weight;
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    node.edges[i].prior = static_cast<float>(weights_[i] / sum);
  }
  arrived(sign * best);
}

// Priors of the legal actions, made to sum to 1; the uniform ones of give_edges() stay if they can't.
void Mcts::take_priors(Node& node, const float* priors) {
  const auto weight = [](float p) { return p < 0 ? 0.0 : static_cast<double>(p); };
  double sum = 0;
  for (std::uint32_t i = 0; i < node.edge_count; ++i) sum += weight(priors[i]);
  if (!std::isfinite(sum) || sum <= 0) return;
  for (Edge& edge : node) edge.prior = static_cast<float>(weight(*priors++) / sum);
}

// The new state has its value.
void Mcts::arrived(double value) {
  Label& label = tree_.node(at_).label;
  label.w += value;
  ++label.n;
  back_up(value);
}

void Mcts::back_up(double value) {
  for (const auto [id, edge] : path_) {
    edge->w += value;
    ++edge->n;
    Label& label = tree_.node(id).label;
    label.w += value;
    ++label.n;
  }
  statistics_.depth = std::max(statistics_.depth, static_cast<int>(path_.size()));
  ++statistics_.iterations;
  phase_ = Phase::between;
}

Mcts::Edge& Mcts::select(Node& node) {
  const std::uint32_t visits = node.label.n - 1;
  const double sign = glaux::sign(node.player);
  if (options_.selection == Selection::uct) {
    if (visits < node.edge_count) return unvisited(node);
    const double exploration = options_.c * std::sqrt(std::log(static_cast<double>(visits)));
    return best(node, [=](const Edge& edge) {
      const double inverse = 1.0 / edge.n;
      return sign * edge.w * inverse + exploration * std::sqrt(inverse);
    });
  }
  const double exploration = options_.c * std::sqrt(visits + 1e-8);
  return best(node, [=](const Edge& edge) {
    return sign * edge.q() + exploration * static_cast<double>(edge.prior) / (1.0 + edge.n);
  });
}

// One of the actions not yet taken: as long as there are any, none was taken twice.
Mcts::Edge& Mcts::unvisited(Node& node) {
  const std::uint32_t left = node.edge_count - (node.label.n - 1);
  std::uint32_t skip = random_ties_ ? rng_.below(left) : 0;
  Edge* edge = node.begin();
  while (edge->n > 0 || skip-- > 0) ++edge;
  assert(edge < node.end());
  return *edge;
}

template <class Score>
Mcts::Edge& Mcts::best(Node& node, Score score) {
  Edge* chosen = node.begin();
  double highest = score(*chosen);
  Draw draw = this->draw();
  for (Edge* edge = chosen + 1; edge != node.end(); ++edge) {
    const double s = score(*edge);
    if (s > highest) {
      chosen = edge, highest = s;
      draw.restart();
    } else if (s == highest && draw.falls_on_equal()) {
      chosen = edge;
    }
  }
  return *chosen;
}

}  // namespace glaux
