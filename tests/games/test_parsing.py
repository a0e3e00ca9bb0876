"""Any text gives a state, an action, or one clear error; never a crash of the native core."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.errors import InvalidAction, InvalidState
from tests import boards

GAMES = {name: glaux.make(name) for name in boards.GAMES}
names = st.sampled_from(list(GAMES))


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, str]:
    """A game and the text of one of its states with a few characters changed, added or lost."""
    name = draw(names)
    game = GAMES[name]
    plies = draw(st.integers(0, 40))
    state = game.initial()
    for _ in range(plies):
        actions = game.actions(state)
        if not actions:
            break
        state = game.apply(state, draw(st.sampled_from(actions)))
    text = game.state_text(state)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        lost = draw(st.integers(0, 2))
        text = text[:at] + draw(st.text("XO.xo#/ 0123456789ab-,", max_size=2)) + text[at + lost :]
    return name, text


def parse_or_refuse(name: str, text: str) -> None:
    game = GAMES[name]
    try:
        state = game.parse_state(text)
    except InvalidState as error:
        assert str(error).endswith(".") and "\n" not in str(error)
        return
    assert game.parse_state(game.state_text(state)) == state
    assert game.state(bytes(state)) == state
    assert bool(game.actions(state)) != game.terminal(state)
    game.encode(state)
    game.playouts(state, 2)


@given(names, st.text(max_size=200))
def test_any_text_as_a_state(name: str, text: str) -> None:
    parse_or_refuse(name, text)


@pytest.mark.slow
@settings(max_examples=300)
@given(damaged())
def test_damaged_texts_of_states(case: tuple[str, str]) -> None:
    parse_or_refuse(*case)


@pytest.mark.slow
@settings(max_examples=300)
@given(names, st.data())
def test_damaged_bytes_of_states(name: str, data: st.DataObject) -> None:
    game = GAMES[name]
    state = game.states(game.playouts(game.initial(), 1, data.draw(st.integers(0, 100))))[0]
    damaged_bytes = bytearray(bytes(state))
    for _ in range(data.draw(st.integers(1, 3))):
        damaged_bytes[data.draw(st.integers(0, len(damaged_bytes) - 1))] = data.draw(st.integers(0, 255))
    try:
        game.playouts(game.state(bytes(damaged_bytes)), 2)
    except InvalidState as error:
        assert str(error)


@given(names, st.text(max_size=12))
def test_any_text_as_an_action(name: str, text: str) -> None:
    game = GAMES[name]
    state = game.initial()
    try:
        action = game.parse_action(state, text)
    except InvalidAction as error:
        assert "legal" in str(error)
        return
    assert action in game.actions(state)
    assert game.action_text(state, action).lower() == text.strip().lower()


@given(names, st.integers(-(2**70), 2**70))
def test_any_number_as_an_action(name: str, action: int) -> None:
    game = GAMES[name]
    if action in game.actions(game.initial()):
        game.apply(game.initial(), action)
    else:
        with pytest.raises(InvalidAction):
            game.apply(game.initial(), action)


@given(names, st.binary(max_size=400))
def test_any_bytes_as_a_state(name: str, data: bytes) -> None:
    try:
        GAMES[name].state(data)
    except InvalidState as error:
        assert str(error)
