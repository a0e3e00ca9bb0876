// Reinforcement heuristics: what a terminal state is worth while a game is learned (section 6 of
// Cohen-Solal's paper).
//
// The gain b_t of a game (+1, 0, -1; TerminalValue itself) says who has won and nothing else. A
// heuristic also says how well, so that the states before the end differ in value too and there is
// more to learn from each match. It must keep the order of the gain (Definition 21): every win is worth
// more than every draw, every draw more than every loss. All of these give a value of the winner's sign that
// is not 0, whatever the measures of the state are. A draw is worth 0, but under the score its score: where a
// game is never won, as Morpion Solitaire (section 12.4), that is all there is to learn. It must then lie
// between what losses and wins are worth. Where beginners hardly ever win, as in Xiangqi, draws may have
// their material in the same way.
//
//   class                 section  value of a win; of a loss it is the same with the players exchanged
//   TerminalValue         6.1      1
//   Scoring               6.2.1    the score, at least 1; of a draw the score
//   AdditiveDepth         6.2.2    P - p + 1, or max(1, P~ - p): the sooner the better
//   MultiplicativeDepth   6.2.2    P' / p: likewise, with the weight on short matches
//   CumulativeMobility    6.2.3    M1 / M2, the mean numbers of actions to choose from
//   Presence              6.2.4    n1 - n2 pieces, at least 1
//   Material              11.3     m + v1 - v2, at least 1: what the pieces of both players are worth
//   player
//
// The value is the heuristic's and guides the search; the gain stays the game's, so that completion
// (section 5) proves wins and not values. Values are the first player's, in the heuristic's own unit.
// Each is one call of Game::measures, and a game without the measure is refused.
#pragma once

#include <utility>
#include <vector>

#include "eval/evaluator.h"

namespace glaux {

// No match is as long; up to here a float tells neighbouring numbers apart.
inline constexpr int longest_match = 1 << 24;

// The score of the game, but at least 1 for a win and at most -1 for a loss: in the built-in games that
// changes nothing, in others the score may not say who has won.
class Scoring final : public TerminalValue {
 public:
  float value(const Game& game, const std::byte* state, Result result) const override;
};

// l = max(1, top - p) after p actions. With top = P + 1, where no match has more than P actions, that is
// P - p + 1 of the paper; where P is not known or too large to be of use, top is its P~, and matches
// that are as long or longer are all worth 1.
class AdditiveDepth final : public TerminalValue {
 public:
  explicit AdditiveDepth(int top);  // InvalidParameter unless it is from 1 to longest_match + 1
  float value(const Game& game, const std::byte* state, Result result) const override;

 private:
  int top_;
};

// l = average / p after p actions, with the average length of matches: about 1 for most, so that a short
// match stands out. A match that is over before the first action counts as one action long.
class MultiplicativeDepth final : public TerminalValue {
 public:
  explicit MultiplicativeDepth(double average);  // InvalidParameter unless it is above 0, up to longest_match
  float value(const Game& game, const std::byte* state, Result result) const override;

 private:
  double average_;
};

// M1 / M2 for a win, -M2 / M1 for a loss, with the mean numbers of actions at the decisions of both
// players since the start of the match. Needs a MobilityGame, whose means are at least 1, also of a
// player who never had to decide.
class CumulativeMobility final : public TerminalValue {
 public:
  float value(const Game& game, const std::byte* state, Result result) const override;
};

// max(m + v, d + 1) for a win, min(-m + v, -d - 1) for a loss, where v is the sum of what the codes of the
// cells are worth: above 0 for pieces of the first player, below 0 for those of the second. A draw is worth
// v, but at most d either way: 0 if d is.
class Material final : public TerminalValue {
 public:
  // InvalidParameter for what is beyond longest_match, and for d below 0.
  Material(double win, double draw, std::vector<double> worth);
  float value(const Game& game, const std::byte* state, Result result) const override;

 private:
  double win_, draw_;
  std::vector<double> worth_;  // by code
};

// max(n1 - n2, 1) for a win, min(n1 - n2, -1) for a loss, with the pieces of both players.
class Presence final : public TerminalValue {
 public:
  float value(const Game& game, const std::byte* state, Result result) const override;
};

}  // namespace glaux
