"""Calls that nobody should make: ``python -m tests.core.hostile SEED CALLS`` in a process that may die.

Every callable of ``glaux._core`` and of ``glaux`` is found by introspection (functions, constructors,
methods, properties and their setters), and called with arguments of :mod:`tests.core.specimens`. Any
exception is an answer. A call that takes long is interrupted as Ctrl-C would; one that can't be is a hang,
and ends the process. The last line of stdout names the call, so that whoever looks at the remains knows what
it was.
"""

from __future__ import annotations

import ast
import faulthandler
import inspect
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import glaux
from glaux import _core
from glaux._core import native
from tests.core.specimens import anything, pool

STUB = Path(str(_core.__file__)).with_name("native.pyi")
PATIENCE = 0.5
"""seconds that a call may take before it is interrupted"""
HANG = 300
"""seconds after which a call that does not heed that is a hang; a busy machine is slow"""
MEMORY = 6 << 30


@dataclass(frozen=True)
class Call:
    """A callable of the native core, with the types of its parameters as the stub has them."""

    name: str
    types: tuple[str, ...]
    do: Callable[..., Any]


def native_calls() -> Iterator[Call]:
    """All there are; a name that the stub lacks would be an error here."""
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield Call(node.name, _types(node), getattr(native, node.name))
        elif isinstance(node, ast.ClassDef):
            kind = getattr(native, node.name)
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and not hasattr(kind, "__members__"):
                    yield _method(kind, inner)


def _types(node: ast.FunctionDef) -> tuple[str, ...]:
    arguments = [*node.args.posonlyargs, *node.args.args]
    return tuple(ast.unparse(a.annotation) if a.annotation else a.arg for a in arguments)


def _method(kind: type[Any], node: ast.FunctionDef) -> Call:
    name, types = f"{kind.__name__}.{node.name}", _types(node)[1:]
    decorators = [ast.unparse(d) for d in node.decorator_list]
    if node.name == "__init__":
        return Call(name, types, kind)
    if "property" in decorators:
        return Call(name, (kind.__name__,), lambda self: getattr(self, node.name))
    if f"{node.name}.setter" in decorators:
        return Call(f"{name}=", (kind.__name__, *types), lambda self, value: setattr(self, node.name, value))
    return Call(name, (kind.__name__, *types), getattr(kind, node.name))


def public_calls() -> Iterator[Call]:
    """Those of ``glaux.__all__``, and the public methods of its classes."""
    for name in glaux.__all__:
        found = getattr(glaux, name)
        if not callable(found) or name in ("register", "load"):  # these change the process, or read files
            continue
        yield Call(f"glaux.{name}", _parameters(found), found)
        if not isinstance(found, type) or issubclass(found, Exception):
            continue
        for method, function in inspect.getmembers(found, callable):
            if not method.startswith("_") and method != "save":
                yield Call(f"glaux.{name}.{method}", _parameters(function), function)


NAMED = {"self": "GameCalls", "game": "GameCalls", "state": "State", "root": "State", "states": "uint8"}


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ("object",)
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return tuple(NAMED.get(p.name, str(p.annotation)) for p in positional)


def drawn(call: Call, data: st.DataObject) -> list[Any]:
    """The arguments of a call: mostly as many as it wants."""
    types = list(call.types)
    extra = data.draw(st.sampled_from([0, 0, 0, 0, 0, -1, 1]))
    if extra < 0:
        types = types[:-1]
    arguments = [data.draw(pool(kind)) for kind in types]
    return [*arguments, data.draw(anything)] if extra > 0 else arguments


class Interrupted(Exception):
    """The call took long, and heeded the signal."""


def interrupt(*_: object) -> None:
    raise Interrupted


def attempt(call: Call, arguments: list[Any]) -> None:
    """Make the call; whatever it says is an answer."""
    sys.stdout.write(f"{call.name}({', '.join(map(_shown, arguments))})\n")
    sys.stdout.flush()
    faulthandler.dump_traceback_later(HANG, exit=True)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    with suppress(Interrupted):  # the signal may come when the call is over already
        try:
            result = call.do(*arguments)
            _look_at(result)
        except Exception:
            pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    faulthandler.cancel_dump_traceback_later()


def _look_at(result: Any) -> None:
    """Arrays are read to the end: what they show must be there."""
    for part in result if isinstance(result, tuple) else (result,):
        if hasattr(part, "dtype"):
            part.sum()
        else:
            str(part)


def _shown(argument: Any) -> str:
    try:
        text = ascii(argument)
    except Exception:
        text = "?"
    return f"{type(argument).__name__} {text[:60]}"


def main(first: int, count: int) -> None:
    """Make so many calls, beginning with this seed."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, interrupt)
    calls = [*native_calls(), *public_calls()]

    @seed(first)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def make_calls(data: st.DataObject) -> None:
        _core.set_poll(int)  # a hook that was set by a call would end the searches among the arguments
        call = data.draw(st.sampled_from(calls))
        arguments = drawn(call, data)
        with suppress(Interrupted):  # it may come when the call is over
            attempt(call, arguments)

    make_calls()
    _core.set_poll(int)
    sys.stdout.write(f"alive after {count} calls of {len(calls)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
