// Rubik's Cube of 2 x 2 x 2 or 3 x 3 x 3 as a game of one player, who twists faces until each face has
// one colour. The match is won when the cube is solved, and lost after `limit` twists without.
//
// A state is the cubie at each position (kit/cube.h) and the number of twists made, so that every
// match ends; its stickers are in kit/rubik_stickers.h. The cube of size 2 has no centres: a turn of the
// lower face is one of the upper face and a rotation of the whole. So the corner DBL never moves, seven
// corners do, and three faces turn.
//
// Actions: in the half-turn metric 3 * face + quarters - 1, in the quarter-turn metric 2 * face, and
// one more for a turn back; the faces are U, R, F and, of size 3, D, L, B.
//
// Cells: a row with the id of the cubie at each position and a row with its orientation. Tuples of
// cells never mix corners and edges.
//
// Symmetries: the cube rotated as a whole and its colours renamed so that the solved cube stays
// solved, r^-1 s r for the 24 rotations r. At size 2 the result is rotated so that DBL is back in its
// place, by a rotation that depends on the state; hence so does the image of an action.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/errors.h"
#include "core/registry.h"
#include "core/rules.h"
#include "kit/cube.h"
#include "kit/rubik_stickers.h"
#include "kit/text.h"

namespace glaux {

template <int Size>
class Rubik {
  static_assert(Size == 2 || Size == 3);
  using Cubie = Cube::Cubie;
  using Stickers = RubikStickers<Size>;
  static constexpr int corners = Size == 2 ? 7 : 8, edges = Size == 2 ? 0 : 12, moving = corners + edges;
  static constexpr int faces = Size == 2 ? 3 : 6;

 public:
  static constexpr int most_twists = 1000;  // of a scramble

  struct State {
    Cubie cubies[moving];                                             // the corners first
    std::conditional_t<Size == 2, std::uint8_t, std::uint32_t> made;  // twists
  };

  explicit Rubik(const Parameters& p) : quarter_(p.at("quarter") != 0), limit_(p.at("limit")) {
    for (Action action = 0; action < action_count(); ++action) {
      const Cube::Element& turn = cube_.turn(face_of(action), quarters_of(action));
      Turn& t = turns_[static_cast<std::size_t>(action)];
      for (int i = 0; i < moving; ++i) {
        const Cubie from = turn[static_cast<std::size_t>(place(i))];
        t.source[i] = static_cast<std::uint8_t>(Cube::id(from) + (i < corners ? 0 : corners));
        t.advance[i] = static_cast<std::uint8_t>(Cube::orientation(from));
      }
    }
    for (int i = 0; i < moving; ++i) {
      solved_.cubies[i] = Cube::cubie(i < corners ? i : i - corners, 0);
    }
    Rng rng(static_cast<std::uint64_t>(p.at("seed")));
    initial_ = scramble(p.at("twists"), rng);
  }

  Spec spec() const {
    Spec spec;
    spec.players = 1;
    spec.board = {2, moving, Board::Shape::square, Board::Numbering::from_top};
    spec.action_count = spec.max_actions = action_count();
    spec.max_plies = limit_;
    for (const char symbol : std::string_view(Size == 2 ? "0123456" : "0123456789ab")) {
      spec.symbols.emplace_back(1, symbol);
    }
    spec.neighbours.resize(2 * moving);
    for (int cell = 0; cell < 2 * moving; ++cell) {
      const bool corner = cell % moving < corners;
      const int ids = corner ? corners : edges, orientations = corner ? 3 : 2;
      spec.code_counts.push_back(cell < moving ? ids : orientations);
      for (int other = 0; other < 2 * moving; ++other) {
        if (other != cell && (other % moving < corners) == corner) {
          spec.neighbours[static_cast<std::size_t>(cell)].push_back(static_cast<std::uint16_t>(other));
        }
      }
    }
    for (const char face : std::string_view(Cube::face_letters)) {
      spec.planes.push_back(std::string("stickers of the colour of ") + face);
    }
    spec.planes.emplace_back("twists made / limit");
    spec.plane_rows = Stickers::net_rows;
    spec.plane_columns = Stickers::net_columns;
    spec.state_symmetries = Cube::rotations;
    spec.has_scrambles = true;
    return spec;
  }

  State initial() const { return initial_; }

  Status status(const State& s) const {
    const bool is_solved = std::equal(std::begin(s.cubies), std::end(s.cubies), std::begin(solved_.cubies));
    return {Player::first, static_cast<Result>(is_solved                            ? 1
                                               : static_cast<int>(s.made) >= limit_ ? -1
                                                                                    : ongoing)};
  }

  Measures measures(const State& s) const {
    Measures m;
    m.ply = static_cast<int>(s.made);
    return m;
  }

  int actions(const State&, Action* out) const {
    for (Action action = 0; action < action_count(); ++action) out[action] = action;
    return action_count();
  }

  Action random_action(const State&, Rng& rng) const {
    return static_cast<Action>(rng.below(static_cast<std::uint32_t>(action_count())));
  }

  void apply(State& s, Action action) const {
    twist(s, action);
    ++s.made;
  }

  // Random twists from the solved cube, no face twice in a row; drawn again if they lead back to it.
  State scramble(int n, Rng& rng) const {
    if (n < 1 || n > most_twists) {
      throw InvalidParameter("A scramble has 1 to " + std::to_string(most_twists) + " twists, not " +
                             std::to_string(n) + ".");
    }
    for (;;) {
      State s = solved_;
      int last = -1;
      for (int i = 0; i < n; ++i) {
        auto face = static_cast<int>(rng.below(static_cast<std::uint32_t>(last < 0 ? faces : faces - 1)));
        if (last >= 0 && face >= last) ++face;
        twist(s, face * per_face() + static_cast<int>(rng.below(static_cast<std::uint32_t>(per_face()))));
        last = face;
      }
      if (!status(s).terminal()) return s;
    }
  }

  void cells(const State& s, std::uint8_t* codes) const {
    for (int i = 0; i < moving; ++i) {
      codes[i] = static_cast<std::uint8_t>(Cube::id(s.cubies[i]));
      codes[moving + i] = static_cast<std::uint8_t>(Cube::orientation(s.cubies[i]));
    }
  }

  // One bit of eight cubies at a time. Bits 2 and up of a cubie are its id, the others its orientation.
  void cell_bits(const State& s, std::uint64_t* bits) const {
    constexpr int id_bits = Size == 2 ? 3 : 4;
    std::uint64_t rows[6] = {};
    for (int first = 0; first < moving; first += 8) {
      std::uint64_t eight = 0;
      for (int i = first; i < std::min(first + 8, moving); ++i) {
        eight |= std::uint64_t{s.cubies[i]} << 8 * (i - first);
      }
      for (int bit = 0; bit < 2 + id_bits; ++bit) {
        // The factor brings the lowest bit of byte i to bit 56 + i.
        rows[bit] |= ((eight >> bit & 0x0101010101010101) * 0x0102040810204080 >> 56) << first;
      }
    }
    for (int bit = 0; bit < id_bits; ++bit) {
      bits[bit] = rows[2 + bit] | (bit < 2 ? rows[bit] << moving : 0);
    }
  }

  void encode(const State& s, float* out) const {
    constexpr int rows = Stickers::net_rows, columns = Stickers::net_columns, size = rows * columns;
    stickers_.for_each(cubies_of(s), [&](int face, int row, int column, int colour) {
      out[(colour * rows + row + Stickers::top(face)) * columns + column + Stickers::left(face)] = 1.0f;
    });
    std::fill_n(out + Cube::faces * size, size, static_cast<float>(s.made) / static_cast<float>(limit_));
  }

  State transform(const State& s, int symmetry) const {
    const Cube::Element& before = cube_.rotation(cube_.inverse_rotation(symmetry));
    const Cube::Element& after = cube_.rotation(rotation_after(s, symmetry));
    State t = s;
    for (int i = 0; i < corners; ++i) {
      const Cubie a = after[static_cast<std::size_t>(i)], b = corner_at(s, Cube::id(a));
      t.cubies[i] = cube_.advanced_corner(before[static_cast<std::size_t>(Cube::id(b))],
                                          Cube::orientation(b) + Cube::orientation(a));
    }
    for (int i = corners; i < moving; ++i) {
      const Cubie a = after[static_cast<std::size_t>(i)], b = s.cubies[corners + Cube::id(a)];
      t.cubies[i] = Cube::advanced_edge(before[static_cast<std::size_t>(Cube::corners + Cube::id(b))],
                                        Cube::orientation(b) ^ Cube::orientation(a));
    }
    return t;
  }

  Action transform_action(const State& s, Action action, int symmetry) const {
    const int face = cube_.rotated_face(rotation_after(s, symmetry), face_of(action));
    return face % faces * per_face() + action % per_face();  // opposite faces are `faces` apart at size 2
  }

  std::string action_text(const State&, Action action) const {
    constexpr std::string_view marks[] = {"", "2", "'"};
    return Cube::face_letters[face_of(action)] + std::string(marks[quarters_of(action) - 1]);
  }

  // A twist turns a face: no cell, which is a cubie, is its place.
  Cells action_cells(const State&, Action) const { return {}; }

  // The stickers and the number of twists made: "UUUU/RRRR/FFFF/DDDD/LLLL/BBBB 0".
  std::string state_text(const State& s) const {
    return stickers_.text(cubies_of(s)) + ' ' + std::to_string(s.made);
  }

  std::string drawing(const State& s) const { return stickers_.net(cubies_of(s)); }

  State parse_state(std::string_view text) const {
    std::istringstream words{std::string(text)};
    std::string stickers, number, more;
    words >> stickers >> number;
    const auto cubies = stickers_.parse(stickers);
    State s = solved_;
    std::copy_n(cubies.begin(), moving, s.cubies);
    if (Size == 2 && cubies.back() != fixed_corner) {
      throw InvalidState(
          "Hold the cube of size 2 so that its corner with the colours D, B and L is in its place.");
    }
    const auto made = parse_number(number, static_cast<std::uint64_t>(limit_));
    if (!made || words >> more) {
      throw InvalidState("After its stickers a state has the number of twists made, from 0 to " +
                         std::to_string(limit_) + ", and nothing else.");
    }
    s.made = static_cast<decltype(s.made)>(*made);
    return s;
  }

  void validate(const State& s) const {
    unsigned seen_corners = 0, seen_edges = 0;
    int twists = 0, flips = 0;
    for (int i = 0; i < moving; ++i) {
      const int id = Cube::id(s.cubies[i]), orientation = Cube::orientation(s.cubies[i]);
      const bool corner = i < corners;
      if (id >= (corner ? corners : edges) || orientation >= (corner ? 3 : 2)) {
        throw InvalidState("These bytes are not a state of this game.");
      }
      (corner ? seen_corners : seen_edges) |= 1u << id;
      (corner ? twists : flips) += orientation;
    }
    if (seen_corners != (1u << corners) - 1 || seen_edges != (1u << edges) - 1) {
      throw InvalidState("One piece of the cube is in two places, and another is missing.");
    }
    if (s.made > static_cast<std::uint32_t>(limit_))
      throw InvalidState("There are more twists than the limit allows.");
    // No twist changes these, so that a cube taken apart and put together can break them.
    if (twists % 3 != 0) throw InvalidState("One corner of this cube is twisted: it can't be solved.");
    if (flips % 2 != 0) throw InvalidState("One edge of this cube is flipped: it can't be solved.");
    if (Size == 3 && odd(s.cubies, corners) != odd(s.cubies + corners, edges)) {
      throw InvalidState("Two pieces of this cube are swapped: it can't be solved.");
    }
  }

 private:
  struct Turn {  // what comes to position i: the cubie at source[i], turned on by advance[i]
    std::uint8_t source[moving], advance[moving];
  };
  static constexpr Cubie fixed_corner = 4 * 7;  // DBL, of size 2, unturned

  int per_face() const { return quarter_ ? 2 : 3; }
  int action_count() const { return faces * per_face(); }
  int face_of(Action action) const { return action / per_face(); }
  int quarters_of(Action action) const { return quarter_ ? 1 + action % 2 * 2 : 1 + action % 3; }

  // The position of kit/cube.h.
  static int place(int i) { return i < corners ? i : i - corners + Cube::corners; }

  Cubie corner_at(const State& s, int i) const { return i < corners ? s.cubies[i] : fixed_corner; }
  // From a position of kit/cube.h to the cubie there.
  auto cubies_of(const State& s) const {
    return [this, &s](int i) { return i < Cube::corners ? corner_at(s, i) : s.cubies[i]; };
  }

  void twist(State& s, Action action) const {
    const Turn& turn = turns_[static_cast<std::size_t>(action)];
    const State before = s;
    for (int i = 0; i < corners; ++i) {
      s.cubies[i] = cube_.advanced_corner(before.cubies[turn.source[i]], turn.advance[i]);
    }
    for (int i = corners; i < moving; ++i) {
      s.cubies[i] = Cube::advanced_edge(before.cubies[turn.source[i]], turn.advance[i]);
    }
  }

  // The rotation t of the symmetry r^-1 s t: r itself and, at size 2, then the one that brings the
  // corner DBL back. In r^-1 s t this corner is where r has the corner `home`.
  int rotation_after(const State& s, int symmetry) const {
    if constexpr (Size == 3) return symmetry;
    const Cubie home = cube_.rotation(symmetry)[Cube::corners - 1];
    int i = 0;
    while (i < corners && Cube::id(s.cubies[i]) != Cube::id(home)) ++i;
    const int twist = Cube::orientation(home) + 3 - Cube::orientation(corner_at(s, i));
    return cube_.rotation_with(Cube::cubie(i, twist % 3));
  }

  static bool odd(const Cubie* cubies, int n) {
    int inversions = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) inversions += Cube::id(cubies[j]) > Cube::id(cubies[i]);
    }
    return inversions % 2 != 0;
  }

  const Cube& cube_ = Cube::instance();
  Stickers stickers_;
  bool quarter_;
  int limit_;
  Turn turns_[faces * 3] = {};
  State solved_{}, initial_{};
};

// What both sizes have in common in the registry.
inline std::vector<Parameter> rubik_parameters(int twists, int limit) {
  return {{"quarter", 0, 0, 1, "quarter turns only: a half turn takes two actions", true},
          {"limit", limit, 1, 200, "the match is lost if the cube is not solved after this many twists"},
          {"twists", twists, 1, 100, "how many random twists scramble the cube at the start", false, true},
          {"seed", 0, 0, 2147483647, "random seed of the scramble", false, true}};
}

}  // namespace glaux
