"""All that can be called in the native core, read from its stub: a new binding is here by itself."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import glaux._core

STUB = Path(glaux._core.__file__).with_name("native.pyi")


@dataclass(frozen=True)
class Call:
    """A function, a constructor, a method, or the reading or setting of a property."""

    owner: str
    """the class, empty for a function"""
    name: str
    kind: str
    """function, make, method, get or set"""
    arguments: tuple[ast.expr, ...]
    """the annotations, without self"""
    required: int

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}" if self.owner else self.name


@dataclass(frozen=True)
class Stub:
    calls: tuple[Call, ...]
    makers: dict[str, list[Call]]
    """what gives an object of a class: constructors of it and its subclasses, functions that return it"""
    enums: frozenset[str]


@cache
def read_stub(path: Path = STUB) -> Stub:
    calls: list[Call] = []
    makers: dict[str, list[Call]] = {}
    bases: dict[str, list[str]] = {}
    enums: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            call = _call(node, "", "function", skip=0)
            calls.append(call)
            if isinstance(node.returns, ast.Name):
                makers.setdefault(node.returns.id, []).append(call)
        if not isinstance(node, ast.ClassDef):
            continue
        names = [base.id for base in node.bases if isinstance(base, ast.Name)]
        if any(isinstance(base, ast.Attribute) for base in node.bases):
            enums.add(node.name)
            continue
        bases[node.name] = [node.name, *(above for name in names for above in bases.get(name, []))]
        for item in node.body:
            if not isinstance(item, ast.FunctionDef):
                continue
            call = _call(item, node.name, _kind(item), skip=1)
            calls.append(call)
            if call.kind == "make":
                for name in bases[node.name]:
                    makers.setdefault(name, []).append(call)
    return Stub(tuple(calls), makers, frozenset(enums))


def _kind(item: ast.FunctionDef) -> str:
    if item.name == "__init__":
        return "make"
    for decorator in item.decorator_list:
        if isinstance(decorator, ast.Name) and decorator.id == "property":
            return "get"
        if isinstance(decorator, ast.Attribute) and decorator.attr == "setter":
            return "set"
    return "method"


def _call(item: ast.FunctionDef, owner: str, kind: str, skip: int) -> Call:
    arguments = [*item.args.posonlyargs, *item.args.args][skip:]
    annotations = tuple(a.annotation or ast.Name("object") for a in arguments)
    return Call(owner, item.name, kind, annotations, len(annotations) - len(item.args.defaults))
