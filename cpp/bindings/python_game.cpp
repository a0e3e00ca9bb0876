// A Game whose rules are a Python object: glaux.rules.adapter.RulesAdapter, which checks all that the
// user's methods return, so that what arrives here is well-formed. Each call takes the GIL; an
// exception of the user's code travels through the native caller and comes out in Python again.
//
// The reference to the adapter is weak, because Python's collector can't see cycles through native
// memory; glaux.Game keeps the adapter alive.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "bindings/bindings.h"
#include "core/errors.h"
#include "core/generic.h"

namespace glaux::bindings {
namespace {

class PythonGame final : public GenericGame {
 public:
  PythonGame(Spec spec, const nb::object& rules) : GenericGame(std::move(spec)), weak_rules_(rules) {}
  ~PythonGame() override {
    nb::gil_scoped_acquire gil;
    weak_rules_.reset();
  }

  void initial(std::byte* out) const override {
    nb::gil_scoped_acquire gil;
    write(rules().attr("initial")(), out);
  }

  Status status(const std::byte* state) const override {
    nb::gil_scoped_acquire gil;
    const auto [player, result] =
        given<std::tuple<int, int>>(rules().attr("status")(read(state)), "a player and a result");
    return checked_status(player, result);
  }

  Measures measures(const std::byte* state) const override {
    nb::gil_scoped_acquire gil;
    const auto [ply, score, first, second] =
        given<std::tuple<int, double, int, int>>(rules().attr("measures")(read(state)), "its measures");
    if (ply < 0 || !std::isfinite(score)) {
      throw BrokenRules(spec_.title + " gave an impossible ply or score.");
    }
    return {ply, score, {first, second}, {0, 0}};
  }

  int actions(const std::byte* state, Action* out) const override {
    nb::gil_scoped_acquire gil;
    const auto actions = given<std::vector<Action>>(rules().attr("actions")(read(state)), "actions");
    require_actions(actions);
    std::copy(actions.begin(), actions.end(), out);
    return static_cast<int>(actions.size());
  }

  void apply(const std::byte* state, Action action, std::byte* out) const override {
    nb::gil_scoped_acquire gil;
    write(rules().attr("apply")(read(state), action), out);
  }

  // One call of Python for all the children, instead of two for each of them.
  void expand(const std::byte* state, Expansion& out) const override {
    nb::gil_scoped_acquire gil;
    using Children = std::tuple<std::vector<Action>, nb::bytes, std::vector<int>, std::vector<int>>;
    auto [actions, children, players, results] =
        given<Children>(rules().attr("expand")(read(state)), "the children of a state");
    require_actions(actions);
    const std::size_t n = actions.size();
    if (children.size() != n * spec_.state_size || players.size() != n || results.size() != n) {
      throw BrokenRules(spec_.title + " gave a different number of children than of actions.");
    }
    out.actions = std::move(actions);
    out.children.resize(children.size());
    if (n > 0) std::memcpy(out.children.data(), children.data(), children.size());
    out.statuses.resize(n);
    out.hashes.resize(out.wants_hashes ? n : 0);
    for (std::size_t i = 0; i < n; ++i) {
      out.statuses[i] = checked_status(players[i], results[i]);
      if (out.wants_hashes) out.hashes[i] = hash(out.children.data() + i * spec_.state_size);
    }
  }

  void encode(const std::byte* states, std::size_t n, float* planes) const override {
    nb::gil_scoped_acquire gil;
    copy_array<float>(rules().attr("encode")(batch(states, n)), n * spec_.encoding_size(), planes);
  }

  void cells(const std::byte* states, std::size_t n, std::uint8_t* codes) const override {
    nb::gil_scoped_acquire gil;
    copy_array<std::uint8_t>(rules().attr("cells")(batch(states, n)),
                             n * static_cast<std::size_t>(spec_.cell_count()), codes);
    const int cells = spec_.cell_count();
    for (std::size_t i = 0; i < n; ++i) {
      for (int cell = 0; cell < cells; ++cell) {
        if (*codes++ >= spec_.code_count(cell)) {
          throw BrokenRules(spec_.title + " gave a code that a cell can't have.");
        }
      }
    }
  }

  void transform(const std::byte* state, int symmetry, std::byte* out) const override {
    nb::gil_scoped_acquire gil;
    write(rules().attr("transform")(read(state), symmetry), out);
  }

  Action transform_action(const std::byte*, Action action, int symmetry) const override {
    nb::gil_scoped_acquire gil;
    const auto image = given<Action>(rules().attr("transform_action")(action, symmetry), "an action");
    require_action(image);
    return image;
  }

  void exchange(const std::byte* state, std::byte* out) const override {
    if (spec_.exchange.empty()) return Game::exchange(state, out);
    nb::gil_scoped_acquire gil;
    write(rules().attr("exchange")(read(state)), out);
  }

  Action exchange_action(const std::byte* state, Action action) const override {
    if (spec_.exchange.empty()) return Game::exchange_action(state, action);
    nb::gil_scoped_acquire gil;
    const auto image = given<Action>(rules().attr("exchange_action")(action), "an action");
    require_action(image);
    return image;
  }

  std::string action_text(const std::byte* state, Action action) const override {
    nb::gil_scoped_acquire gil;
    return given<std::string>(rules().attr("action_text")(read(state), action), "the text of an action");
  }

  Cells action_cells(const std::byte* state, Action action) const override {
    nb::gil_scoped_acquire gil;
    Cells cells = given<Cells>(rules().attr("action_cells")(read(state), action), "the cells of an action");
    for (const int cell : cells) spec_.board.check_cell(cell);
    return cells;
  }

  std::string state_text(const std::byte* state) const override {
    nb::gil_scoped_acquire gil;
    return given<std::string>(rules().attr("state_text")(read(state)), "the text of a state");
  }

  std::optional<std::string> drawing(const std::byte* state) const override {
    nb::gil_scoped_acquire gil;
    return given<std::optional<std::string>>(rules().attr("drawing")(read(state)), "a drawing");
  }

  void parse_state(std::string_view text, std::byte* out) const override {
    nb::gil_scoped_acquire gil;
    write(rules().attr("parse_state")(text), out);
  }

  void validate(const std::byte* state) const override {
    nb::gil_scoped_acquire gil;
    rules().attr("validate")(read(state));
  }

 private:
  nb::bytes read(const std::byte* state) const { return nb::bytes(state, spec_.state_size); }

  nb::object batch(const std::byte* states, std::size_t n) const {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(states);
    std::vector<std::uint8_t> copy(begin, begin + n * spec_.state_size);
    return to_numpy(std::move(copy), {n, spec_.state_size}).cast();
  }

  void write(const nb::object& value, std::byte* out) const {
    const auto bytes = given<nb::bytes>(value, "a state");
    if (bytes.size() != spec_.state_size) throw BrokenRules(spec_.title + " gave a state of the wrong size.");
    std::memcpy(out, bytes.data(), bytes.size());
  }

  template <class T>
  void copy_array(const nb::object& value, std::size_t size, T* out) const {
    const auto array = given<nb::ndarray<const T, nb::c_contig, nb::device::cpu>>(value, "an array");
    if (array.size() != size) throw BrokenRules(spec_.title + " gave an array of the wrong size.");
    std::copy_n(array.data(), size, out);
  }

  // What a method returned, as what it should be.
  template <class T>
  T given(const nb::object& value, const char* what) const {
    T wanted;
    if (!nb::try_cast(value, wanted)) {
      throw BrokenRules(spec_.title + " gave " + nb::cast<std::string>(value.type().attr("__name__")) +
                        ", which is not " + what + ".");
    }
    return wanted;
  }

  Status checked_status(int player, int result) const {
    const bool one = spec_.players == 1 && player != 0;
    if (player < 0 || player > 2 || one || result < -1 || result > ongoing) {
      throw BrokenRules(spec_.title + " gave an unknown player or result.");
    }
    return {player_of(player), static_cast<Result>(result)};
  }

  void require_actions(const std::vector<Action>& actions) const {
    if (actions.size() > static_cast<std::size_t>(spec_.max_actions)) {
      throw BrokenRules(spec_.title + " gave more actions than it said it had.");
    }
    for (std::size_t i = 0; i < actions.size(); ++i) {
      require_action(actions[i]);
      if (i > 0 && actions[i - 1] >= actions[i]) {
        throw BrokenRules(spec_.title + " gave actions that are not in ascending order.");
      }
    }
  }

  void require_action(Action action) const {
    if (action >= 0 && action < spec_.action_count) return;
    throw BrokenRules(spec_.title + " gave the action " + std::to_string(action) +
                      ", but its actions are 0 to " + std::to_string(spec_.action_count - 1) + ".");
  }

  nb::object rules() const {
    nb::object rules = weak_rules_();
    if (rules.is_none()) throw BrokenRules("The glaux.Game of " + spec_.title + " no longer exists.");
    return rules;
  }

  nb::weakref weak_rules_;
};

}  // namespace

void bind_python_game(nb::module_& module) {
  module.def(
      "python_game",
      [](const Spec& spec, const nb::object& rules) -> GamePointer {
        spec.check();
        return std::make_shared<const PythonGame>(spec, rules);
      },
      nb::arg("spec"), nb::arg("rules"), "A game whose rules are the methods of a Python object.");
}

}  // namespace glaux::bindings
