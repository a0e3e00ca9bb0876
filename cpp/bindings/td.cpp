// TD learning of n-tuple networks.
#include "learn/td.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.h"
#include "core/errors.h"

namespace glaux::bindings {
namespace {

nb::list episodes(const std::vector<Episode>& record) {
  nb::list all;
  for (const Episode& episode : record) {
    nb::bytes start(episode.start.data(), episode.start.size());
    all.append(nb::make_tuple(start, episode.actions,
                              std::vector<bool>(episode.random.begin(), episode.random.end())));
  }
  return all;
}

}  // namespace

void bind_td(nb::module_& module) {
  nb::class_<Schedule>(module, "Schedule")
      .def(nb::init<double, double, bool>(), nb::arg("from_"), nb::arg("to"), nb::arg("geometric") = false)
      .def("at", &Schedule::at, nb::arg("share"));
  nb::class_<Starts>(module, "Starts")
      .def(nb::init<double, int, int>(), nb::arg("initial_share"), nb::arg("least"), nb::arg("most"));
  nb::class_<TdOptions>(module, "TdOptions")
      .def(nb::init<>())
      .def_rw("learning", &TdOptions::learning)
      .def_rw("alpha", &TdOptions::alpha)
      .def_rw("epsilon", &TdOptions::epsilon)
      .def_rw("gamma", &TdOptions::gamma)
      .def_rw("trace_factor", &TdOptions::lambda)
      .def_rw("cut", &TdOptions::cut)
      .def_rw("step_reward", &TdOptions::step_reward)
      .def_rw("learn_from_random", &TdOptions::learn_from_random)
      .def_rw("final_to_zero", &TdOptions::final_to_zero)
      .def_rw("starts", &TdOptions::starts)
      .def_rw("most_plies", &TdOptions::most_plies)
      .def_rw("wrapper_iterations", &TdOptions::wrapper_iterations)
      .def_rw("seed", &TdOptions::seed);
  nb::class_<TdTally>(module, "TdTally")
      .def_ro("episodes", &TdTally::episodes)
      .def_ro("plies", &TdTally::plies)
      .def_ro("steps", &TdTally::steps)
      .def_ro("evaluations", &TdTally::evaluations)
      .def_ro("squares", &TdTally::squares)
      .def_prop_ro("outcomes", [](const TdTally& tally) {
        return std::vector<std::uint64_t>(tally.outcomes, tally.outcomes + 3);
      });
  nb::class_<TdLearner>(module, "TdLearner", "One caller at a time: others get Busy while it trains.")
      .def(
          "__init__",
          [](TdLearner* self, GamePointer game, std::shared_ptr<NTuple> network,
             std::shared_ptr<const TerminalValue> terminal_value, const TdOptions& options) {
            if (game == nullptr || network == nullptr || terminal_value == nullptr) {
              throw InvalidParameter("A learner needs a game, a network and the values of terminal states.");
            }
            new (self) TdLearner(std::move(game), std::move(network), std::move(terminal_value), options);
          },
          nb::arg("game"), nb::arg("network"), nb::arg("terminal_value"), nb::arg("options"))
      .def(
          "run",
          [](TdLearner& learner, std::uint64_t first, std::uint64_t count, std::uint64_t total, double share,
             int threads) {
            nb::gil_scoped_release release;
            Pulse pulse = signal_pulse();
            return learner.run(first, count, total, share, threads, pulse, nullptr);
          },
          nb::arg("first"), nb::arg("count"), nb::arg("total") = 0, nb::arg("share") = 0.0,
          nb::arg("threads") = 1)
      .def(
          "recorded",
          [](TdLearner& learner, std::uint64_t first, std::uint64_t count, std::uint64_t total,
             double share) {
            std::vector<Episode> record;
            TdTally tally;
            {
              nb::gil_scoped_release release;
              Pulse pulse = signal_pulse();
              tally = learner.run(first, count, total, share, 1, pulse, &record);
            }
            return nb::make_tuple(tally, episodes(record));
          },
          nb::arg("first"), nb::arg("count"), nb::arg("total") = 0, nb::arg("share") = 0.0);
}

}  // namespace glaux::bindings
