// Principal variation search: alpha-beta with iterative deepening as programs that play have it, where
// search/alpha_beta.h is the one that the papers compare and learn with.
//
// The idea: the first action of a state is searched with the whole window (low, high). Of every other one it
// is only asked whether it is better, with a window in which no value lies (a null window), which prunes
// most; the few that are get their value by a second search. Actions late in the order are asked at a smaller
// depth first (reductions), and at the full one only if they seem to be better there.
//
// What differs from search/alpha_beta.h:
// - The table has a fixed budget and never ends a run: what took more work to find stays (worth_table.h). It
//   has one entry for a state (key, bound, depth, best action) and no edges; children are made again at
//   each visit, and live in the frame of the state.
// - The best action that the table knows is searched before anything else is: if it cuts, the state is not
//   expanded, and its children are not evaluated.
// - An entry of a greater depth answers, too.
// - Where the value function sees no difference, the actions with the fewest replies of the opponent, or the
//   most of one's own, come first.
// Without reductions an entry of a greater depth does not answer, and values at the root are those of plain
// minimax.
//
// Scope: the player to move is asked of every state, so turns may have several actions. Completion is that
// of search/alpha_beta.h: keys (c, v), and settled entries, into which no value of the value function went. A
// reduced search whose answer is settled has seen all there is, so that proofs are exact with all options.
//
// Limits: as in search/alpha_beta.h. An action of the root that has shown to be better in a null window, at
// the full depth, is the answer even if its value is not known in time.
//
// References: Marsland and Campbell, Parallel search of strongly ordered game trees, 1982; Reinefeld, An
// improvement of the Scout tree-search algorithm, 1983; Breuker, Uiterwijk and van den Herik, Replacement
// schemes for transposition tables, 1994; Romstad, An introduction to late move reductions, 2005.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

#include "search/alpha_beta_entry.h"
#include "search/worth_table.h"

namespace glaux {

struct PvsOptions : SearchOptions {
  int depth = 0;           // actions from the root; 0: as deep as the limits allow
  bool completion = true;  // otherwise plain values
  bool ordering = true;    // states inside the tree are evaluated to order their actions
  bool reductions = true;  // otherwise values are those of plain minimax
  double endgame = 0.5;    // the share of a run's limits for a proof if the end of the match is near
};

// How often an action has cut, more for greater depths: actions that are alike in number are often alike.
class History {
 public:
  static constexpr int most = 1 << 24;

  int of(Player player, Action action) const { return counts_[place(player, action)]; }
  void praise(Player player, Action action, int depth) {
    int& count = counts_[place(player, action)];
    count += depth * depth;
    if (count < most) return;
    for (int& each : counts_) each /= 2;
  }
  void clear() { counts_.fill(0); }

 private:
  static constexpr std::size_t size = 1 << 12;
  static std::size_t place(Player player, Action action) {
    return static_cast<std::size_t>(action) % size * 2 + static_cast<std::size_t>(player);
  }
  std::array<int, size * 2> counts_{};
};

class Pvs final : public Search {
 public:
  Pvs(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value, const PvsOptions& options);

  std::size_t advance() override;
  const std::byte* pending() const override { return pending_.data(); }
  const std::byte* parent() const override { return top().state.data(); }
  void supply(const float* values, const float* priors) override;

  Action decision() override;
  // Of a state that is not the root, what the table still has of its children. n is 1 if v is exact at the
  // depth of the state's own value, 0 if it is a bound or older.
  std::vector<Child> children(const std::byte* state) const override;
  // The rows with n = 1; of the root those of the last complete depth, also after a depth that was cut short.
  std::vector<Child> choices(const std::byte* state) const override;
  float value(const std::byte* state) const override;
  bool resolved(const std::byte* state) const override;
  std::vector<Action> principal_variation(const std::byte* state) const override;
  // The states that the table has exact values of, and the terminal ones below them.
  Labelled learnable(bool leaves) const override;
  std::size_t bytes() const override { return table_.bytes(); }
  void clear() override;

 private:
  using Key = alpha_beta::Key;
  using Bound = alpha_beta::Bound;
  using Entry = alpha_beta::Entry;
  using Known = WorthTable::Known;
  static constexpr Action no_action = WorthTable::no_action;
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  static constexpr Key lowest{-2, 0}, highest{2, 0};  // below and above all keys
  // The window of a completed search: how a match is won or lost does not matter.
  static constexpr Key lost{-1, infinity}, won{1, -infinity};

  struct Move {
    Action action = no_action;
    std::uint32_t child = 0;  // its place in the expansion
    Entry entry;              // what was found last; the value function's word till then
    int promise = 0;          // more is better, where values say nothing
    Player player{};          // to move after it
    bool terminal = false;
  };
  // How an action is asked: for a null window at a smaller depth or the full one, or for its value.
  enum class Question { reduced, better, value };

  // A state that is being searched.
  struct Frame {
    std::vector<std::byte> state;
    std::uint64_t hash = 0;
    Player player{};
    int depth = 0;
    Key low = lowest, high = highest;  // the window it was entered with
    Action tried = no_action;          // the table's best one, searched before the others are known
    std::uint64_t begun = 0;           // expansions before

    // Of what was searched so far:
    Key best = lowest;
    Action best_action = no_action;
    bool best_settled = false, settled = true;  // the best one is; all are
    int searched = 0;                           // actions

    bool expanded = false;  // the moves are known, all but the one tried
    Expansion expansion;
    std::vector<Move> moves;
    std::size_t next = 0;  // of the moves: is being searched
    Question question{};   // that it is asked
    std::size_t asked = 0,
                batch = 0;  // one action above the horizon: values are asked for up to here; how many

    bool first_player() const { return player == Player::first; }
    const std::byte* child(const Move& move) const {
      return expansion.children.data() + move.child * state.size();
    }
    // What is still to be found out.
    Key current_low() const { return first_player() ? std::max(low, best) : low; }
    Key current_high() const { return first_player() ? high : std::min(high, best); }
    bool improved_by(Key key) const { return first_player() ? key > current_low() : key < current_high(); }
    // The other actions can't matter: the window is left behind, or a win is proven.
    bool cut() const { return first_player() ? best >= high || best.c == 1 : best <= low || best.c == -1; }
  };
  enum class Phase { over, between, entering, waiting, choosing, returning };

  // What is known of the root.
  struct Answer {
    Entry entry;
    Action best = no_action;
    std::vector<Move> moves;
  };

  void begin(const std::byte* root) override;
  bool over() const;
  Frame& top() { return frames_[height_]; }
  const Frame& top() const { return frames_[height_]; }
  Frame& frame_above();
  bool answers(const Entry& entry, const Frame& frame) const;
  void enter();
  void choose();
  void ask(const std::byte* state, Player player);
  void take_result();
  void record(Action action, const Entry& entry);
  void close();
  void answer(const Entry& entry);
  void finish_depth(Entry entry, Action best);
  void stop();
  // pvs_order.cpp
  void expand();
  void wait_for(std::size_t from, std::size_t to);
  void open();
  void open_frontier();
  void ask_frontier();
  void order(Frame& frame);
  void count_replies(Frame& frame);
  int reduction(const Frame& frame) const;
  // pvs_proof.cpp
  bool worth_proving();
  bool proof_spent() const;
  void give_up_proof();
  // pvs_tree.cpp
  bool is_root(const std::byte* state) const;
  Known known_of(const std::byte* state) const;
  Answer answer_of(const std::byte* state) const;
  Action win_at_once(const std::byte* state) const;
  Child row(Action action, const Entry& entry, const Entry& parent) const;
  std::vector<Child> rows(const Answer& answer, bool exact) const;

  std::shared_ptr<const TerminalValue> terminal_value_;
  PvsOptions options_;
  WorthTable table_;
  History history_;

  Phase phase_ = Phase::over;
  int complete_ = 0;          // the last complete depth of the root
  Answer answer_, finished_;  // as far as it is searched; of the last complete depth
  std::deque<Frame> frames_;  // from the root on; those above the height are kept for their memory
  std::size_t height_ = 0;
  Entry result_;                              // of the frame that was left
  bool proving_ = false, may_prove_ = false;  // all that is left of the match is searched; or will be
  double proof_limit_ = 0;                    // expansions
  std::size_t waiting_ = 0;                   // children of the top frame that wait for a value
  std::vector<std::byte> pending_;            // their states
  std::uint64_t quiet_ = 0;                   // visits since a value was needed
  std::vector<Action> replies_;               // room for the actions of a state
};

}  // namespace glaux
