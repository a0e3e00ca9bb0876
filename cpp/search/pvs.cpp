#include "search/pvs.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

namespace glaux {
namespace {

using alpha_beta::Key;

// The keys next to a key: no other lies between.
Key above(Key key) {
  return {key.c, std::nextafter(key.v, std::numeric_limits<float>::infinity())};
}
Key below(Key key) {
  return {key.c, std::nextafter(key.v, -std::numeric_limits<float>::infinity())};
}

}  // namespace

Pvs::Pvs(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value, const PvsOptions& options)
    : Search(std::move(game), options.seed),
      terminal_value_(std::move(terminal_value)),
      options_(options),
      table_(game_->spec().state_size, options.memory),
      frames_(1),
      replies_(static_cast<std::size_t>(game_->spec().max_actions)) {
  alpha_beta::check_depth(options.depth);
  check_budget(game_->spec(), options.memory, WorthTable::least_bytes(game_->spec().state_size));
  if (!(options.endgame >= 0 && options.endgame <= 1)) {
    throw InvalidParameter("The share of the endgame must be a number from 0 to 1.");
  }
}

// A run that an error ended leaves entries that are true and nothing else.
void Pvs::begin(const std::byte* root) {
  height_ = 0;
  quiet_ = 0;
  proving_ = false;
  may_prove_ = options_.completion && options_.endgame > 0;
  if (!is_root(root)) {
    Frame& frame = frames_.front();
    complete_ = 0;
    answer_ = finished_ = {};
    frame.state.assign(root, root + game_->spec().state_size);
    frame.hash = game_->hash(root);
    frame.player = decider(game_->status(root));
    frame.tried = no_action;
    table_.next_age();
  }
  phase_ = Phase::between;
}

bool Pvs::over() const {
  if (complete_ == 0) return false;
  return complete_ >= (options_.depth > 0 ? options_.depth : alpha_beta::max_depth) ||
         finished_.entry.proven() || spent();
}

std::size_t Pvs::advance() {
  paused_ = false;
  for (;;) {
    switch (phase_) {
      case Phase::over:
        return 0;
      case Phase::between:
        if (over()) {
          phase_ = Phase::over;
          break;
        }
        proving_ = std::exchange(may_prove_, false) && worth_proving();
        top().depth = proving_ ? alpha_beta::max_depth : complete_ + 1;
        top().low = options_.completion ? lost : lowest;
        top().high = options_.completion ? won : highest;
        phase_ = Phase::entering;
        break;
      case Phase::entering:
        if (++quiet_ % iterations_between_pauses == 0) {
          paused_ = true;
          return 0;
        }
        enter();
        break;
      case Phase::waiting:
        quiet_ = 0;
        return waiting_;
      case Phase::choosing:
        choose();
        break;
      case Phase::returning:
        take_result();
        break;
    }
  }
}

bool Pvs::answers(const Entry& entry, const Frame& frame) const {
  const bool deep = options_.reductions && entry.depth >= frame.depth;
  if (!deep && !entry.holds_at(frame.depth)) return false;
  return entry.bound == Bound::exact || (entry.bound == Bound::lower && entry.key() >= frame.high) ||
         (entry.bound == Bound::upper && entry.key() <= frame.low);
}

// Visits the top frame, which has a state, a depth and a window.
void Pvs::enter() {
  Frame& frame = top();
  const bool root = height_ == 0;
  if (!root) {
    frame.tried = no_action;
    frame.hash = game_->hash(frame.state.data());
    if (const Known* known = table_.find(frame.state.data(), frame.hash); known != nullptr) {
      if (answers(known->entry, frame)) return answer(known->entry);
      frame.tried = known->best;
    }
    if (proving_ && proof_spent()) return give_up_proof();
    if (!proving_ && complete_ > 0 && spent()) return stop();
  }
  statistics_.depth = std::max(statistics_.depth, static_cast<int>(height_) + 1);
  frame.best = frame.first_player() ? lowest : highest;
  frame.best_action = no_action;
  frame.settled = true;
  frame.searched = 0;
  frame.next = 0;
  frame.begun = statistics_.expansions;
  frame.expanded = root && complete_ > 0 && !proving_;
  if (frame.expanded) {
    frame.moves = finished_.moves;  // a proof that was given up has left its own
    phase_ = Phase::choosing;
    return;
  }
  if (frame.tried != no_action && frame.depth > 1) {
    std::vector<std::byte>& child = frame_above().state;
    game_->apply(frame.state.data(), frame.tried, child.data());
    if (const Status status = game_->status(child.data()); !status.terminal()) {
      frame.question = Question::value;
      return ask(child.data(), decider(status));
    }
    frame.tried = no_action;
  }
  expand();
}

// Goes into the next child of the top frame, or closes the frame.
void Pvs::choose() {
  Frame& frame = top();
  if (frame.cut()) return close();
  if (!frame.expanded) return expand();
  if (frame.next == frame.moves.size()) return close();
  const Move& move = frame.moves[frame.next];
  if (move.terminal) {
    record(move.action, move.entry);
    ++frame.next;
    return;
  }
  frame.question = frame.searched == 0     ? Question::value
                   : reduction(frame) == 0 ? Question::better
                                           : Question::reduced;
  ask(frame.child(move), move.player);
}

// Searches a child of the top frame by the question of the frame.
void Pvs::ask(const std::byte* state, Player player) {
  const Frame& frame = top();
  Frame& child = frame_above();
  if (child.state.data() != state) std::memcpy(child.state.data(), state, child.state.size());
  child.player = player;
  child.low = frame.current_low();
  child.high = frame.current_high();
  child.depth = frame.depth - 1;
  if (frame.question == Question::reduced) child.depth -= reduction(frame);
  if (frame.question != Question::value) {
    if (frame.first_player()) {
      child.high = std::min(child.high, above(child.low));
    } else {
      child.low = std::max(child.low, below(child.high));
    }
  }
  ++height_;
  phase_ = Phase::entering;
}

// The child of the top frame has its answer.
void Pvs::take_result() {
  Frame& frame = top();
  phase_ = Phase::choosing;
  if (!frame.expanded) return record(frame.tried, result_);
  Move& move = frame.moves[frame.next];
  const Key key = result_.key();
  move.entry = result_;
  if (!result_.settled()) move.entry.depth = static_cast<std::uint16_t>(frame.depth);
  if (frame.question != Question::value && frame.improved_by(key)) {
    const bool inside = frame.first_player() ? key < frame.high : key > frame.low;
    const bool unsure = frame.question == Question::reduced && !result_.settled();
    if (unsure || (inside && result_.bound != Bound::exact)) {
      frame.question = unsure ? Question::better : Question::value;
      return ask(frame.child(move), move.player);
    }
  }
  record(move.action, move.entry);
  ++frame.next;
}

// An action of the top frame has its entry.
void Pvs::record(Action action, const Entry& entry) {
  Frame& frame = top();
  const bool better = frame.first_player() ? entry.key() > frame.best : entry.key() < frame.best;
  if (better) {
    frame.best = entry.key();
    frame.best_settled = entry.settled();
    frame.best_action = action;
  }
  frame.settled = frame.settled && entry.settled();
  ++frame.searched;
}

// The entry of the top frame from the actions searched: see AlphaBeta::close.
void Pvs::close() {
  const Frame& frame = top();
  const bool cut = frame.cut();
  const bool settled = cut ? frame.best_settled : frame.settled;
  Bound bound = Bound::exact;
  if (frame.best >= frame.high) bound = Bound::lower;
  if (frame.best <= frame.low) bound = Bound::upper;
  // There is nothing above a win and nothing below a loss.
  if (frame.best.c != 0) bound = Bound::exact;
  assert(frame.best.c == 0 || settled);
  if (cut && !proving_) history_.praise(frame.player, frame.best_action, frame.depth);
  const Entry entry{frame.best.v, settled ? Entry::settled_depth : static_cast<std::uint16_t>(frame.depth),
                    static_cast<std::int8_t>(frame.best.c), bound};
  const std::uint64_t work = statistics_.expansions - frame.begun + 1;
  table_.put(frame.state.data(), frame.hash, {entry, frame.best_action}, work);
  if (height_ == 0) return finish_depth(entry, frame.best_action);
  answer(entry);
}

// The top frame, which is not the root, is left with this answer.
void Pvs::answer(const Entry& entry) {
  result_ = entry;
  --height_;
  phase_ = Phase::returning;
}

// The root has its answer of one depth more, or a proof. The next depth begins with its best action.
void Pvs::finish_depth(Entry entry, Action best) {
  Frame& root = frames_.front();
  proving_ = false;
  ++complete_;
  ++statistics_.iterations;
  if (complete_ == 1) order(root);
  const auto first = std::find_if(root.moves.begin(), root.moves.end(),
                                  [&](const Move& move) { return move.action == best; });
  std::rotate(root.moves.begin(), first, first + 1);
  answer_ = finished_ = {entry, best, root.moves};
  phase_ = Phase::between;
}

// A limit ends the run in the middle of a depth.
void Pvs::stop() {
  const Frame& root = frames_.front();
  if (!limits_.whole && root.searched > 0) {
    const auto depth = static_cast<std::uint16_t>(root.depth);
    const Bound bound = root.first_player() ? Bound::lower : Bound::upper;
    answer_ = {
        {root.best.v, depth, static_cast<std::int8_t>(root.best.c), bound}, root.best_action, root.moves};
    const bool hopeless = root.best.c == -sign(root.player);
    // An action that is better, but whose value was not found in time; or one that may not lose.
    if (root.next < root.moves.size() && (root.question == Question::value || hopeless)) {
      const Move& next = root.moves[root.next];
      answer_.entry = next.entry;
      answer_.best = next.action;
      if (hopeless) answer_.entry.bound = Bound::none;
    }
  }
  height_ = 0;
  phase_ = Phase::over;
}

}  // namespace glaux
