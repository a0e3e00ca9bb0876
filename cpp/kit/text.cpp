#include "kit/text.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/errors.h"

namespace glaux {
namespace {

std::uint8_t code_of(std::string_view symbol, const std::vector<std::string>& symbols) {
  for (std::size_t code = 0; code < symbols.size(); ++code) {
    if (symbols[code] == symbol) return static_cast<std::uint8_t>(code);
  }
  std::string all;
  for (const auto& known : symbols) all += (all.empty() ? "'" : ", '") + known + "'";
  throw InvalidState("'" + std::string(symbol) + "' is not a cell of this game: the cells are " + all + ".");
}

[[noreturn]] void refuse_shape(const Board& board) {
  throw InvalidState("The board must have " + std::to_string(board.rows) + " rows separated by '/', of " +
                     (board.present.empty() ? std::to_string(board.columns) + " cells each."
                                            : "as many cells as the board has there."));
}

}  // namespace

std::string format_state(const Board& board, const std::vector<std::string>& symbols,
                         const std::uint8_t* codes, bool first_player, int ply) {
  std::string text;
  for (int cell = 0; cell < board.cells(); ++cell) {
    if (cell > 0 && board.column(cell) == 0) text += '/';
    if (board.has(cell)) text += symbols[codes[cell]];
  }
  text += first_player ? " X " : " O ";
  return text + std::to_string(ply);
}

StateText::StateText(std::string_view text, const Board& board, const std::vector<std::string>& symbols,
                     int max_plies) {
  std::istringstream words{std::string(text)};
  std::string rows, player, number;
  if (!(words >> rows >> player >> number)) {
    throw InvalidState(
        "A state is written as its rows separated by '/', the player to move (X or O) and the ply.");
  }

  const std::size_t width = symbols.front().size();
  std::size_t at = 0;
  for (int cell = 0; cell < board.cells(); ++cell) {
    if (cell > 0 && board.column(cell) == 0 && !(at < rows.size() && rows[at++] == '/')) refuse_shape(board);
    if (board.has(cell)) {
      const std::string_view symbol = std::string_view(rows).substr(std::min(at, rows.size()), width);
      if (symbol.size() < width || symbol.find('/') != symbol.npos) refuse_shape(board);
      at += width;
      codes.push_back(code_of(symbol, symbols));
    } else {
      codes.push_back(0);
    }
  }
  if (at != rows.size()) refuse_shape(board);

  if (player != "X" && player != "O") {
    throw InvalidState("The player to move must be X (first) or O (second), not '" + player + "'.");
  }
  first_player = player == "X";

  const auto parsed = parse_number(number, static_cast<std::uint64_t>(max_plies));
  if (!parsed) {
    throw InvalidState("The ply must be a number from 0 to " + std::to_string(max_plies) + ", not '" +
                       number + "'.");
  }
  ply = static_cast<int>(*parsed);

  for (std::string word; words >> word;) extra.push_back(word);
}

void StateText::expect_extra(std::size_t count) const {
  if (extra.size() != count) {
    throw InvalidState("After the board, the player and the ply, this game has " + std::to_string(count) +
                       " more fields, not " + std::to_string(extra.size()) + ".");
  }
}

void StateText::expect_first_at_even_plies() const {
  if (first_player != (ply % 2 == 0)) {
    throw InvalidState("The first player (X) moves on even plies, the second (O) on odd ones.");
  }
}

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t most, int base) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc{} || rest != end || value > most) return std::nullopt;
  return value;
}

std::string hexadecimal(std::uint64_t number) {
  char digits[16];
  return {digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr};
}

}  // namespace glaux
