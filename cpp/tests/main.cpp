#include <cstring>

#include "tests/check.h"

// Runs the tests whose name contains the first argument, or all.
int main(int argc, char** argv) {
  int passed = 0;
  for (const NativeTest& test : native_tests()) {
    if (argc > 1 && !std::strstr(test.name, argv[1])) continue;
    std::printf("%s\n", test.name);
    std::fflush(stdout);
    test.run();
    ++passed;
  }
  std::printf("%d native tests passed\n", passed);
  return passed > 0 ? 0 : 1;
}
