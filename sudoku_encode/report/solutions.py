"""Write true candidates, random solutions, and sets of rules with their numbers of solutions."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import plural
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.questions.table import NOT_UNIFORM
from sudoku_encode.report.answers import AnswerReport, line_of, puzzle_of
from sudoku_encode.report.pictures import drawing
from sudoku_encode.report.printing import Printer, grid_texts, prefix, progress, row
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import remark
from sudoku_encode.run.asking import Answer
from sudoku_encode.run.events import MethodChosen
from sudoku_encode.run.status import INCOMPLETE, Status, status_of_stop

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.proving.candidates import CheckedCandidates
    from sudoku_encode.questions.objectives import Optimum
    from sudoku_encode.questions.rule_sets import RuleSets
    from sudoku_encode.questions.sampling import Samples
    from sudoku_encode.questions.true_candidates import TrueCandidates
    from sudoku_encode.render.picture import Picture
    from sudoku_encode.solvers.counters import Estimate


class CandidatesReport(AnswerReport["TrueCandidates"]):
    """Writes true candidates.

    Args:
        source: where the puzzles are from.
        form: `text`, `json`, `csv` or a key of DRAWINGS.
        counts: whether solutions were counted.
        coloured: whether to colour text.
    """

    doing = "looking for candidates ..."
    columns = ("cell", "value", "count", "complete", "reason")
    added = {"candidates": str, "complete": bool, "reason": str}  # noqa: RUF012
    negative = frozenset((Status.NO_SOLUTION, Status.REFUSED))
    lists_chosen = True

    def __init__(self, source: PuzzleInput, form: str, counts: bool = False, coloured: bool = False) -> None:
        super().__init__(source, form)
        self.counts, self.coloured = counts, coloured
        # The folder of a certificate and its checked candidates, by the number of the puzzle.
        self.proved: dict[int, tuple[str, CheckedCandidates]] = {}

    def note_method(self, event: MethodChosen) -> None:
        """Tell people the method for a single puzzle, unless it is the usual one."""
        if not self.source.many and not event.method.startswith("search"):
            remark(f"by {event}")

    def put(self, item: "SourceItem", answer: Answer["TrueCandidates"] | None) -> None:
        """Write the candidates, and tell people about their certificate."""
        super().put(item, answer)
        if proved := self.proved.pop(item.number, None):
            folder, checked = proved
            by = " and ".join(checked.checkers)
            remark(f"{folder}: {checked.n_witnesses} solutions, {checked.lemmas} lemmas; checked by {by}")

    def write_checked(self, folder: str, check: "Callable[[], CheckedCandidates]") -> int:
        """Write the result of checking a certificate, and return the exit status."""
        import numpy as np

        from sudoku_encode.errors import FormatError, StoppedError
        from sudoku_encode.formats.entries import Entry, SourceItem
        from sudoku_encode.proving import CertificateError
        from sudoku_encode.questions.true_candidates import CandidatesQuestion, TrueCandidates
        from sudoku_encode.run.asking import answer_of

        try:
            with progress("checking ..."):
                checked = check()
        except (CertificateError, StoppedError) as error:
            status = status_of_stop(error.reason) if isinstance(error, StoppedError) else Status.REFUSED
            item = SourceItem(0, folder, Entry(FormatError(str(error))))
            self.print_header()
            self.put(item, Answer(None, status, str(error)))
            return self.exit_status()
        nothing = np.zeros((0, checked.puzzle.geometry.n_cells), np.uint8)
        candidates = TrueCandidates(checked.puzzle, checked.seen, True, "", nothing, "")
        item = SourceItem(0, folder, Entry(checked.puzzle))
        self.proved[0] = folder, checked
        return self.write([(item, answer_of(CandidatesQuestion(), (1, checked.puzzle), candidates, checked.seconds))])

    def record(self, item: "SourceItem", answer: Answer["TrueCandidates"] | None, status: Status, reason: str) -> str:
        """Return the text to print for a puzzle."""
        is_word = status == Status.REFUSED and self.form != "json"
        return status if is_word else super().record(item, answer, status, reason)

    def fields(self, item: "SourceItem", answer: Answer["TrueCandidates"] | None, reason: str) -> dict[str, Any]:
        """Return the candidates of each cell, and if they were counted, the number of solutions with each."""
        candidates = None if answer is None else answer.value
        cells = range(0 if candidates is None else candidates.puzzle.geometry.n_cells)
        shown = [] if candidates is None else candidates.puzzle.geometry.numbers
        fields: dict[str, Any] = {
            "candidates": candidates and [[shown[value] for value in candidates.values(cell)] for cell in cells],
            "complete": candidates is not None and candidates.complete,
        }
        if self.counts:
            fields["total"] = None if candidates is None or candidates.total is None else candidates.total.value
            fields["counts"] = candidates and _shares(candidates)
        fields["reason"] = reason or None
        if proved := self.proved.get(item.number):
            fields |= {"folder": proved[0], "lemmas": proved[1].lemmas, "checkers": list(proved[1].checkers)}
        return fields

    def rows(self, answer: Answer["TrueCandidates"] | None, reason: str) -> Iterator[list[Any]]:
        """Yield a row for each cell and value, or a single one if no cell has one."""
        candidates = None if answer is None else answer.value
        complete = candidates is not None and candidates.complete
        if candidates is None or not candidates.seen.any():
            yield [None, None, None, complete, reason or None]
            return
        board = candidates.puzzle.geometry
        for cell in range(board.n_cells):
            name = board.cell_name(cell)
            for value in candidates.values(cell):
                share = None if candidates.shares is None else int(candidates.shares[cell, value - 1])
                yield [name, board.numbers[value], share, complete, reason or None]

    def cells(self, answer: Answer["TrueCandidates"] | None, reason: str) -> dict[str, Any]:
        """Return the candidates of all cells in one text, such as `27 5 1`."""
        candidates = None if answer is None else answer.value
        complete = candidates is not None and candidates.complete
        text = None
        if candidates is not None and candidates.seen.any():
            board = candidates.puzzle.geometry
            gap = "," if board.n_values > 9 else ""
            cells = (map(board.shown, candidates.values(cell)) for cell in range(board.n_cells))
            text = " ".join(gap.join(cell) for cell in cells)
        return {"candidates": text, "complete": complete, "reason": reason or None}

    def is_empty(self, value: "TrueCandidates") -> bool:
        """Return whether no cell has a candidate."""
        return not value.seen.any()

    def text(self, item: "SourceItem", answer: Answer["TrueCandidates"], value: "TrueCandidates") -> str:
        """Return the board with the candidates."""
        return drawing(value, self.coloured)

    def picture(self, value: "TrueCandidates") -> "Picture":
        """Return the board with the candidates."""
        from sudoku_encode.api.drawing import picture_of_candidates

        return picture_of_candidates(value)


def _shares(candidates: "TrueCandidates") -> list[list[int]] | None:
    """Return for each cell the numbers of solutions with its values; None if they were not counted."""
    if candidates.shares is None:
        return None
    cells = range(candidates.puzzle.geometry.n_cells)
    return [[int(candidates.shares[cell, value - 1]) for value in candidates.values(cell)] for cell in cells]


class SampleReport(AnswerReport["Samples"]):
    """Writes random solutions.

    Args:
        source: where the puzzles are from.
        form: `text` or `json`.
        to: the format of the grids as text.
        method: the given method.
        seed: for puzzle 1.
        tells_seed: whether to tell people the seed.
    """

    doing = "counting ..."
    lists_chosen = True

    def __init__(
        self, source: PuzzleInput, form: str, to: str | None, method: str, seed: int, tells_seed: bool
    ) -> None:
        super().__init__(source, form)
        self.method, self.seed, self.tells_seed = method, seed, tells_seed
        self.is_document, self.printer = TEXT_FORMATS[to or "line"].is_document, Printer(to)

    def put(self, item: "SourceItem", answer: Answer["Samples"] | None) -> None:
        """Write the solutions, after the seed."""
        if self.tells_seed and item.number == 1:
            remark(f"seed {self.seed}")
        super().put(item, answer)

    def remark(self, answer: Answer["Samples"], reason: str) -> str:
        """Return the number of draws and of solutions in words; or why nothing was drawn."""
        n = 0 if answer.value is None else len(answer.value.grids)
        if answer.status == Status.NO_SOLUTION:
            return f"no solution{f': {reason}' if reason else ''}"
        if answer.stopped:
            advice = "" if self.method == NOT_UNIFORM or answer.status == Status.INTERRUPTED else f"; {_INSTEAD}"
            return f"stopped after {n:,} {plural('solution', n)}: {reason}{advice}"
        if answer.value is None or not answer.value.uniform:
            return f"{n:,} {plural('solution', n)}, NOT uniform: by {NOT_UNIFORM}"
        of = f" of {answer.value.total.value:,}" if answer.value.total is not None else ""
        return f"{n:,} {plural('draw', n)}{of}, uniform: by {answer.value.method}"

    def fields(self, item: "SourceItem", answer: Answer["Samples"] | None, reason: str) -> dict[str, Any]:
        """Return all but the solutions."""
        from sudoku_encode.questions.sampling import seed_of

        drawn = None if answer is None else answer.value
        return {
            "seed": seed_of(self.seed, item.number),
            "uniform": self.method != NOT_UNIFORM,
            "total": None if drawn is None or drawn.total is None else drawn.total.value,
            "complete": drawn is not None and drawn.complete,
            "reason": reason or None,
        }

    def record(self, item: "SourceItem", answer: Answer["Samples"] | None, status: Status, reason: str) -> str:
        """Return a JSON object, into whose text the grids are put, since they may be many; or print the grids."""
        drawn = None if answer is None else answer.value
        if self.form == "json":
            grids = None if drawn is None else ", ".join(grid_texts(drawn.puzzle.geometry, drawn.grids, "json"))
            solutions = "null" if grids is None else f"[{grids}]"
            return f'{super().record(item, answer, status, reason)[:-1]}, "solutions": {solutions}}}'
        if self.source.many and not self.is_document:
            verdict = "" if status == Status.DRAWN else f": {status}{f': {reason}' if reason else ''}"
            self.printer.line(f"# puzzle {item.number}{verdict}")
        if drawn is not None and len(drawn.grids):
            self.printer.grids(drawn.puzzle, drawn.grids)
        return ""


_INSTEAD = f"--method {NOT_UNIFORM} finds solutions without counting them; those are not uniform"


class EstimateReport(AnswerReport["Estimate"]):
    """Writes about how many solutions there are; an estimate is never complete."""

    doing = "estimating ..."
    columns = ("estimate", "tolerance", "confidence", "reason")
    incomplete = INCOMPLETE | {Status.ESTIMATED}

    def remark(self, answer: Answer["Estimate"], reason: str) -> str:
        """Return why there is no estimate."""
        return f"no estimate; stopped: {reason}" if reason else ""

    def fields(self, item: "SourceItem", answer: Answer["Estimate"] | None, reason: str) -> dict[str, Any]:
        """Return the estimate with its guarantee."""
        if answer is None or answer.value is None:
            return {"reason": reason}
        guess = answer.value
        return {"estimate": guess.value, "tolerance": guess.tolerance, "confidence": guess.confidence}

    def rows(self, answer: Answer["Estimate"] | None, reason: str) -> Iterator[list[Any]]:
        """Yield a row with the estimate."""
        guess = None if answer is None else answer.value
        cells = [None] * 3 if guess is None else [guess.value, guess.tolerance, guess.confidence]
        yield [*cells, reason or None]

    def heading(self, item: "SourceItem") -> str:
        """Return nothing: an estimate is a line in the place of its puzzle."""
        return ""

    def text(self, item: "SourceItem", answer: Answer["Estimate"], value: "Estimate") -> str:
        """Return the estimate in words."""
        return str(value)


class ObjectiveReport(AnswerReport["Optimum"]):
    """Writes the best solution of each puzzle.

    Args:
        source: where the puzzles are from.
        form: `text`, `json` or `csv`.
        to: the format of the grids as text.
        objective: what is best, as text.
    """

    columns = ("givens", "solution", "value", "bound", "reason")

    def __init__(self, source: PuzzleInput, form: str, to: str | None, objective: str) -> None:
        super().__init__(source, form)
        self.objective, self.printer = objective, Printer(to)
        self.is_document = TEXT_FORMATS[to or "line"].is_document

    def remark(self, answer: Answer["Optimum"], reason: str) -> str:
        """Return the value of the objective, and whether the solution is proved to be best."""
        best = answer.value
        if best is None or best.grid is None:
            return super().remark(answer, reason)
        parts = [] if best.value is None else [f"value {best.value}"]
        parts.append(f"not proved to be best: {reason}" if reason else "proved to be best")
        if best.value is not None and best.value != best.bound:
            parts.append(f"bound {best.bound}")
        return f"{self.objective}: {', '.join(parts)}"

    def fields(self, item: "SourceItem", answer: Answer["Optimum"] | None, reason: str) -> dict[str, Any]:
        """Return the solution, the value of the objective and its bound, and givens that are not kept."""
        best, board = None if answer is None else answer.value, None
        if best is not None:
            board = puzzle_of(item).geometry
        return {
            "solution": None if best is None or best.grid is None or board is None else board.listed(best.grid),
            "objective": self.objective,
            "value": best and best.value,
            "bound": best and best.bound,
            "dropped": [board.cell_name(cell) for cell in best.dropped] if best and board else [],
            "reason": reason or None,
        }

    def record(self, item: "SourceItem", answer: Answer["Optimum"] | None, status: Status, reason: str) -> str:
        """Return a record, or print the grid in the place of its puzzle."""
        if self.form == "csv":
            first = item.place.record(status, *(() if answer is None else (answer.method, answer.seconds)))
            best = None if answer is None else answer.value
            cells: list[Any] = [None] * 4
            if best is not None:
                puzzle = puzzle_of(item)
                grid = None if best.grid is None else grid_texts(puzzle.geometry, best.grid[None], "csv")[0]
                cells = [line_of(puzzle), grid, best.value, best.bound]
            return row([*first.values(), *cells, reason or None])
        if self.form == "json" or answer is None or answer.value is None or answer.value.grid is None:
            return super().record(item, answer, status, reason)
        self.printer.grid(puzzle_of(item), answer.value.grid)
        if answer.value.dropped:
            board = puzzle_of(item).geometry
            names = ", ".join(board.cell_name(cell) for cell in answer.value.dropped)
            remark(f"{prefix(item.number, self.source)}dropped: {names}")
        return ""

    def text(self, item: "SourceItem", answer: Answer["Optimum"], value: "Optimum") -> str:
        """Return nothing; see `record`."""
        return ""

    def is_empty(self, value: "Optimum") -> bool:
        """Return whether there is no solution to print."""
        return value.grid is None


class RuleSetsReport(AnswerReport["RuleSets"]):
    """Writes the sets of rules under which each puzzle has a number of solutions."""

    columns = ("rules", "count", "reason")

    def fields(self, item: "SourceItem", answer: "Answer[RuleSets] | None", reason: str) -> dict[str, Any]:
        """Return all sets of rules with their numbers of solutions."""
        value = None if answer is None else answer.value
        return {
            "solutions": value and value.solutions,
            "matching": value and list(map(list, value.matching)),
            "sets": value and [{"rules": list(rules), "count": count} for rules, count in value.counts.items()],
            "reason": reason or None,
        }

    def rows(self, answer: "Answer[RuleSets] | None", reason: str) -> Iterator[list[Any]]:
        """Yield a row for each set of rules."""
        if answer is None or answer.value is None:
            yield [None, None, reason or None]
            return
        for rules, count in answer.value.counts.items():
            yield [" ".join(rules), count, None]

    def text(self, item: "SourceItem", answer: "Answer[RuleSets]", value: "RuleSets") -> str:
        """Return a line for each set of rules with the number of solutions, as --rules takes it."""
        return "\n".join(",".join(rules) for rules in value.matching)

    def remark(self, answer: "Answer[RuleSets]", reason: str) -> str:
        """Return how many sets have the number of solutions."""
        from sudoku_encode.questions.rule_sets import sentence

        return super().remark(answer, reason) if answer.value is None else sentence(answer.value)
