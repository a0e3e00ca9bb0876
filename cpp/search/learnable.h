// Tree learning's set S of a table of states, for every search: the states that are expanded, then those that
// are terminal, then, if they are asked for, the leaves that have an evaluation and nothing else (Remark 3);
// each state once. Terminal states and leaves are mostly edges only, and are made again from their parents.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "search/search.h"
#include "search/store.h"

namespace glaux {

// What a search knows, as its Reader says:
//   expanded(node)            the value of a state to learn; none if it is a leaf or has no value of its own
//   end(edge)                 the value of a terminal child
//   leaf(parent, edge, node)  the evaluation of a child that is not terminal, with its node or null; none if
//                             it is not a leaf, or has no evaluation
template <class Tree, class Reader>
Labelled learnable_of(const Game& game, const Tree& tree, bool leaves, const Reader& reader) {
  const std::size_t size = game.spec().state_size;
  struct Nothing {};
  Store<Nothing, Nothing> seen(size, std::numeric_limits<std::size_t>::max());
  std::vector<std::byte> child(size);
  Labelled all, ends, rest;
  const auto add_child = [&](std::uint64_t hash, float value, Labelled& to) {
    if (seen.find(child.data(), hash) != no_node) return;
    seen.add(child.data(), hash, game.status(child.data()));
    to.add(child.data(), size, value);
  };
  for (NodeId id = 1; id <= tree.node_count(); ++id) {
    const auto& node = tree.node(id);
    if (!node.expanded()) continue;
    if (const std::optional<float> value = reader.expanded(node)) all.add(tree.state(id), size, *value);
    for (const auto& edge : node) {
      if (!edge.terminal() && !leaves) continue;
      game.apply(tree.state(id), edge.action(), child.data());
      const std::uint64_t hash = game.hash(child.data());
      if (edge.terminal()) {
        add_child(hash, reader.end(edge), ends);
        continue;
      }
      const NodeId known = tree.find(child.data(), hash);
      const std::optional<float> value =
          reader.leaf(node, edge, known == no_node ? nullptr : &tree.node(known));
      if (value) add_child(hash, *value, rest);
    }
  }
  all.append(ends);
  all.append(rest);
  return all;
}

}  // namespace glaux
