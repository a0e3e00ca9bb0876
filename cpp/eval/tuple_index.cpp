#include "eval/tuple_index.h"

#include <algorithm>
#include <bit>
#include <string>

#include "core/errors.h"

#ifdef __x86_64__
#include <immintrin.h>
#define GLAUX_HAS_PEXT 1
#else
#define GLAUX_HAS_PEXT 0
#endif

namespace glaux {

bool processor_has_fast_pext() {
#if GLAUX_HAS_PEXT
  __builtin_cpu_init();
  const bool slow = __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2") || __builtin_cpu_is("bdver4");
  return __builtin_cpu_supports("bmi2") && !slow;
#else
  return false;
#endif
}

TupleIndex::TupleIndex(const Spec& spec, const std::vector<CellTuple>& tuples, bool use_pext, int symmetries,
                       bool reachable)
    : cells_(static_cast<std::size_t>(spec.cell_count())),
      codes_(spec.symbols.size() + (reachable ? 1 : 0)),
      rows_(spec.code_bits()),
      words_(spec.cell_words()),
      code_counts_(spec.code_counts),
      reachable_(reachable),
      use_pext_(use_pext && GLAUX_HAS_PEXT) {
  if (reachable && !spec.has_reachable) {
    throw InvalidParameter(spec.title + " does not say which empty cells can be reached.");
  }
  if (static_cast<std::size_t>(std::bit_width(codes_ - 1)) > rows_) {
    throw InvalidParameter("The cells of " + spec.title + " have " + std::to_string(codes_ - 1) +
                           " codes, which leaves no room for one more that marks reachable cells.");
  }
  if (tuples.empty()) throw InvalidParameter("An n-tuple network needs at least one tuple.");
  if (symmetries < 0 || symmetries > spec.symmetry_count()) {
    throw InvalidParameter(spec.title + " has " + std::to_string(spec.symmetry_count()) +
                           " symmetries to use, not " + std::to_string(symmetries) + ".");
  }
  const auto used = static_cast<std::size_t>(symmetries == 0 ? spec.symmetry_count() : symmetries);
  if (spec.state_symmetries > 0) {
    boards_ = used;
    symmetries_ = {spec.board.identity()};
  } else {
    symmetries_.assign(spec.symmetries.begin(), spec.symmetries.begin() + static_cast<std::ptrdiff_t>(used));
  }
  for (const CellMap& map : symmetries_) {
    CellMap inverse(map.size());
    for (std::size_t cell = 0; cell < map.size(); ++cell) {
      inverse[map[cell]] = static_cast<std::uint16_t>(cell);
    }
    inverses_.push_back(std::move(inverse));
  }
  if (words_ == 1) {
    spread_.resize(symmetries_.size() * 8 * 256);
    for (std::size_t i = 0; i < spread_.size(); ++i) {
      const CellMap& inverse = inverses_[i / (8 * 256)];
      for (std::size_t bit = 0; bit < 8; ++bit) {
        const std::size_t cell = i / 256 % 8 * 8 + bit;
        if (i >> bit & 1 && cell < cells_) spread_[i] |= std::uint64_t{1} << inverse[cell];
      }
    }
  }
  for (const CellTuple& cells : tuples) add_tuple(cells);
  if (boards_ == 1) add_touches();
}

const TupleIndex::Bases& TupleIndex::bases_of(const CellTuple& cells) {
  std::vector<std::size_t> counts;
  for (const std::uint16_t cell : cells) {
    counts.push_back(code_counts_.empty() ? codes_ : static_cast<std::size_t>(code_counts_[cell]));
  }
  const auto [at, added] = bases_.try_emplace(counts);
  Bases& bases = at->second;
  if (added) {
    std::size_t size = 1;
    for (const std::size_t count : counts) {
      bases.powers.push_back(static_cast<std::uint32_t>(size));
      size = std::min(size * count, most_weights + 1);
    }
    bases.powers.push_back(static_cast<std::uint32_t>(size));  // of all: the weights
    bases.digits.resize(std::size_t{1} << cells.size());
    for (std::size_t i = 0; i < bases.digits.size(); ++i) {
      for (std::size_t bit = 0; bit < cells.size(); ++bit) {
        if (i >> bit & 1) bases.digits[i] += bases.powers[bit];
      }
    }
  }
  return bases;
}

void TupleIndex::add_tuple(const CellTuple& cells) {
  if (cells.empty() || cells.size() > longest_tuple) {
    throw InvalidParameter("A tuple has 1 to " + std::to_string(longest_tuple) + " cells, not " +
                           std::to_string(cells.size()) + ".");
  }
  if (cells.back() >= cells_) {
    throw InvalidParameter("A tuple names the cell " + std::to_string(cells.back()) +
                           ", but this board has the cells 0 to " + std::to_string(cells_ - 1) + ".");
  }
  if (std::adjacent_find(cells.begin(), cells.end(), std::greater_equal<>()) != cells.end()) {
    throw InvalidParameter("The cells of a tuple must differ and be in ascending order.");
  }
  const Bases& bases = bases_of(cells);
  const std::size_t size = bases.powers.back();
  if (weight_count_ + size > most_weights) {
    throw InvalidParameter("These tuples need more than " + std::to_string(most_weights) +
                           " weights: choose shorter or fewer ones.");
  }
  Tuple tuple{};
  tuple.offset = static_cast<std::uint32_t>(weight_count_);
  tuple.first_cell = static_cast<std::uint32_t>(tuple_cells_.size());
  tuple.length = static_cast<std::uint32_t>(cells.size());
  tuple.digits = bases.digits.data();
  tuple.powers = bases.powers.data();
  tuple.first_piece = static_cast<std::uint32_t>(pieces_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint32_t word = cells[i] / 64;
    if (i == 0 || pieces_.back().word != word) pieces_.push_back({0, word, static_cast<std::uint32_t>(i)});
    pieces_.back().mask |= std::uint64_t{1} << cells[i] % 64;
  }
  tuple.last_piece = static_cast<std::uint32_t>(pieces_.size());
  tuple_cells_.insert(tuple_cells_.end(), cells.begin(), cells.end());
  tuples_.push_back(tuple);
  weight_count_ += size;
}

void TupleIndex::add_touches() {
  std::vector<std::vector<Touch>> by_cell(cells_);
  for (std::size_t t = 0; t < tuples_.size(); ++t) {
    for (std::size_t s = 0; s < symmetries_.size(); ++s) {
      const auto slot = static_cast<std::uint32_t>(t * symmetries_.size() + s);
      for (std::size_t i = 0; i < tuples_[t].length; ++i) {
        by_cell[symmetries_[s][tuple_cells_[tuples_[t].first_cell + i]]].push_back(
            {slot, tuples_[t].powers[i]});
      }
    }
  }
  touch_starts_.push_back(0);
  for (const std::vector<Touch>& touches : by_cell) {
    touches_.insert(touches_.end(), touches.begin(), touches.end());
    touch_starts_.push_back(touches_.size());
  }
}

bool TupleIndex::fits(const Spec& spec) const {
  return static_cast<std::size_t>(spec.cell_count()) == cells_ &&
         spec.symbols.size() + (reachable_ ? 1 : 0) == codes_ && (!reachable_ || spec.has_reachable) &&
         spec.code_counts == code_counts_ && static_cast<std::size_t>(spec.symmetry_count()) >= boards_;
}

void TupleIndex::read(const Game& game, const std::byte* states, std::size_t n, std::uint64_t* bits) const {
  if (boards_ == 1) return read_boards(game, states, n, bits);
  const std::size_t size = game.spec().state_size;
  static thread_local std::vector<std::byte> images;
  images.resize(n * boards_ * size);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < boards_; ++k) {
      game.transform(states + i * size, static_cast<int>(k), images.data() + (i * boards_ + k) * size);
    }
  }
  read_boards(game, images.data(), n * boards_, bits);
}

void TupleIndex::read_boards(const Game& game, const std::byte* states, std::size_t n,
                             std::uint64_t* bits) const {
  game.cell_bits(states, n, bits);
  if (!reachable_) return;
  static thread_local std::vector<std::uint64_t> reachable;
  reachable.resize(n * words_);
  game.reachable(states, n, reachable.data());
  const std::size_t code = codes_ - 1;  // an empty cell is 0
  for (std::size_t row = 0; row < rows_; ++row) {
    if ((code >> row & 1) == 0) continue;
    for (std::size_t i = 0; i < n * words_; ++i) {
      bits[(i / words_ * rows_ + row) * words_ + i % words_] |= reachable[i];
    }
  }
}

void TupleIndex::indices(const std::uint64_t* bits, std::uint32_t* out) const {
  if (use_pext_) {
    pext_indices(bits, out);
  } else {
    portable_indices(bits, out);
  }
}

void TupleIndex::portable_indices(const std::uint64_t* bits, std::uint32_t* out) const {
  static thread_local std::vector<std::uint32_t> codes;
  codes.resize(boards_ * cells_);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = code(bits + i / cells_ * rows_ * words_, i % cells_);
  }
  for (const Tuple& tuple : tuples_) {
    const std::uint16_t* cells = tuple_cells_.data() + tuple.first_cell;
    for (std::size_t board = 0; board < codes.size(); board += cells_) {
      for (const CellMap& map : symmetries_) {
        std::uint32_t index = tuple.offset;
        for (std::size_t i = 0; i < tuple.length; ++i) {
          index += codes[board + map[cells[i]]] * tuple.powers[i];
        }
        *out++ = index;
      }
    }
  }
}

// The sets as they would be if each cell held what the symmetry's image of it holds.
void TupleIndex::see_through(const std::uint64_t* bits, std::size_t symmetry, std::uint64_t* out) const {
  if (words_ == 1) {
    const std::uint64_t* spread = spread_.data() + symmetry * 8 * 256;
    for (std::size_t row = 0; row < rows_; ++row) {
      out[row] = 0;
      for (std::size_t byte = 0; byte < 8; ++byte) {
        out[row] |= spread[byte * 256 + (bits[row] >> byte * 8 & 255)];
      }
    }
    return;
  }
  const CellMap& inverse = inverses_[symmetry];
  std::fill_n(out, rows_ * words_, std::uint64_t{0});
  for (std::size_t word = 0; word < rows_ * words_; ++word) {
    std::uint64_t* row = out + word / words_ * words_;
    for (std::uint64_t w = bits[word]; w; w &= w - 1) {
      const std::size_t cell = inverse[word % words_ * 64 + static_cast<std::size_t>(std::countr_zero(w))];
      row[cell / 64] |= std::uint64_t{1} << cell % 64;
    }
  }
}

#if GLAUX_HAS_PEXT

template <int Rows>
[[gnu::target("bmi2")]] void TupleIndex::pext_indices_of_one_word(const std::uint64_t* boards,
                                                                  std::uint32_t* out) const {
  const std::size_t count = symmetry_count();
  for (const Tuple& tuple : tuples_) {
    const std::uint64_t mask = pieces_[tuple.first_piece].mask;
    const std::uint32_t* digits = tuple.digits;
    for (std::size_t s = 0; s < count; ++s) {
      std::uint32_t index = tuple.offset;
      for (int row = 0; row < Rows; ++row) {
        index += digits[_pext_u64(boards[s * Rows + static_cast<std::size_t>(row)], mask)] << row;
      }
      *out++ = index;
    }
  }
}

[[gnu::target("bmi2")]] void TupleIndex::pext_indices(const std::uint64_t* bits, std::uint32_t* out) const {
  const std::size_t size = rows_ * words_, count = symmetry_count();
  const std::uint64_t* boards = bits;
  if (boards_ == 1) {
    static thread_local std::vector<std::uint64_t> seen;
    seen.resize(count * size);
    std::copy_n(bits, size, seen.begin());
    for (std::size_t s = 1; s < count; ++s) see_through(bits, s, seen.data() + s * size);
    boards = seen.data();
  }
  if (words_ == 1 && rows_ <= 4) {
    if (rows_ == 1) return pext_indices_of_one_word<1>(boards, out);
    if (rows_ == 2) return pext_indices_of_one_word<2>(boards, out);
    if (rows_ == 3) return pext_indices_of_one_word<3>(boards, out);
    return pext_indices_of_one_word<4>(boards, out);
  }
  for (const Tuple& tuple : tuples_) {
    const Piece* const first = pieces_.data() + tuple.first_piece;
    const Piece* const last = pieces_.data() + tuple.last_piece;
    for (std::size_t s = 0; s < count; ++s) {
      std::uint32_t index = tuple.offset;
      for (std::size_t row = 0; row < rows_; ++row) {
        const std::uint64_t* board = boards + s * size + row * words_;
        std::uint64_t found = 0;
        for (const Piece* p = first; p != last; ++p) found |= _pext_u64(board[p->word], p->mask) << p->shift;
        index += tuple.digits[found] << row;
      }
      *out++ = index;
    }
  }
}

#else

void TupleIndex::pext_indices(const std::uint64_t* bits, std::uint32_t* out) const {
  portable_indices(bits, out);
}

#endif

}  // namespace glaux
