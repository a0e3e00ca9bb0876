#include "search/best_first.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "core/errors.h"

namespace glaux {
namespace {

// The pair (c, v) as one number: the same order, for the first player or, with sign -1, the second.
std::int64_t key(int c, float v, int sign) {
  const auto bits = std::bit_cast<std::int32_t>(v);
  const std::int32_t ordered = bits >= 0 ? bits : std::numeric_limits<std::int32_t>::min() - bits;
  return sign * (static_cast<std::int64_t>(c) * (std::int64_t{1} << 32) + ordered);
}

}  // namespace

BestFirst::BestFirst(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value,
                     const BestFirstOptions& options)
    : TableSearch(std::move(game), std::move(terminal_value), options),
      SharedSearch(options.threads, 2),
      options_(options),
      resolved_(game_->spec().state_size, options.memory / 4) {
  if (options.threads > 1 && options.descend) {
    throw InvalidParameter("Descent, which is made for learning, can only use one thread.");
  }
}

// A value function failed while the search waited for it: as if this iteration had not begun.
void BestFirst::abandon() {
  Node& node = tree_.node(at_);
  node.edges = nullptr;
  node.edge_count = 0;
  path_.resize(kept_);
  waiting_ = 0;
}

// Corrects all that earlier iterations have left to be corrected.
void BestFirst::settle() {
  while (!path_.empty()) step_back();
}

void BestFirst::begin(const std::byte* root) {
  if (phase_ == Phase::waiting) abandon();
  settle();
  set_root(root, [](NodeId) { return true; });
  // A proof from an earlier match does not say which action keeps it: the root is proven again.
  if (Node& node = tree_.node(root_); !node.expanded()) node.label = {};
  phase_ = Phase::between;
}

// A full table in which the root has no children can't answer: it begins anew from the root.
void BestFirst::forget_all_but_root() {
  const std::vector<std::byte> root(tree_.state(root_), tree_.state(root_) + game_->spec().state_size);
  tree_.clear();
  root_ = at_ = tree_.add(root.data(), game_->hash(root.data()), game_->status(root.data()));
}

bool BestFirst::over(std::size_t under_way) const {
  const Node& root = tree_.node(root_);
  return statistics_.full || (options_.completion && root.expanded() && root.label.r) ||
         (root.expanded() && spent(under_way));
}

std::size_t BestFirst::advance() {
  // Without completion a walk can end in the same terminal state again and again, without values.
  const std::uint64_t pause = statistics_.iterations + iterations_between_pauses;
  paused_ = false;
  for (;;) {
    switch (phase_) {
      case Phase::over:
        return 0;
      case Phase::between:
        if (over()) {
          settle();
          phase_ = Phase::over;
          return 0;
        }
        paused_ = statistics_.iterations == pause;
        if (paused_) return 0;
        kept_ = path_.size();
        at_ = path_.empty() ? root_ : path_.back().edge->child;
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
            path_.pop_back();  // the edge keeps its value
            back_up();
            break;
          }
          if (waiting_ > 0) {
            phase_ = Phase::waiting;
            return waiting_;
          }
          label(node);
          arrived();
          break;
        }
        if (options_.completion && node.label.r) {
          back_up();
          break;
        }
        take(node);
        break;
      }
      case Phase::waiting:
        return waiting_;
    }
  }
}

void BestFirst::supply(const float* values, const float*) {
  if (phase_ != Phase::waiting) return;  // begun anew meanwhile
  Node& node = tree_.node(at_);
  set_values(node.begin(), node.end(), values);
  statistics_.evaluations += waiting_;
  waiting_ = 0;
  label(node);
  arrived();
}

// Gives the edges to children that are not terminal their values.
void BestFirst::set_values(Edge* begin, Edge* end, const float* values) {
  for (Edge* edge = begin; edge != end; ++edge) {
    if (!edge->terminal()) edge->v = *values++ + 0.0f;  // never -0, which would order below 0
  }
}

// The walk has expanded a state: UBFM ends its iteration here, Descent goes on from it.
void BestFirst::arrived() {
  ++statistics_.expansions;
  const bool proven = options_.completion && tree_.node(at_).label.r;
  if (options_.descend && !proven && (limits_.whole || !out_of_time())) {
    phase_ = Phase::walking;
  } else {
    back_up();
  }
}

// Gives the node its edges; the children that need a value wait.
bool BestFirst::expand(NodeId id) {
  expand_state(id);
  Node& node = tree_.node(id);
  if (!tree_.add_edges(node, static_cast<std::uint32_t>(expansion_.size()))) return false;
  set_edges(node.edges, expansion_, ends_);
  waiting_ = gather_ongoing(expansion_);
  return true;
}

// The edges of a state that was expanded, before they have values.
void BestFirst::set_edges(Edge* edges, const Expansion& expansion, const std::vector<End>& ends) const {
  const End* end = ends.data();
  for (std::size_t i = 0; i < expansion.size(); ++i) {
    Edge& edge = edges[i];
    if (expansion.statuses[i].terminal()) {
      // Without completion nothing counts as proven.
      edge.packed = {expansion.actions[i], options_.completion ? end->gain : 0, options_.completion, true};
      edge.v = (end++)->value;
    } else {
      edge.packed = {expansion.actions[i], 0, false, false};
    }
  }
}

NodeId BestFirst::child_of(NodeId parent, Edge& edge) {
  if (edge.child != no_node) return edge.child;
  const std::byte* state = make_child(parent, edge);
  const std::uint64_t hash = game_->hash(state);
  const NodeId nodes = tree_.node_count();
  edge.child = find_or_add(state, hash);
  if (tree_.node_count() == nodes) return edge.child;
  if (const NodeId known = resolved_.find(state, hash); known != no_node) {
    tree_.node(edge.child).label = resolved_.node(known).label;
  }
  return edge.child;
}

// v, c and r of a state from all of its edges, and the edge that the next iteration takes:
// best_action(s), or completed_best_action_dual(s, A) over the unresolved ones.
void BestFirst::label(Node& node) {
  std::span<const Edge* const> others;
  if (threads_ > 1) others = avoided(node);
  label(node.begin(), node.end(), node.player, others, draw(), node.label);
}

// Edges that are avoided count as not resolved, and for nothing else.
void BestFirst::label(const Edge* begin, const Edge* end, Player player, std::span<const Edge* const> avoided,
                      Draw draw, Label& label) const {
  const int sign = glaux::sign(player);
  const Edge *first = nullptr, *second = nullptr, *next = nullptr;  // the two best, and the one to take
  std::int64_t first_key = std::numeric_limits<std::int64_t>::min(), second_key = first_key,
               next_key = first_key;
  std::uint32_t unresolved = 0;
  const auto count = [&](const Edge& edge) __attribute__((always_inline)) {
    const std::int64_t k = key(edge.c(), edge.v, sign);
    if (first == nullptr || k > first_key) {
      second = first, second_key = first_key;
      first = &edge, first_key = k;
    } else if (second == nullptr || k > second_key) {
      second = &edge, second_key = k;
    }
    if (edge.r()) return;
    ++unresolved;
    if (k < next_key) return;
    const int order = next == nullptr || k > next_key ? 1
                      : options_.completion           ? compare(next->n, edge.n)
                                                      : 0;
    if (order > 0) {
      next = &edge, next_key = k;
      draw.restart();
    } else if (order == 0 && draw.falls_on_equal()) {
      next = &edge;
    }
  };
  if (avoided.empty()) {  // as always with one thread, which does not ask for each edge
    for (const Edge& edge : std::span(begin, end)) count(edge);
  } else {
    for (const Edge& edge : std::span(begin, end)) {
      if (std::find(avoided.begin(), avoided.end(), &edge) == avoided.end()) {
        count(edge);
      } else {
        ++unresolved;
      }
    }
  }
  if (first == nullptr) first = avoided.front();
  label.v = first->v;
  label.c = static_cast<std::int8_t>(first->c());
  // What is lost otherwise is open as long as a thread is at one of the actions.
  if (!avoided.empty() && sign * label.c < 0) label.c = 0;
  label.unresolved = unresolved;
  label.r = options_.completion && (label.c != 0 || unresolved == 0);
  label.closed = next == nullptr && !label.r && unresolved > 0;
  if (next == nullptr) return;
  label.next = static_cast<std::uint32_t>(next - begin);
  const Edge* other = next == first ? second : first;
  // An only edge is ahead of nothing: it is looked at every time.
  label.other_v = other != nullptr ? other->v : next->v;
  label.other_c = static_cast<std::int8_t>(other != nullptr ? other->c() : next->c());
}

// One action further.
void BestFirst::take(Node& node) {
  // In a large tree all of this is cold, and the way back may look at every edge.
  constexpr std::uint32_t edges_per_line = 64 / sizeof(Edge);
  for (std::uint32_t i = 0; i < node.edge_count; i += edges_per_line) __builtin_prefetch(node.edges + i);
  Edge& edge = node.edges[node.label.next];
  Step step{at_, 0, &edge, std::numeric_limits<std::int64_t>::min(),
            std::numeric_limits<std::int64_t>::max()};
  if (!path_.empty()) step.low = path_.back().low, step.high = path_.back().high;
  const std::int64_t other = key(node.label.other_c, node.label.other_v, 1);
  if (node.first_player()) {
    step.low = std::max(step.low, other);
  } else {
    step.high = std::min(step.high, other);
  }
  if (!edge.terminal()) {
    const NodeId child = child_of(at_, edge);
    if (child == no_node) {
      statistics_.full = true;
      back_up();
      return;
    }
    at_ = child;
  }
  path_.push_back(step);
  statistics_.depth = std::max(statistics_.depth, static_cast<int>(path_.size()));
  if (edge.terminal()) back_up();
}

// Ends an iteration: carries the labels from the end of the walk back as far as they change its way.
void BestFirst::back_up() {
  if (!path_.empty()) ++path_.back().passes;
  ++statistics_.iterations;
  turn_back();
}

// Goes back to the last state of the walk to which the next one comes again.
void BestFirst::turn_back() {
  while (!path_.empty() && !stays_ahead()) step_back();
  phase_ = Phase::between;
}

bool BestFirst::stays_ahead() const {
  const Step& step = path_.back();
  if (step.edge->terminal()) return false;
  const Label& label = tree_.node(step.edge->child).label;
  const std::int64_t k = key(label.c, label.v, 1);
  return !label.r && !label.closed && step.low < k && k < step.high;
}

// Carries the label of the last state of the walk to the one before.
void BestFirst::step_back() {
  const Step step = path_.back();
  path_.pop_back();
  if (!path_.empty()) path_.back().passes += step.passes;
  Edge* const edge = step.edge;
  edge->n += step.passes;
  Node& node = tree_.node(step.node);
  const int sign = glaux::sign(node.player);
  Label& label = node.label;
  bool is_next = true;  // always so with one thread
  if (edge->child != no_node) {
    const Node& child = tree_.node(edge->child);
    if (child.expanded() || child.label.r) {  // otherwise another thread is there
      edge->v = child.label.v;
      edge->packed = {edge->action(), child.label.c, child.label.r, false};
    }
    if (threads_ > 1) {
      const Edge& next = node.edges[label.next];
      const bool open = mark(step) && !label.closed && !label.r && !edge->r();
      is_next = open && edge == &next;
      const std::int64_t k = key(edge->c(), edge->v, sign);
      if (open && !is_next && k < key(label.other_c, label.other_v, sign) &&
          k < key(next.c(), next.v, sign)) {
        return;  // the label does not depend on it
      }
    }
  }
  if (is_next && !edge->r() && key(edge->c(), edge->v, sign) > key(label.other_c, label.other_v, sign)) {
    label.v = edge->v;  // still ahead of all the others
    label.c = static_cast<std::int8_t>(edge->c());
  } else {
    this->label(node);
  }
}

Action BestFirst::decision() {
  if (root_ == no_node || !tree_.node(root_).expanded()) {
    throw InvalidState("This search has not looked at a state yet.");
  }
  const Node& root = tree_.node(root_);
  const int sign = glaux::sign(root.player);
  // Proven, and neither won nor lost: so is every action, and its value is what it is worth.
  const bool exact = root.label.r && root.label.c == 0;
  const auto order = [&](const Edge& a, const Edge& b) {
    const int by_c = sign * compare(a.c(), b.c());
    const int by_v = sign * compare(a.v, b.v);
    const int by_n = compare(a.n, b.n);
    const int by_r = compare(a.r(), b.r());
    if (by_c != 0) return by_c;
    if (exact || options_.decision == Decision::best) return by_v != 0 ? by_v : by_n;
    if (options_.decision == Decision::safest_or_draw && by_r != 0) return by_r;
    return by_n != 0 ? by_n : by_v;
  };
  const Edge* chosen = nullptr;
  Draw draw = this->draw();
  for (const Edge& edge : root) {
    if (draw.falls_on(chosen == nullptr ? 1 : order(edge, *chosen))) chosen = &edge;
  }
  return chosen->action();
}

}  // namespace glaux
