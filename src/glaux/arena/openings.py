"""What the pairs of games of a contest begin with: random actions, or the openings of a book."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from glaux.arena.book import Opening, make_book
from glaux.arena.match import random_opening
from glaux.arena.pool import derived_seed
from glaux.errors import InvalidParameter
from glaux.rules.game import Game


@dataclass(frozen=True)
class Openings:
    """The openings of a number of pairs of games; the same seed gives the same ones."""

    game: Game
    plies: int
    """of random openings, if there is no book"""
    book_plies: int | None
    seed: int
    pairs: int

    def check(self) -> None:
        """InvalidParameter if there are no such openings."""
        if self.plies < 0:
            raise InvalidParameter(f"An opening can't have {self.plies} plies.")
        if self.book_plies is None:
            random_opening(self.game, self.plies, self.seed)
            return
        if self.plies:
            raise InvalidParameter("A match can have random openings or a book, not both.")
        assert self.book

    @cached_property
    def book(self) -> list[Opening]:
        """The book in the order in which it is played; a sample of it if there are more than pairs."""
        assert self.book_plies is not None
        return make_book(self.game, self.book_plies, self.seed, self.pairs)

    def of_pair(self, pair: int) -> Opening:
        """The opening of a pair of games; after its last opening a book begins anew."""
        if self.book_plies is not None:
            return self.book[pair % len(self.book)]
        return tuple(random_opening(self.game, self.plies, derived_seed(self.seed, pair, 0)))
