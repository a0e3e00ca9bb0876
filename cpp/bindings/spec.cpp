// What games say of themselves: boards, specs and the entries of the registry. A board or a spec may be
// filled in from Python, so each function looks first whether its fields agree.
#include "core/spec.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.h"
#include "core/errors.h"

namespace glaux::bindings {
namespace {

// A function of a board that agrees with itself.
template <class Result>
auto checked(Result (Board::*method)() const) {
  return [method](const Board& board) {
    board.check();
    return (board.*method)();
  };
}

// A function of one of its cells.
template <class Result>
auto checked(Result (Board::*method)(int) const) {
  return [method](const Board& board, int cell) {
    board.check();
    board.check_cell(cell);
    return (board.*method)(cell);
  };
}

std::string column_text(const Board& board, int column) {
  board.check();
  if (column < 0 || column >= board.columns) {
    throw InvalidParameter("This board has the columns 0 to " + std::to_string(board.columns - 1) + ", not " +
                           std::to_string(column) + ".");
  }
  return board.column_text(column);
}

int code_count(const Spec& spec, int cell) {
  spec.board.check();
  spec.board.check_cell(cell);
  if (!spec.code_counts.empty() && spec.code_counts.size() != static_cast<std::size_t>(spec.cell_count())) {
    throw InvalidParameter("A game must give the number of codes for each of its cells, or for none.");
  }
  return spec.code_count(cell);
}

CellLists cell_neighbours(const Spec& spec) {
  spec.board.check();
  return spec.cell_neighbours();
}

void bind_enums(nb::module_& module) {
  nb::enum_<Board::Shape>(module, "Shape")
      .value("square", Board::Shape::square)
      .value("hexagonal", Board::Shape::hexagonal);
  nb::enum_<Board::Numbering>(module, "Numbering")
      .value("from_top", Board::Numbering::from_top)
      .value("from_bottom", Board::Numbering::from_bottom);

  nb::enum_<Player>(module, "Player", nb::is_arithmetic(), "Whose move it is: first, second or chance.")
      .value("first", Player::first)
      .value("second", Player::second)
      .value("chance", Player::chance);
  nb::enum_<Spec::Aim>(module, "Aim").value("result", Spec::Aim::result).value("score", Spec::Aim::score);
}

void bind_boards(nb::module_& module) {
  nb::class_<Board::Part>(module, "BoardPart")
      .def(nb::init<int, int, int, int>(), nb::arg("row"), nb::arg("column"), nb::arg("rows"),
           nb::arg("columns"))
      .def_ro("row", &Board::Part::row)
      .def_ro("column", &Board::Part::column)
      .def_ro("rows", &Board::Part::rows)
      .def_ro("columns", &Board::Part::columns);

  nb::class_<Board>(module, "Board")
      .def(nb::init<>())
      .def_rw("rows", &Board::rows)
      .def_rw("columns", &Board::columns)
      .def_rw("shape", &Board::shape)
      .def_rw("numbering", &Board::numbering)
      .def_rw("first_row", &Board::first_row)
      .def_rw("present", &Board::present)
      .def_rw("boards", &Board::boards)
      .def_rw("skips_i", &Board::skips_i)
      .def("has", checked(&Board::has), nb::arg("cell"))
      .def("board_of", checked(&Board::board_of), nb::arg("cell"))
      .def("column_text", column_text, nb::arg("column"))
      .def("cell_text", checked(&Board::cell_text), nb::arg("cell"))
      .def("neighbours", checked(&Board::neighbours))
      .def("square_symmetries", checked(&Board::square_symmetries))
      .def("hexagonal_symmetries", checked(&Board::hexagonal_symmetries))
      .def("identity", checked(&Board::identity))
      .def("mirror_columns", checked(&Board::mirror_columns))
      .def("half_turn", checked(&Board::half_turn))
      .def("mirror_rows", checked(&Board::mirror_rows))
      .def("transposed", [](const Board& board) {
        board.check();
        if (board.rows != board.columns) {
          throw InvalidParameter("Only a board with as many rows as columns can be transposed.");
        }
        return board.transposed();
      });
}

void bind_specs(nb::module_& module) {
  nb::class_<Spec>(module, "Spec")
      .def(nb::init<>())
      .def_rw("name", &Spec::name)
      .def_rw("title", &Spec::title)
      .def_rw("parameters", &Spec::parameters)
      .def_rw("players", &Spec::players)
      .def_rw("aim", &Spec::aim)
      .def_rw("board", &Spec::board)
      .def_rw("state_size", &Spec::state_size)
      .def_rw("action_count", &Spec::action_count)
      .def_rw("max_actions", &Spec::max_actions)
      .def_rw("max_plies", &Spec::max_plies)
      .def_rw("max_plies_exact", &Spec::max_plies_exact)
      .def_rw("symbols", &Spec::symbols)
      .def_rw("code_counts", &Spec::code_counts)
      .def("code_count", code_count, nb::arg("cell"))
      .def_ro("details", &Spec::details,
              "What the codes of Game.details mean; empty if the game has no details of its cells.")
      .def_rw("neighbours", &Spec::neighbours)
      .def("cell_neighbours", cell_neighbours)
      .def_rw("planes", &Spec::planes)
      .def_rw("plane_rows", &Spec::plane_rows)
      .def_rw("plane_columns", &Spec::plane_columns)
      .def_rw("symmetries", &Spec::symmetries)
      .def_rw("state_symmetries", &Spec::state_symmetries)
      .def_prop_ro("symmetry_count", &Spec::symmetry_count)
      .def_prop_rw(
          "exchange", [](const Spec& spec) { return std::pair(spec.exchange.cells, spec.exchange.codes); },
          [](Spec& spec, const std::pair<CellMap, std::vector<std::uint8_t>>& maps) {
            spec.exchange = {maps.first, maps.second};
          },
          "Which cell and code each becomes when the players are exchanged; both empty if they can't be.")
      .def_prop_ro(
          "exchange_details", [](const Spec& spec) { return spec.exchange.details; },
          "Which detail each becomes then.")
      .def_prop_ro("has_exchange", [](const Spec& spec) { return !spec.exchange.empty(); })
      .def_rw("has_score", &Spec::has_score)
      .def_rw("max_score", &Spec::max_score)
      .def_rw("has_pieces", &Spec::has_pieces)
      .def_rw("has_mobility", &Spec::has_mobility)
      .def_rw("has_history", &Spec::has_history)
      .def_rw("has_scrambles", &Spec::has_scrambles)
      .def_ro("has_reachable", &Spec::has_reachable);
}

// What is said of games and of states.
void bind_facts(nb::module_& module) {
  nb::class_<Parameter>(module, "Parameter")
      .def_ro("name", &Parameter::name)
      .def_ro("default_value", &Parameter::default_value)
      .def_ro("low", &Parameter::low)
      .def_ro("high", &Parameter::high)
      .def_ro("help", &Parameter::help)
      .def_ro("flag", &Parameter::flag)
      .def_ro("start", &Parameter::start)
      .def_ro("encoding", &Parameter::encoding)
      .def_ro("scale", &Parameter::scale);

  nb::class_<GameInfo>(module, "GameInfo")
      .def_ro("name", &GameInfo::name)
      .def_ro("title", &GameInfo::title)
      .def_ro("summary", &GameInfo::summary)
      .def_ro("parameters", &GameInfo::parameters);

  nb::class_<Status>(module, "Status")
      .def_ro("player", &Status::player)
      .def_prop_ro("first_player", &Status::first_player)
      .def_ro("result", &Status::result)
      .def_prop_ro("terminal", &Status::terminal);

  nb::class_<Measures>(module, "Measures")
      .def_ro("ply", &Measures::ply)
      .def_ro("score", &Measures::score)
      .def_prop_ro("pieces", [](const Measures& m) { return std::pair(m.pieces[0], m.pieces[1]); })
      .def_prop_ro("mobility", [](const Measures& m) { return std::pair(m.mobility[0], m.mobility[1]); });
}

}  // namespace

void bind_spec(nb::module_& module) {
  bind_enums(module);
  bind_boards(module);
  bind_specs(module);
  bind_facts(module);
}

}  // namespace glaux::bindings
