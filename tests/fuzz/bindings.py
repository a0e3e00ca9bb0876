"""Any call of the native core with any arguments, one after the other: an exception is an answer, the end of
the process is not, and neither is a call that a signal does not end.

An input is a program: bytes choose the calls and their arguments. The calls are those of the stub; objects
that earlier calls gave, and some games and states to begin with, are arguments of later ones.
"""

from __future__ import annotations

import ast
import signal
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from glaux import _core
from tests.fuzz.stub import Call, read_stub
from tests.fuzz.target import target

STEPS = 12
SECONDS = 0.5
"""of the processor for an input; then a signal ends its calls"""
DEEPEST = 3
LEFT_OUT = {"set_poll"}  # would outlive the input
GAMES: tuple[tuple[str, dict[str, int]], ...] = (
    ("hex", {"size": 3}),
    ("othello", {"size": 4}),
    ("connect_four", {"rows": 4, "columns": 4}),
    ("clobber", {}),
    ("rubik2", {}),
)
NUMBERS = (
    -1,
    31,
    64,
    255,
    1000,
    2**15,
    2**28,
    2**31 - 1,
    2**31,
    2**32,
    2**60,
    2**63 - 1,
    2**64 - 1,
    2**64,
    -(2**31),
    -(2**63),
)
FLOATS = (0.0, 0.5, 1.0, -1.0, 1e-9, 1e9, 1e300, -1e300, float("nan"), float("inf"), float("-inf"))
TEXTS = ("", "hex", "othello", "size", "a1", "\x00", "é" * 9, "X" * 300, "\ud800")
SHAPES = ((0,), (1,), (3,), (0, 0), (1, 0), (2, 3), (1, 8), (1, 1, 1), ())


class Overtime(Exception):
    """A call took too long, and was ended."""


class Choices:
    """Takes decisions off the front of an input; 0 when there is no more."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def below(self, n: int) -> int:
        if n <= 1:
            return 0
        size = 1 if n <= 256 else 2
        part = self.data[self.at : self.at + size]
        self.at += size
        return int.from_bytes(part, "little") % n

    def of(self, items: Any) -> Any:
        return items[self.below(len(items))]

    def bytes(self, n: int) -> bytes:
        part = self.data[self.at : self.at + n]
        self.at += n
        return part

    @property
    def more(self) -> bool:
        return self.at < len(self.data)


class Program:
    """The calls of one input."""

    def __init__(self, data: bytes) -> None:
        self.choices = Choices(data)
        self.stub = read_stub()
        self.calls = [call for call in self.stub.calls if call.name not in LEFT_OUT]
        self.objects: list[Any] = list(_games())

    def run(self) -> None:
        for _ in range(STEPS):
            if not self.choices.more:
                break
            self._step(self.choices.of(self.calls))

    def _step(self, call: Call) -> None:
        try:
            self._keep(self._do(call))
        except Overtime:
            raise
        except (SystemError, RecursionError):
            raise
        except Exception:
            pass

    def _do(self, call: Call, depth: int = 0) -> Any:
        given = [self._value(kind, depth) for kind in call.arguments]
        given = given[: self.choices.below(len(given) - call.required + 1) + call.required]
        if call.kind == "function":
            return getattr(_core, call.name)(*given)
        owner = getattr(_core, call.owner)
        if call.kind == "make":
            return owner(*given)
        subject = self._object(call.owner, depth)
        if call.kind == "get":
            return getattr(subject, call.name)
        if call.kind == "set":
            return setattr(subject, call.name, given[0])
        return getattr(subject, call.name)(*given)

    def _keep(self, result: Any) -> None:
        for item in result if isinstance(result, tuple) else [result]:
            if item is not None and not isinstance(item, (int, float, str, list)):
                self.objects.append(item)

    def _value(self, kind: ast.expr, depth: int) -> Any:  # noqa: PLR0911 (a table)
        if self.choices.below(24) == 23:
            return self.choices.of((None, "x", 0, b"", [], self.objects[-1], object()))  # of another kind
        match kind:
            case ast.Name(id=name):
                return self._named(name, depth)
            case ast.BinOp(left=left, right=right):
                return self._value(self.choices.of((left, right)), depth)
            case ast.Constant(value=value):
                return value
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[array, *_])):
                return self._array(ast.unparse(array), depth)
            case ast.Subscript(value=ast.Name(id="Mapping" | "dict"), slice=ast.Tuple(elts=[key, value])):
                return {
                    self._value(key, depth): self._value(value, depth) for _ in range(self.choices.below(3))
                }
            case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
                return tuple(self._value(part, depth) for part in parts)
            case ast.Subscript(slice=inner):
                return [self._value(inner, depth) for _ in range(self.choices.below(5))]
        return None

    def _named(self, name: str, depth: int) -> Any:
        makers: dict[str, Callable[[], Any]] = {
            "int": self._number,
            "float": lambda: self.choices.of(FLOATS),
            "bool": lambda: bool(self.choices.below(2)),
            "str": lambda: self.choices.of(TEXTS),
            "bytes": self._state,
            "object": lambda: self.choices.of(self.objects),
            "Callable": self._function,
        }
        if name in makers:
            return makers[name]()
        if name in self.stub.enums:
            return self.choices.of(list(getattr(_core, name)))
        return self._object(name, depth)

    def _object(self, name: str, depth: int) -> Any:
        there = [item for item in self.objects if isinstance(item, getattr(_core, name))]
        makers = self.stub.makers.get(name, [])
        if there and (not makers or depth >= DEEPEST or self.choices.below(3) > 0):
            return there[-1 - self.choices.below(min(len(there), 4))]
        if not makers or depth >= DEEPEST:
            return None
        made = self._do(self.choices.of(makers), depth + 1)
        self._keep(made)
        return made

    def _number(self) -> int:
        return self.choices.below(20) if self.choices.below(3) else self.choices.of(NUMBERS)

    def _game(self) -> Any:
        there = [item for item in self.objects if isinstance(item, _core.Game)]
        return self.choices.of(there)

    def _state(self) -> bytes:
        """A position of some game, or anything."""
        match self.choices.below(8):
            case 0:
                return self.choices.bytes(self.choices.below(64))
            case 1:
                earlier = [item for item in self.objects if isinstance(item, bytes)]
                return self.choices.of(earlier) if earlier else b""
        game = self._game()
        try:
            return (
                bytes(game.playouts(np.frombuffer(game.initial(), np.uint8)[None], _core.Rng(1))[0])
                if (self.choices.below(8) == 0)
                else bytes(game.scramble(self.choices.below(6), _core.Rng(self.choices.below(8))))
            )
        except Exception:
            return b""

    def _array(self, text: str, depth: int) -> Any:
        kind = next(
            k
            for k in ("uint8", "float32", "int8", "uint32", "int32", "uint64", "float64")
            if f"numpy.{k}]" in text
        )
        if kind == "uint8" and self.choices.below(6):
            states = [self._state() for _ in range(1 + self.choices.below(3))]
            if len({len(state) for state in states}) == 1:
                return np.frombuffer(b"".join(states), np.uint8).reshape(len(states), -1)
        array: Any = np.zeros(
            self.choices.of(SHAPES), self.choices.of((kind, kind, kind, "float64", "object"))
        )
        match self.choices.below(6):
            case 0:
                return array[::2] if array.ndim else array
            case 1:
                return array.T
            case 2 if array.size and array.dtype == np.float32:
                array.fill(self.choices.of(FLOATS))
        return array

    def _function(self) -> Callable[..., Any]:
        """A function for a value, a heuristic or a rule: right, wrong, or one that uses what calls it."""
        which, program = self.choices.below(6), self

        def function(*given: Any) -> Any:
            first = given[0] if given else None
            n = len(first) if isinstance(first, np.ndarray) else 1
            match which:
                case 0 | 1:
                    return np.zeros(n, np.float32)
                case 2:
                    return np.full(n + 1, np.nan, np.float32)
                case 3:
                    raise ValueError("on purpose")
                case 4:
                    return np.zeros(n, np.float32), np.ones((n, 7), np.float32)
            for item in program.objects:
                if isinstance(item, _core.Search):
                    program.choices.of(
                        (item.clear, item.decision, lambda item=item: item.begin_match(1, 0))
                    )()
            program.objects.extend(given)
            return np.zeros(n, np.float32)

        return function


@cache
def _games() -> tuple[Any, ...]:
    return tuple(_core.make_game(name, parameters) for name, parameters in GAMES)


def _seeds() -> list[bytes]:
    """A program for each call, with choices that differ."""
    calls = [call for call in read_stub().calls if call.name not in LEFT_OUT]
    return [i.to_bytes(2, "little") + bytes((i * k + 1) % 251 for k in range(40)) for i in range(len(calls))]


@target(seeds=_seeds)
def bindings(data: bytes) -> None:
    def end(number: int, frame: object) -> None:
        raise Overtime

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)
    try:
        Program(data).run()
    except Overtime:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
