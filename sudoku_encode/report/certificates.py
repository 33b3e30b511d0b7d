"""Write the results of certificates."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import StoppedError, plural
from sudoku_encode.report.answers import AnswerReport
from sudoku_encode.report.printing import Printer, progress
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import remark
from sudoku_encode.run.asking import Answer
from sudoku_encode.run.counting import Count
from sudoku_encode.run.status import Status, status_of_count, status_of_stop

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.proving import Certificate, CheckedCount


@dataclass(frozen=True)
class Proof:
    """A certificate in a folder that was checked."""

    folder: Path
    checked: "CheckedCount"
    certificate: "Certificate | None" = None  # how it was made; None if it was there before


class ProveReport(AnswerReport[Proof]):
    """Writes the proved numbers of solutions.

    Args:
        source: where the puzzles are from.
        form: `text` or `json`.
        solver: that makes the proofs; None where certificates are only checked.
    """

    negative = frozenset((Status.NO_SOLUTION, Status.REFUSED))

    def __init__(self, source: PuzzleInput, form: str, solver: str | None) -> None:
        super().__init__(source, form)
        self.solver = solver

    def answer(self, outcome: "tuple[Certificate | None, CheckedCount] | StoppedError", folder: Path) -> Answer[Proof]:
        """Return the answer for a puzzle, from what making and checking its certificate gave."""
        method = self.solver or ""
        if isinstance(outcome, StoppedError):
            return Answer(None, status_of_stop(outcome.reason), outcome.reason, method)
        certificate, checked = outcome
        seconds = checked.seconds + (certificate.seconds if certificate else 0.0)
        status = status_of_count(Count(checked.count, True))
        return Answer(Proof(folder, checked, certificate), status, "", method, seconds)

    def write_checked(self, folder: Path, check: "Callable[[], CheckedCount]") -> int:
        """Write the result of checking a certificate, and return the exit status."""
        from sudoku_encode.errors import FormatError
        from sudoku_encode.formats.entries import Entry, SourceItem
        from sudoku_encode.proving import CertificateError

        try:
            with progress("checking ..."):
                checked = check()
            answer = self.answer((None, checked), folder)
        except StoppedError as error:
            answer = self.answer(error, folder)
        except CertificateError as error:
            answer = Answer(None, Status.REFUSED, str(error))
        self.put(SourceItem(0, str(folder), Entry(FormatError(answer.stopped))), answer)
        return self.exit_status()

    def reason(self, item: "SourceItem", answer: Answer[Proof]) -> str:
        """Return why nothing is proved."""
        return answer.stopped

    def remark(self, answer: Answer[Proof], reason: str) -> str:
        """Return why nothing is proved."""
        what = "checked" if self.solver is None else "proved"
        word = "refused" if answer.status == Status.REFUSED else f"not {what}; stopped"
        return f"{word}: {reason}" if reason else ""

    def fields(self, item: "SourceItem", answer: Answer[Proof] | None, reason: str) -> dict[str, Any]:
        """Return the number of solutions and how it was checked, or why nothing is proved."""
        if answer is None or answer.value is None:
            return {"proved": False, "reason": reason}
        folder, checked, origin = answer.value.folder, answer.value.checked, answer.value.certificate
        return {
            "proved": True,
            "count": checked.count,
            "folder": str(folder),
            "board": checked.puzzle.geometry.name,
            "rules": list(checked.puzzle.geometry.rule_names),
            "lemmas": checked.lemmas,
            **({"states": checked.n_states} if checked.n_states is not None else {}),
            **({"cubes": checked.n_cubes} if checked.n_cubes else {}),
            **({"cubes_counted": checked.n_counted} if checked.n_counted else {}),
            **({"constraints_compared": checked.n_compared} if checked.puzzle.constraints else {}),
            "checkers": list(checked.checkers),
            "checking": round(checked.seconds, 3),
            **({"proof_bytes": origin.proof_bytes, "proving": round(origin.seconds, 3)} if origin else {}),
        }

    def record(self, item: "SourceItem", answer: Answer[Proof] | None, status: Status, reason: str) -> str:
        """Return the text to print for a puzzle: in text a sentence, or nothing where nothing is proved."""
        if self.form == "json":
            return super().record(item, answer, status, reason)
        if answer is None or answer.value is None:
            return "refused" if status == Status.REFUSED else ""
        _remark(answer.value)
        n = answer.value.checked.count
        how = "proved" if answer.value.checked.n_states is None else "recounted"
        return f"exactly {n} {plural('solution', n)}, {how}"


def write_difference(folder: Path, file: Path) -> int:
    """Compare a layer of another program with ours; print the first state that differs, and return the exit status."""
    from sudoku_encode.proving.counts import compare_states

    with progress("counting again ..."):
        difference = compare_states(folder, file)
    out = Printer(None)
    if difference is None:
        out.line("no difference")
        return 0
    out.line(f"layer {difference.layer}, {difference.place}: the first state that differs is")
    out.line(_numbers(difference.state))
    ways = f"{difference.ways} {plural('way', difference.ways)} by our count, {difference.others_ways} in {file}"
    out.line(f"{ways}; from" if difference.sources else ways)
    for source in difference.sources:
        times = f" times {source.times} values" if source.times > 1 else ""
        out.line(f"{_numbers(source.state)}: {source.ways} {plural('way', source.ways)}{times}")
    return 1


def _numbers(state: tuple[int, ...]) -> str:
    return " ".join(map(str, state))


def _remark(proof: Proof) -> None:
    """Tell people how large a certificate is, and who checked it."""
    checked, origin, n_constraints = proof.checked, proof.certificate, len(proof.checked.puzzle.constraints)
    size = f", {origin.proof_bytes:,} bytes, made in {origin.seconds:.2f} s" if origin else ""
    lemmas = (
        [f"{checked.lemmas} {plural('lemma', checked.lemmas)}"] if checked.n_states is None or checked.lemmas else []
    )
    states = [f"{checked.n_states:,} states"] if checked.n_states is not None else []
    work, checkers = " and ".join([*lemmas, *states]), " and ".join(checked.checkers)
    parts = f" in {checked.n_cubes} {plural('cube', checked.n_cubes)}" if checked.n_cubes else ""
    parts += f" ({checked.n_counted} recounted)" if checked.n_counted else ""
    remark(f"{proof.folder}: {work}{parts}{size}; checked by {checkers} in {checked.seconds:.2f} s")
    if n_constraints:
        of = f"of {n_constraints} {plural('constraint', n_constraints)}"
        remark(f"{proof.folder}: {checked.n_compared} {of} compared with their definitions on all values")
