"""One seed for all the random choices of a run, and the tiers of tests.

A run is the same every time: the gate of a change says nothing about luck. ``GLAUX_SEED=random`` explores
instead, with a seed that it prints and with fresh examples of hypothesis; ``GLAUX_SEED=123`` repeats a run.

``--fast`` is what ``make check`` runs: of every test its first case, and none that is marked ``slow``
because that one alone takes seconds. So a new test is in the fast tier by itself. Those that are marked
``nightly`` are run by ``--nightly`` alone.

The box of agents is empty for all tests but those of it (``tests/boxed.py``), so that no other test depends
on which agents ship.
"""

import os
import secrets
import signal

import pytest
from hypothesis import HealthCheck, settings

# A job in the background ignores Ctrl-C, one under nohup SIGHUP, and so would the processes that tests start
# and then tell to stop.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Set before any worker process starts, so that all have the same.
EXPLORING = os.environ.get("GLAUX_SEED") == "random" or "GLAUX_EXPLORING" in os.environ
if EXPLORING:
    os.environ["GLAUX_EXPLORING"] = "1"
    if os.environ["GLAUX_SEED"] == "random":
        os.environ["GLAUX_SEED"] = str(secrets.randbits(32))
os.environ.setdefault("GLAUX_SEED", "20261117")
os.environ["GLAUX_ZOO"] = os.devnull


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="the first case of every test that is not slow")
    parser.addoption("--nightly", action="store_true", help="also the tests that take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--nightly"):
        long = [item for item in items if item.get_closest_marker("nightly") is not None]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
    if not config.getoption("--fast"):
        return
    chosen: dict[str, pytest.Item] = {}
    for item in items:
        if item.get_closest_marker("slow") is None:
            chosen.setdefault(item.nodeid.partition("[")[0], item)
    kept = list(chosen.values())
    config.hook.pytest_deselected(items=list(set(items) - set(kept)))
    items[:] = kept


def pytest_report_header() -> str:
    return f"GLAUX_SEED={os.environ['GLAUX_SEED']}"


# On a busy machine an example may take long: that is no failure.
settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=not EXPLORING
)
settings.load_profile("patient")


@pytest.fixture
def seed() -> int:
    """The seed of this run."""
    return int(os.environ["GLAUX_SEED"])
