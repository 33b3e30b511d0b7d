"""Which random puzzles to generate; they are generated in a process of their own, and can be had as JSON objects."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from types import NoneType
from typing import Any

from sudoku_encode.errors import InterruptedRunError, MethodError, StoppedError, plural
from sudoku_encode.formats.place import Place
from sudoku_encode.frontier.ranks import Ranked
from sudoku_encode.generating import making
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.generating.wanted import Wanted
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, fault
from sudoku_encode.run.each import each
from sudoku_encode.run.events import Event
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool


@dataclass(frozen=True, eq=False)
class Request:
    """Which puzzles to generate; see `generating.making.puzzles`."""

    board: Geometry
    wanted: Wanted
    seed: int
    attempts: int
    method: str
    timeout: float | None
    grid: Grids | None

    @property
    def has_constraints(self) -> bool:
        """Whether the puzzles have constraints, which are lines of text before each."""
        return bool(self.wanted.constraints or self.wanted.placed)

    def command(self, form: list[str]) -> str:
        """Return a command that generates the same puzzles; `form` has the options for how they are written."""
        wanted = self.wanted
        words = ["sudoku-encode", "generate", "--board", self.board.name, "--rules", ",".join(self.board.rule_names)]
        words += [] if wanted.clues is None else ["--clues", f"{wanted.clues}"]
        words += ["--solutions", f"{wanted.solutions}", *(["--minimal"] if wanted.minimal else [])]
        # A file that was begun before there were kinds is resumed with the same command.
        words += [] if wanted.kind == "usual" else ["--kind", wanted.kind]
        words += ["--uniform"] if wanted.uniform else []
        words += [] if wanted.aim is None else ["--rating", wanted.aim.text]
        for constraint in wanted.constraints:
            words += ["--constraint", constraint.text(self.board)]
        for kind, number in wanted.placed:
            words += ["--with", f"{kind}:{number}"]
        words += ["--symmetry", wanted.symmetry, "--method", self.method, "--attempts", f"{self.attempts}"]
        words += ["--seed", f"{self.seed}", *form]
        words += [] if self.grid is None else [",".join(map(str, self.grid.tolist()))]
        return shlex.join(words)

    def puzzles(self, numbers: range, pool: Pool = ONE) -> Iterator[GeneratedPuzzle | None]:
        """Yield the puzzles of some numbers as `making.puzzles` does, some at a time, and raise what it raises.

        Where the solutions are to be uniform and cannot be counted, MethodError is raised before the first puzzle.
        """
        self.check()
        return self._unwrapped(numbers, pool)

    def check(self) -> None:
        """Refuse what cannot be generated.

        Raises:
            MethodError: an argument is wrong.
        """
        # Nothing is generated before its iterator is read.
        _made(self, [1], None)

    def _unwrapped(self, numbers: range, pool: Pool) -> Iterator[GeneratedPuzzle | None]:
        """Yield the puzzles, which other processes generate; raise StoppedError where that is the answer."""
        # On a hard question a SAT solver checks no deadline for seconds, so the work is done in another process.
        limits = Limits(seconds=self.timeout)
        load = partial(_load, self) if self.wanted.uniform else None
        try:
            for _, answer, _ in each(
                *(partial(_generated, self), numbers, limits),
                pool=pool,
                load=load,
                types=(GeneratedPuzzle, NoneType),
                usable=partial(_wrong, self),
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
            return self.unreached(number, "no solution", self._why_impossible)
        fields = {"reached": generated.reached, "reason": self.missed(number, generated) or None}
        aim = self.wanted.aim
        rating = {} if aim is None else {"rating": {aim.text.partition(":")[0]: generated.rating}}
        return self._heading(number, "made" if generated.reached else "missed") | fields | _report(generated) | rating

    def unreached(self, number: int, status: str, reason: str) -> dict[str, Any]:
        """Return the JSON object of a number without a puzzle."""
        return self._heading(number, status) | {"reached": False, "reason": reason}

    def _heading(self, number: int, status: str) -> dict[str, Any]:
        # Seconds would differ where a run that is resumed makes the last puzzle again to compare it.
        board = {"seed": self.seed, "board": self.board.name, "rules": list(self.board.rule_names)}
        return Place(puzzle=number).record(status, self.method) | board

    def missed(self, number: int, generated: GeneratedPuzzle | None) -> str:
        """Return why there is no puzzle of a number, or an empty string where there is one."""
        if generated is None:
            kinds = ", ".join(dict.fromkeys(constraint.kind for constraint in self.wanted.constraints))
            return f"{self.board.name}{f' with {kinds}' if kinds else ''} has no solution: {self._why_impossible}"
        if generated.reached:
            return ""
        attempts = f"{self.attempts} {plural('attempt', self.attempts)}"
        return f"puzzle {number}: not reached in {attempts}: {_missed(generated, self.wanted)}"

    @property
    def _why_impossible(self) -> str:
        return self.board.why_impossible or "searched in full"


def _generated(request: Request, numbers: list[int]) -> Iterator[GeneratedPuzzle | None]:
    return _made(request, numbers, _ranked(request.board, request.timeout) if request.wanted.uniform else None)


def _made(request: Request, numbers: list[int], ranked: Ranked | None) -> Iterator[GeneratedPuzzle | None]:
    """Return the puzzles of some consecutive numbers; see `making.puzzles`."""
    return making.puzzles(
        *(request.board, request.wanted, request.seed, numbers[-1], request.attempts, request.method),
        *(request.timeout, request.grid, numbers[0], ranked),
    )


def _load(request: Request, number: int) -> None:
    """Make the tables that a uniform choice needs, for the processes that are made after that."""
    _ranked(request.board, request.timeout)


@lru_cache(maxsize=1)
def _ranked(board: Geometry, seconds: float | None) -> Ranked:
    """Return all solutions of a board by rank.

    Raises:
        MethodError: they cannot be counted.
        StoppedError: the time for the first puzzle is over.
    """
    from sudoku_encode.generating.ranking import by_auto

    try:
        return by_auto(Puzzle.of(board), Limits(seconds=seconds).start())[1]
    except StoppedError as reason:
        if seconds is not None and str(reason) == "time limit":
            raise
        raise MethodError(f"{board.name}: no solution can be drawn uniformly: {reason}") from reason


def _wrong(
    request: Request, number: int, answer: GeneratedPuzzle | StoppedError | None, events: Sequence[Event]
) -> str:
    """Say what is wrong with a puzzle: its solution is looked at, and not that there are no more."""
    if answer is None or isinstance(answer, StoppedError):
        return ""
    if answer.puzzle.geometry != request.board:
        return f"the executor's puzzle {number} is on another board: {answer.puzzle.geometry.name}"
    wrong = fault(answer.puzzle, answer.solution[None])
    return f"the solution of the executor's puzzle {number} is {wrong}" if wrong else ""


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


def _missed(generated: GeneratedPuzzle, wanted: Wanted) -> str:
    """Say how near the nearest attempt came."""
    clues, solutions = plural("clue", generated.clues), plural("solution", generated.solutions)
    nearest = f"the nearest has {generated.clues} {clues} and {generated.solutions} {solutions}"
    if wanted.must_be_minimal:
        nearest += ", and is minimal" if generated.minimal else ", and is not proved minimal"
    if generated.lacking:
        number = sum(number for _, number in wanted.placed)
        nearest += f", and places for {number - generated.lacking} of {number} constraints"
    if wanted.aim is not None and generated.rating is not None:
        nearest += f", and its figure is {generated.rating:g}, not {wanted.aim.text}"
    return nearest
