#include <algorithm>
#include <cstring>

#include "tests/check.h"

// Runs the tests whose name contains one of the arguments, or all.
int main(int argc, char** argv) {
  int passed = 0;
  for (const NativeTest& test : native_tests()) {
    const auto named = [&](const char* word) { return std::strstr(test.name, word) != nullptr; };
    if (argc > 1 && std::none_of(argv + 1, argv + argc, named)) continue;
    std::printf("%s\n", test.name);
    std::fflush(stdout);
    test.run();
    ++passed;
  }
  std::printf("%d native tests passed\n", passed);
  return passed > 0 ? 0 : 1;
}
