// Games in which stones are put on cells (placement.h) with the swap rule: the second player's first
// action may be to take over the first stone, and the first player is then to move.
//
// Actions: the cell of the stone, or the number of cells for the swap. Whether a swap has happened needs
// no field of its own: it made the ply one more than the number of stones.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kit/placement.h"

namespace glaux {

template <int Words>
class SwapPlacement : public Placement<Words> {
  using Base = Placement<Words>;

 protected:
  using Base::board_;

 public:
  using typename Base::Set;
  using typename Base::State;

  int actions(const State& s, Action* out) const {
    int n = 0;
    Base::empty(s).for_each([&](int cell) { out[n++] = cell; });
    if (can_swap(s)) out[n++] = swap_action();
    return n;
  }

  Action random_action(const State& s, Rng& rng) const {
    const Set empty = Base::empty(s);
    const int placements = empty.count();
    const auto choice = static_cast<int>(rng.below(static_cast<std::uint32_t>(placements + can_swap(s))));
    return choice == placements ? swap_action() : empty.nth(choice);
  }

  Action transform_action(Action action, int symmetry) const {
    return action == swap_action() ? action : Base::mapped_cell(action, symmetry);
  }

  std::string action_text(const State&, Action action) const {
    return action == swap_action() ? "swap" : board_.cell_text(action);
  }

  Cells action_cells(const State&, Action action) const {
    return action == swap_action() ? Cells{} : Cells{action};
  }

 protected:
  SwapPlacement(const Board& board, std::vector<CellMap> symmetries, bool swap_allowed)
      : Base(board, std::move(symmetries), swap_allowed), swap_allowed_(swap_allowed) {
    Base::max_plies_ += Base::there_.count();
  }

  Spec swap_spec() const {
    Spec spec = Base::common_spec();
    spec.action_count = board_.cells() + swap_allowed_;
    spec.max_actions = Base::there_.count();  // after the first stone the swap takes the place of its cell
    if (swap_allowed_) spec.planes.insert(spec.planes.begin() + 2, "swap possible");
    return spec;
  }

  void swap_planes(const State& s, Planes& planes) const {
    Base::common_planes(s, planes, 4 + swap_allowed_);
    if (can_swap(s)) planes.fill(2, 1.0f);
  }

  Action swap_action() const { return board_.cells(); }
  bool can_swap(const State& s) const { return swap_allowed_ && s.ply == 1; }

  // The first stone, about to be taken over, becomes the other player's on another cell or the same.
  static void swap_to(State& s, int cell) {
    s.stones[s.starter] = Set{};
    s.stones[1 - s.starter] = Set::of(cell);
  }
  static int first_stone(const State& s) { return s.stones[s.starter].first(); }

  void validate_swap(const State& s) const {
    Base::validate_stones(s);
    const auto stones = static_cast<std::uint32_t>(Base::occupied(s).count());
    const bool swapped = swap_allowed_ && s.ply >= 2 && s.ply == stones + 1;
    Base::validate_counts(s, s.ply - swapped, s.starter ^ static_cast<int>(swapped));
  }

  bool swap_allowed_;
};

}  // namespace glaux
