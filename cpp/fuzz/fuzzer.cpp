// libFuzzer's side: `fuzz --target=NAME ...`, and mutations that know what an input consists of.
//
// Few mutations of bytes give a state again. So besides libFuzzer's own there are those that play on from
// the state of an input, and that begin anew from a random match; all of them leave the rest as it is.
#include <cstdio>
#include <cstdlib>

#include "fuzz/starting.h"
#include "tests/drive.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace glaux::fuzz {
namespace {

const Target* target = nullptr;

struct Mutated {
  std::uint8_t* data;
  std::size_t size, most;

  // Puts bytes at an offset in place of `length` bytes; nothing if there is no room.
  void replace(std::size_t at, std::size_t length, const void* bytes, std::size_t count) {
    if (size - length + count > most) return;
    std::memmove(data + at + count, data + at + length, size - at - length);
    std::memcpy(data + at, bytes, count);
    size += count - length;
  }
  // libFuzzer's own mutations of a part, which keep its length.
  void stir(std::size_t at, std::size_t length) {
    if (length == 0) return;
    const std::size_t left = LLVMFuzzerMutate(data + at, length, length);
    std::memset(data + at + left, 0, length - left);
  }
};

void begin_anew(Mutated& input, Rng& rng, Form form) {
  const Setting& setting = settings()[rng.below(static_cast<std::uint32_t>(settings().size()))];
  const std::vector<std::byte> state = random_state(*setting.game, rng);
  const std::uint32_t seed = static_cast<std::uint32_t>(rng.next());
  input.size = 0;
  input.replace(0, 0, &setting.key, sizeof setting.key);
  input.replace(input.size, 0, &seed, sizeof seed);
  if (form == Form::text) {
    const std::string text = setting.game->state_text(state.data());
    input.replace(head_size, 0, text.data(), text.size());
  } else {
    input.replace(head_size, 0, state.data(), state.size());
    std::uint8_t choices[32];
    for (std::uint8_t& choice : choices) choice = static_cast<std::uint8_t>(rng.next());
    input.replace(input.size, 0, choices, sizeof choices);
  }
}

void play_on(Mutated& input, Rng& rng) {
  Start start(Data(input.data, input.size));
  const std::size_t size = start.state.size();
  if (input.size < head_size + size || !start.accepted()) return;
  for (auto plies = 1 + rng.below(4); plies > 0; --plies) play_random(start.game, start.state.data(), rng);
  std::memcpy(input.data + head_size, start.state.data(), size);
}

void mutate_state(Mutated& input, Rng& rng) {
  const std::size_t size =
      setting_of(Reader({input.data, input.size}).number<SettingKey>()).game->spec().state_size;
  const std::size_t end = std::min(input.size, head_size + size);
  switch (rng.below(8)) {
    case 0:
      return input.stir(0, head_size);
    case 1:
    case 2:
      return play_on(input, rng);
    case 3:
      if (end > head_size) {
        const auto at = head_size + rng.below(static_cast<std::uint32_t>(end - head_size));
        input.data[at] ^= static_cast<std::uint8_t>(1u << rng.below(8));
      }
      return;
    case 4:
      input.size = end + LLVMFuzzerMutate(input.data + end, input.size - end, input.most - end);
      return;
    default:
      return input.stir(head_size, end - head_size);
  }
}

std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t most, std::uint32_t seed) {
  if (target->form == Form::free) return LLVMFuzzerMutate(data, size, most);
  Rng rng(seed);
  Mutated input{data, size, most};
  if (size <= head_size || rng.below(64) == 0) {
    begin_anew(input, rng, target->form);
  } else if (target->form == Form::state) {
    mutate_state(input, rng);
  } else if (rng.below(16) == 0) {
    input.stir(0, head_size);
  } else {
    input.size = head_size + LLVMFuzzerMutate(data + head_size, size - head_size, most - head_size);
  }
  return input.size;
}

}  // namespace
}  // namespace glaux::fuzz

using namespace glaux::fuzz;

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  const std::string_view flag = "--target=";
  for (int i = 1; i < *count; ++i) {
    const std::string_view argument = (*arguments)[i];
    if (argument.starts_with(flag)) target = find_target(argument.substr(flag.size()));
    if (argument == "--targets") {
      for (const Target& one : targets())
        std::printf("%.*s\n", static_cast<int>(one.name.size()), one.name.data());
      std::exit(0);
    }
  }
  if (target == nullptr) {
    std::fprintf(stderr,
                 "fuzz --target=NAME [options of libFuzzer] [directories]; fuzz --targets names them.\n");
    std::exit(2);
  }
  settings();
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  return mutate(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->run({data, size});
  return 0;
}
