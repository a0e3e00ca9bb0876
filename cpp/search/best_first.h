// Unbounded minimax: UBFM (Algorithm 1), Descent (Algorithm 9), and both with completion and
// resolution stop (Algorithms 10 to 13).
//
// The idea: an iteration walks from the root along the best actions, as far as is known now, to a
// state that has no children yet; expands it; and corrects the values on the way back, each the
// maximum or minimum of its children. Without a depth limit the tree grows where it matters.
// UBFM ends the iteration at the first new state. Descent goes on through new states to the end of
// the match, so that every iteration brings back the value of a terminal state: worse for playing,
// better for learning.
//
// Completion adds to each value v the proof: c is the result forced so far (+1, 0, -1), r is 1 when
// it is proven. Actions are compared by (c, v), iterations never enter what is proven, and the
// search stops when the root is.
//
// Values stand on edges: v, c, r of (s, a) are what was seen when a was last taken in s, and do not
// follow the child when it changes through another path. A terminal child is an edge only; its state
// is made again when somebody asks for it.
//
// Differs from the paper: all the non-terminal children of a new state are evaluated as one batch; an
// iteration of Descent that runs out of time is backed up from where it is, unless the limits are to leave
// iterations whole; n counts selections in
// the algorithms without completion as well, for the safe decision; an iteration begins not at the
// root but at the deepest state of the last walk that it would come to again, which gives the same
// tree and keeps the cost of an iteration from growing with the depth (Korf and Chickering's
// recursion, made exact for equal values and transpositions).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/table_search.h"

namespace glaux {

// What an action is chosen by when the search is over.
enum class Decision {
  best,           // (c, v, n): the paper's completed_best_action
  safest,         // (c, n, v): UBFM_s, Algorithm 13
  safest_or_draw  // (c, r, n, v): Remark 16, a proven draw before an unproven hope
};
// Where all is proven and nobody wins, as in games that are played for their score, all of them are (c, v,
// n): the most visited action need not be the best one.

struct BestFirstOptions : SearchOptions {
  bool descend = false;    // Descent instead of UBFM
  bool completion = true;  // with resolution stop
  Decision decision = Decision::best;
  int threads = 1;  // more than 1 for UBFM only
};

struct BestFirstEdge {
  float v = 0;
  std::uint32_t n = 0;
  NodeId child = no_node;  // until the edge is taken
  PackedAction packed;

  Action action() const { return packed.action(); }
  int c() const { return packed.c(); }
  bool r() const { return packed.r(); }
  bool terminal() const { return packed.terminal(); }
};
static_assert(sizeof(BestFirstEdge) == 16, "an unexpanded child takes 16 bytes");

// Besides v, c, r of the state: what the next iteration takes, so that a walk need not look at
// all the edges, and the best of the others, so that a step back need not either while the
// action taken stays ahead of them.
struct BestFirstLabel {
  float v = 0;
  float other_v = 0;
  std::int8_t c = 0;
  std::int8_t other_c = 0;
  bool r = false;
  bool closed = false;           // other threads are at all that could be looked at below
  std::uint32_t unresolved = 0;  // edges with r = 0
  std::uint32_t next = 0;        // the edge to take
};
static_assert(sizeof(BestFirstLabel) == 20, "what a state takes besides its bytes and edges");

class BestFirst final : public TableSearch<BestFirstEdge, BestFirstLabel>, public SharedSearch {
 public:
  BestFirst(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value,
            const BestFirstOptions& options);

  std::size_t advance() override;
  const std::byte* pending() const override { return expansion_.children.data(); }
  const std::byte* parent() const override { return tree_.state(at_); }
  void supply(const float* values, const float* priors) override;

  Action decision() override;
  std::vector<Child> children(const std::byte* state) const override;
  float value(const std::byte* state) const override;
  bool resolved(const std::byte* state) const override;
  std::vector<Action> principal_variation(const std::byte* state) const override;
  Labelled learnable(bool leaves) const override;
  std::size_t bytes() const override;
  void clear() override;
  bool forget_others(const std::byte* state) override;

  // Forgets the match but keeps up to `bound` proven states with their values. Where that would be more,
  // those of earlier matches are forgotten.
  void clear_but_resolved(std::size_t bound);
  // The proven states of earlier matches, to save them, and to begin with them. c is their result. A search
  // without completion has no use for them and takes none.
  struct Proven {
    std::vector<std::byte> states;
    std::vector<float> v;
    std::vector<std::int8_t> c;
  };
  Proven proven() const;
  void add_proven(const Proven& proven);

  // All the expanded states with their labels and edges, for tests and analysis.
  struct Dump {
    std::vector<std::byte> states;
    std::vector<float> v;
    std::vector<std::int8_t> c, r;
    std::vector<std::uint32_t> edge_node;  // which row above the edge belongs to
    std::vector<Child> edges;
  };
  Dump dump() const;

  // Several threads: best_first_shared.cpp.
  SharedSearch* shared() override { return threads_ > 1 ? this : nullptr; }
  std::unique_ptr<Errand> make_errand() const override;
  Found find(Errand& errand) override;
  void fetch(Errand& errand, Evaluator& evaluator) const override;
  void bring(Errand& errand) override;
  void drop(Errand& errand) override;
  void finish() override;

 private:
  // An edge of the walk. While the state below it keeps a key (c, v) between low and high, every
  // action of the walk down to it stays ahead of the others, so the next iteration comes there again:
  // it begins there, and the labels above are corrected only when the walk turns elsewhere.
  struct Step {
    NodeId node;
    std::uint32_t passes;  // iterations that ended below and are not yet counted in n
    Edge* edge;
    std::int64_t low, high;
  };
  // A walk to a state that other threads are at: its last edge is avoided.
  struct Way {
    std::vector<Step> path;
    NodeId node = no_node;

    const Edge* edge() const { return path.empty() ? nullptr : path.back().edge; }
  };
  enum class Phase { over, between, walking, waiting };

  struct Reader;
  void begin(const std::byte* root) override;
  void forget_match(std::size_t keep) override { clear_but_resolved(keep); }
  void abandon();
  void settle();
  void forget_all_but_root();
  bool over(std::size_t under_way = 0) const;
  NodeId child_of(NodeId parent, Edge& edge);
  bool expand(NodeId id);
  void set_edges(Edge* edges, const Expansion& expansion, const std::vector<End>& ends) const;
  static void set_values(Edge* begin, Edge* end, const float* values);
  void arrived();
  void label(Node& node);
  void label(const Edge* begin, const Edge* end, Player player, std::span<const Edge* const> avoided,
             Draw draw, Label& label) const;
  void take(Node& node);
  void back_up();
  void turn_back();
  bool stays_ahead() const;
  void step_back();

  // Of several threads, see best_first_shared.cpp.
  struct Visit;
  void resume(const std::vector<Step>& path);
  void reopen();
  std::span<const Edge* const> avoided(const Node& node);
  bool avoids(const Edge* edge) const;
  bool give_edges(const Visit& visit);
  bool mark(const Step& step);
  Child row(const Edge& edge) const;

  BestFirstOptions options_;
  Tree resolved_;  // proven states of earlier matches

  Phase phase_ = Phase::over;
  std::vector<Step> path_;
  std::size_t kept_ = 0;     // steps of the path that the iteration began with
  std::size_t waiting_ = 0;  // the first states of expansion_.children wait for a value

  std::vector<Visit*> out_;           // errands under way
  std::vector<Way> detours_;          // ways whose last edge leads to a state that is closed
  std::vector<const Edge*> avoided_;  // what avoided() gives
};

}  // namespace glaux
