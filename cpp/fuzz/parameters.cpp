// Games with any parameters: refused by a sentence, or whole.
#include <limits>

#include "core/errors.h"
#include "core/mobility.h"
#include "core/registry.h"
#include "fuzz/target.h"
#include "tests/check.h"
#include "tests/drive.h"

namespace glaux::fuzz {
namespace {

// Within the range, or next to it, or anything.
int any_value(const Parameter& p, Reader& reader) {
  const int offset = reader.number<std::uint8_t>();
  switch (reader.below(8)) {
    case 0:
      return reader.number<int>();
    case 1:
      return p.high < std::numeric_limits<int>::max() - offset ? p.high + offset : p.high;
    case 2:
      return p.low > std::numeric_limits<int>::min() + offset ? p.low - offset : p.low;
    default:
      return p.low + static_cast<int>(offset % (std::int64_t{p.high} - p.low + 1));
  }
}

}  // namespace

TARGET(parameters, free) {
  Reader reader(data);
  const GameEntry& entry = registry()[reader.number<std::uint8_t>() % registry().size()];
  Parameters parameters;
  for (const Parameter& p : entry.info.parameters) {
    if (reader.flag()) parameters[p.name] = any_value(p, reader);
  }
  GamePointer game;
  try {
    game = make_game(entry.info.name, parameters);
  } catch (const InvalidParameter&) {
    return;
  }
  if (reader.flag()) game = std::make_shared<MobilityGame>(game);
  const Spec& spec = game->spec();
  CHECK(spec.state_size > 0 && spec.state_size % 8 == 0 && spec.max_actions > 0 && spec.action_count > 0);
  for (int cell = 0; cell < spec.cell_count(); ++cell) {
    if (!spec.board.has(cell)) continue;
    CHECK(spec.code_count(cell) >= 1);
    CHECK(spec.board.parse_cell(spec.board.cell_text(cell)) == cell);
  }
  for (const CellMap& map : spec.symmetries) CHECK(map.size() == static_cast<std::size_t>(spec.cell_count()));
  Rng rng(reader.number<std::uint32_t>());
  std::vector<std::byte> state(spec.state_size);
  game->initial(state.data());
  game->validate(state.data());
  use_state(*game, state.data(), rng);
}

}  // namespace glaux::fuzz
