"""Joining a Ray cluster by its address, and what can be wrong with it, each in one sentence.

    local                a cluster of this machine alone, which ends with the program
    auto                 the one that runs on this machine: ``ray start`` was called here
    HOST:6379            the one whose head is there, if this machine is one of its nodes
    ray://HOST:10001     the same from any machine

A program joins one cluster, once, and leaves it when it ends. Nothing is sent to Ray's makers: its usage
statistics are off. If a cluster asks for a token, Ray finds it in the environment.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
import warnings
from importlib.metadata import version
from typing import Any, TypeAlias

from glaux.errors import GlauxError, InvalidParameter, MissingExtra

Ray: TypeAlias = Any
"""the module ray"""

LOCAL, AUTO = "local", "auto"
PATTERN = re.compile(r"(?P<client>ray://)?(?P<host>[^\s/:]+|\[[0-9a-fA-F:]+\]):(?P<port>\d{1,5})")
KNOCK_SECONDS = 10.0
"""until a head that does not answer counts as none"""
LOOK_SECONDS = 120.0
"""until a cluster must have started a process: the first one of a node takes seconds"""

_joined: list[str] = []
"""the address of the cluster that this process has joined"""


def connect(address: str) -> Ray:
    """The module ray, joined to the cluster at this address; GlauxError with a sentence if that fails."""
    ray = _imported()
    if ray.is_initialized():
        if _joined and _joined != [address]:
            raise InvalidParameter(
                f"This process has already joined the cluster '{_joined[0]}': it can't also join '{address}'."
            )
        return ray
    _joined.clear()
    _check(address)
    handlers = _handlers()
    try:
        _join(ray, address)
        _look(ray, address)
    except BaseException:
        ray.shutdown()
        raise
    finally:
        for number, handler in handlers.items():  # Ray takes SIGTERM for itself
            signal.signal(number, handler)
    _joined.append(address)
    return ray


def _imported() -> Ray:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # it warns otherwise
    try:
        import ray  # noqa: PLC0415 (an optional dependency)
    except ImportError:
        raise MissingExtra("A cluster needs the package ray: pip install 'glaux[cluster]'.") from None
    return ray


def _handlers() -> dict[int, Any]:
    """The handlers of the signals that end a program; another thread than the main one changes none."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    return {number: handler for number, handler in found.items() if handler is not None}


def _check(address: str) -> None:
    """Raise an error for what is no address, or where nobody listens: Ray itself would try for minutes."""
    if address in (LOCAL, AUTO):
        return
    parts = PATTERN.fullmatch(address)
    if not parts or int(parts["port"]) > 65535:
        raise InvalidParameter(
            f"A cluster's address must be '{LOCAL}', '{AUTO}', HOST:6379 or ray://HOST:10001, not "
            f"'{address}'."
        )
    try:
        host = parts["host"].strip("[]")
        socket.create_connection((host, int(parts["port"])), KNOCK_SECONDS).close()
    except OSError as error:
        why = error.strerror or str(error)
        raise GlauxError(f"There is no Ray cluster at '{address}': {why}.") from None


def _join(ray: Ray, address: str) -> None:
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        options["include_dashboard"] = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(address=address, **options)
    except ImportError as error:
        raise MissingExtra(f"The address '{address}' needs ray[client]: {_line(error)}.") from None
    except ConnectionError as error:
        if address == AUTO:
            raise GlauxError(
                "No Ray cluster runs on this machine: start one with ray start --head."
            ) from None
        raise GlauxError(
            f"The Ray cluster at '{address}' refused access: {_line(error)}. If it asks for a token, set "
            "RAY_AUTH_MODE=token and RAY_AUTH_TOKEN."
        ) from None
    except (RuntimeError, ValueError, OSError) as error:
        raise GlauxError(f"The cluster '{address}' can't be joined: {_line(error)}.") from None


def _look(ray: Ray, address: str) -> None:
    """Raise an error if the cluster does not have this Glaux."""
    here = version("glaux")
    try:
        # A task without a processor: the cluster may be busy.
        there = ray.get(ray.remote(num_cpus=0)(_version).remote(), timeout=LOOK_SECONDS)
    except ray.exceptions.GetTimeoutError:
        raise GlauxError(
            f"The cluster '{address}' has not started a process in {LOOK_SECONDS:.0f} seconds."
        ) from None
    except ray.exceptions.RayError as error:
        raise cannot_import(error) from None
    if there != here:
        raise GlauxError(
            f"The cluster '{address}' has Glaux {there}, but this is {here}: install the same version."
        )


def _version() -> str:
    return version("glaux")


def cannot_import(error: BaseException) -> GlauxError:
    """What to say of a node that can't even begin."""
    missing = re.search(r"No module named '?([\w.]+)", str(error))
    what = f"lacks {missing[1]}" if missing else f"can't start ({_line(error)})"
    return GlauxError(f"A node of the cluster {what}: install the same Glaux on all of them.")


def _line(error: BaseException) -> str:
    """The last line of an error, which is what Ray has to say after its traces."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if len(lines) < 3 else lines[-1]).rstrip(".") if lines else type(error).__name__
