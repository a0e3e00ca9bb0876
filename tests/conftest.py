"""One seed for all the random choices of a run, printed so that a failure can be repeated."""

import os
import secrets
import signal

import pytest
from hypothesis import HealthCheck, settings

# A job in the background ignores Ctrl-C, and so would the processes that tests start to interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Set before any worker process starts, so that all have the same.
os.environ.setdefault("GLAUX_SEED", str(secrets.randbits(32)))


def pytest_report_header() -> str:
    return f"GLAUX_SEED={os.environ['GLAUX_SEED']}"


# On a busy machine an example may take long: that is no failure.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture
def seed() -> int:
    """The seed of this run."""
    return int(os.environ["GLAUX_SEED"])
