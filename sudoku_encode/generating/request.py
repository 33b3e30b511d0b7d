"""Which random puzzles to generate; they are generated in a process of their own, and can be had as JSON objects."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sudoku_encode.errors import Interrupted, MethodError, Stopped, plural
from sudoku_encode.formats.place import Place
from sudoku_encode.frontier.ranks import Ranked
from sudoku_encode.generating import making
from sudoku_encode.generating.making import Generated, Wanted
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.each import each
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import here


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
        words += ["--symmetry", wanted.symmetry, "--method", self.method, "--attempts", f"{self.attempts}"]
        words += ["--seed", f"{self.seed}", *form]
        words += [] if self.grid is None else [",".join(map(str, self.grid.tolist()))]
        return shlex.join(words)

    def puzzles(self, numbers: range, processes: int = 1) -> Iterator[Generated | None]:
        """Yield the puzzles of some numbers as `making.puzzles` does, some at a time, and raise what it raises.

        Where the solutions are to be uniform and cannot be counted, MethodError is raised before the first puzzle.
        """

        def begin(first: int, last: int, ranked: Ranked | None = None) -> Iterator[Generated | None]:
            return making.puzzles(
                *(self.board, self.wanted, self.seed, last, self.attempts, self.method, self.timeout, self.grid),
                *(first, ranked),
            )

        # It raises MethodError at once where an argument is wrong; nothing is generated before its iterator is read.
        begin(1, 1)
        # On a hard question a SAT solver checks no deadline for seconds, so the work is done in another process.
        limits = Limits(seconds=self.timeout)
        if not self.wanted.uniform:
            return _unwrapped(lambda chunk: begin(chunk[0], chunk[-1]), numbers, limits, processes)

        def uniform() -> Iterator[Generated | None]:
            # The tables are made before there are other processes, which then have them.
            ranked = self._ranked(limits)
            yield from _unwrapped(lambda chunk: begin(chunk[0], chunk[-1], ranked), numbers, limits, processes)

        return uniform()

    def _ranked(self, limits: Limits) -> Ranked:
        """Return all solutions of the board by rank.

        Raises:
            MethodError: they cannot be counted.
            Stopped: the time for the first puzzle is over.
        """
        from sudoku_encode.generating.ranking import by_auto

        try:
            return by_auto(Puzzle.of(self.board), limits.start())[1]
        except Stopped as reason:
            if limits.seconds is not None and str(reason) == "time limit":
                raise
            raise MethodError(f"{self.board.name}: no solution can be drawn uniformly: {reason}") from reason

    def record(self, number: int, generated: Generated | None) -> dict[str, Any]:
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

    def missed(self, number: int, generated: Generated | None) -> str:
        """Return why there is no puzzle of a number, or an empty string where there is one."""
        if generated is None:
            return f"{self.board.name} has no solution: {self._why_impossible}"
        if generated.reached:
            return ""
        attempts = f"{self.attempts} {plural('attempt', self.attempts)}"
        return f"puzzle {number}: not reached in {attempts}: {_missed(generated, self.wanted)}"

    @property
    def _why_impossible(self) -> str:
        return self.board.why_impossible or "searched in full"


def _unwrapped(
    task: Callable[[list[int]], Iterator[Generated | Stopped | None]], numbers: range, limits: Limits, processes: int
) -> Iterator[Generated | None]:
    """Yield the puzzles that a task generates in other processes; raise Stopped where that is the answer."""
    for _, answer, _ in each(task, numbers, limits, pool=here(processes)):
        if isinstance(answer, Interrupted):
            # `each` raises KeyboardInterrupt next.
            continue
        if isinstance(answer, Stopped):
            raise answer
        yield answer
        if answer is None:
            return


def _report(generated: Generated) -> dict[str, Any]:
    return {
        "clues": generated.clues,
        "solutions": generated.solutions,
        "minimal": generated.minimal,
        "attempt": generated.attempt,
        "uniform": generated.uniform,
        "givens": generated.puzzle.givens.tolist(),
        "solution": generated.solution.tolist(),
    }


def _missed(generated: Generated, wanted: Wanted) -> str:
    """Say how near the nearest attempt came."""
    clues, solutions = plural("clue", generated.clues), plural("solution", generated.solutions)
    nearest = f"the nearest has {generated.clues} {clues} and {generated.solutions} {solutions}"
    if wanted.must_be_minimal:
        nearest += ", and is minimal" if generated.minimal else ", and is not proved minimal"
    if wanted.aim is not None and generated.rating is not None:
        nearest += f", and its figure is {generated.rating:g}, not {wanted.aim.text}"
    return nearest
