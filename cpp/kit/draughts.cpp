#include "kit/draughts.h"

#include "kit/draughts_entry.h"

namespace glaux {
namespace {

GamePointer make(const GameInfo& info, const Parameters& p) {
  switch (p.at("size")) {
    case 4:
      return adapt<Draughts<4>>(info, p);
    case 6:
      return adapt<Draughts<6>>(info, p);
    case 8:
      return adapt<Draughts<8>>(info, p);
    case 10:
      return adapt<Draughts<10>>(info, p);
    case 12:
      return adapt<Draughts<12>>(info, p);
    default:
      throw InvalidParameter(info.title + " needs an even size, not " + std::to_string(p.at("size")) + ".");
  }
}

}  // namespace

GameEntry draughts_entry(std::string name, std::string title, int size) {
  return {{std::move(name),
           std::move(title),
           "Capture or block all enemy pieces; you must always capture as many as possible, and kings move "
           "any distance.",
           {{"size", size, 4, 12, "rows and columns, an even number"},
            {"olympiad", 0, 0, 1, "the Computer Olympiad's rules for draws", true}}},
          make};
}

}  // namespace glaux
