"""The command line, run inside this process or as one of its own."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Timer
from typing import Any

from typer.testing import CliRunner

from glaux.cli import app

PLAIN = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
DEADLINE_SECONDS = 600
PROGRAM = str(Path(sys.executable).with_name("glaux"))


def run(*arguments: str, stdin: str | bytes = "") -> Any:
    """What ``glaux arguments`` gives: exit_code, stdout, stderr."""
    return CliRunner().invoke(app, list(arguments), input=stdin, env=PLAIN)


def refusal(*arguments: str) -> str:
    """The sentence with which a mistake ends: one line on stderr, nothing on stdout, exit code 2."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.startswith("glaux: ") and result.stderr.count("\n") == 1
    return result.stderr.removeprefix("glaux: ").rstrip("\n")


@contextmanager
def process(
    *arguments: str, stdin: int = PIPE, stdout: int = PIPE, environment: Mapping[str, str] = PLAIN
) -> Iterator["Popen[str]"]:
    """The installed program, with pipes unless told otherwise; ended with the block or after a while."""
    variables = {key: value for key, value in os.environ.items() if key not in PLAIN}
    variables |= {**environment, "SKBUILD_EDITABLE_VERBOSE": "0"}
    command = [PROGRAM, *arguments]
    with Popen(command, text=True, env=variables, stdin=stdin, stdout=stdout, stderr=PIPE) as started:
        deadline = Timer(DEADLINE_SECONDS, started.kill)
        deadline.start()
        try:
            yield started
        finally:
            deadline.cancel()
            started.kill()


def run_process(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the installed program."""
    with process(*arguments) as started:
        stdout, stderr = started.communicate(stdin)
    return started.returncode, stdout, stderr
