// What the searches over a table of states share: the table, its root, how children come into it, what edges
// pack into a word, ends and what they are worth, and the draw among equals.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/errors.h"
#include "eval/evaluator.h"
#include "search/learnable.h"
#include "search/search.h"
#include "search/shared_search.h"
#include "search/store.h"

namespace glaux {

// No computer has more; sums of budgets and sizes stay far from overflowing.
inline constexpr std::size_t most_memory = std::size_t{1} << 48;

// The options of every search.
struct SearchOptions {
  bool random_ties = true;  // otherwise the lowest action: for tests
  std::uint64_t seed = 0;
  std::size_t memory = std::size_t{1} << 30;  // bytes
};

// An action and what is known of its child, in the word that an edge has for it.
class PackedAction {
 public:
  static constexpr int most_actions = 1 << 28;

  PackedAction() = default;
  PackedAction(Action action, int c, bool r, bool terminal)
      : word_(static_cast<std::uint32_t>(action) << 4 | static_cast<std::uint32_t>(c + 1) << 2 |
              static_cast<std::uint32_t>(r) << 1 | static_cast<std::uint32_t>(terminal)) {}

  Action action() const { return static_cast<Action>(word_ >> 4); }
  int c() const { return static_cast<int>(word_ >> 2 & 3) - 1; }  // completion
  bool r() const { return word_ >> 1 & 1; }                       // resolution
  bool terminal() const { return word_ & 1; }

 private:
  std::uint32_t word_ = 1 << 2;
};

// The best of several in one pass. Equals are drawn among, all with the same chance, or the first is kept.
class Draw {
 public:
  explicit Draw(Rng* rng) : rng_(rng) {}

  // One is better than all before.
  void restart() { ties_ = 1; }
  // One is as good as the best so far: whether it takes its place.
  bool falls_on_equal() { return rng_ != nullptr && rng_->below(++ties_) == 0; }
  // Whether one that compares to the best so far as order, > 0 is better, takes its place.
  bool falls_on(int order) {
    if (order > 0) restart();
    return order > 0 || (order == 0 && falls_on_equal());
  }

 private:
  Rng* rng_;  // null: no drawing
  std::uint32_t ties_ = 1;
};

template <class T>
int compare(const T& a, const T& b) {
  return (a > b) - (a < b);
}

// InvalidParameter unless a search of the game can have this budget, of which it needs so many bytes.
inline void check_budget(const Spec& spec, std::size_t memory, std::size_t needed) {
  if (spec.action_count >= PackedAction::most_actions) {
    throw InvalidParameter(spec.title + " has too many actions for this search.");
  }
  if (memory < needed) {
    throw InvalidParameter("A search of " + spec.title + " needs a memory budget of at least " +
                           std::to_string(needed) + " bytes, not " + std::to_string(memory) + ".");
  }
  if (memory > most_memory) {
    throw InvalidParameter("A memory budget of " + std::to_string(memory) + " bytes is impossible.");
  }
}

// Rules from outside may have no action in a state that goes on.
[[noreturn]] inline void refuse_dead_end(const Game& game) {
  throw BrokenRules(game.spec().title + " has no legal action in a state that is not terminal.");
}

inline End end_of(const Game& game, const TerminalValue& terminal_value, const std::byte* state,
                  Result result) {
  return {terminal_value.value(game, state, result) + 0.0f,  // never -0, which orders below 0
          terminal_value.gain(game, state, result)};
}

template <class EdgeType, class LabelType>
class TableSearch : public Search {
 public:
  TableSearch(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value,
              const SearchOptions& options)
      : Search(std::move(game), options.seed),
        terminal_value_(std::move(terminal_value)),
        tree_(game_->spec().state_size, options.memory),
        random_ties_(options.random_ties),
        scratch_(game_->spec().state_size) {
    expansion_.wants_hashes = false;
    const Spec& spec = game_->spec();
    check_budget(spec, options.memory,
                 Tree::bytes_for(spec.state_size, static_cast<std::size_t>(spec.max_actions)));
  }

  std::size_t bytes() const override { return tree_.bytes(); }

 protected:
  using Edge = EdgeType;
  using Label = LabelType;
  using Tree = Store<Edge, Label>;
  using Node = typename Tree::Node;

  NodeId node_of(const std::byte* state) const { return tree_.find(state, game_->hash(state)); }

  // The node of a state that is there, or is put there; no_node if there is no room.
  NodeId find_or_add(const std::byte* state, std::uint64_t hash) {
    const NodeId known = tree_.find(state, hash);
    return known != no_node ? known : tree_.add(state, hash, game_->status(state));
  }

  // Makes a state the root, with what ready(node) gives it. Where there is no room for that, a full table
  // can't answer: it begins anew from here, and this says so.
  template <class Ready>
  bool set_root(const std::byte* state, Ready ready) {
    const std::uint64_t hash = game_->hash(state);
    const auto place = [&] {
      root_ = find_or_add(state, hash);
      return root_ != no_node && ready(root_);
    };
    const bool anew = !place();
    if (anew) {
      tree_.clear();
      [[maybe_unused]] const bool placed = place();
      assert(placed);
    }
    assert(!tree_.node(root_).terminal());
    return anew;
  }

  // What forget_others() does; child(edge) is the node of an edge, null if it has none.
  template <class ChildOf>
  bool keep_below(const std::byte* state, ChildOf child) {
    const std::size_t before = tree_.bytes();
    const NodeId id = node_of(state);
    if (id == no_node || !tree_.node(id).expanded()) {
      clear();  // a root has edges, so that there is something to decide
    } else {
      root_ = at_ = tree_.keep_below(id, child);
    }
    return before >= tree_.bytes() + tree_.budget() / 10;
  }

  // The state after an edge, until the next call.
  const std::byte* make_child(NodeId parent, const Edge& edge) {
    game_->apply(tree_.state(parent), edge.action(), scratch_.data());
    return scratch_.data();
  }

  // Expands a state into expansion_, and its terminal children into ends_, in order. All that can throw is
  // done here, before the table changes.
  void expand_state(NodeId id) { expand_state(tree_.state(id), expansion_, ends_); }

  // The same for a thread that is away from the table.
  void expand_state(const std::byte* state, Expansion& expansion, std::vector<End>& ends) const {
    game_->expand(state, expansion);
    if (expansion.size() == 0) refuse_dead_end(*game_);
    const std::size_t size = game_->spec().state_size;
    ends.clear();
    for (std::size_t i = 0; i < expansion.size(); ++i) {
      const Result result = expansion.statuses[i].result;
      if (result == ongoing) continue;
      ends.push_back(end_of(*game_, *terminal_value_, expansion.children.data() + i * size, result));
    }
  }

  // Moves the children that are not terminal to the front, and says how many there are.
  std::size_t gather_ongoing(Expansion& expansion) const {
    const std::size_t size = game_->spec().state_size;
    std::byte* const children = expansion.children.data();
    std::size_t count = 0;
    for (std::size_t i = 0; i < expansion.size(); ++i) {
      if (expansion.statuses[i].terminal()) continue;
      if (count < i) std::memmove(children + count * size, children + i * size, size);
      ++count;
    }
    return count;
  }

  // What an errand is out for that looks at the children of its state.
  void fetch_children(Errand& errand, Evaluator& evaluator) const {
    expand_state(errand.state.data(), errand.expansion, errand.ends);
    errand.values.resize(gather_ongoing(errand.expansion));
    if (errand.values.empty()) return;
    evaluator.evaluate_children(*game_, errand.state.data(), errand.expansion.children.data(),
                                errand.values.size(), errand.values.data());
    check_finite(errand.values);
  }

  void copy_state(NodeId id, Errand& errand) const {
    const std::byte* state = tree_.state(id);
    errand.state.assign(state, state + game_->spec().state_size);
  }

  // Rules from outside may have other actions than before.
  [[noreturn]] void refuse_change() const {
    throw BrokenRules(game_->spec().title + " gave different actions for the same state than before.");
  }

  Draw draw() { return Draw(random_ties_ ? &rng_ : nullptr); }

  std::shared_ptr<const TerminalValue> terminal_value_;
  Tree tree_;
  bool random_ties_;
  NodeId root_ = no_node;
  NodeId at_ = no_node;  // where the search is
  Expansion expansion_;
  std::vector<End> ends_;
  std::vector<std::byte> scratch_;
};

}  // namespace glaux
