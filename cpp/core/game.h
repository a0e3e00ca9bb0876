// The contract between rules and everything else: searches, evaluators, learners and bindings are
// compiled against this class once, whatever the game.
//
// A state is spec().state_size plain bytes. Equal bytes mean interchangeable states. The calls are
// bulk calls, so that the virtual call costs nothing beside the work it asks for. A Game has no
// mutable state: any number of threads may use one.
//
// States and actions handed to these functions are valid (the border has checked them: validate()
// for states, actions() for actions); outcomes, scores and values are the first player's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"
#include "core/rng.h"
#include "core/spec.h"

namespace glaux {

// The result of a match: +1 the first player wins, 0 draw, -1 the second player wins, or ongoing.
using Result = std::int8_t;
inline constexpr Result ongoing = 2;

// The same with the players exchanged.
constexpr Result exchanged(Result result) {
  return result == ongoing ? ongoing : static_cast<Result>(-result);
}

// Some cells, in an order that means something.
using Cells = std::vector<int>;

// Whose move it is. The numbers of the two players are also their places in arrays of two.
enum class Player : std::uint8_t { first = 0, second = 1, chance = 2 };

// The player with this number, 0 or 1.
constexpr Player player_of(int number) {
  return static_cast<Player>(number);
}

// What is good for the player: values are the first player's.
constexpr int sign(Player player) {
  return player == Player::first ? 1 : -1;
}

struct Status {
  Player player;  // to move; in a terminal state, would be
  Result result;
  bool terminal() const { return result != ongoing; }
  bool first_player() const { return player == Player::first; }
};

[[noreturn]] void refuse_chance();  // ChanceState

// The player who chooses in the state. Whoever searches or learns takes it from here, because none
// of them knows chance yet.
inline Player decider(Status status) {
  if (status.player == Player::chance && !status.terminal()) refuse_chance();
  return status.player;
}

// What the reinforcement heuristics (section 6.2 of the paper) read from a state.
struct Measures {
  int ply = 0;             // actions since the start of the match
  double score = 0;        // of a terminal state, if spec().has_score
  int pieces[2] = {0, 0};  // of the first and the second player, if spec().has_pieces
  // Mean number of actions at the decisions so far of each player, if spec().has_mobility.
  double mobility[2] = {0, 0};
};

// All the children of a state, in ascending order of the actions.
struct Expansion {
  std::vector<Action> actions;
  std::vector<Status> statuses;
  std::vector<std::uint64_t> hashes;
  std::vector<std::byte> children;  // actions.size() states, one after the other
  bool wants_hashes = true;         // set by the caller; otherwise hashes stays empty

  std::size_t size() const { return actions.size(); }
};

class Game {
 public:
  explicit Game(Spec spec) : spec_(std::move(spec)) {}
  virtual ~Game() = default;
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;

  const Spec& spec() const { return spec_; }
  std::uint64_t hash(const std::byte* state) const { return hash_bytes(state, spec_.state_size); }

  virtual void initial(std::byte* out) const = 0;
  virtual Status status(const std::byte* state) const = 0;
  virtual Measures measures(const std::byte* state) const = 0;

  // Writes the legal actions in ascending order, at most spec().max_actions, and returns how many.
  // A terminal state has none; any other has at least one.
  virtual int actions(const std::byte* state, Action* out) const = 0;
  virtual void apply(const std::byte* state, Action action, std::byte* out) const = 0;
  virtual void expand(const std::byte* state, Expansion& out) const = 0;

  // False if certainly no action ends the match: then nobody needs the children to know it.
  virtual bool may_end(const std::byte*) const { return true; }

  // A random start at n steps: the state after n uniformly random actions from the initial one that
  // leave a match to play, unless the rules have a way of their own, as the cubes do.
  // InvalidParameter if there is none, or hardly any.
  virtual void scramble(int n, Rng& rng, std::byte* out) const;

  // Plays uniformly random actions from each of n states to the end of the match.
  virtual void playouts(const std::byte* states, std::size_t n, Rng& rng, std::byte* ends) const = 0;

  virtual void encode(const std::byte* states, std::size_t n, float* planes) const = 0;
  virtual void cells(const std::byte* states, std::size_t n, std::uint8_t* codes) const = 0;

  // The same codes as sets of cells, uint64[n][code_bits][cell_words]: bit j of the code of cell i is
  // bit i % 64 of word i / 64 of row j.
  virtual void cell_bits(const std::byte* states, std::size_t n, std::uint64_t* bits) const;

  // Finer codes, below spec().details.size(): what the rules know of what stands on each cell, such as the
  // liberties of its chain. 0 for exactly the cells whose code is 0. Only if the spec has them.
  virtual void details(const std::byte* states, std::size_t n, std::uint8_t* codes) const;

  // The empty cells that an action can fill at once, uint64[n][cell_words]; none after the end of a match.
  // Only if the spec has them.
  virtual void reachable(const std::byte* states, std::size_t n, std::uint64_t* bits) const;

  // The state, and an action in it, seen through a symmetry: 0, the identity, to symmetry_count() - 1.
  virtual void transform(const std::byte* state, int symmetry, std::byte* out) const = 0;
  virtual Action transform_action(const std::byte* state, Action action, int symmetry) const = 0;

  // The state, and an action in it, with the two players exchanged: who was to move is not, outcome and score
  // are negative. It need not be reachable: in Hex, the second player has made the first move. Only if the
  // spec has an exchange, InvalidParameter otherwise.
  virtual void exchange(const std::byte* state, std::byte* out) const;
  virtual Action exchange_action(const std::byte* state, Action action) const;

  virtual std::string action_text(const std::byte* state, Action action) const = 0;
  // The cells that an action touches, in the order in which a person would: the cell of a stone; from and
  // to of a move. None for an action without a place, such as a pass.
  virtual Cells action_cells(const std::byte* state, Action action) const = 0;
  virtual std::string state_text(const std::byte* state) const = 0;
  // The state in lines for people, where the cells with their symbols are not the picture of it.
  virtual std::optional<std::string> drawing(const std::byte*) const { return std::nullopt; }
  virtual void parse_state(std::string_view text, std::byte* out) const = 0;  // InvalidState
  virtual void validate(const std::byte* state) const = 0;                    // InvalidState

 protected:
  Spec spec_;
};

using GamePointer = std::shared_ptr<const Game>;

}  // namespace glaux
