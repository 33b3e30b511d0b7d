"""Fixtures of more than one file."""

import gc
import importlib
import os
import signal
import time
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.helpers import cpu_seconds, paper_findings
from tests.helpers.command import Command

# As the command line does for itself: each process that a test forks would stop and start numpy's threads again.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from sudoku_encode.methods import sat_first
from sudoku_encode.puzzles.boards import board
from sudoku_encode.run import machine
from sudoku_encode.run.events import Event, MethodChosen, Remark, observing
from sudoku_encode.search import loading

# Workers of pytest-xdist have a second thread, which holds no lock that matters. What tests put in place of methods,
# and functions inside of tests, are in a process only if it is a copy of this one.
machine.program.always = machine.FORK

# Earlier tests may have loaded numba or not, so that only the tests of `sat_first` take such turns.
sat_first.turns.remaining = 0

if "MUTATED" in os.environ:
    # scripts/mutate asks whether an example fails, and not for the smallest one, which Hypothesis seeks for minutes.
    settings.register_profile("mutated", phases=[Phase.explicit, Phase.generate])
    settings.load_profile("mutated")


def freeze() -> None:
    """Let no garbage collection look at what is loaded by now: a process that a test forks would copy all of it."""
    gc.collect()
    gc.freeze()


def pytest_collection_finish() -> None:
    freeze()


# The CPU seconds of tests without the mark `slow`, in the process that gets the reports of all workers.
seconds_without_mark: dict[str, float] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Measure a test without what it shares with others: fixtures are made before."""
    began, before = time.time(), cpu_seconds.cpu_seconds()
    yield
    used = cpu_seconds.cpu_seconds() - before
    if used > cpu_seconds.MOST_CPU_SECONDS and cpu_seconds.is_judged(item) and not cpu_seconds.compiled_since(began):
        item.user_properties.append((cpu_seconds.PROPERTY, used))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call":
        seconds_without_mark.update(
            (report.nodeid, float(str(value))) for name, value in report.user_properties if name == cpu_seconds.PROPERTY
        )


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for line in cpu_seconds.unmarked(seconds_without_mark):
        terminalreporter.write_line(f"SLOW {line}", red=True)


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Freeze what the tests of a module have loaded, too."""
    if nextitem is None or nextitem.path != item.path:
        freeze()


@pytest.fixture(scope="session", autouse=True)
def folder_of_findings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where workers leave findings for each other: the folder of the run, in which each has its own."""
    home = tmp_path_factory.getbasetemp()
    paper_findings.folder = (home.parent if "PYTEST_XDIST_WORKER" in os.environ else home) / "findings"
    paper_findings.folder.mkdir(exist_ok=True)


@pytest.fixture(scope="session")
def code_loaded() -> None:
    """Load compiled code and CP-SAT here, once: else each process that a command forks does, for half a second."""
    importlib.import_module("ortools.sat.python.cp_model")
    for name in ("4x4", "9x9"):
        loading.load(board(name))
    freeze()


@pytest.fixture
def run(code_loaded: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Raise KeyboardInterrupt on Ctrl-C, which a process that was started in the background ignores."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def messages() -> Iterator[list[str]]:
    """The texts of what `auto` chose, and of remarks."""
    texts: list[str] = []

    def observe(event: Event) -> None:
        if isinstance(event, MethodChosen):
            texts.append(str(event))
        elif isinstance(event, Remark):
            texts.append(event.text)

    with observing(observe):
        yield texts
