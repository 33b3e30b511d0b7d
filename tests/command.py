"""Run the command line in this process."""

import io
import signal
import sys
from dataclasses import dataclass

import pytest

from sudoku_encode.cli import main


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

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

    def __call__(self, *arguments: object, stdin: str = "") -> Ran:
        self.patch.setattr(sys, "argv", ["sudoku-encode", *map(str, arguments)])
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        # This process is still needed.
        self.patch.setattr("sudoku_encode.cli._end", sys.exit)
        before = signal.getsignal(signal.SIGINT)
        try:
            with pytest.raises(SystemExit) as exit_:
                main()
        finally:
            # The program ends deaf.
            signal.signal(signal.SIGINT, before)
        captured = self.capture.readouterr()
        assert isinstance(exit_.value.code, int)
        return Ran(exit_.value.code, captured.out, captured.err)
