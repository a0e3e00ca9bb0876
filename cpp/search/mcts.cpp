#include "search/mcts.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/errors.h"

namespace glaux {
namespace {

// What the tree of the search may have.
SearchOptions tree_options(const MctsOptions& options) {
  SearchOptions of_tree = options;
  if (options.rave > 0 && options.memory <= most_memory) of_tree.memory = Rave::for_tree(options.memory);
  return of_tree;
}

}  // namespace

Mcts::Mcts(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value, const MctsOptions& options)
    : MctsTree(std::move(game), std::move(terminal_value), tree_options(options),
               options.leaf == Leaf::children ? 1u : 2u),
      SharedSearch(options.threads, options.leaf == Leaf::state ? 4 : 2),
      options_(options) {
  if (!(options.c >= 0) || !std::isfinite(options.c)) {
    throw InvalidParameter("The exploration constant c must be a number of at least 0, not " +
                           std::to_string(options.c) + ".");
  }
  if (!(options.temperature > 0) || !std::isfinite(options.temperature)) {
    throw InvalidParameter("The temperature must be a positive number, not " +
                           std::to_string(options.temperature) + ".");
  }
  if (!(options.rave >= 0) || !std::isfinite(options.rave)) {
    throw InvalidParameter("The constant of RAVE must be a number of at least 0, not " +
                           std::to_string(options.rave) + ".");
  }
  if (options.rave > 0) {
    if (options.leaf != Leaf::state || options.selection != Selection::uct) {
      throw InvalidParameter("RAVE only works with UCT and random matches.");
    }
    if (options.threads > 1) throw InvalidParameter("RAVE plays its random matches with one thread only.");
    rave_ = std::make_unique<Rave>(*game_, options.rave);
  }
}

// The root has edges from the beginning, so that there is always something to decide.
void Mcts::begin(const std::byte* root) {
  phase_ = Phase::over;
  const bool anew = set_root(root, [this](NodeId id) { return give_edges(id); });
  if (anew && rave_) rave_->clear();  // its means go by the numbers of nodes
  phase_ = Phase::between;
}

bool Mcts::over(std::size_t under_way) const {
  return statistics_.full || (tree_.node(root_).label.n > 0 && spent(under_way));
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
    const bool is_new = tree_.node(at_).label.n == 0;
    const bool room = is_new ? enter(at_) : step(at_);
    if (phase_ == Phase::waiting) return pending_count_;
    if (!room) {
      statistics_.full = true;
      phase_ = Phase::between;
    }
  }
  return 0;
}

// One action further.
bool Mcts::step(NodeId id) {
  if (!give_edges(id)) return false;
  Edge& edge = select(tree_.node(id));
  path_.push_back({id, &edge});
  if (!visit(id, edge)) return false;
  if (edge.terminal()) {
    if (rave_) rave_->begin();
    back_up(edge.terminal_value());
  } else {
    at_ = edge.child;
  }
  return true;
}

// A state without a value: what it needs for one waits.
bool Mcts::enter(NodeId id) {
  statistics_.depth = std::max(statistics_.depth, static_cast<int>(path_.size()));
  if (options_.leaf == Leaf::children) return open_children(id);
  if (rave_) {
    const double value = rave_->playout(tree_.state(id), *terminal_value_, rng_);
    ++statistics_.evaluations;
    arrived(value);
    return true;
  }
  pending_ = tree_.state(id);
  pending_count_ = 1;
  phase_ = Phase::waiting;
  return true;
}

bool Mcts::open_children(NodeId id) {
  if (!give_edges(id)) return false;
  expand_state(id);
  Node& node = tree_.node(id);
  set_ends(node, expansion_, ends_);
  pending_ = expansion_.children.data();
  pending_count_ = gather_ongoing(expansion_);
  if (pending_count_ > 0) {
    phase_ = Phase::waiting;
  } else {
    arrived(value_of_children(node, nullptr));
  }
  return true;
}

void Mcts::set_ends(Node& node, const Expansion& expansion, const std::vector<End>& ends) {
  if (expansion.size() != node.edge_count) refuse_change();
  const End* end = ends.data();
  for (std::size_t i = 0; i < expansion.size(); ++i) {
    if (!expansion.statuses[i].terminal()) continue;
    node.edges[i].set_terminal(end->value, end->gain);
    ++end;
  }
}

void Mcts::supply(const float* values, const float*) {
  if (phase_ != Phase::waiting) return;  // begun anew meanwhile
  statistics_.evaluations += pending_count_;
  if (options_.leaf == Leaf::children) {
    arrived(value_of_children(tree_.node(at_), values));
  } else {
    arrived(values[0]);
  }
}

// The value of a state by one ply of minimax, and its priors from the same values.
double Mcts::value_of_children(Node& node, const float* values) {
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
  return sign * best;
}

// The new state has its value.
void Mcts::arrived(double value) {
  count(tree_.node(at_).label, value);
  back_up(value);
}

void Mcts::back_up(double value) {
  for (const auto [id, edge] : path_) {
    count(*edge, value);
    count(tree_.node(id).label, value);
  }
  for (std::size_t i = rave_ ? path_.size() : 0; i-- > 0;) {
    rave_->count(path_[i].node, tree_.node(path_[i].node), path_[i].edge->action(), value);
  }
  statistics_.depth = std::max(statistics_.depth, static_cast<int>(path_.size()));
  ++statistics_.iterations;
  phase_ = Phase::between;
}

Mcts::Edge& Mcts::select(Node& node) {
  if (rave_) return select_rave(node);
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

Mcts::Edge& Mcts::select_rave(Node& node) {
  const std::uint32_t visits = node.label.n - 1;
  const double sign = glaux::sign(node.player), beta = rave_->beta(visits);
  const double exploration = options_.c * std::sqrt(std::log(std::max(visits, 1u)));
  const Rave::Mean* means = rave_->means(at_);
  return best(node, [&](const Edge& edge) {
    const Rave::Mean mean = means == nullptr ? Rave::Mean{} : means[&edge - node.begin()];
    const double as_first = mean.n == 0 ? 0 : mean.w / mean.n, share = mean.n == 0 ? 0 : beta;
    const double q = edge.n == 0 ? as_first : (1 - share) * edge.q() + share * as_first;
    return sign * q + exploration / std::sqrt(std::max(edge.n, 1u));
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

void Mcts::clear() {
  tree_.clear();
  root_ = no_node;
  phase_ = Phase::over;
  if (rave_) rave_->clear();
}

// The means of RAVE go by the numbers of nodes, which change: they are learned anew.
bool Mcts::forget_others(const std::byte* state) {
  phase_ = Phase::over;
  path_.clear();
  if (rave_) rave_->clear();
  return keep_tree_below(state);
}

}  // namespace glaux
