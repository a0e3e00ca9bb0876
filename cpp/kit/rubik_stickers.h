// The stickers of Rubik's Cube of size 2 or 3, as people see and write them: its faces as a text, and the
// unfolded net.
//
// Positions and cubies are those of kit/cube.h; a cube is given as a function from a position to the cubie
// there. Rows and columns of a face are those of the cube's own size.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.h"
#include "kit/cube.h"

namespace glaux {

template <int Size>
class RubikStickers {
 public:
  static constexpr int positions = Size == 2 ? Cube::corners : Cube::positions;
  static constexpr int net_rows = 3 * Size, net_columns = 4 * Size;

  // Where a face begins in the net: the faces L, F, R and B are in a row, U above F and D below it.
  static int top(int face) {
    constexpr int rows[Cube::faces] = {0, 1, 1, 2, 1, 1};
    return rows[face] * Size;
  }
  static int left(int face) {
    constexpr int columns[Cube::faces] = {1, 2, 1, 1, 0, 3};
    return columns[face] * Size;
  }

  // Calls f(face, row, column, colour).
  template <class CubieAt, class F>
  void for_each(CubieAt&& cubie_at, F&& f) const {
    for (int i = 0; i < positions; ++i) {
      const Cube::Cubie cubie = cubie_at(i);
      const int count = Cube::sticker_count(i);
      const Cube::Sticker* colours =
          cube_.stickers(Cube::id(cubie) + (i < Cube::corners ? 0 : Cube::corners));
      for (int k = 0; k < count; ++k) {
        const Cube::Sticker& at = cube_.stickers(i)[(k + Cube::orientation(cubie)) % count];
        f(at.face, scaled(at.row), scaled(at.column), colours[k].face);
      }
    }
    if constexpr (Size == 3) {
      for (int face = 0; face < Cube::faces; ++face) f(face, 1, 1, face);
    }
  }

  // "UUUU/RRRR/FFFF/DDDD/LLLL/BBBB": the stickers of each face, row by row as the net shows it.
  template <class CubieAt>
  std::string text(CubieAt&& cubie_at) const {
    std::string text(text_size, '/');
    for_each(cubie_at, [&](int face, int row, int column, int colour) {
      text[text_index(face, row, column)] = Cube::face_letters[colour];
    });
    return text;
  }

  template <class CubieAt>
  std::string net(CubieAt&& cubie_at) const {
    std::vector<std::string> lines(net_rows, std::string(2 * net_columns + 2, ' '));
    for_each(cubie_at, [&](int face, int row, int column, int colour) {
      const int at = column + left(face);
      lines[static_cast<std::size_t>(row + top(face))][static_cast<std::size_t>(2 * at + at / Size)] =
          Cube::face_letters[colour];
    });
    std::string text;
    for (const std::string& line : lines) text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    text.pop_back();
    return text;
  }

  // The cubie at each position of the cube that has this text. InvalidState if there is none.
  std::array<Cube::Cubie, positions> parse(const std::string& text) const {
    check(text);
    std::array<Cube::Cubie, positions> cubies{};
    for (int i = 0; i < positions; ++i) cubies[static_cast<std::size_t>(i)] = parse_cubie(text, i);
    return cubies;
  }

 private:
  static constexpr int of_face = Size * Size;
  static constexpr std::size_t text_size = Cube::faces * (of_face + 1) - 1;

  static int scaled(int coordinate) { return Size == 2 ? coordinate / 2 : coordinate; }

  static std::size_t text_index(int face, int row, int column) {
    return static_cast<std::size_t>(face * (of_face + 1) + row * Size + column);
  }

  static void check(const std::string& text) {
    bool fits = text.size() == text_size;
    for (std::size_t i = 0; fits && i < text.size(); ++i) {
      const bool between = i % (of_face + 1) == of_face;
      fits = between ? text[i] == '/'
                     : std::string_view(Cube::face_letters).find(text[i]) != std::string_view::npos;
      if constexpr (Size == 3) {
        const std::size_t face = i / (of_face + 1);
        if (fits && i == text_index(static_cast<int>(face), 1, 1) && text[i] != Cube::face_letters[face]) {
          throw InvalidState("The centres of the faces never move: they are U, R, F, D, L and B.");
        }
      }
    }
    if (!fits) {
      throw InvalidState("A cube is written as its faces U, R, F, D, L and B with '/' between them, of " +
                         std::to_string(of_face) + " letters each.");
    }
  }

  Cube::Cubie parse_cubie(const std::string& text, int position) const {
    std::string found;
    for (int k = 0; k < Cube::sticker_count(position); ++k) {
      const Cube::Sticker& at = cube_.stickers(position)[k];
      found += text[text_index(at.face, scaled(at.row), scaled(at.column))];
    }
    if (const auto cubie = cube_.cubie_with(position, found)) return *cubie;
    throw InvalidState("No " + std::string(position < Cube::corners ? "corner" : "edge") +
                       " of the cube has the colours " + found + " in this order.");
  }

  const Cube& cube_ = Cube::instance();
};

}  // namespace glaux
