// States, and the calls of a game that programs make in loops: see bindings/state.h.
#include "bindings/state.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "core/errors.h"

namespace glaux::bindings {
namespace {

PyTypeObject* bound_state_type = nullptr;

void require_size(const Game& game, std::size_t size) {
  if (size == game.spec().state_size) return;
  throw InvalidState("A state of " + game.spec().title + " has " + std::to_string(game.spec().state_size) +
                     " bytes here, not " + std::to_string(size) + ".");
}

std::string text_of(nb::handle object) {
  return nb::cast<std::string>(nb::str(object).attr("encode")("ascii", "backslashreplace").attr("decode")());
}

std::string kind_name(nb::handle object) {
  return nb::cast<std::string>(object.type().attr("__name__"));
}

const State* find_state(nb::handle object) {
  const bool is = Py_TYPE(object.ptr()) == bound_state_type && nb::inst_ready(object);
  return is ? nb::inst_ptr<State>(object) : nullptr;
}

// A state of this very game. One of an equal game, made elsewhere, is looked at again: what Python calls
// equal is no reason to trust bytes.
class Own {
 public:
  Own(const GameCalls& calls, nb::handle object) : state_(find_state(object)), game_(calls.game.get()) {
    if (state_ == nullptr) {
      throw InvalidState("A State of " + text_of(nb::find(calls).attr("text")) + " is needed, not " +
                         kind_name(object) + ".");
    }
    if (state_->native != game_) accept(calls);
  }
  const std::byte* bytes() const { return state_->bytes(); }
  const Game& game() const { return *game_; }
  // The same state as one of this game.
  nb::object object(const GameCalls& calls, nb::handle given) const {
    return state_->native == game_ ? nb::borrow(given) : make_state(nb::find(calls), *game_, state_->data);
  }

 private:
  void accept(const GameCalls& calls) const {
    const nb::object self = nb::find(calls);
    if (!nb::cast<bool>(self.attr("_shares_states_with")(state_->game))) {
      throw InvalidState("This state belongs to " + text_of(state_->game.attr("text")) + ", not to " +
                         text_of(self.attr("text")) + ".");
    }
    require_size(*game_, state_->data.size());
    game_->validate(bytes());
  }

  const State* state_;
  const Game* game_;
};

// The actions of the state that this thread asked about last: mostly the next call applies one of them. The
// buffer is taken away while it is filled, because rules in Python may ask a game themselves.
struct Legal {
  std::uint64_t serial = 0;   // of the game, or 0
  std::uint64_t version = 0;  // another one whenever the rest changes
  std::vector<std::byte> state;
  std::vector<Action> buffer;  // as large as it has ever been needed
  std::size_t count = 0;

  std::span<const Action> actions() const { return {buffer.data(), count}; }
};
thread_local Legal last_legal;

// Right as long as its version is the same: Python code may ask about another state.
const Legal& legal_actions(const GameCalls& calls, const std::byte* state) {
  Legal& last = last_legal;
  const std::size_t size = calls.game->spec().state_size;
  if (last.serial == calls.serial && std::memcmp(last.state.data(), state, size) == 0) return last;
  last.serial = 0;
  std::vector<Action> buffer = std::move(last.buffer);
  const auto most = static_cast<std::size_t>(calls.game->spec().max_actions);
  if (buffer.size() < most) buffer.resize(most);
  const int count = calls.game->actions(state, buffer.data());
  last.buffer = std::move(buffer);
  last.count = static_cast<std::size_t>(count);
  last.state.assign(state, state + size);
  last.serial = calls.serial;
  ++last.version;
  return last;
}

PyObject* python_number(Action action) {
  PyObject* number = PyLong_FromLong(action);
  if (number == nullptr) throw nb::python_error();
  return number;
}

// The Python numbers of the actions up to this one, which are kept, as Python itself keeps those up to 256.
// The GIL guards them.
std::span<PyObject* const> numbers_to(Action last) {
  static std::vector<PyObject*> kept;
  while (kept.size() <= static_cast<std::size_t>(last)) {
    kept.push_back(python_number(static_cast<Action>(kept.size())));
  }
  return kept;
}

nb::object actions(const GameCalls& calls, nb::handle given) {
  constexpr Action most_kept = 1 << 14;
  const Own own(calls, given);
  const Legal& legal = legal_actions(calls, own.bytes());
  const std::uint64_t version = legal.version;
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(legal.count)));
  if (!list.is_valid()) throw nb::python_error();
  if (legal.version != version) return actions(calls, given);  // Python has collected garbage, and that asked
  Py_ssize_t i = 0;
  if (legal.count > 0 && legal.actions().back() < most_kept) {
    const auto numbers = numbers_to(legal.actions().back());
    for (const Action action : legal.actions()) {
      PyList_SET_ITEM(list.ptr(), i++, Py_NewRef(numbers[static_cast<std::size_t>(action)]));
    }
  } else {
    for (const Action action : legal.actions()) PyList_SET_ITEM(list.ptr(), i++, python_number(action));
  }
  return list;
}

nb::object apply(const GameCalls& calls, nb::handle given, nb::handle number) {
  const Own own(calls, given);
  const Action action = PyUnicode_Check(number.ptr())
                            ? to_action(nb::find(calls).attr("parse_action")(given, number))
                            : to_action(number);
  const auto legal = legal_actions(calls, own.bytes()).actions();
  if (!std::ranges::binary_search(legal, action)) refuse_action(number);
  nb::object data =
      nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(own.game().spec().state_size)));
  if (!data.is_valid()) throw nb::python_error();
  own.game().apply(own.bytes(), action, reinterpret_cast<std::byte*>(PyBytes_AS_STRING(data.ptr())));
  const State& before = *nb::inst_ptr<State>(given);
  const nb::object game = before.native == &own.game() ? before.game : nb::find(calls);
  return make_state(game, own.game(), nb::borrow<nb::bytes>(data));
}

nb::object initial(const GameCalls& calls) {
  std::vector<std::byte> out(calls.game->spec().state_size);
  calls.game->initial(out.data());
  return make_state(nb::find(calls), *calls.game, nb::bytes(out.data(), out.size()));
}

bool first_player(const GameCalls& calls, nb::handle given) {
  const Own own(calls, given);
  const Status status = own.game().status(own.bytes());
  if (status.player == Player::chance && !status.terminal()) {
    throw ChanceState("Chance is to move in this state, neither the first player nor the second.");
  }
  return status.first_player();
}

nb::object outcome(const GameCalls& calls, nb::handle given) {
  const Own own(calls, given);
  const Result result = own.game().status(own.bytes()).result;
  return result == ongoing ? nb::none() : nb::object(nb::int_(static_cast<int>(result)));
}

nb::list states(const GameCalls& calls, const StateBatch& array) {
  const CheckedBatch batch(*calls.game, array, nullptr);
  const nb::object self = nb::find(calls);
  const std::size_t size = calls.game->spec().state_size;
  nb::list all;
  for (std::size_t i = 0; i < batch.n; ++i) {
    all.append(make_state(self, *calls.game, nb::bytes(batch.bytes + i * size, size)));
  }
  return all;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<State>(self)->game.ptr());
  return 0;
}

PyType_Slot state_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {0, nullptr}};

nb::object equal(const State& a, nb::handle other) {
  const State* b = find_state(other);
  if (b == nullptr) return nb::borrow(Py_NotImplemented);
  const bool same_game = a.native == b->native || a.game.equal(b->game);
  return nb::bool_(same_game && a.data.size() == b->data.size() &&
                   std::memcmp(a.data.data(), b->data.data(), a.data.size()) == 0);
}

void bind_state(nb::module_& module) {
  nb::class_<State> type(
      module, "State", nb::is_final(), nb::type_slots(state_slots),
      "A state of a game: plain bytes with value semantics, hashable, printed as a board.\n\n"
      "``State(game, data)`` is the state with these bytes; InvalidState if there is no such state. It "
      "never changes, and any number of threads may use it.");
  bound_state_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  type.def(
          "__init__",
          [](State* self, const GameCalls& game, const nb::bytes& data) {
            require_size(*game.game, data.size());
            game.game->validate(static_cast<const std::byte*>(data.data()));
            // A subclass of bytes may have methods of its own; what is kept is plain.
            new (self) State{nb::find(game), game.game.get(), nb::bytes(data.data(), data.size())};
          },
          nb::arg("game"), nb::arg("data"),
          nb::sig("def __init__(self, game: glaux.rules.game.Game, data: bytes) -> None"))
      .def_prop_ro(
          "game", [](const State& s) { return s.game; }, nb::sig("def game(self) -> glaux.rules.game.Game"),
          "The game it belongs to.")
      .def_prop_ro(
          "data", [](const State& s) { return s.data; }, "Its bytes.")
      .def("__bytes__", [](const State& s) { return s.data; })
      .def("__str__", [](nb::handle s) { return nb::str(nb::cast<const State&>(s).game.attr("drawing")(s)); })
      .def("__repr__",
           [](nb::handle s) {
             const nb::object game = nb::cast<const State&>(s).game;
             return nb::str("<State of {}: {}>").format(game.attr("text"), game.attr("state_text")(s));
           })
      .def("__eq__", equal, nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const State& s) { return PyObject_Hash(s.data.ptr()); })
      .def(
          "__copy__", [](nb::handle s) { return nb::borrow(s); }, nb::sig("def __copy__(self) -> State"))
      .def(
          "__deepcopy__", [](nb::handle s, nb::handle) { return nb::borrow(s); }, nb::arg("memo"),
          nb::sig("def __deepcopy__(self, memo: object) -> State"))
      .def("__reduce__", [](const State& s) {
        return nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(bound_state_type)),
                              nb::make_tuple(s.game, s.data));
      });
  type.attr("__match_args__") = nb::make_tuple("game", "data");
}

void bind_game_calls(nb::module_& module) {
  nb::class_<GameCalls>(
      module, "GameCalls",
      "The calls of glaux.Game that programs make in loops. Any number of threads may use one.")
      .def(nb::init<GamePointer>(), nb::arg("native"))
      .def("initial", initial, nb::sig("def initial(self) -> State"), "The state in which a match starts.")
      .def(
          "player",
          [](const GameCalls& calls, nb::handle given) {
            const Own own(calls, given);
            return own.game().status(own.bytes()).player;
          },
          nb::arg("state").none(), nb::sig("def player(self, state: State) -> Player"),
          "Who is to move: ``Player.first``, ``Player.second`` or ``Player.chance``.")
      .def("first_player", first_player, nb::arg("state").none(),
           nb::sig("def first_player(self, state: State) -> bool"),
           "Whether the first player is to move and not the second; ChanceState if neither is.")
      .def(
          "terminal",
          [](const GameCalls& calls, nb::handle given) {
            const Own own(calls, given);
            return own.game().status(own.bytes()).terminal();
          },
          nb::arg("state").none(), nb::sig("def terminal(self, state: State) -> bool"),
          "Whether the match is over.")
      .def("outcome", outcome, nb::arg("state").none(),
           nb::sig("def outcome(self, state: State) -> int | None"),
           "+1, 0 or -1 for the first player, or None while the match goes on.")
      .def("actions", actions, nb::arg("state").none(),
           nb::sig("def actions(self, state: State) -> list[int]"),
           "The legal actions, ascending; none in a terminal state.")
      .def("apply", apply, nb::arg("state").none(), nb::arg("action").none(),
           nb::sig("def apply(self, state: State, action: int | str) -> State"),
           "The state after a legal action, or after the one with this text; InvalidAction otherwise.")
      .def("own_states", states, nb::arg("array"),
           nb::sig("def own_states(self, array: object) -> list[State]"))
      .def(
          "own",
          [](const GameCalls& calls, nb::handle given) { return Own(calls, given).object(calls, given); },
          nb::arg("state").none(), nb::sig("def own(self, state: State) -> State"),
          "The state as a state of this game; InvalidState if it is not one.");
}

}  // namespace

GameCalls::GameCalls(GamePointer pointer) : game(std::move(pointer)) {
  static std::atomic<std::uint64_t> made = 0;
  if (game == nullptr) throw InvalidParameter("A game is needed.");
  serial = ++made;
}

PyTypeObject* state_type() {
  return bound_state_type;
}

const std::byte* state_bytes(const Game& game, const StateArgument& given) {
  if (given.state != nullptr && given.state->native == &game) return given.state->bytes();
  const nb::bytes data = given.state != nullptr ? given.state->data : nb::borrow<nb::bytes>(given.bytes);
  require_size(game, data.size());
  const auto* bytes = static_cast<const std::byte*>(data.data());
  game.validate(bytes);
  return bytes;  // the caller of the call has the object
}

nb::object make_state(nb::handle game, const Game& native, const nb::bytes& data) {
  nb::object made = nb::inst_alloc(reinterpret_cast<PyObject*>(bound_state_type));
  new (nb::inst_ptr<State>(made)) State{nb::borrow(game), &native, data};
  nb::inst_mark_ready(made);
  return made;
}

CheckedBatch::CheckedBatch(const Game& game, const StateBatch& states, const Trusted* trust)
    : bytes(reinterpret_cast<const std::byte*>(states.data())), n(states.shape(0)) {
  const std::size_t size = game.spec().state_size;
  require_size(game, states.shape(1));
  if (trust != nullptr) return;
  // Another thread may change the array while it is worked on: what is looked at is what is used.
  copy_.assign(bytes, bytes + n * size);
  bytes = copy_.data();
  for (std::size_t i = 0; i < n; ++i) game.validate(bytes + i * size);
}

void refuse_action(nb::handle number) {
  std::string text;
  try {
    text = "Action " + text_of(number);
  } catch (nb::python_error&) {  // Python does not write whole numbers of thousands of digits
    text = "This action";
  }
  throw InvalidAction(text + " is not legal in this state.");
}

Action to_action(nb::handle number) {
  nb::object whole;
  if (PyFloat_Check(number.ptr())) {
    const double value = PyFloat_AS_DOUBLE(number.ptr());
    if (value != std::floor(value) || std::isinf(value)) refuse_action(number);
    whole = nb::steal(PyLong_FromDouble(value));
  } else {
    whole = nb::steal(PyNumber_Index(number.ptr()));
  }
  if (!whole.is_valid()) {
    PyErr_Clear();
    throw InvalidAction("An action is a whole number, not " + kind_name(number) + ".");
  }
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(whole.ptr(), &overflow);
  if (overflow != 0 || value < 0 || value > std::numeric_limits<Action>::max()) refuse_action(number);
  return static_cast<Action>(value);
}

void bind_states(nb::module_& module) {
  nb::class_<Trusted>(
      module, "Trusted",
      "A caller's promise that it has validated the states it passes. There is only one, ``trusted``; "
      "nothing else is accepted, and a false promise may crash the process.");
  module.attr("trusted") = nb::cast(Trusted{});
  bind_game_calls(module);
  bind_state(module);
}

}  // namespace glaux::bindings
