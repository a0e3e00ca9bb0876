#include "search/alpha_beta.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace glaux {

AlphaBeta::AlphaBeta(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value,
                     const AlphaBetaOptions& options)
    : TableSearch(std::move(game), std::move(terminal_value), options), options_(options) {
  alpha_beta::check_depth(options.depth);
}

void AlphaBeta::begin(const std::byte* root) {
  // A run that an error ended leaves entries that are true and nothing else: drop its stack.
  phase_ = Phase::over;
  frames_.clear();
  order_.clear();
  if (const NodeId id = node_of(root); id == no_node || id != root_) {
    complete_ = 0;
    if (was_full_) clear();
    set_root(root, [this](NodeId node) { return tree_.node(node).expanded() || expand(node); });
    const Entry& entry = tree_.node(root_).label.entry;
    complete_ = entry.bound != Bound::exact ? 0 : entry.settled() ? max_depth : entry.depth;
    if (complete_ > 0) finish_depth();
  }
  was_full_ = false;
  phase_ = Phase::between;
}

bool AlphaBeta::over() const {
  if (complete_ == 0) return false;
  return statistics_.full || complete_ >= (options_.depth > 0 ? options_.depth : max_depth) ||
         tree_.node(root_).label.entry.proven() || spent();
}

std::size_t AlphaBeta::advance() {
  for (;;) {
    switch (phase_) {
      case Phase::over:
        return 0;
      case Phase::between:
        if (over()) {
          phase_ = Phase::over;
          break;
        }
        at_ = root_;
        depth_ = complete_ + 1;
        low_ = lowest;
        high_ = highest;
        phase_ = Phase::entering;
        break;
      case Phase::entering:
        enter();
        break;
      case Phase::waiting:
        return waiting_edges_.size();
      case Phase::choosing:
        choose();
        break;
      case Phase::returning:
        take_result();
        break;
    }
  }
}

// Visits at_ with depth_ and the window (low_, high_): gives its label an entry that answers the
// question, or makes a frame to find one.
void AlphaBeta::enter() {
  Node& node = tree_.node(at_);
  const Entry& known = node.label.entry;
  if (known.holds_at(depth_) &&
      (known.bound == Bound::exact || (known.bound == Bound::lower && known.key() >= high_) ||
       (known.bound == Bound::upper && known.key() <= low_))) {
    phase_ = Phase::returning;
    return;
  }
  if (complete_ > 0 && spent()) return stop();
  const bool fresh = !node.expanded();
  if (fresh && !expand(at_)) {
    statistics_.full = was_full_ = true;
    return stop();
  }
  if (options_.completion && find_win(node)) {
    phase_ = Phase::returning;
    return;
  }
  if (!node.label.valued && (depth_ == 1 || options_.ordering)) {
    gather(at_, fresh);
    if (!waiting_edges_.empty()) {
      phase_ = Phase::waiting;
      return;
    }
    node.label.valued = true;
  }
  visit();
}

// at_ has all it needs.
void AlphaBeta::visit() {
  Node& node = tree_.node(at_);
  statistics_.depth = std::max(statistics_.depth, static_cast<int>(frames_.size()) + 1);
  if (depth_ == 1) {
    judge_frontier(node);
    phase_ = Phase::returning;
  } else {
    push(at_, depth_, low_, high_);
    phase_ = Phase::choosing;
  }
}

void AlphaBeta::supply(const float* values, const float*) {
  if (phase_ != Phase::waiting) return;  // begun anew meanwhile
  Node& node = tree_.node(at_);
  for (std::size_t i = 0; i < waiting_edges_.size(); ++i) {
    Edge& edge = node.edges[waiting_edges_[i]];
    if (edge.child == no_node) {
      edge.entry.v = values[i];
    } else {
      tree_.node(edge.child).label.evaluation = values[i];
    }
  }
  statistics_.evaluations += waiting_edges_.size();
  node.label.valued = true;
  visit();
}

// Whether the other edges can't matter: the window is left behind, or a win is proven.
bool AlphaBeta::cut(const Frame& frame) const {
  return tree_.node(frame.node).first_player() ? frame.best >= frame.high || frame.best.c == 1
                                               : frame.best <= frame.low || frame.best.c == -1;
}

// Goes into the next child of the top frame, or closes the frame.
void AlphaBeta::choose() {
  Frame& frame = frames_.back();
  Node& node = tree_.node(frame.node);
  if (cut(frame) || frame.next == frame.last) {
    at_ = frame.node;
    close(frame);
    order_.resize(frame.first);
    frames_.pop_back();
    phase_ = Phase::returning;
    return;
  }
  const std::uint32_t index = order_[frame.next];
  Edge& edge = node.edges[index];
  if (edge.terminal()) return record(frame, index);
  at_ = child_of(frame.node, edge);
  if (at_ == no_node) {
    statistics_.full = was_full_ = true;
    return stop();
  }
  depth_ = frame.depth - 1;
  low_ = node.first_player() ? std::max(frame.low, frame.best) : frame.low;
  high_ = node.first_player() ? frame.high : std::min(frame.high, frame.best);
  phase_ = Phase::entering;
}

// at_ has its answer: it goes to the frame above, or it was the root.
void AlphaBeta::take_result() {
  if (frames_.empty()) {
    assert(at_ == root_ && tree_.node(root_).label.entry.bound == Bound::exact);
    ++complete_;
    ++statistics_.iterations;
    finish_depth();
    phase_ = Phase::between;
    return;
  }
  Frame& frame = frames_.back();
  const std::uint32_t index = order_[frame.next];
  Edge& edge = tree_.node(frame.node).edges[index];
  edge.entry = tree_.node(at_).label.entry;
  if (!edge.entry.settled()) edge.entry.depth = static_cast<std::uint16_t>(frame.depth);
  record(frame, index);
}

// The next edge of the frame has its entry.
void AlphaBeta::record(Frame& frame, std::uint32_t index) {
  const Node& node = tree_.node(frame.node);
  const Entry& entry = node.edges[index].entry;
  const bool better = node.first_player() ? entry.key() > frame.best : entry.key() < frame.best;
  if (better) {
    frame.best = entry.key();
    frame.best_edge = index;
  }
  frame.settled = frame.settled && entry.settled();
  ++frame.next;
  phase_ = Phase::choosing;
}

void AlphaBeta::push(NodeId id, int depth, Key low, Key high) {
  const Node& node = tree_.node(id);
  const std::size_t first = order_.size();
  order_.resize(first + node.edge_count);
  const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
  std::iota(begin, order_.end(), 0);
  if (options_.ordering) {
    std::sort(begin, order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Key x = node.edges[a].entry.key(), y = node.edges[b].entry.key();
      if (x == y) return a < b;
      return node.first_player() ? x > y : x < y;
    });
    if (node.label.best != no_edge) {
      const auto best = std::find(begin, order_.end(), node.label.best);
      std::rotate(begin, best, best + 1);
    }
  }
  const Key worst = node.first_player() ? lowest : highest;
  frames_.push_back({id, depth, low, high, worst, no_edge, true, first, first, order_.size()});
}

// The entry of a state from the edges searched. With the first player to move, for instance, a cut
// leaves a lower bound that rests on one edge; without one every edge has at least an upper bound,
// and the best of these is exact if it is above low.
void AlphaBeta::close(const Frame& frame) {
  Node& node = tree_.node(frame.node);
  const bool settled = cut(frame) ? node.edges[frame.best_edge].entry.settled() : frame.settled;
  Bound bound = Bound::exact;
  if (frame.best >= frame.high) bound = Bound::lower;
  if (frame.best <= frame.low) bound = Bound::upper;
  // There is nothing above a win and nothing below a loss.
  if (frame.best.c != 0) bound = Bound::exact;
  assert(frame.best.c == 0 || settled);
  node.label.best = frame.best_edge;
  node.label.set({frame.best.v, settled ? Entry::settled_depth : static_cast<std::uint16_t>(frame.depth),
                  static_cast<std::int8_t>(frame.best.c), bound});
}

// The entry of a state one action above the horizon.
void AlphaBeta::judge_frontier(Node& node) {
  bool settled = true;
  std::uint32_t best = 0;
  for (std::uint32_t i = 0; i < node.edge_count; ++i) {
    Edge& edge = node.edges[i];
    if (!edge.terminal()) {
      const Label* child = edge.child == no_node ? nullptr : &tree_.node(edge.child).label;
      if (child != nullptr && child->entry.proven()) {
        edge.entry = child->entry;
      } else {
        edge.entry = {child == nullptr ? edge.entry.v : child->evaluation, 1, 0, Bound::exact};
        settled = false;
      }
    }
    const Key key = edge.entry.key(), best_key = node.edges[best].entry.key();
    if (node.first_player() ? key > best_key : key < best_key) best = i;
  }
  node.label.best = best;
  Entry entry = node.edges[best].entry;
  if (!settled && entry.c == 0) entry.depth = 1;
  node.label.set(entry);
}

// Whether an action is proven to win for the player to move; then the state is as well.
bool AlphaBeta::find_win(Node& node) {
  const int win = node.first_player() ? 1 : -1;
  std::uint32_t best = no_edge;
  for (std::uint32_t i = 0; i < node.edge_count; ++i) {
    const Entry& entry = node.edges[i].entry;
    if (entry.c != win || !entry.proven()) continue;
    if (best == no_edge ||
        static_cast<float>(win) * entry.v > static_cast<float>(win) * node.edges[best].entry.v) {
      best = i;
    }
  }
  if (best == no_edge) return false;
  node.label.best = best;
  node.label.set(node.edges[best].entry);
  return true;
}

// A limit, or the memory, ends the run in the middle of a depth.
void AlphaBeta::stop() {
  if (limits_.whole) {
    discard_depth();
  } else if (!frames_.empty() && frames_.front().next > frames_.front().first) {
    const Frame& frame = frames_.front();
    Node& root = tree_.node(root_);
    root.label.best = frame.best_edge;
    root.label.entry = {frame.best.v, static_cast<std::uint16_t>(frame.depth),
                        static_cast<std::int8_t>(frame.best.c),
                        root.first_player() ? Bound::lower : Bound::upper};
    const int loss = root.first_player() ? -1 : 1;
    if (frame.best.c == loss && frame.next < frame.last) {
      root.label.best = order_[frame.next];
      root.label.entry = root.edges[root.label.best].entry;
      root.label.entry.bound = Bound::none;
    }
  }
  frames_.clear();
  order_.clear();
  phase_ = Phase::over;
}

// The root has its answer of the depth complete_.
void AlphaBeta::finish_depth() {
  const Node& root = tree_.node(root_);
  finished_ = {root.label.entry, root.label.best, {}};
  for (const Edge& edge : root) finished_.edges.push_back(edge.entry);
}

// Brings the root back to the last complete depth. Depth 1 is always complete.
void AlphaBeta::discard_depth() {
  Node& root = tree_.node(root_);
  root.label.entry = finished_.entry;
  root.label.best = finished_.best;
  for (std::uint32_t i = 0; i < root.edge_count; ++i) root.edges[i].entry = finished_.edges[i];
}

// Gives the node its edges.
bool AlphaBeta::expand(NodeId id) {
  expand_state(id);
  Node& node = tree_.node(id);
  if (!tree_.add_edges(node, static_cast<std::uint32_t>(expansion_.size()))) return false;
  const End* end = ends_.data();
  for (std::size_t i = 0; i < expansion_.size(); ++i) {
    const bool terminal = expansion_.statuses[i].terminal();
    node.edges[i].packed = {expansion_.actions[i], 0, false, terminal};
    if (!terminal) continue;
    const Result c = options_.completion ? end->gain : Result{0};
    node.edges[i].entry = {(end++)->value, Entry::settled_depth, c, Bound::exact};
  }
  ++statistics_.expansions;
  return true;
}

// Lets the non-terminal children of the node wait for a value; fresh: they stand in expansion_.
void AlphaBeta::gather(NodeId id, bool fresh) {
  const Node& node = tree_.node(id);
  const std::size_t size = game_->spec().state_size;
  waiting_.clear();
  waiting_edges_.clear();
  for (std::uint32_t i = 0; i < node.edge_count; ++i) {
    if (node.edges[i].terminal()) continue;
    const std::byte* child = expansion_.children.data() + i * size;
    if (!fresh) child = make_child(id, node.edges[i]);
    waiting_.insert(waiting_.end(), child, child + size);
    waiting_edges_.push_back(i);
  }
}

NodeId AlphaBeta::child_of(NodeId parent, Edge& edge) {
  if (edge.child != no_node) return edge.child;
  const std::byte* state = make_child(parent, edge);
  edge.child = find_or_add(state, game_->hash(state));
  if (edge.child != no_node && tree_.node(parent).label.valued) {
    tree_.node(edge.child).label.evaluation = edge.entry.v;
  }
  return edge.child;
}

}  // namespace glaux
