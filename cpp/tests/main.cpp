#include <algorithm>
#include <cstring>

#include "tests/check.h"

// Runs the tests whose name contains one of the arguments, or all.
// native_tests [WORD ...]: the tests whose names have one of the words, by default all.
// native_tests --half 0|1: every second test, so that two processes share them.
int main(int argc, char** argv) {
  const bool halved = argc == 3 && std::strcmp(argv[1], "--half") == 0;
  int passed = 0, number = 0;
  for (const NativeTest& test : native_tests()) {
    const auto named = [&](const char* word) { return std::strstr(test.name, word) != nullptr; };
    if (halved ? number++ % 2 != argv[2][0] - '0' : argc > 1 && std::none_of(argv + 1, argv + argc, named)) {
      continue;
    }
    std::printf("%s\n", test.name);
    std::fflush(stdout);
    test.run();
    ++passed;
  }
  std::printf("%d native tests passed\n", passed);
  return passed > 0 ? 0 : 1;
}
