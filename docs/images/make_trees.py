"""Draws the trees of docs/algorithms from real searches: ``python docs/images/make_trees.py``.

Connect Four on three columns and four rows, three in a row. The value function is noise, drawn from
the hash of each state and rounded: what a tree looks like does not depend on a good value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import glaux
from glaux import _core
from glaux.search.tree import Row, Tree

GAME = glaux.make("connect_four", rows=4, columns=3, length=3)
GROWN = "1 3"  # the position of ubfm.svg and descent.svg
ITERATIONS = 6
TRAP = "3 3 2 2 2"  # the position of completion.svg: the second player to move wins

LEAF, LEVEL, RADIUS = 43, 84, 17  # pixels: from leaf to leaf, from level to level, of a node
MARGIN = 20
INK, FAINT, LINE, PAPER, BLUE = "#2b2b2b", "#8a8578", "#b9b3a5", "#fcfbf8", "#2563c9"
PROVEN = {1: "#bfe5c6", 0: "#e0ded6", -1: "#f6c9bf"}
TIMES = "\N{MULTIPLICATION SIGN}"
STONES = {1: "#e2574c", 2: "#f2c14b"}


def noise(scale: float) -> glaux.OnStates:
    """A value function: numbers between -scale and scale with one decimal."""
    native = _core.NoiseValue()
    return glaux.OnStates(lambda states: np.round(scale * native.evaluate(GAME.native, states), 1))


@dataclass
class Node:
    """A state of the drawing, with what its parent knows of it."""

    state: glaux.State
    v: float
    c: int
    r: int
    n: int
    action: str
    best: bool
    """on the principal variation"""
    children: list[Node] = field(default_factory=list)
    x: float = 0
    y: float = 0

    def all(self) -> Iterator[Node]:
        """This node and those below."""
        yield self
        for child in self.children:
            yield from child.all()


def read(tree: Tree, completion: bool) -> Node:
    """The whole tree that a search has left."""
    variation = tree.principal_variation()
    rows = tree.children()
    root_row = Row(0, tree.value, 0, int(tree.resolved), 0)
    if tree.resolved:
        pick = max if GAME.first_player(tree.root) else min
        root_row = root_row._replace(c=pick(row.c for row in rows))

    def node(state: glaux.State, row: Row, action: str, best: list[int] | None) -> Node:
        r = row.r if completion else 0
        made = Node(state, row.v, row.c, r, row.n, action, best is not None)
        if GAME.terminal(state):
            return made
        for below in tree.children(state):
            follows = best[1:] if best and best[0] == below.action else None
            text = GAME.action_text(state, below.action)
            made.children.append(node(GAME.apply(state, below.action), below, text, follows))
        return made

    return node(tree.root, root_row, "", variation)


def place(root: Node, left: float, top: float) -> tuple[float, float]:
    """Give every node its place, leaves side by side and parents above the middle; right and bottom."""
    next_leaf = left + LEAF / 2

    def walk(node: Node, depth: int) -> None:
        nonlocal next_leaf
        node.y = top + depth * LEVEL + RADIUS
        for child in node.children:
            walk(child, depth + 1)
        if node.children:
            node.x = (node.children[0].x + node.children[-1].x) / 2
        else:
            node.x = next_leaf
            next_leaf += LEAF

    walk(root, 0)
    return next_leaf - LEAF / 2, max(node.y for node in root.all()) + RADIUS


def text(x: float, y: float, words: str, *, size: float = 12, fill: str = INK, rest: str = "") -> str:
    """A text with its middle at x."""
    anchor = "" if "text-anchor" in rest else ' text-anchor="middle"'
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}"{anchor} {rest}>{words}</text>'


def shape(x: float, y: float, first_player: bool, terminal: bool, style: str, r: float = RADIUS) -> str:
    """A square for the first player to move, a circle for the second, an octagon for the end."""
    if terminal:
        k = r * 0.4142
        corners = [(-k, -r), (k, -r), (r, -k), (r, k), (k, r), (-k, r), (-r, k), (-r, -k)]
        points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
        return f'<polygon points="{points}" {style}/>'
    if first_player:
        side = r * 0.92
        return (
            f'<rect x="{x - side:.1f}" y="{y - side:.1f}" width="{2 * side:.1f}" '
            f'height="{2 * side:.1f}" rx="3" {style}/>'
        )
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" {style}/>'


def draw_node(node: Node) -> str:
    """The node with its value, coloured if it is proven."""
    terminal = GAME.terminal(node.state)
    grown = bool(node.children) or terminal
    fill = PROVEN[node.c] if node.r else "#ffffff"
    stroke = BLUE if node.best else INK if grown else LINE
    style = f'fill="{fill}" stroke="{stroke}" stroke-width="{2.4 if node.best else 1.3 if grown else 1}"'
    ink = INK if grown or node.r or node.best else FAINT
    value = f"{node.v:+.1f}".replace("-", "\N{MINUS SIGN}")
    return shape(node.x, node.y, GAME.first_player(node.state), terminal, style) + text(
        node.x, node.y + 4, value, fill=ink
    )


def draw_edge(parent: Node, child: Node) -> str:
    """The line to a child, with the action and how often it was selected."""
    colour, width = (BLUE, 2.6) if child.best else (INK, 1.3) if child.n else (LINE, 1)
    top, bottom = parent.y + RADIUS, child.y - RADIUS
    at = 0.6
    x, y = parent.x + (child.x - parent.x) * at, top + (bottom - top) * at
    halo = f'stroke="{PAPER}" stroke-width="5" paint-order="stroke" stroke-linejoin="round"'
    line = (
        f'<line x1="{parent.x:.1f}" y1="{top:.1f}" x2="{child.x:.1f}" y2="{bottom:.1f}" '
        f'stroke="{colour}" stroke-width="{width}"/>'
    )
    label = text(x, y, child.action, fill=BLUE if child.best else INK if child.n else FAINT, rest=halo)
    if child.n:
        label += text(x, y + 12, TIMES + str(child.n), size=10, fill=BLUE if child.best else INK, rest=halo)
    return line + label


def draw_board(state: glaux.State, left: float, top: float) -> str:
    """The position at the root."""
    cells, size = GAME.cells(state), 15
    parts = [
        f'<rect x="{left}" y="{top}" width="{3 * size + 6}" height="{4 * size + 6}" rx="5" fill="#3f6fb5"/>'
    ]
    for (row, column), code in np.ndenumerate(cells):
        x, y = left + 3 + (column + 0.5) * size, top + 3 + (row + 0.5) * size
        parts.append(f'<circle cx="{x}" cy="{y}" r="{size * 0.4}" fill="{STONES.get(code, PAPER)}"/>')
    columns = [
        text(left + 3 + (i + 0.5) * size, top + 4 * size + 18, str(i + 1), size=10, fill=FAINT)
        for i in range(3)
    ]
    return "".join(parts + columns)


def draw_tree(root: Node) -> str:
    """All the edges, then all the nodes."""
    nodes = list(root.all())
    edges = [draw_edge(node, child) for node in nodes for child in node.children]
    return "\n".join(edges + [draw_node(node) for node in nodes])


def legend(roots: list[Node], width: float, y: float) -> tuple[str, float]:
    """What the shapes and colours mean, in lines that fit the width; and its bottom."""
    plain = f'fill="#ffffff" stroke="{INK}" stroke-width="1.3"'
    entries: list[tuple[str, str]] = [
        (shape(0, 0, True, False, plain, 8), "first player to move: max"),
        (shape(0, 0, False, False, plain, 8), "second player to move: min"),
        (shape(0, 0, True, True, plain, 8), "end"),
        (f'<line x1="-9" y1="0" x2="9" y2="0" stroke="{BLUE}" stroke-width="2.6"/>', "best line"),
        (text(0, 4, TIMES + "3", size=11), "selected 3 times"),
    ]
    proven = {node.c for root in roots for node in root.all() if node.r}
    for c, words in ((1, "proven: first player wins"), (-1, "proven: second player wins")):
        if c in proven:
            style = f'fill="{PROVEN[c]}" stroke="{INK}" stroke-width="1"'
            entries.append((shape(0, 0, False, False, style, 8), words))
    parts, x = [], float(MARGIN)
    for drawing, words in entries:
        wide = 46 + 5.9 * len(words)
        if x + wide > width - MARGIN + 20:
            x, y = float(MARGIN), y + 26
        parts.append(f'<g transform="translate({x + 9:.1f} {y:.1f})">{drawing}</g>')
        parts.append(text(x + 24, y + 4, words, size=11.5, fill=INK, rest='text-anchor="start"'))
        x += wide
    return "".join(parts), y + MARGIN


def write(name: str, width: float, height: float, body: str) -> None:
    """The picture on a ground of its own, so that it can be seen on a dark page."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="Helvetica, Arial, sans-serif">\n'
        f'<rect x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="10" '
        f'fill="{PAPER}" stroke="{LINE}"/>\n{body}\n</svg>\n'
    )
    Path(__file__).with_name(name).write_text(svg)


def heading(left: float, words: str) -> str:
    """The title of a tree."""
    return text(left, MARGIN + 12, words, size=15, rest='text-anchor="start" font-weight="bold"')


def draw_search(name: str, title: str, kind: type[glaux.UBFM] | type[glaux.Descent]) -> None:
    """One tree with its board."""
    state = GAME.play(GROWN)
    tree = kind(GAME, noise(1), seed=0).run(state, iterations=ITERATIONS)
    root = read(tree, completion=True)
    right, bottom = place(root, MARGIN, MARGIN + 24)
    width = max(right + MARGIN, 760)
    below, height = legend([root], width, bottom + 34)
    body = [heading(MARGIN, title), draw_board(state, MARGIN, MARGIN + 26), draw_tree(root), below]
    write(name, width, height, "\n".join(body))


def draw_completion() -> None:
    """The same search without and with completion."""
    state = GAME.play(TRAP)
    roots, parts, left, bottom = [], [], float(MARGIN), 0.0
    for completion, title in ((False, "without completion"), (True, "with completion")):
        search = glaux.UBFM(GAME, noise(2), seed=0, completion=completion)
        tree = search.run(state, iterations=7)
        root = read(tree, completion)
        roots.append(root)
        words = f"{title}: plays {GAME.action_text(state, tree.action)}"
        parts += [heading(left, words), draw_board(state, left, MARGIN + 26)]
        right, low = place(root, left + 30, MARGIN + 24)
        parts.append(draw_tree(root))
        left, bottom = max(right, left + 230) + 2 * MARGIN, max(bottom, low)
    below, height = legend(roots, left - MARGIN, bottom + 34)
    write("completion.svg", left - MARGIN, height, "\n".join([*parts, below]))


if __name__ == "__main__":
    draw_search("ubfm.svg", f"UBFM, {ITERATIONS} iterations", glaux.UBFM)
    draw_search("descent.svg", f"Descent, {ITERATIONS} iterations", glaux.Descent)
    draw_completion()
