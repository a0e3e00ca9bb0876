"""From a run to an agent in the box."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import glaux
from glaux.errors import InvalidFile, InvalidParameter
from glaux.learn import agents as making
from glaux.learn.agents import add_agent, add_matches, as_agent, read_match, recipe
from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import change_config, read_config
from glaux.values import packing
from glaux.values.zoo import agents, read_card
from tests.boxed import NAME, SETTINGS, own_box, small_run
from tests.cli.runner import run as run_command

__all__ = ["own_box"]

MATCH = {
    "game": NAME,
    "players": ["runs/four,seconds=0.1", "gtp:other"],
    "opening": 4,
    "book": None,
    "seed": 7,
    "games": 4,
    "wins": 2,
    "draws": 1,
    "losses": 1,
    "score": 0.625,
    "low": 0.2,
    "high": 0.9,
}


def written(path: Path, **changes: object) -> Path:
    path.write_text(json.dumps(MATCH | changes))
    return path


def test_a_run_becomes_an_agent(own_box: Path, tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    played = run_command(
        "match", NAME, f"{run.path},evaluations=20", "random", "--games", "2", "--workers", "1", "--json"
    )
    (tmp_path / "match.json").write_text(played.stdout)
    card = add_agent(run, measured=[tmp_path / "match.json"], commit="abc")
    assert agents() == [NAME] and read_card(NAME) == card
    assert (card.game, card.family, card.search, card.commit) == (
        glaux.make(NAME).rules_text,
        "ntuple",
        "ubfms",
        "abc",
    )
    assert (card.matches, card.version) == (5, glaux.__version__) and card.learned > 0 and card.machine
    [match] = card.measured
    assert (match.player, match.opponent, match.games) == ("zoo:evaluations=20", "random", 2)
    assert match.command == f"glaux match {NAME} zoo:evaluations=20 random --games 2"
    value, packed = run.value(), glaux.load(f"zoo:{NAME}")
    assert packed.forgotten and not packed.optimizer() and packed.game == value.game
    assert card.bits == making.USUAL[0] and card.error <= card.error_most < 1e-3
    start = value.game.initial()
    assert abs(packed.evaluate(start)[0] - value.evaluate(start)[0]) < 1e-3
    assert not [path for path in own_box.iterdir() if path.name != NAME], "nothing is left beside it"


def test_the_command_of_a_card_gives_the_settings_again(tmp_path: Path) -> None:
    config = small_run(tmp_path / "run").config
    told = recipe(config)
    assert told is not None
    again = change_config(configure(NAME, find_preset(NAME, told.preset)), told.settings)
    assert again.write() == config.write()
    assert {text.partition("=")[0] for text in told.settings} <= set(SETTINGS)
    special = read_config(config.write() | {"value": {"tuples": [[0, 1], [2, 3]]}})
    assert recipe(special) is None


def test_an_agent_is_replaced_whole_or_stays(
    own_box: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = add_agent(small_run(tmp_path / "first"))
    second = small_run(tmp_path / "second", matches=8)
    monkeypatch.setattr(making, "MOST", making.CARD_ROOM + 100)
    with pytest.raises(InvalidParameter, match="train one with fewer weights"):
        add_agent(second)
    monkeypatch.undo()
    monkeypatch.setenv("GLAUX_ZOO", str(own_box))
    monkeypatch.setattr(making, "MOST_IN_ALL", 100)
    with pytest.raises(InvalidParameter, match="All agents together"):
        add_agent(second)
    assert read_card(NAME) == first
    monkeypatch.undo()
    monkeypatch.setenv("GLAUX_ZOO", str(own_box))
    assert add_agent(second).matches == 8
    assert sorted(path.name for path in own_box.iterdir()) == [NAME]


def test_fewer_bits_where_the_room_is_small(
    own_box: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "FEW", 100)
    run = small_run(tmp_path / "run")
    whole = add_agent(run)
    size = sum(file.stat().st_size for file in (own_box / NAME).iterdir() if file.name != "card.json")
    monkeypatch.setattr(making, "MOST", making.CARD_ROOM + size - 1)
    smaller = add_agent(run)
    assert smaller.bits < whole.bits and smaller.error > whole.error


def test_other_sizes_have_no_agent(own_box: Path, tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", "connect_four:rows=5,columns=5")
    with pytest.raises(InvalidParameter, match=r"with default parameters only, connect_four:.*rows=5"):
        add_agent(run)


def test_matches_are_added_to_the_card(own_box: Path, tmp_path: Path) -> None:
    add_agent(small_run(tmp_path / "run"))
    add_matches(NAME, [written(tmp_path / "a.json"), written(tmp_path / "b.json", players=["zoo", "random"])])
    card = add_matches(NAME, [written(tmp_path / "a.json", wins=3, draws=0, score=0.75)])
    assert [(match.player, match.opponent, match.score) for match in card.measured] == [
        ("zoo:seconds=0.1", "gtp:other", 0.75),
        ("zoo", "random", 0.625),
    ]
    assert card.measured[0].command == (
        f"glaux match {NAME} zoo:seconds=0.1 gtp:other --games 4 --opening 4 --seed 7"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "othello"},
        {"players": ["zoo"]},
        {"wins": 5},
        {"score": "much"},
        {"low": -1.0},
        {"games": 2**80},
    ],
    ids=str,
)
def test_files_that_are_no_matches(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(InvalidFile, match="not the output of glaux match --json"):
        read_match(written(tmp_path / "a.json", **changes), glaux.make(NAME))


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("runs/four", "zoo"),
        ("runs/four,seconds=1", "zoo:seconds=1"),
        ("zoo:level=3", "zoo:level=3"),
        ("ubfms:value=runs/four,seconds=1", "ubfms:value=zoo,seconds=1"),
        ("greedy:value=runs/four", "greedy:value=zoo"),
    ],
)
def test_the_player_of_a_run_as_an_agent(text: str, agent: str) -> None:
    assert as_agent(text) == agent
