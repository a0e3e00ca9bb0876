// A game that also remembers how many actions each player had to choose from, for the reinforcement
// heuristic "cumulative mobility" (section 6.2.3 of the paper).
//
// The heuristic reads the mean number of available actions at each decision of a player since the
// start of the match: a fact of the path, not of the position. So it is part of the state, and equal
// states stay interchangeable; the price, fewer transpositions, is paid only by who asks for it.
// Each action of a turn of several actions is a decision of its own.
//
// The state is the inner game's, followed by the tally of both players; so is its text.
#pragma once

#include "core/generic.h"

namespace glaux {

class MobilityGame final : public GenericGame {
 public:
  explicit MobilityGame(GamePointer inner);

  void initial(std::byte* out) const override;
  Status status(const std::byte* state) const override;
  Measures measures(const std::byte* state) const override;
  int actions(const std::byte* state, Action* out) const override;
  void apply(const std::byte* state, Action action, std::byte* out) const override;
  void expand(const std::byte* state, Expansion& out) const override;
  void scramble(int n, Rng& rng, std::byte* out) const override;
  void encode(const std::byte* states, std::size_t n, float* planes) const override;
  void cells(const std::byte* states, std::size_t n, std::uint8_t* codes) const override;
  void cell_bits(const std::byte* states, std::size_t n, std::uint64_t* bits) const override;
  void details(const std::byte* states, std::size_t n, std::uint8_t* codes) const override;
  void reachable(const std::byte* states, std::size_t n, std::uint64_t* bits) const override;
  void transform(const std::byte* state, int symmetry, std::byte* out) const override;
  Action transform_action(const std::byte* state, Action action, int symmetry) const override;
  void exchange(const std::byte* state, std::byte* out) const override;
  Action exchange_action(const std::byte* state, Action action) const override;
  std::string action_text(const std::byte* state, Action action) const override;
  Cells action_cells(const std::byte* state, Action action) const override;
  std::string state_text(const std::byte* state) const override;
  std::optional<std::string> drawing(const std::byte* state) const override;
  void parse_state(std::string_view text, std::byte* out) const override;
  void validate(const std::byte* state) const override;

 private:
  struct Tally {
    std::uint32_t actions[2];  // summed over the decisions of each player
    std::uint32_t decisions[2];
  };
  Tally tally(const std::byte* state) const;
  void set_tally(const Tally& tally, std::byte* state) const;
  // The tally after a decision among n actions in the state.
  Tally tally_after(const std::byte* state, int n) const;
  std::vector<std::byte> inner_states(const std::byte* states, std::size_t n) const;

  GamePointer inner_;
  std::size_t inner_size_;
};

}  // namespace glaux
