// What can be read from a principal variation search.
#include <algorithm>
#include <cstring>

#include "core/errors.h"
#include "search/learnable.h"
#include "search/pvs.h"

namespace glaux {

bool Pvs::is_root(const std::byte* state) const {
  const std::vector<std::byte>& root = frames_.front().state;
  return !root.empty() && std::memcmp(root.data(), state, root.size()) == 0;
}

// What is known of a state, with the answer if it is the root; nothing: its bound is none.
Pvs::Known Pvs::known_of(const std::byte* state) const {
  if (is_root(state)) return {answer_.entry, answer_.best};
  const Known* known = table_.find(state, game_->hash(state));
  return known == nullptr ? Known{} : *known;
}

Action Pvs::decision() {
  if (answer_.best == no_action) throw InvalidState("This search has not looked at a state yet.");
  Action chosen = no_action;
  Draw draw(options_.random_ties ? &rng_ : nullptr);
  for (const Child& child : rows(answer_, false)) {
    const bool equal = child.n == 1 && child.c == answer_.entry.c && child.v == answer_.entry.v;
    if (child.action != answer_.best && !equal) continue;
    if (draw.falls_on(chosen == no_action ? 1 : 0)) chosen = child.action;
  }
  return chosen;
}

std::vector<Child> Pvs::rows(const Answer& answer, bool exact) const {
  std::vector<Child> rows;
  for (const Move& move : answer.moves) {
    const Child child = row(move.action, move.entry, answer.entry);
    if (child.n > 0 || !exact) rows.push_back(child);
  }
  std::sort(rows.begin(), rows.end(), [](const Child& a, const Child& b) { return a.action < b.action; });
  return rows;
}

Child Pvs::row(Action action, const Entry& entry, const Entry& parent) const {
  const bool current = entry.settled() || entry.depth == parent.depth;
  return {action, entry.v, entry.c, options_.completion && entry.proven(),
          entry.bound == Bound::exact && current};
}

// Of a state that is not the root: what the table knows of its children.
Pvs::Answer Pvs::answer_of(const std::byte* state) const {
  const Known known = known_of(state);
  Answer answer{known.entry, known.best, {}};
  if (known.entry.bound == Bound::none) return answer;
  Expansion expansion;
  game_->expand(state, expansion);
  for (std::size_t i = 0; i < expansion.size(); ++i) {
    const std::byte* child = expansion.children.data() + i * game_->spec().state_size;
    Move move;
    move.action = expansion.actions[i];
    if (const Result result = expansion.statuses[i].result; result != ongoing) {
      const End end = end_of(*game_, *terminal_value_, child, result);
      move.entry = {end.value, Entry::settled_depth, options_.completion ? end.gain : Result{0},
                    Bound::exact};
    } else if (const Known* found = table_.find(child, expansion.hashes[i]); found != nullptr) {
      move.entry = found->entry;
      if (!move.entry.settled()) ++move.entry.depth;  // as the state itself counts
    } else if (move.action == known.best) {
      move.entry = known.entry;
    }
    answer.moves.push_back(move);
  }
  return answer;
}

std::vector<Child> Pvs::children(const std::byte* state) const {
  return rows(is_root(state) ? answer_ : answer_of(state), false);
}

std::vector<Child> Pvs::choices(const std::byte* state) const {
  const Answer answer = is_root(state) ? finished_ : answer_of(state);
  std::vector<Child> chosen = rows(answer, true);
  return chosen.empty() ? rows(answer, false) : chosen;
}

float Pvs::value(const std::byte* state) const {
  return known_of(state).entry.v;
}

bool Pvs::resolved(const std::byte* state) const {
  return options_.completion && known_of(state).entry.proven();
}

// States with a win at once are not in the table: nothing else has to be known of them.
Action Pvs::win_at_once(const std::byte* state) const {
  Expansion expansion;
  game_->expand(state, expansion);
  const int win = sign(game_->status(state).player);
  for (std::size_t i = 0; i < expansion.size(); ++i) {
    const Result result = expansion.statuses[i].result;
    const std::byte* child = expansion.children.data() + i * game_->spec().state_size;
    if (result != ongoing && terminal_value_->gain(*game_, child, result) == win) return expansion.actions[i];
  }
  return no_action;
}

std::vector<Action> Pvs::principal_variation(const std::byte* state) const {
  std::vector<Action> actions;
  std::vector<std::byte> at(state, state + game_->spec().state_size), next(at.size());
  while (actions.size() < static_cast<std::size_t>(game_->spec().max_plies)) {
    Action best = known_of(at.data()).best;
    if (best == no_action) best = win_at_once(at.data());
    if (best == no_action) break;
    actions.push_back(best);
    game_->apply(at.data(), best, next.data());
    if (game_->status(next.data()).terminal()) break;
    at.swap(next);
  }
  return actions;
}

Labelled Pvs::learnable(bool) const {
  Labelled all, ends;
  const std::size_t size = game_->spec().state_size;
  struct Nothing {};
  Store<Nothing, Nothing> seen(size, std::numeric_limits<std::size_t>::max());
  Expansion expansion;
  const auto add = [&](const std::byte* state, const Entry& entry) {
    if (entry.bound != Bound::exact) return;
    all.add(state, size, entry.v);
    game_->expand(state, expansion);
    for (std::size_t i = 0; i < expansion.size(); ++i) {
      const Status status = expansion.statuses[i];
      const std::byte* child = expansion.children.data() + i * size;
      if (!status.terminal() || seen.find(child, expansion.hashes[i]) != no_node) continue;
      seen.add(child, expansion.hashes[i], status);
      ends.add(child, size, end_of(*game_, *terminal_value_, child, status.result).value);
    }
  };
  if (complete_ > 0) add(frames_.front().state.data(), finished_.entry);
  table_.for_each([&](const std::byte* state, const Known& known) {
    if (!is_root(state)) add(state, known.entry);
  });
  all.append(ends);
  return all;
}

void Pvs::clear() {
  table_.clear();
  history_.clear();
  frames_.front().state.clear();
  answer_ = finished_ = {};
  height_ = 0;
  complete_ = 0;
  phase_ = Phase::over;
}

}  // namespace glaux
