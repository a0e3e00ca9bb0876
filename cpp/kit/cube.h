// The cube of 8 corners and 12 edges as a group: its cubies, the turns of its faces, the rotations of
// the whole, and where each sticker is.
//
// A cubie is one byte, 4 * id + orientation: of a corner the id is 0 to 7 and the orientation a twist
// of 0 to 2, of an edge 0 to 11 and a flip of 0 or 1. An element of the group says which cubie is at
// each position after it has been done to the solved cube, and (a, b) is "first a, then b":
//
//   product(a, b)[i] = a[id of b[i]], its orientation advanced by that of b[i]
//
// States, turns and rotations are all such elements, so that everything else follows: a turn after a
// state is a product, and a rotation r of the whole cube with the colours renamed back, the symmetry of
// the puzzle, is product(product(inverse of r, s), r).
//
// The stickers of a position are counted clockwise from the one on the upper or lower face (of an edge
// that has none, on the front or back). The orientation says on which of them the first sticker of the
// cubie is. All tables are worked out from the coordinates of the cubies: x to the right, y up, z to
// the front.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace glaux {

class Cube {
 public:
  static constexpr int corners = 8, edges = 12, positions = corners + edges;
  static constexpr int faces = 6, rotations = 24;
  static constexpr char face_letters[] = "URFDLB";

  using Cubie = std::uint8_t;
  // By position: the corners URF, UFL, ULB, UBR, DFR, DLF, DRB, DBL, then the edges UR, UF, UL, UB,
  // DR, DF, DL, DB, FR, FL, BL, BR.
  using Element = std::array<Cubie, positions>;

  // A sticker of a cubie, and where it is seen on its face: from 0 (top, left) to 2.
  struct Sticker {
    int face, row, column;
  };

  static int id(Cubie cubie) { return cubie >> 2; }
  static int orientation(Cubie cubie) { return cubie & 3; }
  static Cubie cubie(int id, int orientation) { return static_cast<Cubie>(4 * id + orientation); }
  static int sticker_count(int position) { return position < corners ? 3 : 2; }

  // The one there is: tables that never change.
  static const Cube& instance();

  // The cubie turned on where it is: a corner by 0 to 4 thirds, an edge by 0 or 1 half.
  Cubie advanced_corner(Cubie corner, int twist) const {
    return advanced_[static_cast<std::size_t>(twist)][corner];
  }
  static Cubie advanced_edge(Cubie edge, int flip) { return static_cast<Cubie>(edge ^ flip); }

  Element product(const Element& a, const Element& b) const;
  Element inverse(const Element& a) const;

  const Element& solved() const { return rotations_[0]; }
  // A face turned clockwise by 1 to 3 quarters.
  const Element& turn(int face, int quarters) const { return turns_[index(face * 3 + quarters - 1)]; }

  // The rotations of the whole cube: the identity first, and the first 2, 4 and 12 are groups as well.
  const Element& rotation(int r) const { return rotations_[index(r)]; }
  int inverse_rotation(int r) const { return inverses_[index(r)]; }
  // The rotation that has this corner at position 7 (DBL).
  int rotation_with(Cubie corner) const { return by_corner_[corner]; }
  // The face g for which product(product(inverse of r, turn of the face), r) is the turn of g.
  int rotated_face(int r, int face) const { return rotated_faces_[index(r * faces + face)]; }

  // The stickers of a position, clockwise, as long as the cube is solved: their faces are the colours.
  const Sticker* stickers(int position) const { return stickers_[index(position)].data(); }
  // The cubie of the position's kind that shows these letters on its stickers, if there is one.
  std::optional<Cubie> cubie_with(int position, std::string_view letters) const;

 private:
  Cube();
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  std::array<std::array<Cubie, 4 * corners>, 5> advanced_{};
  std::array<std::array<Sticker, 3>, positions> stickers_{};
  std::array<Element, faces * 3> turns_{};
  std::array<Element, rotations> rotations_{};
  std::array<int, rotations> inverses_{};
  std::array<int, 4 * corners> by_corner_{};
  std::array<int, rotations * faces> rotated_faces_{};
};

}  // namespace glaux
