"""Runs all the fuzz targets for some time, and says what they found: ``make fuzz MINUTES=10``.

What is found stays under ``build/fuzz``: the inputs that reach something new (``corpus``), those that break
something (``crashes``) with the command that repeats each, and all that the fuzzers say (``logs``). With
``--pack`` the smallest set of inputs that reaches as much is kept for the tests (``tests/fuzz/corpus``).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.fuzz.all_targets import TARGETS
from tests.fuzz.corpus import KEPT, keep_inputs, unpack

PLACE = Path("build/fuzz")
BINARY = PLACE / "cpp/fuzz/fuzz"
MOST_CRASHES = 5
"""of a target; then it is left alone"""
SHARES = {"state_bytes": 4, "state_text": 2, "play": 2, "searches": 2, "bindings": 3}
"""of the time, for those that get more than one"""
LIMITS = (
    "-timeout=120",
    "-report_slow_units=60",
    "-rss_limit_mb=3000",
    "-max_len=4096",
    "-len_control=0",
    "-print_final_stats=1",
    "-reload=0",
)
SLOW = "slow-unit"
"""what libFuzzer calls an input that takes long, and keeps; on a busy machine any may"""
FAST = (
    "detect_leaks=0:malloc_context_size=3:quarantine_size_mb=8:allocator_may_return_null=1:"
    "max_allocation_size_mb=1500:detect_stack_use_after_return=0:handle_abort=1"
)
"""options of the address sanitizer: leaks are looked for by the tests"""


@dataclass
class Row:
    """What a target did."""

    name: str
    inputs: int = 0
    seconds: float = 0.0
    coverage: int = 0
    crashes: list[str] = field(default_factory=list)


class Fuzzer:
    """One target with its directories."""

    def __init__(self, name: str, native: bool) -> None:
        self.name, self.native = name, native
        self.corpus = PLACE / "corpus" / name
        self.crashes = PLACE / "crashes"
        self.log = PLACE / "logs" / f"{name}.log"
        for place in (self.crashes, self.log.parent):
            place.mkdir(parents=True, exist_ok=True)

    @property
    def command(self) -> list[str]:
        if self.native:
            return [str(BINARY), f"--target={self.name}"]
        return [sys.executable, "-m", "tests.fuzz.python", self.name]

    @property
    def environment(self) -> dict[str, str]:
        """With sanitizers in Python, too, where the native core is what is looked at."""
        extra = {"ASAN_OPTIONS": FAST, "UBSAN_OPTIONS": "print_stacktrace=1"}
        if not self.native:
            extra |= preloaded()
        return extra

    def prepare(self) -> None:
        """Bring the inputs to begin with."""
        seeds = [] if self.native else TARGETS[self.name].seeds()
        unpack(self.name, self.corpus, seeds)

    def options(self) -> list[str]:
        words = [] if self.native else TARGETS[self.name].words
        if not words:
            return [*LIMITS]
        dictionary = PLACE / f"{self.name}.dict"
        escaped = ["".join(f"\\x{byte:02x}" for byte in word.encode("latin-1")) for word in words]
        dictionary.write_text("".join(f'"{word}"\n' for word in escaped))
        return [*LIMITS, f"-dict={dictionary}"]

    def run(self, seconds: float) -> Row:
        """Look for faults, and go on behind each."""
        self.prepare()
        row = Row(self.name)
        end = time.monotonic() + seconds
        while (left := round(end - time.monotonic())) >= 1 and len(row.crashes) < MOST_CRASHES:
            begun = time.monotonic()
            output = self._start(f"-max_total_time={left}", f"-artifact_prefix={self.crashes}/{self.name}-")
            row.seconds += time.monotonic() - begun
            row.inputs += executed(output)
            row.coverage = max([row.coverage, *map(int, re.findall(r"cov: (\d+)", output))])
            found = [path for path in re.findall(r"Test unit written to (\S+)", output) if SLOW not in path]
            row.crashes += found
            if not found and not re.search(r"^#\d+\tDONE|^Done \d+ runs", output, re.MULTILINE):
                row.crashes.append(f"(no input: see {self.log})")
                break
        return row

    def minimise(self) -> int:
        """Keep the smallest inputs that reach as much as all."""
        self.prepare()
        place = PLACE / "merged" / self.name
        place.mkdir(parents=True, exist_ok=True)
        for old in place.iterdir():
            old.unlink()
        self._start("-merge=1", str(place))
        return keep_inputs(self.name, (file.read_bytes() for file in place.iterdir()))

    def repeat(self, path: str) -> str:
        """The command that shows a crash again."""
        own = [
            f"{key}={shlex.quote(value)}" for key, value in self.environment.items() if key != "UBSAN_OPTIONS"
        ]
        return " ".join([*own, *self.command, path])

    def _start(self, *options: str) -> str:
        given = [*self.options(), *options, str(self.corpus)]
        with self.log.open("ab") as log:
            begin = log.tell()
            subprocess.run(
                [*self.command, *given],
                stdout=log,
                stderr=subprocess.STDOUT,
                check=False,
                env={**os.environ, **self.environment},
            )
        with self.log.open("rb") as written:
            written.seek(begin)
            return written.read().decode("utf-8", "replace")


def executed(output: str) -> int:
    """The inputs that a fuzzer took."""
    final = re.findall(r"stat::number_of_executed_units:\s*(\d+)", output)
    return int(final[-1]) if final else max([0, *map(int, re.findall(r"^#(\d+)", output, re.MULTILINE))])


def preloaded() -> dict[str, str]:
    """What lets Python run the native core with sanitizers, if it is built."""
    core = next((PLACE / "cpp/bindings").glob("native*.so"), None)
    if core is None:
        return {}
    import atheris  # noqa: PLC0415 (only there if it is needed)

    library = Path(atheris.path()) / "asan_with_fuzzer.so"
    return {"LD_PRELOAD": str(library), "GLAUX_NATIVE": str(core.absolute())}


def native_targets() -> list[str]:
    done = subprocess.run([BINARY, "--targets"], stdout=subprocess.PIPE, check=True, text=True)
    return done.stdout.split()


def show(rows: list[Row]) -> None:
    print(f"{'target':<18}{'inputs':>13}{'inputs/s':>11}{'coverage':>10}{'crashes':>9}")
    for row in rows:
        speed = row.inputs / row.seconds if row.seconds else 0
        print(f"{row.name:<18}{row.inputs:>13,}{speed:>11,.0f}{row.coverage:>10,}{len(row.crashes):>9}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the fuzz targets.")
    parser.add_argument("--minutes", type=float, default=10.0, help="for all of them together")
    parser.add_argument("--only", nargs="*", default=[], help="these targets alone")
    parser.add_argument("--pack", action="store_true", help="keep the smallest set of inputs instead")
    given = parser.parse_args()
    fuzzers = [Fuzzer(name, True) for name in native_targets()] + [Fuzzer(name, False) for name in TARGETS]
    fuzzers = [fuzzer for fuzzer in fuzzers if not given.only or fuzzer.name in given.only]
    if given.pack:
        for fuzzer in fuzzers:
            print(f"{fuzzer.name}: {fuzzer.minimise()} inputs in {KEPT}", flush=True)
        return 0
    shares = sum(SHARES.get(fuzzer.name, 1) for fuzzer in fuzzers)
    rows = []
    for fuzzer in fuzzers:
        row = fuzzer.run(given.minutes * 60 * SHARES.get(fuzzer.name, 1) / shares)
        with (PLACE / "rows.jsonl").open("a") as file:
            file.write(json.dumps(asdict(row)) + "\n")
        rows.append(row)
        for path in row.crashes:
            print(f"{row.name} broke: {fuzzer.repeat(path)}", flush=True)
    show(rows)
    return 1 if any(row.crashes for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
