"""The tree of a search as a picture: the actions that were looked at most, to some depth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from glaux.rules.game import State
from glaux.words import plural

if TYPE_CHECKING:
    from glaux.search.tree import Tree

WIDTH, HEIGHT = 92, 64
BOX_WIDTH, BOX_HEIGHT = 84, 38
COLOURS = {1: "#cfe8cf", 0: "#e6e6e6", -1: "#f3cfcf"}
"""of what is proven to be won, drawn or lost for the first player"""


@dataclass
class _Node:
    lines: tuple[str, str]
    colour: str
    children: list[_Node] = field(default_factory=list)
    x: float = 0.0
    depth: int = 0

    @property
    def width(self) -> int:
        return max(1, sum(child.width for child in self.children))


def tree_svg(tree: Tree, depth: int, children: int) -> str:
    """The tree as SVG: ``depth`` actions deep, with this many children of a state at most."""
    root = _Node((f"value {tree.value:.3g}", "proven" if tree.resolved else ""), "#ffffff")
    root.children = _below(tree, tree.root, depth, children)
    nodes: list[_Node] = []
    _place(root, 0, 0.0, nodes)
    width, height = root.width * WIDTH, (max(node.depth for node in nodes) + 1) * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="11"><title>Tree of a search</title>'
    ]
    for node in nodes:
        for child in node.children:
            parts.append(
                f'<line x1="{node.x:.1f}" y1="{_top(node) + BOX_HEIGHT}" x2="{child.x:.1f}" '
                f'y2="{_top(child)}" stroke="#999"/>'
            )
    for node in nodes:
        left, top = node.x - BOX_WIDTH / 2, _top(node)
        parts.append(
            f'<rect x="{left:.1f}" y="{top}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="5" '
            f'fill="{node.colour}" stroke="#666"/>'
        )
        for row, line in enumerate(node.lines):
            parts.append(
                f'<text x="{node.x:.1f}" y="{top + 16 + 14 * row}" text-anchor="middle">{escape(line)}</text>'
            )
    return "".join(parts) + "</svg>"


def _below(tree: Tree, state: State, depth: int, most: int) -> list[_Node]:
    if depth == 0 or tree.search.game.terminal(state):
        return []
    nodes = []
    for child in tree.ranked(state)[:most]:
        if not child.visits and not child.proven:
            continue
        colour = COLOURS[child.result] if child.proven else "#ffffff"
        node = _Node((f"{child.text}  {child.value:.3g}", plural(child.visits, "visit")), colour)
        if child.visits > 1:
            node.children = _below(tree, tree.search.game.apply(state, child.action), depth - 1, most)
        nodes.append(node)
    return nodes


def _place(node: _Node, depth: int, left: float, nodes: list[_Node]) -> None:
    node.depth, node.x = depth, left + node.width * WIDTH / 2
    nodes.append(node)
    for child in node.children:
        _place(child, depth + 1, left, nodes)
        left += child.width * WIDTH


def _top(node: _Node) -> float:
    return node.depth * HEIGHT + 6
