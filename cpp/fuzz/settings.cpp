#include "fuzz/settings.h"

#include <algorithm>
#include <set>

#include "core/errors.h"
#include "core/hash.h"
#include "core/mobility.h"
#include "core/registry.h"

namespace glaux::fuzz {
namespace {

SettingKey key_of(std::string_view text) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<SettingKey>(hash ^ hash >> 16);
}

std::string text_of(const GameInfo& info, const Parameters& parameters) {
  std::string text = info.name;
  for (const auto& [name, value] : parameters) {
    text += (text.size() == info.name.size() ? ":" : ",") + name + "=" + std::to_string(value);
  }
  return text;
}

// The parameters one by one, and all of them at the same end.
std::set<Parameters> choices(const GameInfo& info) {
  std::set<Parameters> all{{}};
  Parameters lowest, highest;
  for (const Parameter& p : info.parameters) {
    const int range = p.high - p.low;
    for (const int value : {p.low, p.low + 1, p.low + range / 4, p.low + range / 2, p.high - 1, p.high}) {
      if (p.low <= value && value <= p.high) all.insert({{p.name, value}});
    }
    lowest[p.name] = p.low;
    highest[p.name] = p.high;
  }
  all.insert(lowest);
  all.insert(highest);
  return all;
}

std::vector<Setting> make_settings() {
  std::vector<Setting> all;
  const auto add = [&](const std::string& text, const GamePointer& game) {
    all.push_back({text, key_of(text), game});
  };
  for (const GameEntry& entry : registry()) {
    for (const Parameters& parameters : choices(entry.info)) {
      try {
        const GamePointer game = make_game(entry.info.name, parameters);
        add(text_of(entry.info, parameters), game);
        if (parameters.empty()) add(entry.info.name + ":mobility", std::make_shared<MobilityGame>(game));
      } catch (const InvalidParameter&) {
        continue;  // an odd size, say
      }
    }
  }
  std::sort(all.begin(), all.end(), [](const Setting& a, const Setting& b) {
    return std::pair(a.key, a.text) < std::pair(b.key, b.text);
  });
  return all;
}

}  // namespace

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = make_settings();
  return all;
}

const Setting& setting_of(SettingKey number) {
  const auto& all = settings();
  const auto found = std::lower_bound(all.begin(), all.end(), number,
                                      [](const Setting& setting, SettingKey n) { return setting.key < n; });
  return found == all.end() ? all.front() : *found;
}

}  // namespace glaux::fuzz
