// UBFM by several threads.
//
// While a thread is out to expand a state, the others go where the search would go if that state turned out
// bad: the edge to it is avoided, so that its parent is worth the best of its other actions, and so on
// upwards, as by an iteration that has brought this result. When the thread comes back its way is walked
// back with what it has found, and everything on it is corrected. Avoiding an edge changes v and the edge to
// take, never a proof: c and r are those of all the edges, and an edge that is avoided is not resolved.
//
// A state whose unresolved edges are all avoided is closed, and the edge to it avoided as well; so is a state
// that a thread is at, which is met again on another way by transposition. Each edge that is avoided for
// this belongs to a Way, which is walked back once the state is open: so when all threads are back nothing
// is avoided. If the root is closed a thread has to wait.
//
// Where nobody is at work the walk goes on from where the last one left, as with one thread.
//
// With transpositions a value may be seen from a second parent while an edge below is avoided. It stays there
// until that edge is taken again, as every value of UBFM stands for what was seen when it was last taken.
#include <algorithm>
#include <cassert>
#include <limits>

#include "search/best_first.h"

namespace glaux {

// All of a state but its place in the table is made by the thread that is out for it.
struct BestFirst::Visit final : Errand, Way {
  Player player = Player::first;
  Rng rng{0};
  std::vector<Edge> edges;
  Label label;
};

std::unique_ptr<Errand> BestFirst::make_errand() const {
  return std::make_unique<Visit>();
}

void BestFirst::fetch(Errand& errand, Evaluator& evaluator) const {
  auto& visit = static_cast<Visit&>(errand);
  fetch_children(visit, evaluator);
  visit.edges.assign(visit.expansion.size(), {});
  Edge* const edges = visit.edges.data();
  Edge* const end = edges + visit.edges.size();
  set_edges(edges, visit.expansion, visit.ends);
  set_values(edges, end, visit.values.data());
  visit.label = {};
  label(edges, end, visit.player, {}, Draw(random_ties_ ? &visit.rng : nullptr), visit.label);
}

// As advance(), but that a state which needs values is the errand of a thread.
Found BestFirst::find(Errand& errand) {
  auto& visit = static_cast<Visit&>(errand);
  const std::uint64_t pause = statistics_.iterations + iterations_between_pauses;
  while (statistics_.iterations < pause) {
    if (phase_ == Phase::over) return Found::over;
    if (phase_ == Phase::between) {
      if (over(out_.size())) return Found::over;
      at_ = path_.empty() ? root_ : path_.back().edge->child;
      phase_ = Phase::walking;
    }
    Node& node = tree_.node(at_);
    if (options_.completion && node.label.r) {
      back_up();
    } else if (node.label.closed) {
      const bool everywhere = path_.empty();
      turn_back();
      if (everywhere) return Found::none;
    } else if (node.expanded()) {
      take(node);
    } else {
      visit.out = true;
      visit.path = path_;
      visit.node = at_;
      visit.player = node.player;
      visit.rng = Rng(rng_.next());
      copy_state(at_, visit);
      node.label.closed = true;
      out_.push_back(&visit);
      turn_back();
      return Found::leaf;
    }
  }
  return Found::none;
}

// A thread is back with the children of its state and their values.
void BestFirst::bring(Errand& errand) {
  auto& visit = static_cast<Visit&>(errand);
  resume(visit.path);
  std::erase(out_, &visit);
  visit.out = false;
  tree_.node(visit.node).label.closed = false;
  bool room = give_edges(visit);
  if (!room && path_.empty()) {
    forget_all_but_root();
    visit.node = root_;
    room = give_edges(visit);
  }
  if (room) {
    statistics_.evaluations += visit.values.size();
    ++statistics_.expansions;
  } else {
    statistics_.full = true;
    step_back();  // the edge keeps its value
  }
  back_up();
  reopen();
}

bool BestFirst::give_edges(const Visit& visit) {
  Node& node = tree_.node(visit.node);
  if (!tree_.add_edges(node, static_cast<std::uint32_t>(visit.edges.size()))) return false;
  std::copy(visit.edges.begin(), visit.edges.end(), node.edges);
  node.label = visit.label;
  return true;
}

void BestFirst::drop(Errand& errand) {
  auto& visit = static_cast<Visit&>(errand);
  if (!visit.out) return;
  resume(visit.path);
  std::erase(out_, &visit);
  visit.out = false;
  tree_.node(visit.node).label.closed = false;
  if (!path_.empty()) step_back();
  turn_back();
  reopen();
}

// Makes an earlier walk the current one. The part of its own is not the way that a walk would take now, and
// is corrected as a whole by turn_back().
void BestFirst::resume(const std::vector<Step>& path) {
  std::size_t same = 0;
  while (same < std::min(path_.size(), path.size()) && path_[same].edge == path[same].edge) ++same;
  while (path_.size() > same) step_back();
  for (; same < path.size(); ++same) {
    path_.push_back({path[same].node, 0, path[same].edge, std::numeric_limits<std::int64_t>::max(),
                     std::numeric_limits<std::int64_t>::min()});
  }
}

// Walks back the ways to states that can be gone to again.
void BestFirst::reopen() {
  for (;;) {
    const auto open = std::find_if(detours_.begin(), detours_.end(),
                                   [&](const Way& way) { return !tree_.node(way.node).label.closed; });
    if (open == detours_.end()) break;
    const std::vector<Step> path = std::move(open->path);
    detours_.erase(open);
    resume(path);
    turn_back();
  }
  assert(!out_.empty() || detours_.empty());
}

bool BestFirst::avoids(const Edge* edge) const {
  return std::any_of(out_.begin(), out_.end(), [=](const Visit* visit) { return visit->edge() == edge; }) ||
         std::any_of(detours_.begin(), detours_.end(), [=](const Way& way) { return way.edge() == edge; });
}

// The edges of a state that are avoided, until the next call.
std::span<const BestFirst::Edge* const> BestFirst::avoided(const Node& node) {
  avoided_.clear();
  const auto add = [&](const Edge* edge) {
    if (edge >= node.begin() && edge < node.end()) avoided_.push_back(edge);
  };
  for (const Visit* visit : out_) add(visit->edge());
  for (const Way& way : detours_) add(way.edge());
  return avoided_;
}

// On the way back over a step: its edge is avoided if the state below is closed, and no more if it is not.
// Whether it is open.
bool BestFirst::mark(const Step& step) {
  const NodeId below = step.edge->child;
  if (!tree_.node(below).label.closed) {
    std::erase_if(detours_, [&](const Way& way) { return way.edge() == step.edge; });
    return true;
  }
  if (!avoids(step.edge)) {
    Way way{path_, below};
    way.path.push_back(step);
    detours_.push_back(std::move(way));
  }
  return false;
}

void BestFirst::finish() {
  settle();
  phase_ = Phase::over;
}

}  // namespace glaux
