"""The Python face: a training, a match, a player and pictures in one call each."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter
from glaux.rules.contract import BrokenContract, check_game
from tests.cli.runner import refusal, run
from tests.learn.small import small

GAME = "connect_four:columns=4,length=3,rows=4"
QUICK = {"workers": 1, "warm_start": 200, "strength.every": 0, "search.evaluations": 50}


def test_a_training_a_match_and_a_player(tmp_path: Path) -> None:
    seen: list[int] = []
    place = glaux.train(
        GAME,
        matches=30,
        run=tmp_path / "run",
        settings=QUICK,
        on_progress=lambda status: seen.append(status.latest.match if status.latest else 0),
    )
    assert seen[-1] == 30 and isinstance(place, glaux.Run)
    figures = place.columns()
    assert figures["match"].tolist() == list(range(1, 31)) and np.isfinite(figures["loss"]).all()
    assert place.curve() == {} and len(list(place.matches())) == 30
    assert place.value().learned > 0
    standing = glaux.match(GAME, f"{place.path},seconds=0.01", "random", games=20)
    assert standing.total.games == 20 and standing.total.score > 0.8
    assert str(standing).endswith(")") and "won" in str(standing)
    game = glaux.make(GAME)
    state = game.play("2 4 2 4")
    assert game.action_text(state, glaux.player(place, game).choose(state)) == "2", "it wins at once"
    ElementTree.fromstring(place._repr_html_())


def test_a_training_by_its_whole_settings(tmp_path: Path) -> None:
    config: glaux.Config = small(warm_start=50, strength={"every": 0})
    place = glaux.train(config.game, config=config, matches=2, run=tmp_path / "run")
    assert place.config == config
    with pytest.raises(InvalidParameter, match="not of hex"):
        glaux.train("hex", config=config, matches=2, run=tmp_path / "other")
    with pytest.raises(InvalidParameter, match="minutes"):
        glaux.train("hex", minutes=0)


def test_the_curve_of_a_run(tmp_path: Path) -> None:
    place = glaux.Run.create(tmp_path / "run", small())
    for elapsed, score in ((1.0, 0.2), (11.0, 0.7)):
        row = {"kind": "strength", "match": 1, "elapsed": elapsed, "score": score, "low": 0.1, "high": 0.9}
        place.add_metrics(row | {"games": 20})
    assert place.curve()["score"].tolist() == [0.2, 0.7]
    picture = ElementTree.fromstring(place._repr_html_()).find("{http://www.w3.org/2000/svg}svg")
    assert picture is not None and len(list(picture.iter("{http://www.w3.org/2000/svg}circle"))) == 2


def test_actions_may_be_texts() -> None:
    game = glaux.make("hex:size=5")
    state = game.apply(game.initial(), "b3")
    assert state == game.play("b3")
    with pytest.raises(InvalidAction, match="'b3' is not a legal action"):
        game.apply(game.play("b3 c3"), "b3")


def picture_of(state: Any) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(state._repr_svg_()).iter())


@pytest.mark.parametrize("name", glaux.games())
def test_states_have_pictures(name: str) -> None:
    game = glaux.make(name)
    board = game.spec.board
    there = sum(map(board.has, range(board.rows * board.columns)))
    for state in [game.initial(), *game.states(game.playouts(game.initial(), 2, seed=1))]:
        kinds = [element.tag.rpartition("}")[2] for element in picture_of(state)]
        assert kinds.count("rect") + kinds.count("polygon") >= (there if not game.spec.has_scrambles else 24)
    assert "<svg" in game._repr_html_()


def test_a_stone_is_where_it_was_put() -> None:
    stones = [e for e in picture_of(glaux.make("othello").initial()) if e.tag.endswith("circle")]
    assert len(stones) == len({(e.get("cx"), e.get("cy")) for e in stones}) == 4
    assert len({e.get("fill") for e in stones}) == 2


def test_trees_explain_themselves() -> None:
    game = glaux.make(GAME)
    tree = glaux.MCTS(game, seed=1).run(game.initial(), iterations=500)
    ranked = tree.ranked()
    assert [child.visits for child in ranked] == sorted((row.n for row in tree.children()), reverse=True)
    assert {child.text for child in ranked} == {"1", "2", "3", "4"}
    assert len(list(ElementTree.fromstring(tree.svg(depth=2, children=2)).iter())) > 10
    assert repr(tree).startswith("<Tree value")


def test_glaux_check() -> None:
    assert "passed all checks in 2" in run("check", "docs/examples/domineering.py", "-n", "2").stdout
    assert "--matches must be at least 1" in refusal("check", GAME, "-n", "0")


def test_a_broken_game_is_named(tmp_path: Path) -> None:
    source = Path("docs/examples/tic_tac_toe.py").read_text()
    broken = tmp_path / "broken.py"
    broken.write_text(source.replace("*own.T, ", ""))  # columns do not win: no symmetry of the square
    said = "does not keep the contract in the random match of seed"
    with pytest.raises(BrokenContract, match=said):
        check_game(glaux.make(str(broken)), 30)
    assert said in refusal("check", str(broken), "-n", "30")


def test_networks_are_exported(tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    game = glaux.make(GAME)
    network = glaux.NeuralNetwork(game, "small", seed=3)
    network.save(tmp_path / "net")
    output = run("value", "export", str(tmp_path / "net"), str(tmp_path / "net.onnx"))
    assert output.exit_code == 0, output.output
    session = onnxruntime.InferenceSession(tmp_path / "net.onnx")
    states = game.playouts(game.initial(), 5)
    [values] = session.run(None, {"planes": game.encode(states)})
    np.testing.assert_allclose(values.ravel(), network.evaluate(states), atol=1e-5)
    table = glaux.NTupleNetwork(game, count=2, length=2)
    table.save(tmp_path / "table")
    assert "not a neural network" in refusal(
        "value", "export", str(tmp_path / "table"), str(tmp_path / "x.onnx")
    )
