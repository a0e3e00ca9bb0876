#include "kit/cube.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <vector>

namespace glaux {
namespace {

using Vector = std::array<int, 3>;  // x to the right, y up, z to the front

Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

int dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// A quarter turn about the axis, clockwise for who looks at the cube from its end.
Vector turned(const Vector& v, const Vector& axis) {
  const Vector around = cross(v, axis);
  const int along = dot(v, axis);
  return {along * axis[0] + around[0], along * axis[1] + around[1], along * axis[2] + around[2]};
}

constexpr Vector normals[Cube::faces] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}, {-1, 0, 0}, {0, 0, -1}};

// The faces of a position's stickers, clockwise from the first.
constexpr std::string_view names[Cube::positions] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DRB",
                                                     "DBL", "UR",  "UF",  "UL",  "UB",  "DR",  "DF",
                                                     "DL",  "DB",  "FR",  "FL",  "BL",  "BR"};

int face_of(char letter) {
  return static_cast<int>(std::strchr(Cube::face_letters, letter) - Cube::face_letters);
}

const Vector& normal_of(char letter) {
  return normals[face_of(letter)];
}

Vector place(std::string_view name) {
  Vector sum{};
  for (const char letter : name) sum = sum + normal_of(letter);
  return sum;
}

// Where a sticker is on its face as the unfolded net shows it: the side faces upright, the upper face
// above the front one, the lower face below.
Cube::Sticker seen(int face, const Vector& at) {
  const auto [x, y, z] = at;
  const int across[Cube::faces] = {x, -z, x, x, z, -x}, down[Cube::faces] = {z, -y, -y, -z, -y, -y};
  return {face, down[face] + 1, across[face] + 1};
}

// What a quarter turn about the axis does to the positions that `moves` says it moves.
template <class F>
Cube::Element quarter(const Vector& axis, F&& moves) {
  Cube::Element element{};
  for (int from = 0; from < Cube::positions; ++from) {
    const int first = from < Cube::corners ? 0 : Cube::corners;
    const std::string_view name = names[from];
    const Vector target = moves(place(name)) ? turned(place(name), axis) : place(name);
    const Vector sticker = moves(place(name)) ? turned(normal_of(name[0]), axis) : normal_of(name[0]);
    const auto* to = std::find_if(std::begin(names) + first, std::end(names),
                                  [&](std::string_view other) { return place(other) == target; });
    assert(to != std::end(names));
    int orientation = 0;
    while (normal_of((*to)[static_cast<std::size_t>(orientation)]) != sticker) ++orientation;
    element[static_cast<std::size_t>(to - names)] = Cube::cubie(from - first, orientation);
  }
  return element;
}

Cube::Element whole(const Vector& axis) {
  return quarter(axis, [](const Vector&) { return true; });
}

}  // namespace

const Cube& Cube::instance() {
  static const Cube cube;
  return cube;
}

Cube::Element Cube::product(const Element& a, const Element& b) const {
  Element result{};
  for (int i = 0; i < corners; ++i) {
    result[index(i)] = advanced_corner(a[index(id(b[index(i)]))], orientation(b[index(i)]));
  }
  for (int i = corners; i < positions; ++i) {
    result[index(i)] = advanced_edge(a[index(corners + id(b[index(i)]))], orientation(b[index(i)]));
  }
  return result;
}

Cube::Element Cube::inverse(const Element& a) const {
  Element result{};
  for (int i = 0; i < positions; ++i) {
    const int first = i < corners ? 0 : corners, count = sticker_count(i);
    const Cubie at = a[index(i)];
    result[index(first + id(at))] = cubie(i - first, (count - orientation(at)) % count);
  }
  return result;
}

std::optional<Cube::Cubie> Cube::cubie_with(int position, std::string_view letters) const {
  const bool corner = position < corners;
  const auto count = letters.size();
  for (int id = 0; id < (corner ? corners : edges); ++id) {
    const std::string_view name = names[corner ? id : corners + id];
    for (std::size_t turned_on = 0; turned_on < count; ++turned_on) {
      std::size_t same = 0;
      while (same < count && name[same] == letters[(same + turned_on) % count]) ++same;
      if (same == count) return cubie(id, static_cast<int>(turned_on));
    }
  }
  return std::nullopt;
}

Cube::Cube() {
  for (int twist = 0; twist < 5; ++twist) {
    for (int corner = 0; corner < 4 * corners; ++corner) {
      const auto c = static_cast<Cubie>(corner);
      advanced_[index(twist)][c] = cubie(id(c), (orientation(c) + twist) % 3);
    }
  }
  for (int position = 0; position < positions; ++position) {
    const std::string_view name = names[position];
    for (std::size_t i = 0; i < name.size(); ++i) {
      stickers_[index(position)][i] = seen(face_of(name[i]), place(name));
    }
  }
  for (int face = 0; face < faces; ++face) {
    const Vector& axis = normals[face];
    const Element once = quarter(axis, [&](const Vector& at) { return dot(at, axis) > 0; });
    turns_[index(face * 3)] = once;
    for (int i = 1; i < 3; ++i) turns_[index(face * 3 + i)] = product(turns_[index(face * 3 + i - 1)], once);
  }

  // Half turns about two axes make 4 rotations; a third of a turn about a diagonal, 12; a quarter turn, 24.
  const Element x = whole(normals[1]), y = whole(normals[0]), z = whole(normals[2]);
  const Element generators[] = {product(x, x), product(y, y), product(x, y), z};
  std::vector<Element> group;
  for (int i = 0; i < positions; ++i) rotations_[0][index(i)] = cubie(i < corners ? i : i - corners, 0);
  group.push_back(rotations_[0]);
  for (const Element& generator : generators) {
    const std::vector<Element> before = group;
    for (Element power = generator; std::find(before.begin(), before.end(), power) == before.end();
         power = product(power, generator)) {
      for (const Element& element : before) group.push_back(product(element, power));
    }
  }
  assert(group.size() == rotations_.size());
  std::copy(group.begin(), group.end(), rotations_.begin());

  for (int r = 0; r < rotations; ++r) {
    const Element back = inverse(rotation(r));
    inverses_[index(r)] = static_cast<int>(std::find(group.begin(), group.end(), back) - group.begin());
    by_corner_[rotation(r)[corners - 1]] = r;
    for (int face = 0; face < faces; ++face) {
      const Element seen_turn = product(product(back, turn(face, 1)), rotation(r));
      int g = 0;
      while (turn(g, 1) != seen_turn) ++g;
      rotated_faces_[index(r * faces + face)] = g;
    }
  }
}

}  // namespace glaux
