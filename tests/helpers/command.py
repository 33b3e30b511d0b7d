"""Run the command line in this process."""

import io
import signal
import sys
from dataclasses import dataclass

import pytest

from sudoku_encode.cli import main


@dataclass(frozen=True)
class CommandResult:
    """The exit status of a command and what it printed."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class Command:
    """Calls `sudoku-encode` with some arguments."""

    def __init__(self, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.capture, self.patch = capture, patch

    def __call__(self, *arguments: object, stdin: str | bytes = "") -> CommandResult:
        self.patch.setattr(sys, "argv", ["sudoku-encode", *map(str, arguments)])
        self.patch.setattr(
            sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin if isinstance(stdin, bytes) else stdin.encode()))
        )
        # The command must not end the process of the tests.
        self.patch.setattr("sudoku_encode.cli.program._end", sys.exit)
        before = signal.getsignal(signal.SIGINT)
        try:
            with pytest.raises(SystemExit) as exit_:
                main()
        finally:
            # In the end the program ignores Ctrl-C.
            signal.signal(signal.SIGINT, before)
        captured = self.capture.readouterr()
        assert isinstance(exit_.value.code, int)
        return CommandResult(exit_.value.code, captured.out, captured.err)
