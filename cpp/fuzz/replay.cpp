// Takes each of some inputs once, without libFuzzer: `replay NAME FILE...` for a target, `replay` for nothing
// but the names of the targets.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "fuzz/target.h"

using namespace glaux::fuzz;

int main(int count, char** arguments) {
  if (count < 2) {
    for (const Target& target : targets()) std::printf("%s\n", std::string(target.name).c_str());
    return 0;
  }
  const Target* target = find_target(arguments[1]);
  if (target == nullptr) {
    std::fprintf(stderr, "There is no target '%s'.\n", arguments[1]);
    return 2;
  }
  for (int i = 2; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "There is no file '%s'.\n", arguments[i]);
      return 2;
    }
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::fprintf(stderr, "%s\r", arguments[i]);  // what it was, if it does not come back
    target->run({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
  std::printf("%s: %d inputs\n", arguments[1], count - 2);
  return 0;
}
