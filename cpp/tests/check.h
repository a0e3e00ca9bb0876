// The smallest test kit that serves: TEST(name) { CHECK(condition); } and a runner in main.cpp.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

struct NativeTest {
  const char* name;
  std::function<void()> run;
};

inline std::vector<NativeTest>& native_tests() {
  static std::vector<NativeTest> tests;
  return tests;
}

struct RegisterNativeTest {
  RegisterNativeTest(const char* name, std::function<void()> run) {
    native_tests().push_back({name, std::move(run)});
  }
};

#define TEST(name)                                                     \
  static void test_##name();                                           \
  static const RegisterNativeTest register_##name(#name, test_##name); \
  static void test_##name()

// Aborts, so that the sanitizers show where.
#define CHECK(condition)                                                             \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                  \
    }                                                                                \
  } while (false)
