"""Run the command line in this process."""

import io
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
        with pytest.raises(SystemExit) as exit_:
            main()
        captured = self.capture.readouterr()
        assert isinstance(exit_.value.code, int)
        return Ran(exit_.value.code, captured.out, captured.err)
