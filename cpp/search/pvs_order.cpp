// How a principal variation search comes to the actions of a state: which there are, which are tried first,
// how many values are asked for, and how far behind each it looks.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "search/pvs.h"

namespace glaux {
namespace {

// Values of the children of a state one action above the horizon that are asked for at first; then twice as
// many each time. Few enough that a cut saves most of them, enough that a batch is worth its price.
constexpr std::size_t first_batch = 4, first_share = 8;

float logarithm(int n) {
  static const auto table = [] {
    std::array<float, 64> made{};
    for (std::size_t i = 1; i < made.size(); ++i) made[i] = std::log(static_cast<float>(i));
    return made;
  }();
  return table[static_cast<std::size_t>(std::min(n, 63))];
}

}  // namespace

Pvs::Frame& Pvs::frame_above() {
  if (height_ + 1 == frames_.size()) {
    frames_.emplace_back();
    frames_.back().state.resize(game_->spec().state_size);
  }
  return frames_[height_ + 1];
}

// Gives the top frame its actions, but the one that was tried.
void Pvs::expand() {
  Frame& frame = top();
  Expansion& expansion = frame.expansion;
  expansion.wants_hashes = false;
  game_->expand(frame.state.data(), expansion);
  if (expansion.size() == 0) refuse_dead_end(*game_);
  ++statistics_.expansions;
  frame.expanded = true;
  frame.moves.clear();
  const Move* win = nullptr;
  for (std::size_t i = 0; i < expansion.size(); ++i) {
    const Action action = expansion.actions[i];
    if (action == frame.tried && frame.searched > 0) continue;
    Move& move = frame.moves.emplace_back();
    move.action = action;
    move.child = static_cast<std::uint32_t>(i);
    const Status status = expansion.statuses[i];
    move.terminal = status.terminal();
    if (!move.terminal) {
      move.player = decider(status);
      continue;
    }
    const End end = end_of(*game_, *terminal_value_, frame.child(move), status.result);
    move.entry = {end.value, Entry::settled_depth, options_.completion ? end.gain : Result{0}, Bound::exact};
  }
  const int sign = glaux::sign(frame.player);
  for (const Move& move : frame.moves) {
    if (move.entry.c != sign) continue;
    if (win == nullptr || static_cast<float>(sign) * (move.entry.v - win->entry.v) > 0) win = &move;
  }
  if (win != nullptr) {  // nothing else matters, and it is found again as easily
    if (height_ == 0) return finish_depth(win->entry, win->action);
    return answer(win->entry);
  }
  waiting_ = 0;
  if (frame.depth == 1) return open_frontier();
  if (options_.ordering && !proving_ && frame.moves.size() > 1) wait_for(0, frame.moves.size());
  if (waiting_ == 0) open();
}

// Lets the moves of the top frame from one to another wait for a value, if they are not terminal.
void Pvs::wait_for(std::size_t from, std::size_t to) {
  const Frame& frame = top();
  const std::size_t size = frame.state.size();
  pending_.clear();
  for (std::size_t i = from; i < to; ++i) {
    if (frame.moves[i].terminal) continue;
    const std::byte* child = frame.child(frame.moves[i]);
    pending_.insert(pending_.end(), child, child + size);
  }
  waiting_ = pending_.size() / size;
  if (waiting_ > 0) phase_ = Phase::waiting;
}

void Pvs::supply(const float* values, const float*) {
  if (phase_ != Phase::waiting) return;  // begun anew meanwhile
  statistics_.evaluations += waiting_;
  Frame& frame = top();
  if (frame.depth > 1) {
    for (Move& move : frame.moves) {
      if (!move.terminal) move.entry.v = *values++ + 0.0f;  // never -0, which is shown as such
    }
    return open();
  }
  for (; frame.next < frame.asked; ++frame.next) {
    Move& move = frame.moves[frame.next];
    move.entry = {*values++ + 0.0f, 1, 0, Bound::exact};
    record(move.action, move.entry);
  }
  ask_frontier();
}

// The top frame has all it needs.
void Pvs::open() {
  order(top());
  phase_ = Phase::choosing;
}

// One action above the horizon: terminal states are known, and the values of the others are asked for in
// batches until one cuts, those that have cut most often first. All at once at the root, where all count.
void Pvs::open_frontier() {
  Frame& frame = top();
  std::size_t rest = 0;
  for (Move& move : frame.moves) {
    move.promise = move.action == frame.tried ? History::most : history_.of(frame.player, move.action);
    if (!move.terminal) continue;
    record(move.action, move.entry);
    std::swap(move, frame.moves[rest++]);
  }
  frame.next = frame.asked = rest;
  frame.batch = std::max(first_batch, (frame.moves.size() - rest) / first_share);
  if (height_ == 0 || !options_.ordering) frame.batch = frame.moves.size();
  ask_frontier();
}

void Pvs::ask_frontier() {
  Frame& frame = top();
  if (frame.cut() || frame.next == frame.moves.size()) return close();
  frame.asked = std::min(frame.next + frame.batch, frame.moves.size());
  const auto at = [&](std::size_t i) { return frame.moves.begin() + static_cast<std::ptrdiff_t>(i); };
  if (frame.asked < frame.moves.size()) {
    std::partial_sort(at(frame.next), at(frame.asked), frame.moves.end(), [](const Move& a, const Move& b) {
      return a.promise != b.promise ? a.promise > b.promise : a.action < b.action;
    });
  }
  frame.batch *= 2;
  wait_for(frame.next, frame.asked);
}

// The most promising actions first.
void Pvs::order(Frame& frame) {
  if (options_.ordering || proving_) count_replies(frame);
  std::sort(frame.moves.begin(), frame.moves.end(), [&](const Move& a, const Move& b) {
    const Key x = a.entry.key(), y = b.entry.key();
    if (x != y) return frame.first_player() ? x > y : x < y;
    return a.promise != b.promise ? a.promise > b.promise : a.action < b.action;
  });
}

// Where the values say nothing, an action promises more the fewer replies it leaves to the opponent, or the
// more actions to the player.
void Pvs::count_replies(Frame& frame) {
  const Move* valued = nullptr;
  for (const Move& move : frame.moves) {
    if (move.terminal || proving_) continue;
    if (valued != nullptr && valued->entry.v != move.entry.v) return;
    valued = &move;
  }
  for (Move& move : frame.moves) {
    if (move.terminal) continue;
    const int replies = game_->actions(frame.child(move), replies_.data());
    move.promise = move.player == frame.player ? replies : -replies;
  }
}

// By how much the depth of the next action is smaller: more the later it comes and the more there is to save.
int Pvs::reduction(const Frame& frame) const {
  if (!options_.reductions || proving_ || frame.depth < 3 || frame.searched < 3) return 0;
  const float late = logarithm(frame.depth) * logarithm(frame.searched);
  return std::min(frame.depth - 2, static_cast<int>(0.5F + late / 2.5F));
}

}  // namespace glaux
