// Random matches of Morpion Solitaire, in which the lines that can be drawn are kept in a list: a move takes
// away those that would mark the same point or share points with it, and only lines through the new point can
// become possible. They are looked up from what lies around it on its four lanes.
//
// A lane is a straight line of all points, of one direction. For each lane the points and what is taken are
// bits, so that the surroundings of a point are one shift and the lines there one look into a table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "games/morpion_sheet.h"

namespace glaux::morpion {

template <int Words>
class Playouts {
  using Set = Bits<Words>;

 public:
  explicit Playouts(const Sheet<Words>& sheet) : length_(sheet.length), width_(sheet.width()) {
    std::copy_n(sheet.steps, directions, steps_);
    make_lanes(sheet);
    for (std::size_t window = 0; window < windows; ++window) {
      for (int line = 0; line < length_; ++line) {
        const auto mask = static_cast<unsigned>(window) >> line;
        const int there = std::popcount(mask & ((1u << length_) - 1));
        if (there == length_ - 1) one_missing_[window] |= static_cast<std::uint8_t>(1u << line);
        if ((mask & ((1u << width_) - 1)) == 0) free_[window] |= static_cast<std::uint8_t>(1u << line);
      }
    }
  }

  // Draws lines until none can be drawn, each as likely as the others.
  void play(const Sheet<Words>& sheet, Drawn<Words>& drawn, Rng& rng) const {
    Lanes lanes = read_lanes(sheet, drawn);
    std::array<Line, directions * Set::capacity> list;
    int n = 0;
    for (int d = 0; d < directions; ++d) {
      sheet.lines(drawn, d).for_each(
          [&](int start) { list[at(n++)] = {start, sheet.missing(drawn, start, d), d}; });
    }
    while (n > 0) {
      const Line chosen = list[rng.below(static_cast<std::uint32_t>(n))];
      sheet.draw(drawn, chosen.start, chosen.point, chosen.direction);
      const int old = std::exchange(n, 0);
      for (int i = 0; i < old; ++i) {
        const Line line = list[at(i)];
        list[at(n)] = line;
        n += line.point != chosen.point && !(line.direction == chosen.direction && overlap(line, chosen));
      }
      draw(lanes, chosen);
      for (int d = 0; d < directions; ++d) n = add_lines(lanes, chosen.point, d, list.data(), n);
    }
  }

 private:
  static constexpr std::size_t windows = 512;  // of up to 2 * 5 - 1 points on a lane
  static constexpr int reach = 4;              // bits are shifted by so much to have room in front

  struct Line {
    int start, point, direction;
  };

  // Beside the sheet all is taken.
  struct Lanes {
    std::array<std::array<std::uint32_t, 2 * longest_side - 1>, directions> points, taken;
  };

  struct Place {
    std::uint8_t lane, shift;  // the number of the lane, and the bit of the point on it
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const Place& place(int cell, int d) const { return places_[at(d)][at(cell)]; }

  void make_lanes(const Sheet<Words>& sheet) {
    const Board& board = sheet.board;
    for (int d = 0; d < directions; ++d) {
      places_[at(d)].resize(at(board.cells()));
      auto& taken = blank_.taken[at(d)];
      taken.fill(~0u);
      for (int cell = 0; cell < board.cells(); ++cell) {
        const int row = board.row(cell), column = board.column(cell);
        const int lanes[] = {row, column, row - column + sheet.size - 1, row + column};
        const int position = d == 0 ? column : row;
        const Place here{static_cast<std::uint8_t>(lanes[d]), static_cast<std::uint8_t>(position + reach)};
        places_[at(d)][at(cell)] = here;
        const bool goes_on = board.contains(row + rows[d], column + columns[d]);
        if (!sheet.touching || goes_on) taken[here.lane] &= ~(1u << here.shift);
      }
    }
  }

  Lanes read_lanes(const Sheet<Words>& sheet, const Drawn<Words>& drawn) const {
    Lanes lanes = blank_;
    for (int d = 0; d < directions; ++d) {
      drawn.points.for_each(
          [&](int cell) { lanes.points[at(d)][place(cell, d).lane] |= 1u << place(cell, d).shift; });
      sheet.taken(drawn, d).for_each(
          [&](int cell) { lanes.taken[at(d)][place(cell, d).lane] |= 1u << place(cell, d).shift; });
    }
    return lanes;
  }

  void draw(Lanes& lanes, const Line& line) const {
    for (int d = 0; d < directions; ++d) {
      const auto [lane, shift] = place(line.point, d);
      lanes.points[at(d)][lane] |= 1u << shift;
    }
    const auto [lane, shift] = place(line.start, line.direction);
    lanes.taken[at(line.direction)][lane] |= ((1u << width_) - 1) << shift;
  }

  // Two lines of one direction that cannot both be drawn. Cells of different lanes never differ by so
  // few steps as two lines that fit on the sheet.
  bool overlap(const Line& a, const Line& b) const {
    const int apart = std::abs(a.start - b.start), step = steps_[a.direction];
    return apart < width_ * step && apart % step == 0;
  }

  // Appends the lines of a direction through a point that was just marked.
  [[gnu::always_inline]] int add_lines(const Lanes& lanes, int point, int d, Line* list, int n) const {
    const auto [lane, shift] = place(point, d);
    const int before = length_ - 1;
    const unsigned mask = (1u << (2 * before + 1)) - 1;
    const unsigned points = lanes.points[at(d)][lane] >> (shift - before) & mask;
    const unsigned taken = lanes.taken[at(d)][lane] >> (shift - before) & mask;
    for (unsigned found = one_missing_[points] & free_[taken]; found; found &= found - 1) {
      const int first = std::countr_zero(found);
      const int gap = first + std::countr_one(points >> first);
      list[n++] = {point + (first - before) * steps_[d], point + (gap - before) * steps_[d], d};
    }
    return n;
  }

  int length_, width_;
  int steps_[directions];
  std::array<std::uint8_t, windows> one_missing_{}, free_{};  // which lines of a window, as bits
  std::array<std::vector<Place>, directions> places_;
  Lanes blank_{};
};

}  // namespace glaux::morpion
