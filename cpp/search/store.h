// The transposition table of a search: states, each once, with their labels and edges, in memory
// that is counted.
//
// A child is only an Edge until the search visits it; then it becomes a Node with its state. Equal
// states share a node, found by hash and compared in full. Nodes are numbered from 1 and move only when
// others are forgotten; the edges of a node are contiguous. All memory is taken in blocks and counted; when
// a block would exceed the budget the caller is told that there is no room, and nothing changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/game.h"

namespace glaux {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0;

template <class Edge, class Label>
class Store {
 public:
  struct Node {
    Edge* edges = nullptr;  // null until the state is expanded
    std::uint32_t edge_count = 0;
    std::uint32_t tag = 0;  // high half of the hash
    Player player = Player::first;
    Result result = ongoing;
    Label label{};

    bool first_player() const { return player == Player::first; }
    bool terminal() const { return result != ongoing; }
    bool expanded() const { return edges != nullptr; }
    Edge* begin() { return edges; }
    Edge* end() { return edges + edge_count; }
    const Edge* begin() const { return edges; }
    const Edge* end() const { return edges + edge_count; }
  };

  Store(std::size_t state_size, std::size_t budget)
      : state_size_(state_size), stride_((sizeof(Node) + state_size + 7) / 8 * 8), budget_(budget) {}

  std::size_t bytes() const { return bytes_; }
  std::size_t budget() const { return budget_; }
  NodeId node_count() const { return node_count_; }

  Node& node(NodeId id) { return *reinterpret_cast<Node*>(address(id)); }
  const Node& node(NodeId id) const { return *reinterpret_cast<const Node*>(address(id)); }
  const std::byte* state(NodeId id) const { return address(id) + sizeof(Node); }

  NodeId find(const std::byte* state, std::uint64_t hash) const {
    if (table_.empty()) return no_node;
    for (std::size_t slot = hash & mask();; slot = (slot + 1) & mask()) {
      const Slot& s = table_[slot];
      if (s.id == no_node) return no_node;
      if (s.tag == high(hash) && std::memcmp(this->state(s.id), state, state_size_) == 0) return s.id;
    }
  }

  // The node of a state that is not there yet; no_node if there is no room.
  NodeId add(const std::byte* state, std::uint64_t hash, Status status) {
    const Player player = decider(status);
    if (!make_room_for_node()) return no_node;
    const NodeId id = ++node_count_;
    Node* node = new (address(id)) Node;
    node->tag = high(hash);
    node->player = player;
    node->result = status.result;
    std::memcpy(address(id) + sizeof(Node), state, state_size_);
    insert(id, hash);
    return id;
  }

  // Room for the edges of a node, all zero; false if there is none.
  bool add_edges(Node& node, std::uint32_t count) {
    if (edges_left_ < count) {
      const std::size_t size =
          std::max<std::size_t>(count, std::min<std::size_t>(edge_total_ + 256, 1 << 16));
      if (!take(size * sizeof(Edge))) return false;
      add_edge_block(size);
    }
    std::uninitialized_value_construct_n(next_edge_, count);
    node.edges = next_edge_;
    node.edge_count = count;
    next_edge_ += count;
    edges_left_ -= count;
    edge_total_ += count;
    return true;
  }

  // The bytes that expanding one more state of `actions` actions could take.
  static std::size_t bytes_for(std::size_t state_size, std::size_t actions) {
    return nodes_per_block * (sizeof(Node) + state_size + 8) + 2 * first_slots * sizeof(Slot) +
           std::max<std::size_t>(actions, 256) * sizeof(Edge);
  }

  void clear() { *this = Store(state_size_, budget_); }

  // Forgets all nodes but those to which edges lead from `root`, and gives its new number. child(edge) is the
  // NodeId of an edge, null if the edge has none. Nodes move, in their order; labels stay as they are. Blocks
  // are emptied one after the other, so that no more than one of them is taken beyond what there was.
  template <class ChildOf>
  NodeId keep_below(NodeId root, ChildOf child) {
    std::vector<NodeId> renamed(node_count_ + std::size_t{1}, no_node);
    std::vector<NodeId> waiting{root};
    renamed[root] = root;
    while (!waiting.empty()) {
      const NodeId id = waiting.back();
      waiting.pop_back();
      for (Edge& edge : node(id)) {
        const NodeId* below = child(edge);
        if (below == nullptr || *below == no_node || renamed[*below] != no_node) continue;
        renamed[*below] = *below;
        waiting.push_back(*below);
      }
    }
    std::size_t edges = 0;
    for (NodeId id = 1; id <= node_count_; ++id) edges += renamed[id] == no_node ? 0 : node(id).edge_count;
    if (edges == edge_total_) return root;  // packed anew they might take more than before
    move_edges(renamed, edges);
    NodeId kept = 0;
    for (NodeId id = 1; id <= node_count_; ++id) {
      if (renamed[id] == no_node) continue;
      renamed[id] = ++kept;
      if (kept != id) std::memcpy(address(kept), address(id), stride_);
    }
    node_count_ = kept;
    for (NodeId id = 1; id <= kept; ++id) {
      for (Edge& edge : node(id)) {
        if (NodeId* below = child(edge); below != nullptr) *below = renamed[*below];
      }
    }
    const std::size_t blocks = (kept + nodes_per_block - 1) / nodes_per_block;
    bytes_ -= (node_blocks_.size() - blocks) * nodes_per_block * stride_;
    node_blocks_.resize(blocks);
    bytes_ -= table_.size() * sizeof(Slot);
    std::size_t slots = first_slots;
    while (slots < (kept + std::size_t{1}) * 2) slots *= 2;
    table_ = std::vector<Slot>(slots);
    bytes_ += slots * sizeof(Slot);
    for (NodeId id = 1; id <= kept; ++id) insert(id, hash_bytes(state(id), state_size_));
    return renamed[root];
  }

 private:
  struct Slot {
    NodeId id = no_node;
    std::uint32_t tag = 0;
  };
  static constexpr std::size_t nodes_per_block = 64;
  static constexpr std::size_t first_slots = 128;
  static constexpr std::size_t edges_per_block = 1 << 12;  // of those that are packed anew

  static std::uint32_t high(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::size_t mask() const { return table_.size() - 1; }

  std::byte* address(NodeId id) const {
    return node_blocks_[(id - 1) / nodes_per_block].get() + (id - 1) % nodes_per_block * stride_;
  }

  bool take(std::size_t size) {
    if (bytes_ + size > budget_) return false;
    bytes_ += size;
    return true;
  }

  // Room for edges, which is not touched before they are needed: much of the last block may never be.
  struct EdgeBlock {
    explicit EdgeBlock(std::size_t room)
        : bytes(std::make_unique_for_overwrite<std::byte[]>(room * sizeof(Edge))), size(room) {}
    Edge* edges() const { return reinterpret_cast<Edge*>(bytes.get()); }

    std::unique_ptr<std::byte[]> bytes;
    std::size_t size;
  };
  static_assert(std::is_trivially_copyable_v<Edge> && alignof(Edge) <= alignof(std::max_align_t));

  void add_edge_block(std::size_t size) {
    next_edge_ = edge_blocks_.emplace_back(size).edges();
    edges_left_ = size;
  }

  // Packs the edges of the nodes that have a number, `left` of them, into new blocks.
  void move_edges(const std::vector<NodeId>& kept, std::size_t left) {
    std::vector<EdgeBlock> old = std::move(edge_blocks_);
    std::sort(old.begin(), old.end(),
              [](const EdgeBlock& a, const EdgeBlock& b) { return a.edges() < b.edges(); });
    std::vector<std::vector<NodeId>> owners(old.size());
    for (NodeId id = 1; id <= node_count_; ++id) {
      if (kept[id] == no_node || !node(id).expanded()) continue;
      const auto above =
          std::upper_bound(old.begin(), old.end(), node(id).edges,
                           [](const Edge* edge, const EdgeBlock& block) { return edge < block.edges(); });
      owners[static_cast<std::size_t>(above - old.begin()) - 1].push_back(id);
    }
    edge_blocks_.clear();
    edges_left_ = edge_total_ = 0;
    for (std::size_t i = 0; i < old.size(); ++i) {
      for (const NodeId id : owners[i]) {
        Node& n = node(id);
        if (edges_left_ < n.edge_count) {
          const std::size_t size = std::max<std::size_t>(n.edge_count, std::min(left, edges_per_block));
          bytes_ += size * sizeof(Edge);
          add_edge_block(size);
        }
        std::uninitialized_copy(n.begin(), n.end(), next_edge_);
        n.edges = next_edge_;
        next_edge_ += n.edge_count;
        edges_left_ -= n.edge_count;
        edge_total_ += n.edge_count;
        left -= n.edge_count;
      }
      bytes_ -= old[i].size * sizeof(Edge);
      old[i].bytes.reset();
    }
  }

  bool make_room_for_node() {
    if ((node_count_ + 1) * 2 > table_.size()) {
      // While the old table is copied both exist.
      const std::size_t size = table_.empty() ? first_slots : table_.size() * 2;
      if (!take(size * sizeof(Slot))) return false;
      std::vector<Slot> old = std::move(table_);
      table_.assign(size, {});
      for (NodeId id = 1; id <= node_count_; ++id) {
        insert(id, hash_bytes(state(id), state_size_));
      }
      bytes_ -= old.size() * sizeof(Slot);
    }
    if (node_count_ == node_blocks_.size() * nodes_per_block) {
      if (!take(nodes_per_block * stride_)) return false;
      node_blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(nodes_per_block * stride_));
    }
    return true;
  }

  void insert(NodeId id, std::uint64_t hash) {
    std::size_t slot = hash & mask();
    while (table_[slot].id != no_node) slot = (slot + 1) & mask();
    table_[slot] = {id, high(hash)};
  }

  std::size_t state_size_, stride_, budget_;
  std::size_t bytes_ = 0;
  NodeId node_count_ = 0;
  std::size_t edge_total_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> node_blocks_;
  std::vector<EdgeBlock> edge_blocks_;
  Edge* next_edge_ = nullptr;
  std::size_t edges_left_ = 0;
  std::vector<Slot> table_;
};

}  // namespace glaux
