// Minimax with alpha-beta pruning and iterative deepening: the classic search that the paper compares
// with ("ID", section 3.3); at depth 1 it is the paper's evaluation player.
//
// The idea: the value of a state at depth d is the maximum (first player to move) or minimum (second
// player) of its children's values at depth d - 1, and the value function's word at depth 0. A window
// (low, high) of values that still matter at the root goes down with the search; a state that proves
// to lie outside is left, and what was found is a bound on its value. Depths 1, 2, 3 ... are searched in
// turn: each one finds the order of actions with which the next one prunes most. Equal states share
// an entry of the table (search/store.h): key, kind of bound, depth.
//
// Scope: the player to move is asked of every state, so turns may have several actions. Values at the
// root are those of plain minimax at the same depth, whatever was searched before, except that a
// proven state keeps its proven value at all depths.
//
// Completion: values are compared as keys (c, v). c = +1 or -1 is a proven win of the first or second
// player by the terminal value's gain, 0 everything else. A key that no value of the value function went into
// is settled: it holds at all depths. A state is resolved (r = 1) when its key is exact and settled; a win
// for the player to move needs one child for that, anything else needs a settled bound from every child. The
// deepening ends when the root is resolved. v of a proven win is that of the action that proved it, not of
// the best win.
//
// A state is expanded once, and all its non-terminal children are evaluated as one batch, when the
// search first comes to it; nothing is evaluated if a child is a win for the player to move.
// Inside the tree the values only order the actions: best action of the last visit, then the
// children's latest keys. One action above the horizon they are the values themselves, so such a
// state is always exact.
//
// Limits: an iteration is a completed depth; a run begins one deeper than what is known exactly of
// its root. Depth 1 is always completed. A depth that a limit or the memory budget cuts short counts
// as far as it came: its order begins with the best action of the depth before, so as soon as one
// action of the root was searched the best of the searched ones is the answer (if they all lose by
// proof, the next in order is), otherwise the answer stays. Where iterations are to stay whole such a
// depth is discarded: rows, value and decision of the root are those of the last complete one. A full table
// ends the run; a run from another state after it begins with an empty one.
//
// Pruning shows most actions of the root to be no better than the best one, not how good they are. Only
// actions with exact values take part in the draw among equals; at depth 1 all are exact.
//
// Differs from the paper, which gives no pseudocode for it: completion, and the table's exact depths
// (an entry for a greater depth is not used: values would depend on what was searched before).
//
// References: Knuth and Moore, An analysis of alpha-beta pruning, 1975; Slate and Atkin, Chess 4.5,
// 1983; Korf, Depth-first iterative-deepening, 1985; Greenblatt et al., The Greenblatt chess program,
// 1967; Cohen-Solal, Learning to play two-player perfect-information games without knowledge.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "search/alpha_beta_entry.h"
#include "search/table_search.h"

namespace glaux {

struct AlphaBetaOptions : SearchOptions {
  int depth = 0;           // actions from the root; 0: as deep as the limits allow
  bool completion = true;  // otherwise plain values
  bool ordering = true;    // otherwise actions are tried in ascending order: to measure what it gains
};

namespace alpha_beta {

struct Edge {
  Entry entry;             // depth: of the parent
  NodeId child = no_node;  // until the edge is taken; till then v is the value function's
  PackedAction packed;     // c and r are those of the entry

  Action action() const { return packed.action(); }
  bool terminal() const { return packed.terminal(); }
};
static_assert(sizeof(Edge) == 16, "an unexpanded child takes 16 bytes");

inline constexpr std::uint32_t no_edge = std::numeric_limits<std::uint32_t>::max();
struct Label {
  Entry entry;
  float evaluation = 0;          // the value function's, once a parent is valued
  std::uint32_t best = no_edge;  // of the last visit
  float exact = 0;               // the last exact value, of whatever depth
  bool has_exact = false;
  bool valued = false;  // the value function has judged all the non-terminal children

  void set(const Entry& found) {
    entry = found;
    if (found.bound != Bound::exact) return;
    exact = found.v;
    has_exact = true;
  }
};

}  // namespace alpha_beta

class AlphaBeta final : public TableSearch<alpha_beta::Edge, alpha_beta::Label> {
 public:
  static constexpr int max_depth = alpha_beta::max_depth;

  AlphaBeta(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value,
            const AlphaBetaOptions& options);

  std::size_t advance() override;
  const std::byte* pending() const override { return waiting_.data(); }
  const std::byte* parent() const override { return tree_.state(at_); }
  void supply(const float* values, const float* priors) override;

  Action decision() override;
  // n is 1 if v is exact at the depth of the state's own value, 0 if it is a bound or older.
  std::vector<Child> children(const std::byte* state) const override;
  // The rows with n = 1; of the root those of the last complete depth, also after a depth that was cut short.
  std::vector<Child> choices(const std::byte* state) const override;
  float value(const std::byte* state) const override;
  bool resolved(const std::byte* state) const override;
  std::vector<Action> principal_variation(const std::byte* state) const override;
  // Values are the last exact ones: a state that has only bounds is not learned.
  Labelled learnable(bool leaves) const override;
  void clear() override;

 private:
  using Key = alpha_beta::Key;
  using Bound = alpha_beta::Bound;
  using Entry = alpha_beta::Entry;
  static constexpr Key lowest{-2, 0}, highest{2, 0};  // below and above all keys
  static constexpr std::uint32_t no_edge = alpha_beta::no_edge;

  // A state whose children are being searched. Its part of order_ is the order of its edges.
  struct Frame {
    NodeId node;
    int depth;
    Key low, high;  // the window it was entered with
    Key best;       // of the edges searched so far
    std::uint32_t best_edge;
    bool settled;                   // all the edges searched so far are
    std::size_t first, next, last;  // in order_; next is being searched
  };
  enum class Phase { over, between, entering, waiting, choosing, returning };

  // What is known of the root, as of a complete depth.
  struct Finished {
    Entry entry;
    std::uint32_t best = no_edge;
    std::vector<Entry> edges;
  };

  struct Reader;
  void begin(const std::byte* root) override;
  void finish_depth();
  void discard_depth();
  bool over() const;
  void enter();
  void visit();
  bool cut(const Frame& frame) const;
  void choose();
  void take_result();
  void stop();
  void push(NodeId id, int depth, Key low, Key high);
  void close(const Frame& frame);
  void judge_frontier(Node& node);
  bool find_win(Node& node);
  bool expand(NodeId id);
  void gather(NodeId id, bool fresh);
  NodeId child_of(NodeId parent, Edge& edge);
  void record(Frame& frame, std::uint32_t index);
  Child row(Action action, const Entry& entry, const Entry& parent) const;

  AlphaBetaOptions options_;

  Phase phase_ = Phase::over;
  int complete_ = 0;       // the last complete depth of the root
  Finished finished_;      // of that depth, if there is one
  bool was_full_ = false;  // the run before ended for want of memory

  // Of the visit of at_ that is about to begin, or has just ended.
  int depth_ = 0;
  Key low_ = lowest, high_ = highest;

  std::vector<Frame> frames_;
  std::vector<std::uint32_t> order_;
  std::vector<std::byte> waiting_;  // children of at_ that need a value
  std::vector<std::uint32_t> waiting_edges_;
};

}  // namespace glaux
