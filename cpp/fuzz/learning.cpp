// TD learning with any options: refused by a sentence, or some short episodes that leave finite weights.
#include <cmath>

#include "core/errors.h"
#include "fuzz/settings.h"
#include "fuzz/target.h"
#include "learn/td.h"
#include "tests/check.h"

namespace glaux::fuzz {
namespace {

double share(Reader& reader) {
  return reader.number<std::uint8_t>() / 255.0;
}

Schedule any_schedule(Reader& reader) {
  return {share(reader) + 0.01, share(reader) + 0.01, reader.flag()};
}

TdOptions any_options(Reader& reader) {
  TdOptions options;
  options.learning.rule = static_cast<NTupleLearning::Rule>(reader.below(3));
  options.alpha = any_schedule(reader);
  options.epsilon = any_schedule(reader);
  options.gamma = share(reader);
  options.lambda = share(reader);
  options.cut = share(reader) + 0.01;
  options.step_reward = share(reader) - 0.5;
  options.learn_from_random = reader.flag();
  options.final_to_zero = reader.flag();
  const int least = reader.below(20);
  options.starts = {share(reader), least, least + reader.below(4)};
  options.most_plies = 1 + reader.below(20);
  options.wrapper_iterations = reader.below(3) == 0 ? reader.below(5) : 0;
  options.seed = reader.number<std::uint32_t>();
  return options;
}

}  // namespace

TARGET(td_learning, free) {
  Reader reader(data);
  const GamePointer& game = setting_of(reader.number<SettingKey>()).game;
  const TdOptions options = any_options(reader);
  const std::vector<CellTuple> tuples = {{0, 1}, {1}};
  std::shared_ptr<NTuple> network;
  try {
    network = std::make_shared<NTuple>(
        std::make_shared<const TupleIndex>(game->spec(), tuples, processor_has_fast_pext()), NTupleOptions{});
  } catch (const InvalidParameter&) {
    return;  // a cell that the board does not have
  }
  Pulse pulse([] {});
  std::vector<Episode> record;
  const int threads = reader.below(16) == 0 ? 2 : 1;
  try {
    TdLearner learner(game, network, std::make_shared<TerminalValue>(), options);
    const TdTally tally = learner.run(0, 2, 4, 0, threads, pulse, threads == 1 ? &record : nullptr);
    CHECK(tally.episodes == 2 && std::isfinite(tally.squares));
  } catch (const InvalidParameter&) {
    return;  // starts that matches do not come to
  }
  for (const float weight : network->weights()) CHECK(std::isfinite(weight));
  for (const Episode& episode : record) game->validate(episode.start.data());
}

}  // namespace glaux::fuzz
