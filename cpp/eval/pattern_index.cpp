#include "eval/pattern_index.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "core/errors.h"

namespace glaux {

PatternIndex::PatternIndex(const Spec& spec, const std::vector<PatternShape>& shapes, int regions,
                           bool details)
    : cells_(static_cast<std::size_t>(spec.cell_count())),
      shapes_(shapes.size()),
      regions_(static_cast<std::size_t>(regions) * static_cast<std::size_t>(regions)),
      details_(details),
      codes_(details ? spec.details.size() : spec.symbols.size()),
      code_counts_(details ? std::vector<int>() : spec.code_counts) {
  const Board& board = spec.board;
  if (details && spec.details.empty()) {
    throw InvalidParameter(spec.title + " has no details of its cells: leave them out.");
  }
  if (shapes.empty() || shapes.size() > most_shapes) {
    throw InvalidParameter("A pattern network has 1 to " + std::to_string(most_shapes) + " shapes, not " +
                           std::to_string(shapes.size()) + ".");
  }
  if (regions < 1 || regions > most_regions) {
    throw InvalidParameter("The board of a pattern network is cut into 1 to " + std::to_string(most_regions) +
                           " regions per side, not " + std::to_string(regions) + ".");
  }
  for (PatternShape shape : shapes) {
    std::sort(shape.begin(), shape.end());
    if (shape.empty() || std::adjacent_find(shape.begin(), shape.end()) != shape.end()) {
      throw InvalidParameter("A shape is a list of steps in row and column, all different.");
    }
    for (const auto& [down, right] : shape) {
      if (std::max(std::abs(std::int64_t{down}), std::abs(std::int64_t{right})) > most_step) {
        throw InvalidParameter("The steps of a shape reach at most " + std::to_string(most_step) + " cells.");
      }
    }
  }
  // Cells with the same surroundings have the same steps to cells of as many codes.
  using Surroundings = std::vector<std::pair<std::size_t, int>>;
  std::map<std::pair<std::size_t, Surroundings>, std::uint32_t> tables;
  std::vector<std::vector<Touch>> by_cell(cells_);
  for (int cell = 0; cell < spec.cell_count(); ++cell) {
    if (!board.has(cell)) continue;
    const auto place = static_cast<std::uint32_t>(places_.size());
    const int row = board.row(cell), column = board.column(cell);
    places_.push_back(static_cast<std::uint16_t>(cell));
    region_of_.push_back(
        static_cast<std::uint32_t>(row * regions / board.rows * regions + column * regions / board.columns));
    for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
      Surroundings around;
      std::size_t size = 1;
      for (std::size_t i = 0; i < shapes[shape].size(); ++i) {
        const auto [down, right] = shapes[shape][i];
        if (!board.contains(row + down, column + right)) continue;
        const int other = board.cell(row + down, column + right);
        if (!board.has(other) || board.board_of(other) != board.board_of(cell)) continue;
        const int codes = details ? static_cast<int>(codes_) : spec.code_count(other);
        by_cell[static_cast<std::size_t>(other)].push_back(
            {place, static_cast<std::uint32_t>(shape), static_cast<std::uint32_t>(size)});
        around.emplace_back(i, codes);
        size = std::min(size * static_cast<std::size_t>(codes), most_rows + 1);
      }
      const auto [table, added] =
          tables.try_emplace({shape, std::move(around)}, static_cast<std::uint32_t>(rows_));
      if (added) rows_ += size;
      if (rows_ > most_rows) {
        throw InvalidParameter("These shapes need tables of more than " + std::to_string(most_rows) +
                               " rows: choose smaller ones.");
      }
      first_rows_.push_back(table->second);
    }
  }
  touch_starts_.push_back(0);
  for (const std::vector<Touch>& touches : by_cell) {
    touches_.insert(touches_.end(), touches.begin(), touches.end());
    touch_starts_.push_back(touches_.size());
  }
}

bool PatternIndex::fits(const Spec& spec) const {
  return static_cast<std::size_t>(spec.cell_count()) == cells_ &&
         (details_ ? spec.details.size() == codes_
                   : spec.symbols.size() == codes_ && spec.code_counts == code_counts_);
}

void PatternIndex::rows(const std::uint8_t* codes, std::uint32_t* out) const {
  const std::size_t slots = slot_count();
  for (std::size_t place = 0; place < places_.size(); ++place) {
    std::uint32_t* row = out + place * slots;
    std::copy_n(first_rows_.data() + place * shapes_, shapes_, row);
    row[shapes_] = static_cast<std::uint32_t>(rows_ + place);
  }
  for (const std::uint16_t cell : places_) {
    const std::uint32_t code = codes[cell];
    if (code == 0) continue;
    for (const Touch& touch : touches(cell)) out[touch.place * slots + touch.shape] += code * touch.power;
  }
}

}  // namespace glaux
