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
#include <cstring>

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
    const auto [player, result] = nb::cast<std::tuple<int, int>>(rules().attr("status")(read(state)));
    return {player_of(player), static_cast<Result>(result)};
  }

  Measures measures(const std::byte* state) const override {
    nb::gil_scoped_acquire gil;
    const auto [ply, score, first, second] =
        nb::cast<std::tuple<int, double, int, int>>(rules().attr("measures")(read(state)));
    return {ply, score, {first, second}, {0, 0}};
  }

  int actions(const std::byte* state, Action* out) const override {
    nb::gil_scoped_acquire gil;
    const auto actions = nb::cast<std::vector<Action>>(rules().attr("actions")(read(state)));
    if (actions.size() > static_cast<std::size_t>(spec_.max_actions)) {
      throw BrokenRules(spec_.title + " gave more actions than it said it has.");
    }
    std::copy(actions.begin(), actions.end(), out);
    return static_cast<int>(actions.size());
  }

  void apply(const std::byte* state, Action action, std::byte* out) const override {
    nb::gil_scoped_acquire gil;
    write(rules().attr("apply")(read(state), action), out);
  }

  void encode(const std::byte* states, std::size_t n, float* planes) const override {
    nb::gil_scoped_acquire gil;
    copy_array<float>(rules().attr("encode")(batch(states, n)), n * spec_.encoding_size(), planes);
  }

  void cells(const std::byte* states, std::size_t n, std::uint8_t* codes) const override {
    nb::gil_scoped_acquire gil;
    copy_array<std::uint8_t>(rules().attr("cells")(batch(states, n)),
                             n * static_cast<std::size_t>(spec_.cell_count()), codes);
  }

  void transform(const std::byte* state, int symmetry, std::byte* out) const override {
    nb::gil_scoped_acquire gil;
    write(rules().attr("transform")(read(state), symmetry), out);
  }

  Action transform_action(const std::byte*, Action action, int symmetry) const override {
    nb::gil_scoped_acquire gil;
    return nb::cast<Action>(rules().attr("transform_action")(action, symmetry));
  }

  std::string action_text(const std::byte* state, Action action) const override {
    nb::gil_scoped_acquire gil;
    return nb::cast<std::string>(rules().attr("action_text")(read(state), action));
  }

  Cells action_cells(const std::byte* state, Action action) const override {
    nb::gil_scoped_acquire gil;
    return nb::cast<Cells>(rules().attr("action_cells")(read(state), action));
  }

  std::string state_text(const std::byte* state) const override {
    nb::gil_scoped_acquire gil;
    return nb::cast<std::string>(rules().attr("state_text")(read(state)));
  }

  std::optional<std::string> drawing(const std::byte* state) const override {
    nb::gil_scoped_acquire gil;
    return nb::cast<std::optional<std::string>>(rules().attr("drawing")(read(state)));
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
    std::vector<std::uint8_t> copy(n * spec_.state_size);
    std::memcpy(copy.data(), states, copy.size());
    return to_numpy(std::move(copy), {n, spec_.state_size}).cast();
  }

  void write(const nb::object& value, std::byte* out) const {
    const auto bytes = nb::cast<nb::bytes>(value);
    if (bytes.size() != spec_.state_size) throw BrokenRules(spec_.title + " gave a state of a wrong size.");
    std::memcpy(out, bytes.data(), bytes.size());
  }

  template <class T>
  void copy_array(const nb::object& value, std::size_t size, T* out) const {
    const auto array = nb::cast<nb::ndarray<const T, nb::c_contig, nb::device::cpu>>(value);
    if (array.size() != size) throw BrokenRules(spec_.title + " gave an array of a wrong size.");
    std::copy_n(array.data(), size, out);
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
        return std::make_shared<const PythonGame>(spec, rules);
      },
      nb::arg("spec"), nb::arg("rules"), "A game whose rules are the methods of a Python object.");
}

}  // namespace glaux::bindings
