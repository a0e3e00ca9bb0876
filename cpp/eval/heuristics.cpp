#include "eval/heuristics.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.h"

namespace glaux {
namespace {

void require(bool there, const Game& game, const char* what) {
  if (!there)
    throw InvalidParameter("This heuristic needs " + std::string(what) + ", which " + game.spec().title +
                           " does not have here.");
}

// The difference as far as it agrees with the result: at least `least` for a win, at most -least for a loss.
float in_order(double difference, Result result, double draw, double least = 1) {
  const double value = result > 0   ? std::max(difference, least)
                       : result < 0 ? std::min(difference, -least)
                                    : draw;
  return static_cast<float>(value);
}

}  // namespace

float Scoring::value(const Game& game, const std::byte* state, Result result) const {
  require(game.spec().has_score, game, "a score");
  const double score = game.measures(state).score;
  return in_order(score, result, score);
}

AdditiveDepth::AdditiveDepth(int top) : top_(top) {
  if (top < 1 || top > longest_match + 1) {
    throw InvalidParameter("The longest match must be a whole number from 1 to " +
                           std::to_string(longest_match) + ", not " + std::to_string(top) + ".");
  }
}

MultiplicativeDepth::MultiplicativeDepth(double average) : average_(average) {
  if (!(average > 0 && average <= longest_match)) {
    throw InvalidParameter("The average match must be a number above 0, up to " +
                           std::to_string(longest_match) + ", not " + std::to_string(average) + ".");
  }
}

float AdditiveDepth::value(const Game& game, const std::byte* state, Result result) const {
  return static_cast<float>(result * std::max(1, top_ - game.measures(state).ply));
}

float MultiplicativeDepth::value(const Game& game, const std::byte* state, Result result) const {
  return static_cast<float>(result * average_ / std::max(1, game.measures(state).ply));
}

float CumulativeMobility::value(const Game& game, const std::byte* state, Result result) const {
  require(game.spec().has_mobility, game, "mobility");
  if (result == 0) return 0.0f;
  const auto [first, second] = game.measures(state).mobility;
  return static_cast<float>(result > 0 ? first / second : -second / first);
}

Material::Material(double win, double draw, std::vector<double> worth)
    : win_(win), draw_(draw), worth_(std::move(worth)) {
  const auto possible = [](double number) { return std::abs(number) <= longest_match; };
  if (!possible(win) || !possible(draw) || draw < 0 || !std::all_of(worth_.begin(), worth_.end(), possible)) {
    throw InvalidParameter("The values of pieces, of a win and of a draw must be numbers up to " +
                           std::to_string(longest_match) + ".");
  }
}

float Material::value(const Game& game, const std::byte* state, Result result) const {
  require(worth_.size() == game.spec().symbols.size(), game, "a value for each cell code");
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(game.spec().cell_count()));
  game.cells(state, 1, codes.data());
  double sum = result * win_;
  for (const std::uint8_t code : codes) sum += worth_[code];
  return in_order(sum, result, std::clamp(sum, -draw_, draw_), draw_ + 1);
}

float Presence::value(const Game& game, const std::byte* state, Result result) const {
  require(game.spec().has_pieces, game, "pieces");
  const auto [first, second] = game.measures(state).pieces;
  return in_order(first - second, result, 0.0);
}

}  // namespace glaux
