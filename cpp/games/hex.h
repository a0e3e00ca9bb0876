// Hex on a rhombus of n x n hexagonal cells, with or without the swap rule.
//
// The players place stones on empty cells. The first player wins by joining the top and the bottom
// edge by a chain of own stones, the second by joining the left and the right edge; exactly one of
// them succeeds before the board is full. Cell (r, c) touches (r, c-1), (r, c+1), (r-1, c),
// (r-1, c+1), (r+1, c-1) and (r+1, c).
//
// With the swap rule the second player's first action may be to take over the first stone: it
// becomes a second player's stone on the mirrored cell (row and column exchanged), which is the
// same position with the sides exchanged, and the first player is to move.
//
// Actions: the cell of the stone, or n * n for the swap.
// Whether a swap has happened needs no field of its own: it made the ply one more than the number
// of stones.
#pragma once

#include <string>

#include "core/registry.h"
#include "core/rules.h"
#include "kit/grid.h"
#include "kit/swap.h"

namespace glaux {

template <int Words>
class Hex : public SwapPlacement<Words> {
  using Base = SwapPlacement<Words>;
  using Base::board_;

 public:
  using typename Base::Set;
  using typename Base::State;

  explicit Hex(const Parameters& p)
      : Hex(Board{p.at("size"), p.at("size"), Board::Shape::hexagonal, Board::Numbering::from_top},
            p.at("swap") != 0, p.at("sides") != 0) {}

  Spec spec() const {
    Spec spec = Base::swap_spec();
    if (sides_) {
      for (std::size_t plane : {0, 1}) spec.planes[plane] += " and edges";
      spec.plane_rows = spec.plane_columns = size_ + 2;
    }
    return spec;
  }

  void playout(State& s, Rng& rng) const {
    while (Base::swap_allowed_ && s.ply < 2) apply(s, Base::random_action(s, rng));
    if (s.result != ongoing) return;

    typename Base::EmptyCells empty(Base::empty(s));
    // Of each player, the stones that are joined with the near edge. Only a stone that touches them
    // can join more.
    Set joined[2];
    for (int player : {0, 1}) {
      joined[player] = grid_.connected(s.stones[player] & edges_[player].near, s.stones[player]);
    }
    for (int player = Base::player(s); s.result == ongoing; player ^= 1) {
      const int cell = empty.draw(rng);
      ++s.ply;
      s.stones[player].set(cell);
      const Set& touching = grid_.neighbours(cell);
      Set& reached = joined[player];
      if (!edges_[player].near.test(cell) && (touching & reached).none()) continue;
      reached.set(cell);
      if ((touching & s.stones[player] & ~reached).any())
        reached = grid_.connected(reached, s.stones[player]);
      if ((reached & edges_[player].far).any()) s.result = win_of(player);
    }
  }

  void apply(State& s, Action action) const {
    const int player = Base::player(s);
    if (put(s, action) && completes(action, s.stones[player], edges_[player])) s.result = win_of(player);
  }

  // As one of all the actions of a state whose wins are known.
  void apply(State& s, Action action, const Set& wins) const {
    const int player = Base::player(s);
    if (put(s, action) && wins.test(action)) s.result = win_of(player);
  }

  // The cells that join, for the player to move, what is joined with one edge and what is with the other.
  Set wins(const State& s) const {
    const int player = Base::player(s);
    const Set& own = s.stones[player];
    const auto& [near, far] = edges_[player];
    return Base::empty(s) & (near | grid_.grown(grid_.connected(own & near, own))) &
           (far | grid_.grown(grid_.connected(own & far, own)));
  }

  // With sides, the edges are part of the stones' planes, in a margin around the board whose corners are
  // empty.
  void encode(const State& s, float* out) const {
    Planes planes(out, board_, sides_);
    Base::swap_planes(s, planes);
    for (int i = 0; sides_ && i < size_; ++i) {
      for (int end : {-1, size_}) {
        planes.set_cell(0, end, i);
        planes.set_cell(1, i, end);
      }
    }
  }

  State parse_state(std::string_view text) const {
    State s = Base::parse_stones(text);
    s.result = result_of(s);
    return s;
  }

  void validate(const State& s) const {
    Base::validate_swap(s);
    expect_result(s.result, result_of(s));
  }

 private:
  // The cells along the two edges that a player joins.
  struct Edges {
    Set near, far;
  };

  Hex(const Board& board, bool swap_allowed, bool sides)
      : Base(board, {board.identity(), board.half_turn()}, swap_allowed),
        size_(board.rows),
        sides_(sides),
        grid_(board) {
    Base::exchange_ = board.transposed();
    for (int cell = 0; cell < board.cells(); ++cell) {
      if (board.row(cell) == 0) edges_[0].near.set(cell);
      if (board.row(cell) == size_ - 1) edges_[0].far.set(cell);
      if (board.column(cell) == 0) edges_[1].near.set(cell);
      if (board.column(cell) == size_ - 1) edges_[1].far.set(cell);
    }
  }

  // Puts the stone of an action; false for a swap, which puts none and never wins.
  bool put(State& s, Action action) const {
    const int player = Base::player(s);
    ++s.ply;
    if (action == Base::swap_action()) {
      Base::swap_to(s, Base::exchange_[static_cast<std::size_t>(Base::first_stone(s))]);
      return false;
    }
    s.stones[player].set(action);
    return true;
  }

  // A new stone among `own` has completed a chain between the edges.
  bool completes(int cell, const Set& own, const Edges& edges) const {
    const int contacts = (own & grid_.neighbours(cell)).count() + (edges.near | edges.far).test(cell);
    if (contacts < 2) return false;
    const Set chain = grid_.connected(Set::of(cell), own);
    return (chain & edges.near).any() && (chain & edges.far).any();
  }

  Result result_of(const State& s) const {
    for (int player : {0, 1}) {
      const Set joined = grid_.connected(s.stones[player] & edges_[player].near, s.stones[player]);
      if ((joined & edges_[player].far).any()) return win_of(player);
    }
    return ongoing;
  }

  int size_;
  bool sides_;
  Edges edges_[2];
  Grid<Set, Board::Shape::hexagonal> grid_;
};

inline GameEntry hex_entry() {
  return {{"hex",
           "Hex",
           "Connect your two edges of the board with a chain of stones.",
           {{"size", 11, 3, 19, "rows and columns"},
            {"swap", 1, 0, 1, "the second player may take over the first stone", true},
            {"sides", 1, 0, 1, "networks see which player owns each edge of the board", true, false, true}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            return adapt_sized<Hex, 1, 2, 3, 4, 6>(p.at("size") * p.at("size"), info, p);
          }};
}

}  // namespace glaux
