"""A wrong file ends in one sentence that says what is wrong, and the nearest right name."""

from __future__ import annotations

from pathlib import Path

import pytest

from glaux.errors import InvalidFile, InvalidParameter, UnknownName
from glaux.experiments.reading import read_experiment
from glaux.experiments.shipped import find_text
from tests.experiments.small import TEXT, small_plan

CHANGES = [
    ("title", 'title = "Small"', 'titel = "Small"', "no setting 'titel': did you mean 'title'?"),
    ("none", 'title = "Small"', 'title = ""', "needs a title"),
    ("toml", 'title = "Small"', "title = ", "Invalid value"),
    ("kind", "games = [", "games = 3 #", "games must be a list of texts, not 3"),
    ("key", "repetitions = 2", "repetition = 2", "no setting 'repetition': did you mean 'repetitions'?"),
    ("type", "matches = 6", "matches = '6'", "matches must be a whole number, not '6'"),
    ("least", "stages = 3", "stages = 0", "stages must be a whole number from 1"),
    ("both", "matches = 6", "matches = 6\nminutes = 1", "by either minutes or matches"),
    ("choice", 'rows = "both"', 'rows = "bth"', "no rows 'bth': did you mean 'both'?"),
    ("place", "{limit}", "{limt}", "a place for 'limt': did you mean 'limit'?"),
    ("claim", 'better = "tree"', 'better = "tre"', "no row 'tre': did you mean 'tree'?"),
    ("than", 'than = ["terminal"]', "", "must say what is better than what"),
    ("play", 'play = "final"', 'play = "finl"', "none called 'finl': did you mean 'final'?"),
    ("twice", 'name = "terminal"', 'name = "tree"', "The combination tree appears twice"),
    ("name", 'name = "terminal"', 'name = "a/b"', "may have letters, digits, '-', '_' and '.', not 'a/b'"),
    ("rows", "terminal = 40", "terminl = 40", "a row that the play has not: 'terminl'"),
    ("figures", "terminal = 40", "terminal = 'x'", "must have percentages only"),
    ("table", 'players = { depth1 = "greedy:value={value}" }', "players = 3", "a table of texts, not 3"),
    ("scale", "[scale.laptop]", "[scale.laptop.play.finl]\n[scale.laptop]", "none called 'finl'"),
    ("opponent", "mcts:iterations=50", "ubfm:value={value}", "has no value of its own"),
]


@pytest.mark.parametrize(("old", "new", "sentence"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_mistakes_are_sentences(old: str, new: str, sentence: str) -> None:
    assert old in TEXT
    with pytest.raises(InvalidFile) as caught:
        read_experiment(TEXT.replace(old, new, 1), "my.toml")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("'my.toml' is not an experiment file: ")
    assert "\n" not in str(caught.value)


def test_what_a_training_refuses_is_said_before_the_first() -> None:
    text = TEXT.replace("search.evaluations=40", "search.evaluatons=40")
    with pytest.raises(InvalidParameter, match=r"did you mean 'search\.evaluations'"):
        small_plan(text)
    with pytest.raises(UnknownName, match="no preset 'ntupl'"):
        small_plan(TEXT.replace('preset = "ntuple"', 'preset = "ntupl"'))
    with pytest.raises(InvalidParameter, match="no scale 'paper': there are laptop"):
        small_plan(scale_name="paper")
    with pytest.raises(InvalidParameter, match="has no play for rubik2"):
        small_plan(games=["rubik2"])
    for wrong in ({"minutes": 0.0}, {"matches": 0}, {"repetitions": 0}):
        with pytest.raises(InvalidParameter):
            small_plan(**wrong)


def test_an_experiment_that_is_not_there() -> None:
    with pytest.raises(UnknownName, match="no experiment 'table33': did you mean 'table3'"):
        find_text("table33")
    with pytest.raises(InvalidFile, match=r"no file 'mine\.toml'"):
        find_text("mine.toml")


def test_the_file_in_the_documentation_is_one() -> None:
    page = Path("docs/experiments.md").read_text()
    text = page.partition("```toml\n")[2].partition("```")[0]
    assert [one.name for one in read_experiment(text, "my.toml").combinations] == ["descent", "ubfm"]
    with pytest.raises(InvalidFile) as caught:
        read_experiment(text.replace("repetitions =", "repetition ="), "my.toml")
    assert f"glaux: {caught.value}" in page
