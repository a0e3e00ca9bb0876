"""A real cluster on this machine, for the tests of this folder."""

from __future__ import annotations

import secrets
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from glaux.cluster.connecting import connect
from tests.cluster.nodes import STORE, WORKERS, restore


@pytest.fixture(scope="package")
def cluster() -> Iterator[Any]:
    """A head with two processors, joined, on a port of its own and with a token of its own."""
    if find_spec("ray") is None:
        pytest.skip("the extra cluster is not installed")
    patch = pytest.MonkeyPatch()
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    patch.setenv("RAY_AUTH_MODE", "token")
    patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    import ray  # noqa: PLC0415 (which looks at the environment)
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": WORKERS, "include_dashboard": False, "object_store_memory": STORE},
    )
    try:
        restore(usual)
        connect(made.address)
        yield made
    finally:
        ray.shutdown()
        made.shutdown()
        restore(usual)
        patch.undo()


@pytest.fixture
def doomed(cluster: Any) -> Iterator[Any]:
    """A second node, to be removed."""
    usual = {signal.SIGTERM: signal.getsignal(signal.SIGTERM)}
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    restore(usual)
    yield node
    if node in cluster.worker_nodes:
        cluster.remove_node(node, allow_graceful=False)
