// Monte Carlo tree search: UCT, and the MCTS wrapper, over a table of states.
//
// The idea: an iteration walks from the root, at each state by a compromise between the action that
// has been best so far and those seldom tried, to a state that is new; gives it a value; and adds the
// value to the statistics of every action on the way. Good actions are tried more and more often, so
// that the mean values tend to the minimax values, and the most visited action is played.
//
// At a state with N visits of its actions, the action is taken that maximises, for the player to move,
//   UCT    Q(s,a) + c sqrt(ln N / n(s,a))                     every action once before any twice
//   PUCT   Q(s,a) + c P(s,a) sqrt(N + 1e-8) / (1 + n(s,a))    Q = 0 for an action not yet taken
// with Q the mean of the values seen through the action and P the prior probability. UCT is Kocsis and
// Szepesvari's; with a value function instead of playouts it is the MCTS of Cohen-Solal's experiments
// (Remark 6, c = 0.4; Remark 7, c = sqrt 2). PUCT is AlphaGo Zero's, here as Scheiermann and Konen
// write it (section II.B, equations 1 and 2) for their MCTS wrapper; with a policy it is search/puct.h.
//
// UCT with random playouts may have RAVE besides (search/rave.h).
//
// A new state gets its value in one of two ways:
//   state      the state goes through the door: a random playout, or any value function;
//   children   all its children go: the value is the best of theirs for the player to move, and the
//              priors are made from them (the MCTS wrapper: a value function becomes a policy).
//
// Differs from the papers: equal states share a node, with statistics on edges, so that an iteration
// that meets a known state by a new path walks on from it; the tree of a state met before is always
// used again; a prior that is not a probability distribution becomes the uniform one. A new state is
// only a node, and gets its edges at the second visit, unless it needs them for its priors: most
// states are visited once (figures in experiments/LOG.md). Statistics change on the way back only, so
// a value function that fails leaves no trace.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/mcts_tree.h"
#include "search/rave.h"

namespace glaux {

enum class Selection { uct, puct };

enum class Leaf { state, children };

// How the values of the children become priors: exp(v / temperature), or (v - min) / (max - min),
// for v from the point of view of the player to move; normalised to the sum 1.
enum class PriorMap { softmax, min_max };

struct MctsOptions : SearchOptions {
  Selection selection = Selection::uct;
  Leaf leaf = Leaf::state;
  double c = 1.0;  // exploration, in the unit of the values
  PriorMap prior_map = PriorMap::softmax;
  double temperature = 1.0;
  double rave = 0;  // k of RAVE; above 0 the search plays random matches of its own and asks for no values
  int threads = 1;  // 1 with RAVE
};

class Mcts final : public MctsTree, public SharedSearch {
 public:
  Mcts(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value, const MctsOptions& options);

  std::size_t advance() override;
  const std::byte* pending() const override { return pending_; }
  const std::byte* parent() const override {
    return options_.leaf == Leaf::children ? tree_.state(at_) : nullptr;
  }
  void supply(const float* values, const float* priors) override;

  std::size_t bytes() const override { return tree_.bytes() + (rave_ ? rave_->bytes() : 0); }
  void clear() override;
  bool forget_others(const std::byte* state) override;

  // Several threads: mcts_shared.cpp.
  SharedSearch* shared() override { return threads_ > 1 ? this : nullptr; }
  std::unique_ptr<Errand> make_errand() const override;
  Found find(Errand& errand) override;
  void fetch(Errand& errand, Evaluator& evaluator) const override;
  void bring(Errand& errand) override;
  void drop(Errand& errand) override;
  void finish() override { phase_ = Phase::over; }

 private:
  struct Step {
    NodeId node;
    Edge* edge;
  };
  enum class Phase { over, between, walking, waiting };

  void begin(const std::byte* root) override;
  bool over(std::size_t under_way = 0) const;
  bool enter(NodeId id);
  bool open_children(NodeId id);
  void set_ends(Node& node, const Expansion& expansion, const std::vector<End>& ends);
  bool step(NodeId id);
  Edge& select(Node& node);
  Edge& select_rave(Node& node);
  Edge& unvisited(Node& node);
  double value_of_children(Node& node, const float* values);
  void arrived(double value);
  void back_up(double value);

  // Of several threads, see mcts_shared.cpp.
  struct Visit;
  void set_out(Visit& visit);

  MctsOptions options_;
  std::unique_ptr<Rave> rave_;  // null: none

  Phase phase_ = Phase::over;
  std::vector<Step> path_;
  const std::byte* pending_ = nullptr;
  std::size_t pending_count_ = 0;
  std::vector<double> weights_;
  std::size_t out_ = 0;  // errands under way
};

}  // namespace glaux
