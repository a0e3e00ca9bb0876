"""``glaux bench signature``: one number for what Glaux does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from glaux.bench import signature as bench_signature
from glaux.bench.signature import SignaturePart
from glaux.cli.arguments import Json
from glaux.cli.figures import figures_table, measured
from glaux.cli.output import make_console, print_json
from glaux.errors import GlauxError

Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Also print the number of each part.")]
Expected = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Compare with this file, and name the parts that differ.", show_default=False
    ),
]
Write = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the numbers to this file.", show_default=False),
]


def signature(
    verbose: Verbose = False, expected: Expected = None, write: Write = None, json: Json = False
) -> None:
    """Print one number that changes only if the behaviour of a search or learner changes.

    Every search thinks about two positions of every game, and every learner trains for a few matches, with
    fixed seeds and limits. A change that only makes things faster or clearer keeps the number; a commit that
    changes it says why. This takes a few seconds; the speed of the machine does not matter.

    \b
    Examples:
      glaux bench signature
      glaux bench signature --verbose
      glaux bench signature --expected benchmarks/signature.txt
    """
    wanted = None if expected is None else bench_signature.read_expected(expected)
    parts: list[SignaturePart] = measured(list(bench_signature.tasks()))
    number = bench_signature.signature(parts)
    if write is not None:
        bench_signature.write_expected(write, parts)
    if json:
        rows = [{"part": p.name, "signature": p.number, "evaluations": p.evaluations} for p in parts]
        print_json({"signature": number, "parts": rows})
    else:
        if verbose:
            make_console().print(signature_table(parts))
        typer.echo(f"signature {number}")
    if wanted is not None and (changed := bench_signature.changes(parts, wanted)):
        raise GlauxError(
            f"The signature is {number}, but {expected} has {wanted.get(bench_signature.TOTAL)}: behaviour "
            f"has changed in {', '.join(changed)}. If you meant to change it, run with --write {expected} "
            "and say why in the commit message."
        )


def signature_table(parts: Sequence[SignaturePart]) -> Table:
    """The numbers of the parts as a table for people."""
    table = figures_table(("part",), ("evaluations", "signature"))
    for part in parts:
        table.add_row(part.name, f"{part.evaluations:,}", str(part.number))
    return table
