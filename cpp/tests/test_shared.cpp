// Searches that several threads work at: whatever the order in which errands come back, what is proven is
// what minimax says, every state is worth what its actions are, and nothing stays behind. The order is drawn
// in one thread here, so that it can be repeated; the tests with threads are for the thread sanitizer, too.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "core/errors.h"
#include "core/registry.h"
#include "eval/simple.h"
#include "search/best_first.h"
#include "search/lock_step.h"
#include "search/mcts.h"
#include "tests/check.h"
#include "tests/thinking.h"

using namespace glaux;

namespace {

using State = std::vector<std::byte>;
const auto gain = std::make_shared<const TerminalValue>();

// Small enough for plain minimax, with and without draws, of two players and of one.
std::vector<GamePointer> small_games() {
  return {make_game("connect_four", {{"rows", 4}, {"columns", 4}, {"length", 3}}),
          make_game("othello", {{"size", 4}}), make_game("hex", {{"size", 3}}),
          make_game("rubik2", {{"twists", 3}, {"limit", 4}})};
}

State initial(const Game& game) {
  State state(game.spec().state_size);
  game.initial(state.data());
  return state;
}

// The witness.
class Minimax {
 public:
  explicit Minimax(const Game& game) : game_(game) {}

  int operator()(const std::byte* state) {
    const Status status = game_.status(state);
    if (status.terminal()) return status.result;
    const std::string key(reinterpret_cast<const char*>(state), game_.spec().state_size);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    Expansion expansion;
    game_.expand(state, expansion);
    int best = -2;
    for (std::size_t i = 0; i < expansion.size(); ++i) {
      const int value = (*this)(expansion.children.data() + i * game_.spec().state_size);
      best = std::max(best, sign(status.player) * value);
    }
    return known_[key] = sign(status.player) * best;
  }

 private:
  const Game& game_;
  std::map<std::string, int> known_;
};

BestFirst ubfm(const GamePointer& game, int threads, bool completion = true, std::uint64_t seed = 0,
               std::size_t memory = std::size_t{64} << 20, bool random_ties = true) {
  BestFirstOptions options;
  options.threads = threads;
  options.completion = completion;
  options.seed = seed;
  options.memory = memory;
  options.random_ties = random_ties;
  return {game, gain, options};
}

Mcts mcts(const GamePointer& game, int threads, Leaf leaf, std::uint64_t seed = 0) {
  MctsOptions options;
  options.threads = threads;
  options.leaf = leaf;
  options.selection = leaf == Leaf::state ? Selection::uct : Selection::puct;
  options.seed = seed;
  options.memory = std::size_t{64} << 20;
  return {game, gain, options};
}

// Sends and brings errands in an order that is drawn; one in `failing` comes to nothing, 0: none.
void interleave(SharedSearch& search, Evaluator& evaluator, std::size_t count, Rng& rng,
                std::uint32_t failing = 0) {
  std::vector<std::unique_ptr<Errand>> errands;
  while (errands.size() < count) errands.push_back(search.make_errand());
  for (std::size_t idle = 0; !errands.empty();) {
    const std::size_t i = rng.below(static_cast<std::uint32_t>(errands.size()));
    Errand& errand = *errands[i];
    if (errand.out && failing > 0 && rng.below(failing) == 0) {
      search.drop(errand);
    } else if (errand.out) {
      search.bring(errand);
    }
    const Found found = search.find(errand);
    if (found == Found::leaf) {
      search.fetch(errand, evaluator);
    } else if (found == Found::over) {
      errands.erase(errands.begin() + static_cast<std::ptrdiff_t>(i));
    }
    idle = found == Found::none ? idle + 1 : 0;
    CHECK(idle < 1000 * count);  // somebody is always under way while another has to wait
  }
  search.finish();
}

// Every state is worth what the best of its edges is, and what is proven is true.
void check_tree(const BestFirst& search, Minimax& minimax) {
  const BestFirst::Dump dump = search.dump();
  const std::size_t size = search.game().spec().state_size;
  std::size_t edge = 0;
  for (std::size_t i = 0; i < dump.v.size(); ++i) {
    const std::byte* state = dump.states.data() + i * size;
    const int of_player = sign(search.game().status(state).player);
    std::pair best{-2, 0.0f};
    bool all = true;
    for (; edge < dump.edges.size() && dump.edge_node[edge] == i; ++edge) {
      const Child& child = dump.edges[edge];
      best = std::max(best, {of_player * child.c, static_cast<float>(of_player) * child.v});
      all = all && child.r != 0;
    }
    CHECK(of_player * dump.c[i] == best.first);
    CHECK(static_cast<float>(of_player) * dump.v[i] == best.second);
    CHECK((dump.r[i] != 0) == (dump.c[i] != 0 || all));
    CHECK(dump.r[i] == 0 || dump.c[i] == minimax(state));
  }
}

std::uint64_t visits(const Search& search, const State& state) {
  const std::vector<Child> rows = search.children(state.data());
  return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Child& row) { return sum + row.n; });
}

class Failing final : public Evaluator {
 public:
  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override {
    if (++batches_ == 50) throw BrokenValue("on purpose");
    NoiseValue().evaluate(game, states, n, values);
  }

 private:
  std::atomic<int> batches_ = 0;
};

}  // namespace

TEST(shared_errands_of_ubfm_in_any_order) {
  NoiseValue noise;
  for (const GamePointer& game : small_games()) {
    const State root = initial(*game);
    Minimax minimax(*game);
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      BestFirst search = ubfm(game, 2, true, seed);
      Rng rng(seed);
      Limits limits;
      limits.evaluations = 300u << seed % 4;
      const std::size_t errands = 1 + seed % 7;
      while (!search.resolved(root.data())) {
        search.start(root.data(), limits);
        interleave(search, noise, errands, rng, seed % 3 == 0 ? 10 : 0);
        check_tree(search, minimax);
      }
      CHECK(search.value(root.data()) == static_cast<float>(minimax(root.data())));
    }
  }
}

TEST(shared_errands_of_ubfm_without_proofs) {
  NoiseValue noise;
  for (const GamePointer& game : small_games()) {
    const State root = initial(*game);
    Minimax minimax(*game);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      BestFirst search = ubfm(game, 2, false, seed);
      Rng rng(seed);
      Limits limits;
      limits.iterations = 200;
      search.start(root.data(), limits);
      interleave(search, noise, 1 + seed, rng);
      check_tree(search, minimax);
      CHECK(search.statistics().iterations == 200);
      CHECK(visits(search, root) == 199);  // the first has looked at the root itself
    }
  }
}

// One errand at a time is the search of one thread, but for the moments at which equals are drawn among.
TEST(shared_errands_one_by_one) {
  NoiseValue noise;
  for (const GamePointer& game : small_games()) {
    const State root = initial(*game);
    for (const bool completion : {false, true}) {
      const std::size_t memory = std::size_t{64} << 20;
      BestFirst alone = ubfm(game, 1, completion, 0, memory, false);
      BestFirst shared = ubfm(game, 2, completion, 0, memory, false);
      Limits limits;
      limits.iterations = 300;
      Pulse pulse([] {});
      alone.start(root.data(), limits);
      run({&alone}, noise, pulse);
      shared.start(root.data(), limits);
      Rng rng(0);
      interleave(shared, noise, 1, rng);
      CHECK(alone.statistics().evaluations == shared.statistics().evaluations);
      CHECK(alone.dump().states == shared.dump().states && alone.dump().v == shared.dump().v);
    }
  }
}

TEST(shared_errands_of_mcts_in_any_order) {
  NoiseValue noise;
  for (const GamePointer& game : small_games()) {
    const State root = initial(*game);
    for (const Leaf leaf : {Leaf::state, Leaf::children}) {
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        Mcts search = mcts(game, 2, leaf, seed);
        Rng rng(seed);
        Limits limits;
        limits.iterations = 300;
        search.start(root.data(), limits);
        interleave(search, noise, 1 + seed, rng);
        CHECK(search.statistics().iterations == 300 && visits(search, root) == 299);
        read_everything(search, root.data());
        CHECK(std::abs(search.value(root.data())) <= 1);
        search.start(root.data(), limits);
        interleave(search, noise, 1 + seed, rng, 10);  // goes on, and some come to nothing
        CHECK(visits(search, root) >= 599);
        read_everything(search, root.data());
      }
    }
  }
}

TEST(threads_share_a_search) {
  NoiseValue noise;
  PlayoutValue playouts(2, Rng(1));
  for (const GamePointer& game : small_games()) {
    const State root = initial(*game);
    Minimax minimax(*game);
    for (const int threads : {2, 4}) {
      for (Evaluator* evaluator : {static_cast<Evaluator*>(&noise), static_cast<Evaluator*>(&playouts)}) {
        BestFirst search = ubfm(game, threads);
        while (!search.resolved(root.data())) {
          think(search, root.data(), *evaluator, 1000);
          check_tree(search, minimax);
        }
        CHECK(search.value(root.data()) == static_cast<float>(minimax(root.data())));
        State after(root.size());
        game->apply(root.data(), search.decision(), after.data());
        CHECK(minimax(after.data()) == minimax(root.data()));
        search.forget_others(root.data());
        search.begin_match(1, 100);
        think(search, root.data(), *evaluator, 1000);
        check_tree(search, minimax);
      }
      for (const Leaf leaf : {Leaf::state, Leaf::children}) {
        Mcts search = mcts(game, threads, leaf);
        think(search, root.data(), playouts, 500);
        CHECK(visits(search, root) == search.statistics().iterations - 1);
        read_everything(search, root.data());
      }
    }
  }
}

TEST(threads_keep_the_budget_of_memory) {
  NoiseValue noise;
  const GamePointer game = make_game("othello", {{"size", 6}});
  const State root = initial(*game);
  const std::size_t budget = std::size_t{256} << 10;
  BestFirst search = ubfm(game, 3, true, 0, budget);
  think(search, root.data(), noise, 100'000);
  CHECK(search.statistics().full && search.bytes() <= budget);
  State after(root.size());
  game->apply(root.data(), search.decision(), after.data());
  search.forget_others(after.data());
  think(search, after.data(), noise, 100'000);
  CHECK(search.bytes() <= budget && search.decision() >= 0);
}

TEST(threads_stop_when_one_of_them_fails) {
  const GamePointer game = make_game("othello", {});
  const State root = initial(*game);
  BestFirst best_first = ubfm(game, 4);
  Mcts uct = mcts(game, 4, Leaf::state), wrapper = mcts(game, 4, Leaf::children);
  for (Search* search :
       {static_cast<Search*>(&best_first), static_cast<Search*>(&uct), static_cast<Search*>(&wrapper)}) {
    Failing failing;
    bool failed = false;
    try {
      think(*search, root.data(), failing, 1'000'000);
    } catch (const BrokenValue&) {
      failed = true;
    }
    CHECK(failed);
    think(*search, root.data(), failing, 1000);
    CHECK(search->decision() >= 0);
    read_everything(*search, root.data());
  }
}
