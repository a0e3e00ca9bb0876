"""``glaux play``, and the boards that it draws."""

import textwrap

from tests.cli.runner import run


def play(*arguments, stdin=""):
    result = run("play", *arguments, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def boards(output: str, title: str) -> list[str]:
    """The parts of the output that begin with the title line."""
    return output.split(f"\n{title}  ")[1:]


def assert_shows(output: str, drawing: str) -> None:
    """The drawing is somewhere in the output, shifted as a whole at the most."""
    lines, expected = output.splitlines(), textwrap.dedent(drawing).strip("\n")
    height = len(expected.splitlines())
    blocks = ["\n".join(lines[i : i + height]) for i in range(len(lines))]
    assert expected in map(textwrap.dedent, blocks), output
