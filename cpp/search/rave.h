// RAVE (Gelly and Silver, 2007): the actions of a random match count as if each had been the first.
//
// Of an iteration with the value z, let B be the actions that the player of a state s on its way has taken
// there or later, in the tree and in the random match. Then every action of s that is in B learns z, in a
// mean Q'(s,a) beside Q(s,a): "all moves as first". It is known after a few iterations for most actions,
// where the order of actions matters little, as in Go and Hex; the more visits a state has, the less it
// counts:
//   (1 - beta) Q(s,a) + beta Q'(s,a) + c sqrt(ln N / n(s,a)),   beta = sqrt(k / (3 N + k)),
// with N the visits of the actions of s. An action not yet taken has Q' for Q and n = 1.
//
// Actions are numbers with the same meaning in every state, so nothing here depends on the game. The random
// matches are played action by action, because the bulk call of Game gives their ends alone.
#pragma once

#include <cstdint>
#include <vector>

#include "search/mcts_tree.h"

namespace glaux {

class Rave {
 public:
  // The share of a memory budget that is left for the tree: means and their lists take at most two thirds of
  // what edges and nodes take.
  static std::size_t for_tree(std::size_t budget) { return budget / 5 * 3; }

  Rave(const Game& game, double k);

  double beta(std::uint32_t visits) const;
  // An iteration begins that has no random match.
  void begin() { ++stamp_; }
  // An iteration begins whose random match this is: its value.
  double playout(const std::byte* state, const TerminalValue& terminal_value, Rng& rng);
  // The player of a state on the way has taken an action, and the iteration has come to a value; the last
  // state of the way first.
  template <class Node>
  void count(NodeId id, const Node& node, Action taken, double value) {
    mark(node.player, taken);
    Means& means = of(id, node.edge_count);
    for (std::uint32_t i = 0; i < node.edge_count; ++i) {
      if (marks_[place(node.player, node.edges[i].action())] != stamp_) continue;
      means[i].w += value;
      ++means[i].n;
    }
  }
  struct Mean {
    double w = 0;
    std::uint32_t n = 0;
  };
  // In the order of the edges; null before the first.
  const Mean* means(NodeId id) const {
    return id < nodes_.size() && !nodes_[id].empty() ? nodes_[id].data() : nullptr;
  }
  std::size_t bytes() const { return bytes_; }
  void clear();

 private:
  using Means = std::vector<Mean>;

  std::size_t place(Player player, Action action) const {
    return static_cast<std::size_t>(player) * action_count_ + static_cast<std::size_t>(action);
  }
  void mark(Player player, Action action) { marks_[place(player, action)] = stamp_; }
  Means& of(NodeId id, std::uint32_t count);

  const Game& game_;
  double k_;
  std::size_t action_count_;
  std::vector<std::uint64_t> marks_;  // the last iteration in which the player took the action
  std::uint64_t stamp_ = 0;
  std::vector<Means> nodes_;
  std::size_t bytes_ = 0;
  std::vector<std::byte> at_, next_;
  std::vector<Action> actions_;
};

}  // namespace glaux
