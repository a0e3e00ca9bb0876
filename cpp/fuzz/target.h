// A fuzz target is a function of any bytes that must come back, whatever they are.
//
// TARGET(name, form) { use(data); } registers it. Its form says how the bytes are read, so that mutations
// can keep what they do not mean to change:
//   state   the setting (settings.h), four bytes that decide what is random, a state, and choices
//   text    the setting, the same four bytes, and the text of a state
//   free    anything
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace glaux::fuzz {

using Data = std::span<const std::uint8_t>;

enum class Form { state, text, free };

struct Target {
  std::string_view name;
  Form form;
  void (*run)(Data data);
};

std::vector<Target>& targets();
// The target of this name; null if there is none.
const Target* find_target(std::string_view name);

struct RegisterTarget {
  RegisterTarget(std::string_view name, Form form, void (*run)(Data)) {
    targets().push_back({name, form, run});
  }
};

#define TARGET(name, form)                                                       \
  static void target_##name(Data data);                                          \
  static const RegisterTarget register_##name(#name, Form::form, target_##name); \
  static void target_##name(Data data)

// Takes values off the front of the data. Where there are no more bytes they are zero.
class Reader {
 public:
  explicit Reader(Data data) : data_(data) {}

  void take(void* out, std::size_t n) {
    const std::size_t there = std::min(n, data_.size());
    if (there > 0) std::memcpy(out, data_.data(), there);
    if (there < n) std::memset(static_cast<std::byte*>(out) + there, 0, n - there);
    data_ = data_.subspan(there);
  }
  template <class T>
  T number() {
    T value;
    take(&value, sizeof value);
    return value;
  }
  int below(int n) { return n <= 1 ? 0 : number<std::uint8_t>() % n; }
  bool flag() { return below(2) == 1; }
  bool empty() const { return data_.empty(); }
  Data rest() const { return data_; }

 private:
  Data data_;
};

}  // namespace glaux::fuzz
