"""The addresses of the server: what they answer, and how they refuse."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.looks.finding import look_named
from glaux.looks.look import KINDS
from glaux.search.registry import make_search, offered
from glaux.web.catalogue import Catalogue
from glaux.web.positions import describe, follow
from glaux.web.runs import Runs
from tests.boards import GAMES, small_game
from tests.rules.boards import GAMES as MADE_UP
from tests.web.clients import client, error


@pytest.fixture(scope="module")
def app() -> Iterator[TestClient]:
    with client() as made:
        yield made


def position(app: TestClient, game: str, actions: list[int], **more: Any) -> Any:
    return app.post("/api/position", json={"game": game, "actions": actions, **more})


def test_games_are_those_of_the_registry(app: TestClient) -> None:
    listed = app.get("/api/games").json()["games"]
    names = [game["name"] for game in listed]
    assert sorted(names) == sorted(glaux.games())  # other tests may have registered some
    kinds = list(KINDS)
    orders = [kinds.index(look_named(name).kind) for name in names if name in GAMES]
    assert orders == sorted(orders), "as glaux games has them"
    assert {p["name"] for p in next(g for g in listed if g["name"] == "hex")["parameters"]} == {
        "size",
        "swap",
    }


def test_alone_the_last_turn_is_the_last_action(app: TestClient) -> None:
    """All the others would be marked on the board as well."""
    game = glaux.make("morpion")
    state, actions = game.initial(), list[int]()
    for _ in range(3):
        actions.append(game.actions(state)[0])
        state = game.apply(state, actions[-1])
    told = position(app, game.text, actions).json()
    assert [move["action"] for move in told["last"]] == actions[-1:]


@pytest.mark.parametrize("name", GAMES)
def test_positions_agree_with_the_rules_along_a_match(app: TestClient, name: str, seed: int) -> None:
    game = small_game(name)
    rng = random.Random(seed)
    state, actions = game.initial(), list[int]()
    while not game.terminal(state) and len(actions) < 30:
        told = position(app, game.text, actions).json()
        assert told["cells"] == game.cells(state).ravel().tolist()
        assert told["first"] == game.first_player(state) and told["outcome"] is None
        assert [(m["action"], m["text"]) for m in told["actions"]] == [
            (action, game.action_text(state, action)) for action in game.actions(state)
        ]
        assert told["state"] == game.state_text(state)
        actions.append(rng.choice(game.actions(state)))
        state = game.apply(state, actions[-1])
    told = position(app, game.text, actions).json()
    assert told["outcome"] == game.outcome(state)
    assert told["last"][-1]["action"] == actions[-1]


@pytest.mark.parametrize("name", GAMES)
def test_every_path_names_one_action_or_a_button(app: TestClient, name: str, seed: int) -> None:
    """Two legal actions never touch the same cells, so that a person can play each of them."""
    game = small_game(name)
    state, rng, actions = game.initial(), random.Random(seed), list[int]()
    for _ in range(12):
        if game.terminal(state):
            break
        moves = position(app, game.text, actions).json()["actions"]
        paths = [tuple(move["path"]) for move in moves if move["path"]]
        assert len(set(paths)) == len(paths)
        if game.spec.players == 2:  # puzzles may have no cells to touch at all
            assert {move["text"] for move in moves if not move["path"]} <= {"pass", "swap"}
        actions.append(rng.choice(game.actions(state)))
        state = game.apply(state, actions[-1])


def test_captures_touch_both_cells(app: TestClient) -> None:
    told = position(
        app,
        "breakthrough",
        [],
        start=".O....../O......./.X....../......../......../......../X......./........ X 0",
    )
    moves = {move["text"]: move["path"] for move in told.json()["actions"]} if told.is_success else {}
    assert moves["b6xa7"] == [17, 8] and moves["b6b7"] == [17, 9]


def test_one_game_with_its_opponents(app: TestClient) -> None:
    told = app.get("/api/game", params={"text": "hex:size=7"}).json()
    assert told["game"] == "hex:size=7,swap=1"
    assert (told["rows"], told["columns"]) == (7, 7)
    assert (told["absent"], told["boards"], told["look"]["board"]["ground"]) == ([], [], "hexagons")
    assert {one["name"] for one in told["opponents"]} == {"random", *(entry.name for entry in offered())}
    assert told["opponents"][0]["name"] == "mcts", "the one that is chosen at first"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("hexx", "did you mean 'hex'"),
        ("hex:size=99", "size"),
        ("hex:colour=red", "has no parameter 'colour'"),
        ("docs/examples/tic_tac_toe.py:TicTacToe", "There is no game"),
        ("open_spiel:game=tic_tac_toe", "There is no game"),
        ("/etc/passwd", "There is no game"),
        ("hex:size", "Write a game as"),
    ],
)
def test_games_that_are_not_offered(app: TestClient, text: str, part: str) -> None:
    assert part in error(app.get("/api/game", params={"text": text}))
    assert part in error(position(app, text, []))


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"game": "hex", "actions": ["a1"]}, 422),
        ({"game": "hex", "actions": [-1]}, 422),
        ({"game": "hex", "actions": [2**40]}, 422),
        ({"game": "hex", "actions": [0] * 5001}, 422),
        ({"game": "hex", "path": "/etc/passwd"}, 422),
        ({"game": 7}, 422),
        ({"game": "hex", "actions": [0, 0]}, 400),
        ({"game": "hex", "actions": [121]}, 400),
        ({"game": "hex", "start": "no state"}, 400),
    ],
)
def test_bad_positions_get_one_sentence(app: TestClient, body: dict[str, Any], status: int) -> None:
    error(app.post("/api/position", json=body), status)


@settings(max_examples=50)
@given(st.binary(max_size=200))
def test_no_body_breaks_the_server(app: TestClient, body: bytes) -> None:
    for address in ("/api/position", "/api/record"):
        answered = app.post(address, content=body, headers={"content-type": "application/json"})
        assert answered.status_code in (400, 422)
        error(answered, answered.status_code)


def test_other_addresses_get_one_sentence(app: TestClient) -> None:
    for path in (
        "/api/nothing",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/docs",
        "/openapi.json",
        "/static/",
    ):
        error(app.get(path), 404)
    error(app.get("/api/position"), 405)


def test_a_record_is_read_into_moves(app: TestClient) -> None:
    text = '[Game "hex:size=5,swap=1"]\n[First "you"]\n[Result "1-0"]\n\n1. c3 swap 2. b2 {best} d3 *'
    told = app.post("/api/record", json={"text": text}).json()
    assert told["game"] == "hex:size=5,swap=1"
    assert [move["text"] for move in told["moves"]] == ["c3", "swap", "b2", "d3"]
    assert [move["first"] for move in told["moves"]] == [True, False, True, False]


def test_records_are_listed_opened_and_written_with_variations(app: TestClient) -> None:
    one = (
        '[Game "hex:size=5,swap=0"]\n[First "a"]\n[Second "b"]\n[Result "1-0"]\n\nc3 ( b2 ( d1 ) a1 ) d4\n\n'
    )
    told = app.post("/api/records", json={"text": one * 3}).json()
    assert told["count"] == 3
    assert told["records"][2] == {"game": "hex:size=5,swap=0", "first": "a", "second": "b", "result": "1-0"}
    read = app.post("/api/record", json={"text": one * 3, "number": 2}).json()
    assert [move["text"] for move in read["moves"]] == ["c3", "d4"]
    (variation,) = read["variations"]
    assert [move["text"] for move in variation["moves"]] == ["b2", "a1"] and variation["ply"] == 0
    assert [one["ply"] for one in variation["variations"]] == [0]
    match = {
        "game": "hex:size=5,swap=0",
        "actions": [12, 18],
        "variations": [{"ply": 0, "actions": [6, 0], "variations": [{"ply": 1, "actions": [3]}]}],
        "first": "a",
        "second": "b",
        "verdict": 1,
        "reason": "resignation",
    }
    written = app.post("/api/write", json={**match, "form": "text"}).json()["text"]
    assert "c3 ( b2 a1 ( d1 ) ) d4" in written and '[Result "1-0"]' in written
    sgf = app.post("/api/write", json={**match, "form": "sgf"}).json()["text"]
    assert [one["first"] for one in app.post("/api/records", json={"text": sgf}).json()["records"]] == ["a"]
    assert "RE[B+Resign]" in sgf
    for text in (written, sgf):
        ended = app.post("/api/record", json={"text": text}).json()["ended"]
        assert ended == {"outcome": 1, "reason": "resignation"}
    again = app.post("/api/record", json={"text": sgf}).json()
    assert [move["action"] for move in again["variations"][0]["moves"]] == [6, 0]
    assert "no record 4" in error(app.post("/api/record", json={"text": one * 3, "number": 3}))
    late = {**match, "variations": [{"ply": 2, "actions": [1]}], "form": "text"}
    assert "to replace" in error(app.post("/api/write", json=late))
    assert "SGF can only hold" in error(
        app.post(
            "/api/write", json={"game": "amazons", "actions": [], "first": "", "second": "", "form": "sgf"}
        )
    )


@pytest.mark.parametrize(
    ("game", "moves", "cells"),
    [
        ("connect_four", "4 1 4 1 4 1 4", [17, 24, 31, 38]),
        ("connect_four", "1 2 3 4 5 6", []),
        ("hex:size=3,swap=0", "b1 a1 b2 c3 b3", [1, 4, 7]),
    ],
)
def test_what_won_is_said_by_look_and_rules(app: TestClient, game: str, moves: str, cells: list[int]) -> None:
    text = f'[Game "{game}"]\n\n{moves}'
    actions = [move["action"] for move in app.post("/api/record", json={"text": text}).json()["moves"]]
    assert position(app, game, actions).json()["winning"] == cells


def test_a_record_of_glaux_play_is_read(app: TestClient) -> None:
    text = "● you win after 3 actions.\nRecord: 4 4 3"
    told = app.post("/api/record", json={"text": text, "game": "connect_four"}).json()
    assert [move["text"] for move in told["moves"]] == ["4", "4", "3"]


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ({"text": "d4 e5"}, "a record must begin with its game"),
        ({"text": "   ", "game": "hex"}, "no move"),
        ({"text": "d4 d4", "game": "hex"}, "Line 1: 'd4' is not a legal action"),
        ({"text": '[Game "../secret"]\n\nd4'}, "There is no game"),
        ({"text": f'[Game "{"x" * 300}"]\n\nd4'}, "at most 200 characters"),
        ({"text": "1 " * 5001, "game": "connect_four"}, "at most 5000 moves"),
        ({"text": "d4 {never ends", "game": "hex"}, "has no end"),
    ],
)
def test_bad_records_get_one_sentence(app: TestClient, body: dict[str, Any], part: str) -> None:
    assert part in error(app.post("/api/record", json=body))


def test_sentences_do_not_repeat_long_texts(app: TestClient) -> None:
    told = error(app.post("/api/record", json={"text": "x" * 50_000, "game": "hex"}))
    assert len(told) < 700 and "is not a legal action" in told


def test_a_game_of_the_command_line_is_offered_by_its_name() -> None:
    with client(games=("docs/examples/tic_tac_toe.py:TicTacToe",)) as app:
        assert "tic_tac_toe" in [game["name"] for game in app.get("/api/games").json()["games"]]
        assert app.get("/api/game", params={"text": "tic_tac_toe"}).json()["game"] == "tic_tac_toe"
        assert len(position(app, "tic_tac_toe", [4]).json()["actions"]) == 8
        error(app.get("/api/game", params={"text": "docs/examples/tic_tac_toe.py:TicTacToe"}))


def test_the_page_is_light_and_whole(app: TestClient) -> None:
    static = Path(glaux.__file__).parent / "web" / "static"
    assert sum(file.stat().st_size for file in static.iterdir()) < 300_000
    page = app.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for name in ("app.js", "style.css", "icon.svg"):
        assert f"/static/{name}" in page.text
        got = app.get(f"/static/{name}", headers={"accept-encoding": "gzip"})
        assert got.content == (static / name).read_bytes()
        assert app.get(f"/static/{name}", headers={"if-none-match": got.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("rules", MADE_UP)
def test_boards_with_absent_cells_and_several_boards(rules: type[glaux.Rules], tmp_path: Path) -> None:
    game = glaux.make(rules)
    told = Catalogue(Runs(tmp_path)).describe(game)
    board = game.spec.board
    assert told["absent"] == [cell for cell in range(told["rows"] * told["columns"]) if not board.has(cell)]
    assert [part["rows"] for part in told["boards"]] == [part.rows for part in board.boards]
    moves = describe(follow(game, None, []))["actions"]
    assert all(len(move["path"]) == 1 and board.has(move["path"][0]) for move in moves)


def test_searches_have_the_threads_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, Any]] = []

    def make(entry: Any, game: Any, value: Any, options: dict[str, Any], heuristic: Any) -> Any:
        made.append(options)
        return make_search(entry, game, value, options, heuristic)

    monkeypatch.setattr("glaux.web.catalogue.make_search", make)
    game = small_game("othello")
    for entry in offered():
        Catalogue(Runs(tmp_path), threads=2).search(game, entry.name, 1 << 22, 1)
        assert made[-1].get("threads", 1) == (2 if "threads" in entry.option_names else 1)
