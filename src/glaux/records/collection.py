"""The records of a text, whatever its form: what they say of themselves, and one of them as the rules see it.

A list of hundreds of records costs no more than reading their words; only the chosen one is played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sgfmill import sgf_grammar

from glaux.errors import InvalidFile
from glaux.records.record import Record
from glaux.records.sgf import head_of, read_tree, read_trees
from glaux.records.text import Draft, read_drafts
from glaux.rules.game import Game


class Outline(NamedTuple):
    """What a record says of itself; it may be wrong."""

    game: str
    first: str
    second: str
    result: str


def is_sgf(text: str) -> bool:
    """Whether a text is SGF: a record as text never begins with a parenthesis."""
    return text.lstrip("\ufeff \t\r\n").startswith("(")


def outlines(text: str, game: str | None = None) -> list[Outline]:
    """All the records of a text; ``game`` is meant where none is named."""
    if is_sgf(text):
        heads = [head_of(tree) for tree in read_trees(text.encode())]
        return [Outline(head["Game"], head["First"], head["Second"], head["Result"]) for head in heads]
    drafts = read_drafts(text, game)
    return [
        Outline(draft.tag("Game"), draft.tag("First"), draft.tag("Second"), draft.tag("Result") or "*")
        for draft in drafts
        if draft.words
    ]


def read_one(
    text: str, number: int, make_game: Callable[[str], Game], game: str | None, longest: int
) -> Record:
    """The record of this number, the first is 0; InvalidFile if it is not there, wrong or too long."""
    if is_sgf(text):
        trees = read_trees(text.encode())
        if number < len(trees):
            _check_length(sum(len(tree.sequence) for tree in _trees_below(trees[number])), longest)
            return read_tree(trees[number], number + 1)
    else:
        drafts: list[Draft] = [draft for draft in read_drafts(text, game) if draft.words]
        if number < len(drafts):
            _check_length(drafts[number].size, longest)
            record = drafts[number].play(make_game)
            drafts[number].decide(record)
            return record
    raise InvalidFile(
        "There is no move in this record." if number == 0 else f"There is no record {number + 1}."
    )


def _check_length(size: int, longest: int) -> None:
    if size > longest:
        raise InvalidFile(f"A record can have at most {longest} moves.")


def _trees_below(tree: sgf_grammar.Coarse_game_tree) -> list[sgf_grammar.Coarse_game_tree]:
    found, waiting = [], [tree]
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].children
    return found
