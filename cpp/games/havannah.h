// Havannah on a hexagon of hexagonal cells, with or without the swap rule.
//
// The players place stones on empty cells. A player wins by one of three frames of own stones: a bridge,
// a chain that joins two of the six corners; a fork, a chain that joins three of the six edges, to which
// the corners do not belong; a ring, a loop of stones around at least one cell, whatever is on it. A full
// board without any of them is a draw.
//
// With the swap rule the second player's first action may be to take over the first stone, which stays
// where it is.
//
// Rings. Go around a new stone: its own neighbours come in arcs, separated by cells that are not own. Two
// arcs that were joined already are now joined a second time, through the stone: the loop has one of the
// gaps between the arcs inside, a cell that is not own. A single arc closes no loop around such a cell,
// because the cells that are not own stay joined around the stone. What is left are loops around own stones
// only; the smallest of them goes around one stone, with all its six neighbours own. So a stone
// completes a ring if and only if two of its arcs were joined, or a neighbour has six own neighbours now.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "core/registry.h"
#include "core/rules.h"
#include "kit/boards.h"
#include "kit/grid.h"
#include "kit/swap.h"

namespace glaux {

template <int Words>
class Havannah : public SwapPlacement<Words> {
  using Base = SwapPlacement<Words>;
  using Base::board_;
  using Base::there_;

 public:
  using typename Base::Set;
  using typename Base::State;

  explicit Havannah(const Parameters& p) : Havannah(board_of(p.at("size")), p.at("swap") != 0) {}

  Spec spec() const { return Base::swap_spec(); }

  // As random actions by apply() in a loop, with the chains in a union-find forest.
  void playout(State& s, Rng& rng) const {
    while (Base::swap_allowed_ && s.ply < 2) apply(s, Base::random_action(s, rng));
    if (s.result != ongoing) return;

    Forest forest(*this);
    for (int player : {0, 1}) {
      s.stones[player].for_each([&](int cell) { forest.add(player, cell); });
    }
    typename Base::EmptyCells empty(Base::empty(s));
    for (int player = Base::player(s); s.result == ongoing; player ^= 1) {
      const int cell = empty.draw(rng);
      ++s.ply;
      s.stones[player].set(cell);
      if (forest.add(player, cell)) {
        s.result = win_of(player);
      } else if (empty.none()) {
        s.result = 0;
      }
    }
  }

  void apply(State& s, Action action) const {
    const int player = Base::player(s);
    ++s.ply;
    if (action == Base::swap_action()) {
      Base::swap_to(s, Base::first_stone(s));
      return;
    }
    s.stones[player].set(action);
    if (completes(action, s.stones[player])) {
      s.result = win_of(player);
    } else if (Base::empty(s).none()) {
      s.result = 0;
    }
  }

  void encode(const State& s, float* out) const {
    Planes planes(out, board_);
    Base::swap_planes(s, planes);
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
  // The six neighbours of a cell in a circle, as steps in row and column.
  static constexpr int rows_[6] = {-1, -1, 0, 1, 1, 0};
  static constexpr int columns_[6] = {0, 1, 1, 0, -1, -1};

  // What the directions in which a stone has own neighbours say, as a set of six bits.
  struct Pattern {
    std::uint8_t arcs = 0;
    std::uint8_t first[3] = {};  // a direction in each arc
    std::uint8_t inner = 0;      // directions whose neighbours on both sides are in the pattern too
  };

  static constexpr std::array<Pattern, 64> make_patterns() {
    std::array<Pattern, 64> patterns{};
    for (unsigned bits = 0; bits < 64; ++bits) {
      Pattern& pattern = patterns[bits];
      for (unsigned d = 0; d < 6; ++d) {
        const auto has = [bits](unsigned direction) { return (bits >> direction % 6 & 1) != 0; };
        if (has(d) && !has(d + 5)) pattern.first[pattern.arcs++] = static_cast<std::uint8_t>(d);
        if (has(d) && has(d + 5) && has(d + 1)) pattern.inner |= static_cast<std::uint8_t>(1 << d);
      }
      if (bits == 63) pattern.arcs = 1;
    }
    return patterns;
  }
  static constexpr std::array<Pattern, 64> patterns_ = make_patterns();

  // The corners and edges that a chain touches: six bits for the corners, then six for the edges.
  using Goals = std::uint16_t;
  static bool wins(Goals goals) {
    const auto corners = static_cast<unsigned>(goals & 63);
    return (corners & (corners - 1)) != 0 || std::popcount(static_cast<unsigned>(goals >> 6)) >= 3;
  }

  // The board with a margin of cells that are nobody's, so that every cell has six neighbours.
  int padded(int row, int column) const { return (row + 1) * (board_.columns + 2) + column + 1; }

  // The chains of both players, as trees of their stones.
  class Forest {
   public:
    explicit Forest(const Havannah& rules) : rules_(rules) { owner_.fill(2); }

    // Adds a stone of the player; true if it completes a frame.
    [[gnu::always_inline]] bool add(int player, int cell) {
      const int at = rules_.places_[static_cast<std::size_t>(cell)].padded;
      owner_[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(player);
      Goals goals = rules_.places_[static_cast<std::size_t>(cell)].goals;
      const unsigned bits = own_around(player, at);
      int root = at;
      bool ring = false;
      const Pattern& pattern = patterns_[bits];
      for (int i = 0; i < pattern.arcs; ++i) {
        const int other = root_of(at + rules_.steps_[pattern.first[i]]);
        ring |= other == root;
        goals |= goals_[static_cast<std::size_t>(other)];
        parent_[static_cast<std::size_t>(root)] = static_cast<std::uint16_t>(other);
        root = other;
      }
      parent_[static_cast<std::size_t>(root)] = static_cast<std::uint16_t>(root);
      goals_[static_cast<std::size_t>(root)] = goals;
      for (unsigned inner = pattern.inner; inner; inner &= inner - 1) {
        ring |= own_around(player, at + rules_.steps_[std::countr_zero(inner)]) == 63;
      }
      return ring || wins(goals);
    }

   private:
    static constexpr std::size_t capacity = [] {
      std::size_t side = 1;
      while (side * side < static_cast<std::size_t>(Set::capacity)) ++side;
      return (side + 2) * (side + 2);
    }();

    [[gnu::always_inline]] unsigned own_around(int player, int at) const {
      unsigned bits = 0;
      for (int d = 0; d < 6; ++d) {
        bits |= static_cast<unsigned>(owner_[static_cast<std::size_t>(at + rules_.steps_[d])] == player) << d;
      }
      return bits;
    }

    [[gnu::always_inline]] int root_of(int at) {
      for (;;) {
        const int above = parent_[static_cast<std::size_t>(at)];
        if (above == at) return at;
        const std::uint16_t next = parent_[static_cast<std::size_t>(above)];
        parent_[static_cast<std::size_t>(at)] = next;
        at = next;
      }
    }

    const Havannah& rules_;
    std::array<std::uint8_t, capacity> owner_;  // 0, 1, or 2 for nobody
    std::array<std::uint16_t, capacity> parent_;
    std::array<Goals, capacity> goals_;  // of roots
  };

  static Board board_of(int side) {
    Board board = hexagon(side);
    board.numbering = Board::Numbering::from_bottom;
    return board;
  }

  Havannah(const Board& board, bool swap_allowed)
      : Base(board, board.hexagonal_symmetries(), swap_allowed), grid_(board) {
    const auto has = [&](int row, int column) {
      return board.contains(row, column) && board.has(board.cell(row, column));
    };
    for (int d = 0; d < 6; ++d) steps_[d] = rows_[d] * (board.columns + 2) + columns_[d];
    for (int cell = 0; cell < board.cells(); ++cell) {
      Place place{static_cast<std::uint16_t>(padded(board.row(cell), board.column(cell))), 0, {}};
      if (board.has(cell)) {
        // The directions that lead off the board: none inside, two side by side on an edge, three at a
        // corner. The first of them, going round, numbers the edge or the corner.
        unsigned off = 0;
        for (unsigned d = 0; d < 6; ++d) {
          const int row = board.row(cell) + rows_[d], column = board.column(cell) + columns_[d];
          off |= static_cast<unsigned>(!has(row, column)) << d;
          place.neighbours[d] = static_cast<std::uint16_t>(has(row, column) ? board.cell(row, column) : cell);
        }
        const Pattern& outside = patterns_[off];
        if (off != 0) border_.set(cell);
        const int count = std::popcount(off);
        if (count >= 2) place.goals = static_cast<Goals>(1 << (outside.first[0] + (count == 2 ? 6 : 0)));
        for (int goal = 0; goal < 12; ++goal) {
          if (place.goals >> goal & 1) goals_[goal].set(cell);
        }
      }
      places_.push_back(place);
    }
  }

  // A new stone among `own` has completed a frame. There was none before: a stone inside the board that
  // touches one arc only joins nothing that was apart.
  bool completes(int cell, const Set& own) const {
    const Set touching = grid_.neighbours(cell) & own;
    const Pattern& pattern = patterns_[around(cell, touching)];
    if (pattern.arcs > 1 || border_.test(cell)) {
      const Set others = own & ~Set::of(cell);
      Set chain = Set::of(cell);
      for (int i = 0; i < pattern.arcs; ++i) {
        const Set more = grid_.connected(Set::of(neighbour(cell, pattern.first[i])), others);
        if (patterns_[around(cell, touching & more)].arcs > 1) return true;  // a ring
        chain |= more;
      }
      if (frame_in(chain)) return true;
    }
    for (unsigned inner = pattern.inner; inner; inner &= inner - 1) {
      if (surrounded(neighbour(cell, std::countr_zero(inner)), own)) return true;
    }
    return false;
  }

  // A bridge or a fork, of one chain.
  bool frame_in(const Set& chain) const {
    int corners = 0, edges = 0;
    for (int i = 0; i < 6; ++i) {
      corners += (chain & goals_[i]).any();
      edges += (chain & goals_[6 + i]).any();
    }
    return corners >= 2 || edges >= 3;
  }

  // The neighbour in a direction; the cell itself if there is none.
  int neighbour(int cell, int direction) const {
    return places_[static_cast<std::size_t>(cell)].neighbours[direction];
  }

  // The directions from the cell to these of its neighbours.
  unsigned around(int cell, const Set& touching) const {
    unsigned bits = 0;
    for (int d = 0; d < 6; ++d) bits |= static_cast<unsigned>(touching.test(neighbour(cell, d))) << d;
    return bits;
  }

  bool surrounded(int cell, const Set& own) const {
    return !border_.test(cell) && (grid_.neighbours(cell) & ~own).none();
  }

  // Some frame lies within the set, whichever stone has completed it.
  bool has_frame(const Set& own) const {
    for (Set rest = own; rest.any();) {
      const Set chain = grid_.connected(rest.lowest(), own);
      if (frame_in(chain)) return true;
      rest &= ~chain;
    }
    // What the border can't reach is inside of a ring.
    const Set others = there_ & ~own;
    if (grid_.connected(others & border_, others) != others) return true;
    bool ring = false;
    own.for_each([&](int cell) { ring |= surrounded(cell, own); });
    return ring;
  }

  Result result_of(const State& s) const {
    const bool first = has_frame(s.stones[0]), second = has_frame(s.stones[1]);
    if (first && second) throw InvalidState("Both players have a bridge, a fork or a ring.");
    if (first || second) return win_of(second);
    return Base::empty(s).none() ? Result{0} : ongoing;
  }

  struct Place {
    std::uint16_t padded;
    Goals goals;
    std::uint16_t neighbours[6];
  };

  Grid<Set, Board::Shape::hexagonal> grid_;
  Set border_;     // the cells along the edges, with the corners
  Set goals_[12];  // the corners, then the cells of each edge
  int steps_[6];   // to the neighbours on the padded board
  std::vector<Place> places_;
};

inline GameEntry havannah_entry() {
  return {{"havannah",
           "Havannah",
           "Connect two corners or three edges with a chain of stones, or close a ring.",
           {{"size", 8, 4, 10, "cells along each side"},
            {"swap", 1, 0, 1, "the second player may take over the first stone", true}}},
          [](const GameInfo& info, const Parameters& p) -> GamePointer {
            const int across = 2 * p.at("size") - 1;
            return adapt_sized<Havannah, 1, 2, 3, 4, 5, 6>(across * across, info, p);
          }};
}

}  // namespace glaux
