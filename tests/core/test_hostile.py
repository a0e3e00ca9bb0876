"""No call of the package may end the process or hang: a sample here, many more with ``--nightly``."""

from __future__ import annotations

import subprocess
import sys

import pytest

from glaux._core import native
from tests.core.hostile import native_calls, public_calls

CALLS = 1500


def test_every_name_of_the_core_is_called() -> None:
    names = {call.name.partition(".")[0] for call in native_calls()}
    found = {name for name, value in vars(native).items() if callable(value) and not name.startswith("_")}
    enums = {name for name in found if hasattr(getattr(native, name), "__members__")}
    without_calls = {"Trusted"}
    assert found - enums - without_calls == names


def test_every_public_name_is_called() -> None:
    names = {call.name for call in public_calls()}
    assert {"glaux.make", "glaux.State", "glaux.Game.apply", "glaux.UBFM.run", "glaux.run_many"} <= names


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(n, marks=pytest.mark.nightly) for n in range(3, 40))])
def test_the_process_lives(seed: int) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tests.core.hostile", str(seed), str(CALLS)],
        capture_output=True,
        text=True,
        timeout=850,
        check=False,
    )
    last = result.stdout.splitlines()[-1:]
    assert result.returncode == 0, f"{last}\n{result.stderr[-3000:]}"
    assert last == [f"alive after {CALLS} calls of {len([*native_calls(), *public_calls()])}"]
