// From a state to the table entries of an n-tuple network.
//
// A tuple is a set of cells. The codes of its cells, read as the digits of a number to the base q of
// the game's codes, say which of its q^n weights counts. Each tuple looks at the board through every
// symmetry, with one table for all: a slot is a (tuple, symmetry), and a state has one index for each
// slot. So symmetric states have the same indices in another order.
//
// The sets of Game::cell_bits make this fast: seen through a symmetry once, the bits of a tuple's cells
// come out of a set in one instruction (pext), and a table turns them into digits. Processors without
// a fast pext add up the digits one by one. Both give the same numbers; the choice is made at run time,
// so that one build serves all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/spec.h"

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

  // InvalidParameter for tuples that the board does not have or that need too many weights.
  TupleIndex(const Spec& spec, const std::vector<CellTuple>& tuples, bool use_pext);
  TupleIndex(const TupleIndex&) = delete;
  TupleIndex& operator=(const TupleIndex&) = delete;

  std::size_t tuple_count() const { return tuples_.size(); }
  std::size_t symmetry_count() const { return symmetries_.size(); }
  std::size_t slot_count() const { return tuple_count() * symmetry_count(); }
  std::size_t weight_count() const { return weight_count_; }
  std::size_t row_count() const { return rows_; }
  std::size_t word_count() const { return words_; }
  bool uses_pext() const { return use_pext_; }
  bool fits(const Spec& spec) const;

  // The index of each slot, tuple by tuple, for a state with these bits.
  void indices(const std::uint64_t* bits, std::uint32_t* out) const;

  std::uint32_t code(const std::uint64_t* bits, std::size_t cell) const {
    std::uint32_t code = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      code |= static_cast<std::uint32_t>(bits[row * words_ + cell / 64] >> cell % 64 & 1) << row;
    }
    return code;
  }

  // The slots that look at a cell.
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
    const std::uint32_t* digits;  // the number whose binary digits are these, read to the base q
  };

  void add_tuple(const CellTuple& cells);
  void add_touches();
  void see_through(const std::uint64_t* bits, std::size_t symmetry, std::uint64_t* out) const;
  void portable_indices(const std::uint64_t* bits, std::uint32_t* out) const;
  void pext_indices(const std::uint64_t* bits, std::uint32_t* out) const;
  template <int Rows>
  void pext_indices_of_one_word(const std::uint64_t* boards, std::uint32_t* out) const;

  std::size_t cells_, codes_, rows_, words_;
  bool use_pext_;
  std::vector<CellMap> symmetries_, inverses_;
  std::vector<std::uint32_t> powers_;               // of q
  std::vector<std::vector<std::uint32_t>> digits_;  // by length, so that Tuple::digits stays where it is
  std::vector<std::uint64_t> spread_;  // one-word boards: [symmetry][byte][value], the cells it goes to
  std::vector<Tuple> tuples_;
  std::vector<Piece> pieces_;
  CellTuple tuple_cells_;
  std::size_t weight_count_ = 0;
  std::vector<Touch> touches_;
  std::vector<std::size_t> touch_starts_;
};

}  // namespace glaux
