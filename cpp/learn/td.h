// TD(lambda) with final adaptation (TD-FARL; sections II.D and II.E of Scheiermann and Konen's paper):
// an n-tuple network learns from playing against itself, without search.
//
// The idea: a player chooses the action whose afterstate (the state that the action leads to) it values
// most, and now and then a random one. What the player thinks after an action should agree with what it
// thought after its own action before; where it does not, the earlier value moves towards the later one:
//
//   delta = reward + gamma V(s'[p]) - V(s[p]),   V(s[p]) moves by alpha delta       s'[p]: the new
//                                                                                   afterstate of p
// V is seen by the player who moved; the value of a finished match is 0, because all reward has been
// paid. Final adaptation: when the match ends, the last afterstate of the other player moves towards
// that player's reward, which it would never see otherwise, and the final state itself towards 0.
//
// With lambda > 0 the earlier afterstates of the same player follow too: each change goes back along
// them with the factors 1, gamma lambda, (gamma lambda)^2 ..., down to a cut. The gradient of a state is
// that of the moment when it was learned first (the textbook's eligibility trace), and every match
// begins without traces.
//
// Networks give values of the first player, and have tables for each player to move (eval/ntuple.h), so
// V(s[p]) is such a value with the sign of p. Rewards are those of a TerminalValue at the end of a match
// and `step_reward` before. In a game of one player a lost match is one that took too long: it is cut
// off, and nothing is learned from the cut.
//
// Episode number k draws all that is random from its own seed, so with one thread a training is
// determined by the seed, however it is split into calls, and can go on from the weights and counters
// alone. Several threads play episodes of their own, each with its copy of the network; the copies come
// together at the end of each call (learn/replicas.h), and one with few episodes keeps them close.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/in_use.h"
#include "core/pulse.h"
#include "eval/evaluator.h"
#include "eval/ntuple.h"
#include "learn/replicas.h"

namespace glaux {

// A quantity that goes from one value to another in the course of a training: in a straight line, or
// by a constant factor.
struct Schedule {
  double from = 0, to = 0;
  bool geometric = false;
  double at(double share) const;  // share of the training that is done, 0 to 1
};

// Which states episodes begin with: the initial one in a share of them, otherwise one after a number
// of random steps from `least` to `most`, all equally likely.
struct Starts {
  double initial_share = 1;
  int least = 1, most = 1;
};

struct TdOptions {
  NTupleLearning learning;  // its alpha is that of the schedule
  Schedule alpha{0.1, 0.1, false};
  Schedule epsilon{0.1, 0.1, false};
  double gamma = 1;
  double lambda = 0;
  double cut = 0.1;  // factors of traces below this count as 0
  double step_reward = 0;
  bool learn_from_random = true;  // else a random action ends the traces and nothing is learned from it
  bool final_to_zero = true;
  Starts starts;
  int most_plies = 0;          // an episode is cut off after so many; 0: never
  int wrapper_iterations = 0;  // actions by the MCTS wrapper (section IV.E) rather than by the best value
  std::uint64_t seed = 0;
};

// What some episodes were like.
struct TdTally {
  std::uint64_t episodes = 0, plies = 0, steps = 0, evaluations = 0;
  std::uint64_t outcomes[3] = {0, 0, 0};  // lost, drawn and won by the first player
  double squares = 0;                     // of the errors delta, in units of the scale
  void add(const TdTally& other);
};

// How one episode went.
struct Episode {
  std::vector<std::byte> start;
  std::vector<Action> actions;
  std::vector<std::uint8_t> random;  // 1 where the action was drawn
};

class TdLearner {
 public:
  TdLearner(GamePointer game, std::shared_ptr<NTuple> network,
            std::shared_ptr<const TerminalValue> terminal_value, const TdOptions& options);

  static constexpr int most_threads = 1024;

  // Plays episodes first .. first + count - 1 in so many threads. The schedules stand at k / total in
  // episode k, or at `share` if total is 0. With `record` every episode is kept, in order. InvalidParameter
  // for an impossible number of threads, Busy while another call is running.
  TdTally run(std::uint64_t first, std::uint64_t count, std::uint64_t total, double share, int threads,
              Pulse& pulse, std::vector<Episode>* record);

 private:
  class Player;

  GamePointer game_;
  std::shared_ptr<NTuple> network_;
  std::shared_ptr<const TerminalValue> terminal_value_;
  TdOptions options_;
  std::vector<double> factors_;  // of the traces: 1, gamma lambda, ...
  std::unique_ptr<Replicas> replicas_;
  InUse in_use_;
};

}  // namespace glaux
