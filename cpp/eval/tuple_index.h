// From a state to the table entries of an n-tuple network.
//
// A tuple is a set of cells. The codes of its cells, read as the digits of a number to the base q of
// the game's codes, say which of its q^n weights counts; where cells have different numbers of codes,
// each is a digit to its own base, and the weights are their product. Each tuple looks at the board
// through every symmetry, with one table for all: a slot is a (tuple, symmetry), and a state has one
// index for each slot. So symmetric states have the same indices in another order.
//
// Where the game says which empty cells the next action can fill (Spec::has_reachable), these can have a code
// of their own, one above those of the game.
//
// A symmetry that permutes the cells needs the state's board alone. Symmetries that do not (the cubes')
// need a board for each, that of the state's image; read() gets what is needed from the game.
//
// The sets of Game::cell_bits make this fast: seen through a symmetry once, the bits of a tuple's cells
// come out of a set in one instruction (pext), and a table turns them into digits. Processors without
// a fast pext add up the digits one by one. Both give the same numbers; the choice is made at run time,
// so that one build serves all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/game.h"

namespace glaux {

// The cells of a tuple, each once, ascending.
using CellTuple = std::vector<std::uint16_t>;

// Whether pext exists here and takes a cycle rather than a hundred.
bool processor_has_fast_pext();

class TupleIndex {
 public:
  // Adding delta * power to the index of the slot follows a change of the cell's code by delta.
  struct Touch {
    std::uint32_t slot;
    std::uint32_t power;
  };

  static constexpr std::size_t longest_tuple = 16;
  static constexpr std::size_t most_weights = std::size_t{1} << 30;

  // Looks through the first `symmetries` of the game's, 0 for all; `reachable` gives reachable cells a code
  // of their own. InvalidParameter for what the game does not have, and for tuples that the board does not
  // have or that need too many weights.
  TupleIndex(const Spec& spec, const std::vector<CellTuple>& tuples, bool use_pext, int symmetries = 0,
             bool reachable = false);
  TupleIndex(const TupleIndex&) = delete;
  TupleIndex& operator=(const TupleIndex&) = delete;

  std::size_t tuple_count() const { return tuples_.size(); }
  std::size_t symmetry_count() const { return boards_ * symmetries_.size(); }
  std::size_t slot_count() const { return tuple_count() * symmetry_count(); }
  std::size_t weight_count() const { return weight_count_; }
  std::size_t row_count() const { return rows_; }
  std::size_t word_count() const { return words_; }
  // The boards that a state needs: its own, or one for each symmetry.
  std::size_t board_count() const { return boards_; }
  // The words of all the boards of a state.
  std::size_t bits_size() const { return boards_ * rows_ * words_; }
  bool uses_pext() const { return use_pext_; }
  bool fits(const Spec& spec) const;

  // The bits of n states, uint64[n][board_count][row_count][word_count]: those of Game::cell_bits, and the
  // code of reachable cells.
  void read(const Game& game, const std::byte* states, std::size_t n, std::uint64_t* bits) const;

  // The index of each slot, tuple by tuple, for a state with these bits.
  void indices(const std::uint64_t* bits, std::uint32_t* out) const;

  std::uint32_t code(const std::uint64_t* bits, std::size_t cell) const {
    std::uint32_t code = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      code |= static_cast<std::uint32_t>(bits[row * words_ + cell / 64] >> cell % 64 & 1) << row;
    }
    return code;
  }

  // The slots that look at a cell; for indices of one board.
  std::span<const Touch> touches(std::size_t cell) const {
    return {touches_.data() + touch_starts_[cell], touches_.data() + touch_starts_[cell + 1]};
  }

 private:
  struct Piece {  // the cells of a tuple in one word of a set
    std::uint64_t mask;
    std::uint32_t word, shift;
  };
  struct Tuple {
    std::uint32_t offset;  // of its table
    std::uint32_t first_piece, last_piece;
    std::uint32_t first_cell, length;
    const std::uint32_t* digits;  // the number whose binary digits are these, read to the bases of the cells
    const std::uint32_t* powers;  // what a digit of each cell counts
  };
  struct Bases {  // of cells that follow one another in a tuple
    std::vector<std::uint32_t> digits, powers;
  };

  void read_boards(const Game& game, const std::byte* states, std::size_t n, std::uint64_t* bits) const;
  void add_tuple(const CellTuple& cells);
  const Bases& bases_of(const CellTuple& cells);
  void add_touches();
  void see_through(const std::uint64_t* bits, std::size_t symmetry, std::uint64_t* out) const;
  void portable_indices(const std::uint64_t* bits, std::uint32_t* out) const;
  void pext_indices(const std::uint64_t* bits, std::uint32_t* out) const;
  template <int Rows>
  void pext_indices_of_one_word(const std::uint64_t* boards, std::uint32_t* out) const;

  std::size_t cells_, codes_, rows_, words_;
  std::vector<int> code_counts_;  // as the spec has it
  bool reachable_, use_pext_;
  std::size_t boards_ = 1;
  std::vector<CellMap> symmetries_, inverses_;       // of one board
  std::map<std::vector<std::size_t>, Bases> bases_;  // a map, so that what tuples point to stays where it is
  std::vector<std::uint64_t> spread_;  // one-word boards: [symmetry][byte][value], the cells it goes to
  std::vector<Tuple> tuples_;
  std::vector<Piece> pieces_;
  CellTuple tuple_cells_;
  std::size_t weight_count_ = 0;
  std::vector<Touch> touches_;
  std::vector<std::size_t> touch_starts_;
};

}  // namespace glaux
