import json
from typing import Any

import pytest

import glaux
from glaux.errors import GlauxError, InvalidParameter, UnknownName
from glaux.learn.athenan import Athenan
from glaux.learn.preset import configure, find_preset, presets
from glaux.learn.registry import LEARNERS, change_config, make_learner, read_config
from glaux.values.families import FAMILIES
from glaux.values.networks.network import NetworkSettings
from glaux.values.networks.presets import preset as network_preset
from tests.boards import GAMES
from tests.learn.small import small


def test_a_configuration_survives_json() -> None:
    config = small()
    assert read_config(json.loads(json.dumps(config.write()))) == config


def test_settings_of_the_command_line() -> None:
    changed: Any = change_config(
        small(),
        ["search.seconds=0.5", "search.evaluations=0", "seed=3", "value.count=7", "search.completion=false"],
    )
    assert (changed.search.seconds, changed.search.evaluations, changed.seed) == (0.5, 0, 3)
    assert changed.value.count == 7
    assert changed.search.completion is False
    assert change_config(small(), ["seed=1", "seed=2"]).seed == 2
    other = change_config(small(), ["value.family=network", "value.architecture=C"])
    assert other.value == NetworkSettings(architecture="C")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("search.second=1", "no setting 'search.second': did you mean 'search.seconds'"),
        ("sed=1", "no setting 'sed': did you mean 'seed'"),
        ("serch.seconds=1", "no section 'serch': did you mean 'search'"),
        ("search=1", "no setting 'search'"),
        ("game=hex", "no setting 'game'"),
        ("seed", "written as name=value"),
        ("seed=x", "must be a number"),
        ("seed=-1", r"seed must be a whole number from 0 to 2\^64 - 1, not -1"),
        ("search.completion=maybe", "must be true or false"),
        ("search.evaluations=0", "needs a limit"),
        ("search.seconds=-1", "can't be negative"),
        ("search.evaluations=1.5", "evaluations must be a whole number"),
        ("search.memory=0", "at least 1 megabyte"),
        ("replay.memory=0", "memory must be a whole number from 1 to"),
        ("search.algorithm=minimax", "There is no search.algorithm 'minimax'"),
        ("targets=roots", "did you mean 'root'"),
        ("symmetry=every", "There is no symmetry 'every'"),
        ("replay.kind=prioritized", "There is no replay.kind"),
        ("workers=0", "A training run's workers must be a whole number from 1 to 1,024, not 0"),
        ("checkpoint_every=-1", "checkpoint_every must be a finite number from 0 to"),
        ("td.lambda_=0.5", "'td' belongs to the learner td"),
        ("value.cuont=5", "The family ntuple has no setting 'cuont': did you mean 'count'"),
        ("value.count=many", "must be a number"),
        ("value.count=1.5", "count must be a whole number"),
        ("selection.completed=perhaps", "must be true or false"),
    ],
)
def test_wrong_settings_get_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        change_config(small(), [text])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"value": {"family": "forest"}}, "There is no family 'forest'"),
        ({"value": {"family": "ntuple", "cuont": 3}}, "did you mean 'count'"),
        ({"value": {"family": "ntuple", "rule": "adam"}}, "no learning rule 'adam'"),
        ({"value": 3}, r"\[value\] must be a table"),
        ({"search": 3}, r"\[search\] must be a table"),
        ({"heuristic": "scroe"}, "scroe"),
        ({"selection": {"kind": "ordinal", "rate": "often"}}, "often"),
        ({"td": {"epsilon": 0.2}}, "'td' belongs to the learner td, but this is athenan: set learner=td"),
        ({"learner": "tdd"}, "There is no learner 'tdd': did you mean 'td'"),
        ({"learner": "td"}, "belongs to the learner athenan, but this is td"),
        ({"lockstep": 0}, "lockstep must be a whole number from 1 to 65,536, not 0"),
        ({"value": {"family": "network", "filter": 3}}, "did you mean 'filters'"),
        ({"value": {"family": "network", "depth": "3"}}, "depth must be a whole number"),
        ({"value": {"family": "ntuple", "filters": 3}}, "An n-tuple network has no setting 'filters'"),
        ({"strength": {"opponent": "mtcs"}}, "did you mean 'mcts'"),
        ({"strength": {"opponent": "mcts:iterations=x"}}, "iterations must be a whole number"),
        ({"strength": {"seconds": 0.0}}, "seconds must be a positive number, not 0"),
        ({"strength": {"games": -1}}, "games must be a whole number from 0 to"),
        ({"game": "checkers"}, "no game 'checkers'"),
        ({"replay": {"mu": 0}}, "mu"),
        ({"gaem": "hex"}, "did you mean 'game'"),
    ],
)
def test_what_can_t_be_made_gets_a_sentence(changes: dict, sentence: str) -> None:
    with pytest.raises(GlauxError, match=sentence):
        Athenan(small(**changes)).train(matches=1)


def test_the_layers_of_a_network_are_settings() -> None:
    value = {"family": "network", "architecture": "C", "depth": 1, "filters": 8, "dense": 5}
    learner = Athenan(small(value=value))
    assert learner.value.describe().startswith("1 convolution of 8 filters")
    with pytest.raises(InvalidParameter, match="padding=True, or depth=1"):
        Athenan(small(value={"family": "network", "architecture": "C"}))
    with pytest.raises(InvalidParameter, match="did you mean 'filters'"):
        Athenan(small(value=value | {"filter": 3}))


@pytest.mark.parametrize("name", [*GAMES, "any"])
def test_every_preset_makes_a_learner(name: str, pytestconfig: pytest.Config) -> None:
    """By day a network with a policy that every game has is made for every third game, each for others."""
    found, shared = presets(name), list(presets("any"))
    assert "laptop" in found
    game = "othello" if name == "any" else name
    for key, preset in found.items():
        assert len(preset.about) > 20
        config: Any = configure(game, preset)
        if config.value.family == "network":
            # Those of the papers are too large to be made here, but they must fit the board.
            spec = glaux.make(config.game).spec
            architecture = network_preset(config.value.architecture).architecture
            count = architecture.weight_count(len(spec.planes), spec.plane_rows, spec.plane_columns)
            assert count > 10_000
        elif (
            config.value.family != "policy"
            or key not in shared
            or (shared.index(key) + GAMES.index(game)) % 3 == 0
            or pytestconfig.getoption("--nightly")
        ):
            assert isinstance(make_learner(config), LEARNERS[config.learner])


def test_presets_of_a_game() -> None:
    with pytest.raises(UnknownName, match="no preset 'latpop' for hex: did you mean 'laptop'"):
        find_preset("hex", "latpop")
    config = configure("hex:size=5", find_preset("hex"))
    assert config.game == "hex:size=5,swap=1"


@pytest.mark.parametrize("game", ["rubik2", "rubik3"])
def test_a_preset_may_be_like_another_of_the_game(game: str) -> None:
    laptop, fast = (find_preset(game, name) for name in ("laptop", "tcl-fast"))
    assert configure(game, laptop).learner == "td"
    assert laptop.about != fast.about
    assert (laptop.minutes, laptop.matches, laptop.table) == (fast.minutes, fast.matches, fast.table)
    assert next(iter(presets(game))) == "laptop"


def test_a_game_s_preset_says_only_what_differs() -> None:
    own: Any
    every: Any
    own, every = (configure(game, find_preset(game)) for game in ("connect_four", "breakthrough"))
    assert (own.value.count, own.search.evaluations) == (70, 5000)
    assert own.workers == every.workers == 2
    assert own.replay == every.replay
    assert own.search.algorithm == every.search.algorithm == "descent"


def test_each_learner_has_its_own_settings() -> None:
    athenan, td = (LEARNERS[name].config_type for name in ("athenan", "td"))
    assert {"search", "selection", "replay", "targets"} <= set(athenan.names()) - set(td.names())
    assert set(td.names()) - set(athenan.names()) == {"td"}
    switched: Any = change_config(small(), ["learner=td", "td.step_reward=-0.1", "td.lambda_=0.5"])
    assert (switched.learner, switched.td.step_reward, switched.seed) == ("td", -0.1, small().seed)
    assert "search" not in switched.write()
    assert read_config(switched.write()) == switched


@pytest.mark.parametrize("name", LEARNERS)
def test_every_setting_says_what_it_is(name: str) -> None:
    for value in ({"family": family} for family in FAMILIES):
        for setting, _, about in read_config({"game": "hex", "learner": name, "value": value}).described():
            assert len(about) > 5, setting


def test_a_table_of_before_has_the_settings_of_all_learners() -> None:
    table = small().write() | {"td": {"epsilon": 0.2}}
    assert read_config(table, lenient=True) == small()
    with pytest.raises(InvalidParameter, match="no setting 'sed'"):
        read_config(table | {"sed": 1}, lenient=True)
