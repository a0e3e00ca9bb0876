// The stones of Go on their board: what a stone takes off, where one would have a liberty, and whose area the
// cells are. No rule about former positions or the end of a match is here.
#pragma once

#include "kit/grid.h"

namespace glaux {

template <class Set>
class GoBoard {
 public:
  explicit GoBoard(const Board& board) : grid_(board) {}

  // Puts a stone on an empty cell and takes off what has no liberty then.
  [[gnu::always_inline]] void put(Set (&stones)[2], int mover, int cell) const {
    stones[mover].set(cell);
    Set& other = stones[1 - mover];
    const Set empty = empty_cells(stones);
    // Stones beside an empty cell need no closer look.
    for (Set rest = grid_.neighbours(cell) & other & ~grid_.grown(empty); rest.any();) {
      const Set chain = grid_.connected(rest.lowest(), other);
      if ((grid_.grown(chain) & empty).none()) other ^= chain;
      rest &= ~chain;
    }
  }

  // The empty cells where a stone of the mover would have a liberty.
  Set placements(const Set (&stones)[2], int mover) const {
    const Set empty = empty_cells(stones);
    Set beside_empty;  // has an empty neighbour
    empty.for_each([&](int cell) {
      if ((grid_.neighbours(cell) & empty).any()) beside_empty.set(cell);
    });
    Set possible = beside_empty;
    for (const int owner : {0, 1}) {
      for (Set rest = stones[owner] & grid_.grown(empty & ~beside_empty); rest.any();) {
        const Set chain = grid_.connected(rest.lowest(), stones[owner]);
        const Set liberties = grid_.grown(chain) & empty;
        // The mover joins own chains with another liberty, and takes the others' with no other.
        if ((liberties.count() == 1) == (owner != mover)) possible |= liberties;
        rest &= ~chain;
      }
    }
    return possible;
  }

  // For every chain of a colour: its stones, and its number of liberties.
  template <class Each>
  void for_each_chain(const Set (&stones)[2], int owner, Each each) const {
    const Set empty = empty_cells(stones);
    for (Set rest = stones[owner]; rest.any();) {
      const Set chain = grid_.connected(rest.lowest(), stones[owner]);
      each(chain, (grid_.grown(chain) & empty).count());
      rest &= ~chain;
    }
  }

  // Every chain has a liberty.
  bool all_breathe(const Set (&stones)[2]) const {
    const Set empty = empty_cells(stones);
    for (const Set& own : stones) {
      const Set breathing = grid_.connected(own & grid_.grown(empty), own);
      if (breathing != own) return false;
    }
    return true;
  }

  // The first player's area less the second's: stones, and empty cells from which only one colour can be
  // reached.
  [[gnu::always_inline]] int area(const Set (&stones)[2]) const {
    const Set empty = empty_cells(stones);
    const Set first = grid_.connected(stones[0], stones[0] | empty);
    const Set second = grid_.connected(stones[1], stones[1] | empty);
    return (first & ~second).count() - (second & ~first).count();
  }

 private:
  [[gnu::always_inline]] Set empty_cells(const Set (&stones)[2]) const {
    return grid_.there() & ~(stones[0] | stones[1]);
  }

  Grid<Set, Board::Shape::square> grid_;
};

}  // namespace glaux
