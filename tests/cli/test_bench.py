import builtins
import json
import sys

import pytest

import glaux
from glaux import _core
from glaux.bench import search as bench_search
from glaux.bench import train as bench_train
from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import change_config, make_learner
from glaux.looks.finding import looks
from glaux.search.registry import SEARCHES
from tests.cli.runner import refusal, run

FIELDS = [
    "game",
    "playouts_per_second",
    "open_spiel_playouts_per_second",
    "ratio",
    "state_bytes",
    "mean_plies",
]


SEARCH_FIELDS = [
    "game",
    "algorithm",
    "value",
    "evaluations_per_second",
    "expansions_per_second",
    "iterations_per_second",
    "bytes_per_state",
    "child_bytes",
    "depth",
]


def rows(*arguments, bench="playouts"):
    result = run("bench", bench, "--json", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


@pytest.mark.parametrize("arguments", [(), ("--no-open-spiel",)])
def test_every_game(arguments):
    figures = rows("--seconds", "0.01", *arguments)
    assert [row["game"] for row in figures] == glaux.games()
    for row in figures:
        assert list(row) == FIELDS
        assert row["playouts_per_second"] > 0
        spec = glaux.make(row["game"]).spec
        assert row["state_bytes"] == spec.state_size
        assert 1 <= row["mean_plies"] <= spec.max_plies


def test_open_spiel_figures_and_ratio():
    pytest.importorskip("pyspiel")
    connect_four, santorini = rows("--game", "connect_four", "--game", "santorini", "--seconds", "0.5")
    theirs = connect_four["open_spiel_playouts_per_second"]
    assert theirs > 0
    assert connect_four["ratio"] == pytest.approx(connect_four["playouts_per_second"] / theirs, rel=0.01)
    assert connect_four["mean_plies"] == pytest.approx(21.5, abs=1.5)
    assert santorini["open_spiel_playouts_per_second"] is santorini["ratio"] is None


def test_without_open_spiel(monkeypatch):
    real_import = builtins.__import__

    def no_pyspiel(name, *arguments, **keywords):
        if name == "pyspiel":
            raise ImportError
        return real_import(name, *arguments, **keywords)

    monkeypatch.delitem(sys.modules, "pyspiel", raising=False)
    monkeypatch.setattr(builtins, "__import__", no_pyspiel)
    (row,) = rows("--game", "othello", "--seconds", "0.01")
    assert row["open_spiel_playouts_per_second"] is row["ratio"] is None


def test_other_parameters_are_not_compared():
    (row,) = rows("--game", "hex:size=4", "--seconds", "0.01")
    assert row["game"] == "hex:size=4,swap=1"
    assert row["open_spiel_playouts_per_second"] is None


def test_the_games_of_open_spiel_are_ours():
    pyspiel = pytest.importorskip("pyspiel")
    for name, text in {name: look.open_spiel.game for name, look in looks().items()}.items():
        if not text:
            continue
        game = glaux.make(name)
        spiel = pyspiel.load_game(text).new_initial_state()
        assert len(spiel.legal_actions()) == len(game.actions(game.initial())), name


def test_table():
    result = run("bench", "playouts", "--game", "hex:size=4", "--seconds", "0.01")
    assert result.stdout.splitlines()[0].split()[:2] == ["game", "playouts/s"]
    assert result.stdout.splitlines()[2].startswith("hex:size=4,swap=1 ")


def test_wrong_input():
    assert refusal("bench", "playouts", "--seconds", "0") == "--seconds must be more than 0, not 0."
    assert "--seconds must be a number up to" in refusal("bench", "playouts", "--seconds", "nan")
    assert "did you mean 'othello'?" in refusal("bench", "playouts", "--game", "otello")


@pytest.mark.slow
def test_temporal_differences():
    figures = rows("--game", "othello", "--seconds", "0.02", bench="td")
    assert [(row["lambda_"], row["threads"]) for row in figures] == [(0.0, 1), (0.0, 2), (0.5, 1), (0.5, 2)]
    for row in figures:
        assert row["game"] == "othello" and 40 < row["plies"] < 65
        assert row["learned_states_per_second"] > row["matches_per_second"] > 0
    assert "There is no preset 'tcl' for hex" in refusal("bench", "td", "--game", "hex")
    assert refusal("bench", "td", "--seconds", "0") == "--seconds must be more than 0, not 0."


def test_search_of_every_game():
    figures = rows("--seconds", "0.01", bench="search")
    assert [(row["game"], row["algorithm"]) for row in figures] == [
        (game, algorithm) for game in glaux.games() for algorithm in bench_search.algorithms()
    ]
    for row in figures:
        assert list(row) == SEARCH_FIELDS
        measured = SEARCHES[row["algorithm"]].measured
        assert measured is not None
        assert row["value"] == measured.value
        assert row["evaluations_per_second"] > 0
        assert row["iterations_per_second"] > 0
        assert row["child_bytes"] == measured.child_bytes
        assert row["bytes_per_state"] > row["child_bytes"]
        assert 0 <= row["depth"] <= glaux.make(row["game"]).spec.max_plies


def test_chosen_searches():
    figures = rows(
        *("--game", "hex:size=5", "--algorithm", "descent", "--algorithm", "uct", "--seconds", "0.01"),
        bench="search",
    )
    assert [(row["game"], row["algorithm"]) for row in figures] == [
        ("hex:size=5,swap=1", "descent"),
        ("hex:size=5,swap=1", "uct"),
    ]


def test_bytes_for_a_state_are_those_of_the_tree():
    """Counted in the arrays of the tree: expanded states, and children that are only edges."""
    game = glaux.make("hex")
    search = glaux.UBFM(game, _core.NoiseValue())
    evaluations = search.run(game.initial(), evaluations=200_000).statistics.evaluations
    _, expanded, _, _, _, (_, _, _, _, n) = search.native.dump()
    assert len(expanded) + (n == 0).sum() == pytest.approx(evaluations + 1, rel=0.05)


def test_overhead():
    states, planes = rows("--measure", "overhead", "--game", "hex", "--seconds", "0.01", bench="search")
    assert list(states) == [
        "game",
        "algorithm",
        "input",
        "microseconds_per_state",
        "states_per_call",
        "function_microseconds_per_call",
    ]
    assert (states["input"], planes["input"]) == ("states", "planes")
    assert states["states_per_call"] == pytest.approx(120, abs=2)
    for row in (states, planes):
        assert 0 < row["microseconds_per_state"] < 100
        assert 0 <= row["function_microseconds_per_call"] < 100


def test_growth():
    sizes = ("--states", "2000", "--states", "100")
    small, large, *zero = rows(
        *("--measure", "growth", "--game", "othello", "--algorithm", "ubfm"), *sizes, bench="search"
    )
    assert list(small) == [
        "game",
        "algorithm",
        "value",
        "states",
        "evaluations_per_second",
        "expansions_per_second",
        "evaluations_per_expansion",
        "ratio",
    ]
    assert (small["states"], large["states"]) == (100, 2000)
    assert [(row["value"], row["states"]) for row in zero] == [("zero", 100), ("zero", 2000)]
    assert small["ratio"] is None
    speeds = large["evaluations_per_second"] / small["evaluations_per_second"]
    assert large["ratio"] == pytest.approx(speeds, abs=0.001)


@pytest.mark.parametrize(
    ("arguments", "head"),
    [
        ((), ["game", "algorithm", "value"]),
        (("--measure", "overhead"), ["game", "algorithm", "input"]),
        (("--measure", "growth", "--states", "100"), ["game", "algorithm", "value"]),
    ],
)
def test_search_tables(arguments, head):
    options = ("--game", "connect_four", "--algorithm", "ubfm", "--seconds", "0.01")
    result = run("bench", "search", *options, *arguments)
    assert result.stdout.splitlines()[0].split()[:3] == head
    assert result.stdout.splitlines()[2].startswith("connect_four ")


def test_wrong_input_of_search():
    assert refusal("bench", "search", "--seconds", "0") == "--seconds must be more than 0, not 0."
    assert "did you mean 'othello'?" in refusal("bench", "search", "--game", "otello")
    assert "There is no algorithm 'ubmf': did you mean 'ubfm'?" in refusal(
        "bench", "search", "--algorithm", "ubmf"
    )
    assert "There is no measurement 'growht': did you mean 'growth'?" in refusal(
        "bench", "search", "--measure", "growht"
    )
    overhead = ("bench", "search", "--measure", "overhead")
    assert "leave out --algorithm" in refusal(*overhead, "--algorithm", "uct")
    growth = ("bench", "search", "--measure", "growth")
    assert "at least 1 state" in refusal(*growth, "--states", "0")
    assert "everything is proven" in refusal(
        *growth, "--game", "hex:size=3", "--algorithm", "ubfm", "--states", "1000000"
    )


def test_bench_alone_prints_help():
    result = run("bench")
    assert result.exit_code == 0
    assert "playouts" in result.stdout
    assert "search" in result.stdout


def test_a_slow_round_is_measured_nevertheless(monkeypatch):
    monkeypatch.setattr("glaux.learn.learner.GRACE", -10.0)  # nothing is over in time
    row = bench_train.measure("connect_four:rows=4,columns=4,length=3", "ntuple", 0.001, lockstep=2)
    assert row.matches == 2 and row.selfplay_states_per_second > 0


def test_rounds_without_an_evaluation_have_no_share():
    """On a tiny board many random openings end where all is proven at once."""
    pytest.importorskip("torch")
    game = "connect_four:rows=4,columns=4,length=3"
    settings = ["workers=1", "strength.every=0", "warm_start=0", "lockstep=2"]
    learner = make_learner(change_config(configure(game, find_preset(game, "alphazero")), settings))
    learner.matches = 2
    assert not any(match.evaluations for match in bench_train._rounds(learner)(range(3, 5)))
    share = bench_train._raw_share(learner, 2, 0.0)
    assert share is not None and share > 0


def test_trainings_have_their_rows():
    pytest.importorskip("torch")
    game = "connect_four:rows=4,columns=4,length=3"
    for family in bench_train.FAMILIES:
        [row] = rows(
            "--game", game, "--family", family, "--lockstep", "2", "--seconds", "0.01", bench="train"
        )
        assert (row["family"], row["lockstep"]) == (family, 2)
        assert row["matches"] > 0 and row["matches"] % 2 == 0, "rounds of two"
        assert row["selfplay_states_per_second"] > 0 and row["learned_states_per_second"] > 0
        shares = row["search"] + row["encoding"] + row["fitting"] + row["everything_else"]
        assert shares == pytest.approx(1, abs=0.01)  # they are rounded
        if family in ("alphazero", "exit"):
            assert 0 < row["raw_share"] < 10  # tiny states that are asked for again are valued once
        else:
            assert row["raw_share"] is None
    assert "did you mean 'alphazero'?" in refusal("bench", "train", "--family", "alphazer")
