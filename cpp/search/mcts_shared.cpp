// MCTS by several threads.
//
// A visit counts from the moment at which a thread sets out for the value of its leaf: until it is back, the
// visit has the mean that the edge had before, or its state's where the edge is new. So Q stays as it is and
// exploration falls, and the next thread goes the same way only where that is clearly best ("watch the
// unobserved", Liu and others, 2020). There is no constant to choose and no unit of values to know. Two
// threads may meet in a new state: both give it a value and both values count on their ways, the first one
// for the state itself.
#include <algorithm>

#include "search/mcts.h"

namespace glaux {

struct Mcts::Visit final : Errand {
  struct Counted {
    NodeId node;
    Edge* edge;
    double assumed;  // in place of the value
  };
  std::vector<Counted> path;
  NodeId node = no_node;
};

std::unique_ptr<Errand> Mcts::make_errand() const {
  return std::make_unique<Visit>();
}

// As advance(), but that a state without a value is the errand of a thread.
Found Mcts::find(Errand& errand) {
  auto& visit = static_cast<Visit&>(errand);
  const std::uint64_t pause = statistics_.iterations + iterations_between_pauses;
  while (statistics_.iterations < pause) {
    if (over(out_)) return Found::over;
    if (tree_.node(root_).label.n == 0 && out_ > 0) return Found::none;
    path_.clear();
    at_ = root_;
    phase_ = Phase::walking;
    while (phase_ == Phase::walking) {
      const bool is_new = tree_.node(at_).label.n == 0;
      if (is_new && (options_.leaf == Leaf::state || give_edges(at_))) {
        set_out(visit);
        return Found::leaf;
      }
      if (is_new || !step(at_)) {
        statistics_.full = true;
        phase_ = Phase::between;
      }
    }
  }
  return Found::none;
}

void Mcts::set_out(Visit& visit) {
  visit.out = true;
  visit.node = at_;
  copy_state(at_, visit);
  visit.path.clear();
  for (const auto [id, edge] : path_) {
    Label& label = tree_.node(id).label;
    const double assumed = edge->n > 0 ? edge->q() : label.w / label.n;
    count(*edge, assumed);
    count(label, assumed);
    visit.path.push_back({id, edge, assumed});
  }
  ++out_;
  phase_ = Phase::between;
}

void Mcts::fetch(Errand& errand, Evaluator& evaluator) const {
  if (options_.leaf == Leaf::children) return fetch_children(errand, evaluator);
  errand.values.resize(1);
  evaluator.evaluate(*game_, errand.state.data(), 1, errand.values.data());
  check_finite(errand.values);
}

void Mcts::bring(Errand& errand) {
  auto& visit = static_cast<Visit&>(errand);
  Node& node = tree_.node(visit.node);
  double value = 0;
  if (options_.leaf == Leaf::children) {
    set_ends(node, visit.expansion, visit.ends);
    value = value_of_children(node, visit.values.data());
  } else {
    value = static_cast<double>(visit.values[0]);
  }
  visit.out = false;
  --out_;
  if (node.label.n == 0) count(node.label, value);
  for (const auto& [id, edge, assumed] : visit.path) {
    edge->w += value - assumed;
    tree_.node(id).label.w += value - assumed;
  }
  const int depth = static_cast<int>(visit.path.size());
  statistics_.depth = std::max(statistics_.depth, depth);
  statistics_.evaluations += visit.values.size();
  ++statistics_.iterations;
}

// The visit stays counted with the mean that it had: others have chosen by it meanwhile.
void Mcts::drop(Errand& errand) {
  auto& visit = static_cast<Visit&>(errand);
  if (!visit.out) return;
  visit.out = false;
  --out_;
}

}  // namespace glaux
