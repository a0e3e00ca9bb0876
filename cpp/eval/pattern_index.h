// From a state to the rows that a pattern network asks its tables for.
//
// A shape is some cells around a cell, as steps in row and column: the cell with its neighbours, or a line
// through it. At every cell of the board each shape reads the codes of its cells as the digits of a number,
// which is a row of a table. All cells with the same surroundings share the table: a shape that reaches past
// the edge, to an absent cell or to another board has fewer cells there and a table of its own, so that a row
// knows the edge. After these rows come those of the positions, one for each cell of the board.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/game.h"

namespace glaux {

// Steps in row and column from the cell in the middle; {0, 0} is that cell itself.
using PatternShape = std::vector<std::pair<int, int>>;

class PatternIndex {
 public:
  static constexpr std::size_t most_rows = std::size_t{1} << 22;
  static constexpr std::size_t most_shapes = 16;
  static constexpr int most_regions = 8;
  static constexpr int most_step = 255;

  // The board is cut into regions x regions rectangles. InvalidParameter for shapes that make no network.
  // With `details` it reads the codes of Game::details() instead of those of Game::cells().
  PatternIndex(const Spec& spec, const std::vector<PatternShape>& shapes, int regions, bool details = false);

  // What an index changes by when the code of a cell grows by one.
  struct Touch {
    std::uint32_t place;  // of the cell whose row it is, among the cells of the board
    std::uint32_t shape;
    std::uint32_t power;
  };

  bool fits(const Spec& spec) const;
  bool details() const { return details_; }
  std::size_t cell_count() const { return cells_; }           // of the rectangle
  std::size_t place_count() const { return places_.size(); }  // the cells that are there
  std::size_t shape_count() const { return shapes_; }
  std::size_t slot_count() const { return shapes_ + 1; }  // rows that a place asks for
  std::size_t row_count() const { return rows_ + places_.size(); }
  std::size_t region_count() const { return regions_; }
  std::size_t region(std::size_t place) const { return region_of_[place]; }

  // The rows of a state with these codes, uint32[place][slot]; the last slot is the position's.
  void rows(const std::uint8_t* codes, std::uint32_t* out) const;

  std::span<const Touch> touches(std::size_t cell) const {
    return {touches_.data() + touch_starts_[cell], touches_.data() + touch_starts_[cell + 1]};
  }

 private:
  std::size_t cells_, shapes_, regions_, rows_ = 0;
  bool details_;
  std::size_t codes_;  // of the cells that have most
  std::vector<int> code_counts_;
  std::vector<std::uint16_t> places_;  // their cells
  std::vector<std::uint32_t> region_of_;
  std::vector<std::uint32_t> first_rows_;  // [place][shape]: of the table
  std::vector<Touch> touches_;             // by cell, then by place
  std::vector<std::size_t> touch_starts_;
};

}  // namespace glaux
