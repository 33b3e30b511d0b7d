"""Fixtures of more than one file."""

import importlib
import signal
from collections.abc import Iterator

import pytest
from command import Command

from sudoku_encode.methods import auto
from sudoku_encode.run.events import Chose, Event, Remark, observing


@pytest.fixture(scope="session")
def code_loaded() -> None:
    """Load compiled code and CP-SAT here, once: else each process that a command forks does, for half a second."""
    importlib.import_module("ortools.sat.python.cp_model")
    for plain in (False, True):
        auto._load_search(plain)


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
        if isinstance(event, Chose):
            texts.append(str(event))
        elif isinstance(event, Remark):
            texts.append(event.text)

    with observing(observe):
        yield texts
