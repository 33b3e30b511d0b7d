"""Write whether a CNF has exactly the solutions of its puzzle."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import StoppedError, plural
from sudoku_encode.report.answers import AnswerReport
from sudoku_encode.report.printing import progress
from sudoku_encode.run.asking import Answer
from sudoku_encode.run.status import Status, status_of_stop

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.proving.encoded import CheckedEncoding, Derivation


class EncodingReport(AnswerReport["CheckedEncoding"]):
    """Writes the result of checking a CNF, as `text` or `json`."""

    negative = frozenset((Status.REFUSED,))

    def write_checked(self, path: str, check: "Callable[[], CheckedEncoding]") -> int:
        """Write the result of checking a file, and return the exit status."""
        from sudoku_encode.errors import FormatError
        from sudoku_encode.formats.entries import Entry, SourceItem
        from sudoku_encode.proving.encoded import EncodingError

        try:
            with progress("checking ..."):
                checked = check()
            status = Status.PROVED if checked.proved else Status.STOPPED
            answer = Answer(checked, status, _undecided(checked), checked.encoding, checked.seconds)
        except EncodingError as error:
            answer = Answer(None, Status.REFUSED, str(error))
        except StoppedError as error:
            answer = Answer(None, status_of_stop(error.reason), error.reason)
        self.put(SourceItem(0, path, Entry(FormatError(answer.stopped))), answer)
        return self.exit_status()

    def reason(self, item: "SourceItem", answer: "Answer[CheckedEncoding]") -> str:
        """Return why the file is refused or not proved."""
        return answer.stopped

    def remark(self, answer: "Answer[CheckedEncoding]", reason: str) -> str:
        """Return the same for people."""
        words = {Status.REFUSED: "refused", Status.STOPPED: "not proved"}
        return f"{words.get(answer.status, 'not proved; stopped')}: {reason}" if reason else ""

    def fields(self, item: "SourceItem", answer: "Answer[CheckedEncoding] | None", reason: str) -> dict[str, Any]:
        """Return how both directions were shown, or why not."""
        if answer is None or answer.value is None:
            return {"proved": False, "reason": reason}
        board = answer.value.puzzle.geometry
        return {
            "proved": answer.value.proved,
            "reason": reason or None,
            "board": board.name,
            "rules": list(board.rule_names),
            "too_many": _fields(answer.value.too_many),
            "lost": _fields(answer.value.lost),
        }

    def record(self, item: "SourceItem", answer: "Answer[CheckedEncoding] | None", status: Status, reason: str) -> str:
        """Return the text to print: two lines, one word for a file that is refused, or nothing if nothing is known."""
        if self.form == "json":
            return super().record(item, answer, status, reason)
        if answer is None or answer.value is None:
            return str(status) if status == Status.REFUSED else ""
        too_many, lost = answer.value.too_many, answer.value.lost
        variables = f"{lost.auxiliary:,} auxiliary {plural('variable', lost.auxiliary)}"
        definitions = f" and definitions of {variables}" if lost.auxiliary else ""
        return "\n".join(
            [
                _line("no solution too many", too_many, "the puzzle follow from the file"),
                _line("no solution lost", lost, f"the file follow from the puzzle{definitions}"),
            ]
        )


def _line(claim: str, followed: "Derivation", of: str) -> str:
    """Return a claim with its reason, or what was tested instead."""
    if followed.undecided and followed.tested:
        return f"{claim}: tested on {followed.tested} {plural('solution', followed.tested)}, not proved"
    if followed.undecided:
        return f"{claim}: not proved"
    ways = ", ".join(f"{number:,} by {_WAYS[way]}" for way, number in followed.by.items() if number)
    return f"{claim}: {followed.clauses:,} clauses of {of} ({ways})"


_WAYS = {
    "unit propagation": "unit propagation",
    "counting": "counting in units",
    "cases": "cases",
    "solver": "a checked proof of a solver",
}


def _fields(followed: "Derivation") -> dict[str, Any]:
    by = {name.replace(" ", "_"): number for name, number in followed.by.items()}
    return {
        "clauses": followed.clauses,
        **by,
        "auxiliary": followed.auxiliary,
        "undecided": followed.undecided or None,
        "tested": followed.tested,
    }


def _undecided(checked: "CheckedEncoding") -> str:
    """Return the clauses that were neither proved nor refuted."""
    clauses = [
        f"whether {followed.undecided} follows from {premises}"
        for followed, premises in ((checked.too_many, "the file"), (checked.lost, "the puzzle"))
        if followed.undecided
    ]
    return f"it is not known {' and '.join(clauses)}" if clauses else ""
