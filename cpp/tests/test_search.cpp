// Every search on every game, driven hard so that the sanitizers see all of its code: a match with
// thinking at every move, tables that overflow, value functions that fail in the middle, many in
// lock-step. What the results should be is tested from Python (tests/search).
#include <algorithm>

#include "core/errors.h"
#include "core/registry.h"
#include "eval/simple.h"
#include "search/best_first.h"
#include "search/lock_step.h"
#include "tests/check.h"
#include "tests/thinking.h"

using namespace glaux;

namespace {

// Fails at every seventh batch.
class FailingValue final : public Evaluator {
 public:
  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override {
    if (++batches_ % 7 == 0) throw BrokenValue("on purpose");
    NoiseValue().evaluate(game, states, n, values);
  }

 private:
  int batches_ = 0;
};

using Searches = std::vector<std::unique_ptr<Search>>;

Searches all_searches(const GamePointer& game, std::size_t memory) {
  const auto gain = std::make_shared<const TerminalValue>();
  Searches searches;
  for (int kind = 0; kind < search_kinds; ++kind) searches.push_back(make_search(kind, game, gain, memory));
  return searches;
}

// Of so many evaluations what a kind of search gets: for RAVE each is a whole random match.
std::uint64_t effort(int kind, std::uint64_t evaluations) {
  return kind == rave_kind ? evaluations / 20 : evaluations;
}

// Plays the decisions of the search for some moves.
void play(Search& search, Evaluator& evaluator, std::uint64_t evaluations, int moves) {
  const Game& game = search.game();
  std::vector<std::byte> state(game.spec().state_size), next(state.size());
  game.initial(state.data());
  for (int i = 0; i < moves && !game.status(state.data()).terminal(); ++i) {
    for (;;) {
      try {
        think(search, state.data(), evaluator, evaluations);
        break;
      } catch (const BrokenValue&) {
        // As a user would: try again.
      }
    }
    read_everything(search, state.data());
    game.apply(state.data(), search.decision(), next.data());
    state = next;
    const bool ongoing = !game.status(state.data()).terminal();
    if (i % 2 == 0 && ongoing) search.forget_others(state.data());
  }
}

std::vector<GamePointer> games() {
  std::vector<GamePointer> all;
  for (const GameEntry& entry : registry()) all.push_back(make_game(entry.info.name, {}));
  all.push_back(make_game("othello", {{"size", 4}}));
  all.push_back(make_game("connect_four", {{"rows", 4}, {"columns", 4}}));
  return all;
}

}  // namespace

TEST(searches_play) {
  NoiseValue noise;
  for (const GamePointer& game : games()) {
    for (int kind = 0; const auto& search : all_searches(game, std::size_t{64} << 20)) {
      play(*search, noise, effort(kind, 300), 4);
      search->begin_match(1, 10);
      play(*search, noise, effort(kind, 301), 2);
      ++kind;
      search->clear();
      CHECK(search->bytes() == 0);
    }
  }
}

TEST(searches_survive_full_tables) {
  NoiseValue noise;
  for (const GamePointer& game : games()) {
    for (int kind = 0; const auto& search : all_searches(game, std::size_t{256} << 10)) {
      play(*search, noise, effort(kind++, 4000), 3);
      CHECK(search->bytes() <= std::size_t{256 + 64} << 10);
    }
  }
}

TEST(searches_survive_failing_values) {
  for (const GamePointer& game : games()) {
    for (const auto& search : all_searches(game, std::size_t{64} << 20)) {
      FailingValue failing;
      play(*search, failing, 6, 2);  // fewer than fail: else a search of single states would never end
    }
  }
}

// All the searches of a game from its beginning, each four times, in lock-step; what the roots are worth.
std::vector<float> lock_step(const GamePointer& game, Evaluator& evaluator, int parts, bool background) {
  std::vector<std::byte> state(game->spec().state_size);
  game->initial(state.data());
  Searches searches = all_searches(game, std::size_t{64} << 20);
  std::vector<int> runs(searches.size(), 0);
  std::vector<LockStep::Ticket> tickets(searches.size());
  LockStep together(evaluator, parts, background);
  Limits limits;
  limits.evaluations = 50;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    searches[i]->start(state.data(), limits);
    tickets[i] = together.add(*searches[i]);
  }
  Pulse pulse([] {});
  while (!together.empty()) {
    std::vector<LockStep::Ticket> over;
    try {
      over = together.run(pulse);
    } catch (const BrokenValue&) {
      // As a user would: try again.
    }
    for (const LockStep::Ticket ticket : over) {
      const auto i =
          static_cast<std::size_t>(std::find(tickets.begin(), tickets.end(), ticket) - tickets.begin());
      CHECK(searches[i]->decision() >= 0);
      if (++runs[i] == 4) continue;
      searches[i]->start(state.data(), limits);
      tickets[i] = together.add(*searches[i]);
    }
  }
  CHECK(together.batches() > 0 && together.states() >= together.batches());
  std::vector<float> values;
  for (const auto& search : searches) values.push_back(search->value(state.data()));
  return values;
}

TEST(searches_in_lock_step) {
  const GamePointer game = make_game("othello", {{"size", 6}});
  NoiseValue noise;
  const std::vector<float> expected = lock_step(game, noise, 1, false);
  for (const int parts : {1, 2, 3}) {
    for (const bool background : {false, true}) {
      CHECK(lock_step(game, noise, parts, background) == expected);
      FailingValue failing;
      CHECK(lock_step(game, failing, parts, background) == expected);
    }
  }
}

TEST(a_search_leaves_the_lock_step) {
  const GamePointer game = make_game("othello", {{"size", 6}});
  std::vector<std::byte> state(game->spec().state_size);
  game->initial(state.data());
  NoiseValue noise;
  Pulse pulse([] {});
  for (const bool background : {false, true}) {
    Searches searches = all_searches(game, std::size_t{64} << 20);
    LockStep together(noise, 2, background);
    Limits endless;
    for (const auto& search : searches) {
      search->start(state.data(), endless);
      together.add(*search);
    }
    for (int i = 0; i < 20; ++i) together.step(pulse);
    for (LockStep::Ticket ticket = 1; ticket < searches.size(); ++ticket) together.remove(ticket);
    searches.resize(1);
    for (int i = 0; i < 20; ++i) together.step(pulse);
    together.settle(pulse);
    CHECK(!together.empty());
  }
}

TEST(proven_states_are_kept) {
  const GamePointer game = make_game("othello", {{"size", 4}});
  std::vector<std::byte> state(game->spec().state_size);
  game->initial(state.data());
  ZeroValue zero;
  for (const bool descend : {false, true}) {
    BestFirstOptions options;
    options.descend = descend;
    BestFirst search(game, std::make_shared<const TerminalValue>(), options);
    for (const std::size_t bound : {1000000, 100, 0}) {
      think(search, state.data(), zero, 1000000);
      CHECK(search.resolved(state.data()) && search.value(state.data()) == -1.0f);
      search.clear_but_resolved(bound);
    }
  }
}
