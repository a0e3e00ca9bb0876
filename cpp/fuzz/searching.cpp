// Every search on any state, with little memory and much, against values that may fail, for some moves.
#include "core/errors.h"
#include "eval/heuristics.h"
#include "eval/simple.h"
#include "fuzz/starting.h"
#include "search/best_first.h"
#include "tests/check.h"
#include "tests/thinking.h"

namespace glaux::fuzz {
namespace {

// Gives noise, and fails in a pattern that the input chooses.
class Moody final : public Evaluator {
 public:
  explicit Moody(std::uint8_t failures) : failures_(failures) {}
  void evaluate(const Game& game, const std::byte* states, std::size_t n, float* values) override {
    if (failures_ >> (batches_++ % 32) & 1) throw BrokenValue("on purpose");
    NoiseValue().evaluate(game, states, n, values);
  }

 private:
  std::uint32_t failures_;
  unsigned batches_ = 0;
};

std::shared_ptr<const TerminalValue> terminal_value(const Spec& spec, Reader& choices) {
  switch (choices.below(6)) {
    case 0:
      if (spec.has_score) return std::make_shared<Scoring>();
      break;
    case 1:
      return std::make_shared<AdditiveDepth>(spec.max_plies + 1);
    case 2:
      return std::make_shared<MultiplicativeDepth>(10);
    case 3:
      if (spec.has_mobility) return std::make_shared<CumulativeMobility>();
      break;
    case 4:
      if (spec.has_pieces) return std::make_shared<Presence>();
      break;
    default:
      break;
  }
  return std::make_shared<TerminalValue>();
}

}  // namespace

TARGET(searches, state) {
  Start start(data);
  const Game& game = start.game;
  Reader& choices = start.choices;
  if (!start.accepted()) return;
  const int kind = choices.below(search_kinds);
  const std::size_t memory = std::size_t{16} << (10 + 2 * choices.below(5));  // 16 KiB to 4 MiB
  const auto worth = terminal_value(game.spec(), choices);
  std::unique_ptr<Search> search;
  try {
    search = make_search(kind, start.setting.game, worth, memory, start.rng.next());
  } catch (const InvalidParameter&) {
    return;  // some games need more memory
  }
  Moody value(choices.number<std::uint8_t>());
  std::vector<std::byte> next(start.state.size());
  for (int moves = 1 + choices.below(3); moves > 0 && !game.status(start.state.data()).terminal(); --moves) {
    const auto evaluations = 1 + static_cast<std::uint64_t>(choices.below(40));
    for (int tries = 0;; ++tries) {
      try {
        think(*search, start.state.data(), value, evaluations);
        break;
      } catch (const BrokenValue&) {
        if (tries == 3) return;  // some searches begin with the batch that has failed
      }
    }
    read_everything(*search, start.state.data());
    game.apply(start.state.data(), search->decision(), next.data());
    start.state.swap(next);
    switch (choices.below(8)) {
      case 0:
        search->clear();
        CHECK(search->bytes() == 0);
        break;
      case 1:
        search->begin_match(start.rng.next(), static_cast<std::size_t>(choices.below(20)));
        break;
      default:
        break;  // the tree is used again
    }
  }
}

}  // namespace glaux::fuzz
