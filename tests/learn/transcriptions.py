"""Literal transcriptions of the paper's Algorithms 2, 6, 7, 8 and 14, and the formula of section 7.

The witnesses of ``glaux.learn``: lists and loops in the paper's order and with its names in small
letters: m for the memory M, d for the data D, d_ for D', s for the groups S_i, free for G, b for B, p
for P. Where the paper draws at random, the drawing function is passed in, so that a test can prescribe
the draws.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any

Datum = Any


# Algorithm 6


def experience_replay(
    m: list[Datum],
    d: list[Datum],
    mu: int,
    sigma: Fraction,
    random_items: Callable[[list[Datum], int], list[Datum]],
) -> list[Datum]:
    for item in d:
        m.append(item)
    if len(m) > mu:
        while len(m) != mu:
            del m[0]
    if len(m) <= sigma * mu:
        return list(m)
    size = sigma * mu
    assert size.denominator == 1, "the paper does not say how to round"
    return random_items(m, int(size))


def experience_replay_of_matches(
    m: list[list[Datum]],
    d: list[Datum],
    mu: int,
    sigma: Fraction,
    random_items: Callable[[list[Datum], int], list[Datum]],
) -> list[Datum]:
    """The variant of footnotes 8 and 9: m has matches, and sigma * mu is a number of matches."""
    m.append(d)
    if len(m) > mu:
        while len(m) != mu:
            del m[0]
    items = [item for match in m for item in match]
    if len(m) <= sigma * mu:
        return items
    mean_length = Fraction(len(items), len(m))
    return random_items(items, round(sigma * mu * mean_length))


# Algorithm 7


def split(d: list[Datum], b: int) -> list[list[Datum]]:
    sets: list[list[Datum]] = []
    for item in d:
        if not sets or len(sets[-1]) == b:
            sets.append([])
        sets[-1].append(item)
    return sets


# Algorithm 8


def stratified_experience_replay(
    m: list[tuple[list[Datum], list[Datum]]],
    d: list[Datum],
    mu: int,
    delta: int,
    b: int,
    choice: Callable[[list[Datum]], Datum],
) -> list[list[Datum]]:
    """The groups S_1, ..., S_g that are learned; m holds the pairs (d, d')."""
    m.append((list(d), []))
    if len(m) > mu:
        while len(m) != mu:
            del m[0]
    n = sum(ceil(Fraction(delta, mu) * (len(d) + len(d_))) for d, d_ in m)
    g = max(1, floor(Fraction(n, b)))
    if abs(floor(Fraction(n, g)) - b) > abs(floor(Fraction(n, g + 1)) - b):
        g = g + 1
    free = list(range(g))
    s: list[list[Datum]] = []
    for _ in free:
        s.append([])
    for i in range(len(m)):
        d, d_ = m[i]
        length = ceil(Fraction(delta, mu) * (len(d) + len(d_)))
        for _ in range(length):
            datum = choice(d)
            d.remove(datum)
            d_.append(datum)
            if len(d) == 0:
                d = d_
                d_ = []
            j = choice(free)
            free.remove(j)
            if len(free) == 0:
                free = list(range(g))
            s[j].append(datum)
        m[i] = (d, d_)
    return s


# Algorithm 2


def epsilon_greedy(
    actions: list[int],
    v: dict[int, float],
    first_player: bool,
    exploitation: float,
    random: Callable[[], float],
    choice: Callable[[list[int]], int],
) -> int:
    """Exploitation is the paper's t / t_max. The first of equal actions is the best."""
    if random() <= exploitation:
        if first_player:
            return max(actions, key=lambda a: v[a])
        return min(actions, key=lambda a: v[a])
    return choice(actions)


# Algorithm 14


def ordinal(
    actions: list[int],
    v: dict[int, float],
    first_player: bool,
    exploitation: float,
    random: Callable[[], float],
) -> int:
    """Exploitation is the paper's t / t_max. Equal actions stay in the order of the list."""
    if first_player:
        ordered = sorted(actions, key=lambda a: v[a], reverse=True)
    else:
        ordered = sorted(actions, key=lambda a: v[a])
    i = 0
    n = len(ordered)
    for a in ordered:
        if random() <= (exploitation * (n - i - 1) + 1) / (n - i):
            return a
        i = i + 1
    raise AssertionError("the last action is taken with probability 1")


# Section 7


def ordinal_formula(n: int, exploitation: Fraction) -> list[Fraction]:
    """p(c_i), the probability of the i-th best action."""
    p: list[Fraction] = []
    for i in range(n):
        p.append((exploitation + (1 - exploitation) / (n - i)) * (1 - sum(p[:i], Fraction(0))))
    return p
