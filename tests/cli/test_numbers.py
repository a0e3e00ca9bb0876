"""Numbers that are none, wherever a person can write one: a sentence, and never a traceback."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from typing import Any

import pytest
import typer

import glaux
from glaux import _core
from glaux.cli.commands import SUMMARIES, LazyCommand
from glaux.errors import GlauxError
from glaux.fields import INT64, LONGEST, kind_of
from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import LEARNERS, change_config
from glaux.learn.td import TD
from glaux.players.registry import make_player, players, settings_of_player
from glaux.players.search_players import make_search_player
from glaux.search.registry import SEARCHES
from tests.cli.runner import refusal

TEXTS = [
    "nan",
    "inf",
    "-inf",
    "1e400",
    "-1",
    str(2**63),
    "3000000000",
    "1" + "0" * 30,
    "1" + "0" * 5000,
    "",
    "1k",
]
TEXTS += ["\uff11\uff12", "1_000", "0x10", "\udcff", "0.5", "1e300", "99999999999", "true", "None", "[]"]
GAME = glaux.make("connect_four")


def parameters() -> Iterator[Any]:
    def below(command: Any, name: str) -> Iterator[Any]:
        for parameter in command.params:
            yield pytest.param(parameter, id=f"{name}-{parameter.name}")
        for inner in getattr(command, "commands", {}).values():
            yield from below(inner, f"{name}-{inner.name}")

    for name in SUMMARIES:
        yield from below(LazyCommand(name).load(), name)


@pytest.mark.parametrize("parameter", list(parameters()))
def test_options_give_numbers_that_can_be_used(parameter: Any) -> None:
    context = typer.Context(typer.main.get_command(typer.Typer(callback=lambda: None)))
    for text in TEXTS:
        try:
            value = parameter.process_value(context, text)
        except Exception as error:
            # A usage error is printed as a sentence, too.
            assert isinstance(error, GlauxError) or hasattr(error, "exit_code"), error
            continue
        if isinstance(value, int | float):
            assert abs(value) <= (LONGEST if isinstance(value, float) else INT64)


def numeric(settings: Any) -> list[str]:
    return [f.name for f in fields(settings) if kind_of(f) not in (str, bool)]


@pytest.mark.parametrize("name", players())
def test_settings_of_players(name: str) -> None:
    """A player, or a sentence; no program of somebody else is started for that."""
    for settings in settings_of_player(name):
        for key in numeric(settings):
            for text in TEXTS:
                with suppress(GlauxError):
                    if name in SEARCHES:
                        make_search_player(name, GAME, f"{key}={text}", 0)
                    else:
                        make_player(f"{name}:{key}={text}", GAME, 0).close()


@pytest.mark.parametrize("name", list(LEARNERS))
def test_settings_of_trainings(name: str) -> None:
    config = change_config(
        configure("connect_four", find_preset("connect_four", "laptop")), [f"learner={name}"]
    )
    for key, value, _ in config.described():
        if isinstance(value, bool | str) and key != "value.count":
            continue
        for text in TEXTS:
            with suppress(GlauxError):
                changed = change_config(config, [f"{key}={text}"])
                if name == "td":
                    TD._options(FakeTD(changed))  # type: ignore[arg-type]


class FakeTD:
    """As much of a learner as its native options are made from."""

    def __init__(self, config: Any) -> None:
        self.config = config
        self.network = type(
            "Network", (), {"learning": config.value._learning(glaux.values.ntuple.Learning())}
        )


@pytest.mark.parametrize("info", _core.registry(), ids=lambda info: info.name)
def test_parameters_of_games(info: _core.GameInfo) -> None:
    for parameter in [p.name for p in info.parameters] + ["mobility"]:
        for text in TEXTS:
            with suppress(GlauxError):
                glaux.make(f"{info.name}:{parameter}={text}").initial()
        numbers: list[Any] = [math.nan, math.inf, 10**30, -1, None, [], 1e300]
        for number in numbers:
            with suppress(GlauxError):
                glaux.make(info.name, **{parameter: number})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["match", "hex", "mcts:playouts=3000000000", "random"],
            "playouts must be a whole number from 1 to 2^31",
        ),
        (
            ["train", "connect_four", "--set", "value.count=99999999999"],
            "count must be a whole number from 1 to 10,000",
        ),
        (["train", "connect_four", "--set", "value.count=1k"], "value.count must be a number, not '1k'"),
        (["perft", "hex", "1", "--state", "\udcff"], "some of its bytes are not characters"),
        (["train", "hex", "--minutes", "nan"], "--minutes must be a number up to 1,000,000,000, not 'nan'."),
    ],
)
def test_texts_that_gave_tracebacks(arguments: list[str], sentence: str) -> None:
    assert sentence in refusal(*arguments)
