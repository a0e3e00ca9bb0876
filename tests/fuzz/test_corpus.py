"""The inputs that fuzzing has found are taken once each, and those that targets begin with; the native ones
by ``make sanitize``, under sanitizers.
"""

import pytest

from tests.fuzz.all_targets import TARGETS
from tests.fuzz.corpus import KEPT, kept_inputs

HERE = [name for name in TARGETS if name != "bindings"]
"""What can't end the process; the bindings are for ``make fuzz``, where a process more or less is nothing."""


@pytest.mark.parametrize("name", HERE)
def test_no_input_breaks_a_target(name: str) -> None:
    inputs = [*kept_inputs(name).values(), *TARGETS[name].seeds()]
    assert inputs
    for content in inputs:
        TARGETS[name].run(content)


@pytest.mark.parametrize("name", HERE)
def test_a_target_takes_nothing_and_anything(name: str) -> None:
    for content in (b"", b"\x00", b"\xff" * 40, b"\x01" + b"\x80" * 300):
        TARGETS[name].run(content)


def test_what_is_kept_is_small() -> None:
    sizes = {path.stem: path.stat().st_size for path in KEPT.glob("*.zip")}
    assert sizes.keys() >= TARGETS.keys()
    assert sum(sizes.values()) < 1_000_000
