"""A request for random puzzles: its command line, its puzzles from other processes, and their JSON objects."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from types import NoneType
from typing import Any

from sudoku_encode.errors import TIME_LIMIT, InterruptedRunError, MethodError, StoppedError, plural
from sudoku_encode.formats.place import Place
from sudoku_encode.frontier.ranks import RankedSolutions
from sudoku_encode.generating import making
from sudoku_encode.generating.grids import SOLVER
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.generating.options import GenerateOptions
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, fault
from sudoku_encode.run.each import each
from sudoku_encode.run.events import Event
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool


@dataclass(frozen=True, eq=False)
class Request:
    """The puzzles to generate; see `generating.making.puzzles`."""

    board: Geometry
    options: GenerateOptions
    seed: int
    attempts: int
    method: str
    timeout: float | None
    grid: Grids | None

    @property
    def has_constraints(self) -> bool:
        """Whether the puzzles have constraints, which are lines of text before each."""
        return bool(self.options.constraints or self.options.placed)

    def command(self, form: list[str]) -> str:
        """Return a command that generates the same puzzles; `form` contains the options of the output format."""
        options = self.options
        words = ["sudoku-encode", "generate", "--board", self.board.name, "--rules", ",".join(self.board.rule_names)]
        words += [] if options.family is None else ["--family", options.family]
        words += [] if options.clues is None else ["--clues", f"{options.clues}"]
        words += ["--solutions", f"{options.solutions}"] if options.family is None else []
        words += ["--minimal"] if options.minimal else []
        # Without `--kind usual`, files from before there were kinds can be resumed.
        words += [] if options.kind == "usual" else ["--kind", options.kind]
        words += ["--uniform"] if options.uniform else []
        words += [] if options.aim is None else ["--rating", options.aim.text]
        for constraint in options.constraints:
            words += ["--constraint", constraint.text(self.board)]
        for kind, number in options.placed:
            words += ["--with", f"{kind}:{number}"]
        words += ["--symmetry", options.symmetry, "--method", self.method, "--attempts", f"{self.attempts}"]
        words += ["--seed", f"{self.seed}", *form]
        words += [] if self.grid is None else [",".join(map(str, self.grid.tolist()))]
        return shlex.join(words)

    def puzzles(self, numbers: range, pool: Pool = ONE) -> Iterator[GeneratedPuzzle | None]:
        """Yield the puzzles of some numbers as `making.puzzles` does, several at the same time.

        If the solutions must be uniform and cannot be counted, MethodError is raised before the first puzzle.
        """
        self.check()
        return self._generate(numbers, pool)

    def check(self) -> None:
        """Check that the puzzles can be generated.

        Raises:
            MethodError: an option is invalid.
        """
        # Nothing is generated before its iterator is read.
        _puzzles_from(self, [1], None)

    def _generate(self, numbers: range, pool: Pool) -> Iterator[GeneratedPuzzle | None]:
        """Yield the puzzles, which other processes generate; raise StoppedError if that is the answer."""
        # On a hard question a SAT solver checks no deadline for seconds, so the work is done in another process.
        limits = Limits(seconds=self.timeout)
        load = partial(_load, self) if self.options.uniform else None
        try:
            for _, answer, _ in each(
                partial(_puzzles_of_numbers, self),
                numbers,
                limits,
                pool=pool,
                load=load,
                types=(GeneratedPuzzle, NoneType),
                usable=partial(_puzzle_fault, self),
            ):
                if isinstance(answer, InterruptedRunError):
                    # `each` raises KeyboardInterrupt next.
                    continue
                if isinstance(answer, StoppedError):
                    raise answer
                yield answer
                if answer is None:
                    return
        finally:
            # The tables are large.
            _ranked.cache_clear()

    def record(self, number: int, generated: GeneratedPuzzle | None) -> dict[str, Any]:
        """Return a puzzle as a JSON object."""
        if generated is None:
            return self.unreached(number, "no solution", self._impossible_reason)
        fields = {"reached": generated.reached, "reason": self.missed(number, generated) or None}
        aim = self.options.aim
        rating = {} if aim is None else {"rating": {aim.name: generated.rating}, **self._word(generated)}
        family = (
            {}
            if self.options.family is None
            else {"family": self.options.family, "evidence": self.evidence(generated.proof)}
        )
        heading = self._heading(number, "made" if generated.reached else "missed")
        return heading | fields | family | _report(generated) | rating

    def evidence(self, proof: str = "") -> str:
        """Return how it is known whether a puzzle has a solution; `proof` is that of a puzzle without one."""
        if self.options.family == "unsat":
            return f"proved by {proof}" if proof else "not proved"
        if self.options.family is not None:
            return "the givens are those of a full grid"
        return f"proved by {SOLVER if self.method == 'sat' else self.method} while givens were removed"

    def _word(self, generated: GeneratedPuzzle) -> dict[str, Any]:
        """Return the word for the difficulty of a puzzle, if that is aimed at."""
        aim = self.options.aim
        if aim is None or not aim.word:
            return {}
        return {"difficulty": None if generated.rating is None else aim.word_of(generated.rating)}

    def unreached(self, number: int, status: str, reason: str) -> dict[str, Any]:
        """Return the JSON object of a number without a puzzle."""
        return self._heading(number, status) | {"reached": False, "reason": reason}

    def _heading(self, number: int, status: str) -> dict[str, Any]:
        # Without seconds, which would differ when a resumed run generates the last puzzle again to compare it.
        board = {"seed": self.seed, "board": self.board.name, "rules": list(self.board.rule_names)}
        return Place(puzzle=number).record(status, self.method) | board

    def missed(self, number: int, generated: GeneratedPuzzle | None) -> str:
        """Return why there is no puzzle of a number; empty if there is one."""
        if generated is None:
            kinds = ", ".join(dict.fromkeys(constraint.kind for constraint in self.options.constraints))
            return f"{self.board.name}{f' with {kinds}' if kinds else ''} has no solution: {self._impossible_reason}"
        if generated.reached:
            return ""
        attempts = f"{self.attempts} {plural('attempt', self.attempts)}"
        if self.options.family == "unsat" and not generated.proof:
            return f"puzzle {number}: target not reached in {attempts}: no change of a given was proved to clash"
        return f"puzzle {number}: target not reached in {attempts}: {_nearest_attempt(generated, self.options)}"

    @property
    def _impossible_reason(self) -> str:
        return self.board.why_impossible or "searched in full"


def _puzzles_of_numbers(request: Request, numbers: list[int]) -> Iterator[GeneratedPuzzle | None]:
    return _puzzles_from(request, numbers, _ranked(request.board, request.timeout) if request.options.uniform else None)


def _puzzles_from(
    request: Request, numbers: list[int], ranked: RankedSolutions | None
) -> Iterator[GeneratedPuzzle | None]:
    """Return the puzzles of some consecutive numbers; see `making.puzzles`."""
    return making.puzzles(
        request.board,
        request.options,
        request.seed,
        numbers[-1],
        request.attempts,
        request.method,
        request.timeout,
        request.grid,
        numbers[0],
        ranked,
    )


def _load(request: Request, number: int) -> None:
    """Build the tables that a uniform choice needs, for the processes that are started after that."""
    _ranked(request.board, request.timeout)


@lru_cache(maxsize=1)
def _ranked(board: Geometry, seconds: float | None) -> RankedSolutions:
    """Return all solutions of a board by rank; raise MethodError if they cannot be counted."""
    from sudoku_encode.generating.ranking import by_auto

    try:
        return by_auto(Puzzle.of(board), Limits(seconds=seconds).start())[1]
    except StoppedError as reason:
        if seconds is not None and reason.reason == TIME_LIMIT:
            raise
        raise MethodError(f"{board.name}: no solution can be drawn uniformly: {reason}") from reason


def _puzzle_fault(
    request: Request, number: int, answer: GeneratedPuzzle | StoppedError | None, events: Sequence[Event]
) -> str:
    """Return why a puzzle is wrong, or ""; its solution is checked, but not that there are no others."""
    if answer is None or isinstance(answer, StoppedError):
        return ""
    if answer.puzzle.geometry != request.board:
        return f"the executor's puzzle {number} is on another board: {answer.puzzle.geometry.name}"
    checked = _unchanged(answer) if request.options.family == "unsat" else answer.puzzle
    wrong = fault(checked, answer.solution[None])
    return f"the solution of the executor's puzzle {number} is {wrong}" if wrong else ""


def _unchanged(generated: GeneratedPuzzle) -> Puzzle:
    """Return an instance of the family `unsat` before a given was changed."""
    givens = generated.puzzle.givens.copy()
    differs = (givens > 0) & (givens != generated.solution)
    if differs.sum() == 1:
        givens[differs] = generated.solution[differs]
    return replace(generated.puzzle, givens=givens)


def _report(generated: GeneratedPuzzle) -> dict[str, Any]:
    puzzle = generated.puzzle
    texts = [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]
    return ({"constraints": texts} if texts else {}) | {
        "clues": generated.clues,
        "solutions": generated.solutions,
        "minimal": generated.minimal,
        "attempt": generated.attempt,
        "uniform": generated.uniform,
        "givens": generated.puzzle.givens.tolist(),
        "solution": generated.solution.tolist(),
    }


def _nearest_attempt(generated: GeneratedPuzzle, options: GenerateOptions) -> str:
    """Return a description of the nearest attempt."""
    nearest = f"the nearest has {generated.clues} {plural('clue', generated.clues)}"
    if generated.solutions is not None:
        nearest += f" and {generated.solutions} {plural('solution', generated.solutions)}"
    if options.must_be_minimal and options.family is None:
        nearest += ", and is minimal" if generated.minimal else ", and is not proved minimal"
    if generated.lacking:
        number = sum(number for _, number in options.placed)
        nearest += f", and places for {number - generated.lacking} of {number} constraints"
    if options.aim is not None and generated.rating is not None:
        word = f" ({options.aim.word})" if options.aim.word else ""
        rated = options.aim.word_of(generated.rating) if options.aim.word else ""
        rating = f"{generated.rating:g}" + (f" ({rated})" if rated else "")
        nearest += f", and its figure is {rating}, not {options.aim.text}{word}"
    return nearest
