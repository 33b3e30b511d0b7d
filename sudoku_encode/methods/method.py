"""A row of the table of methods, and the functions that its module offers. Imports nothing heavy: --help reads it."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from sudoku_encode.encoders.reduction import Reductions
    from sudoku_encode.puzzles.arrays import Bools
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.puzzles.step import Step
    from sudoku_encode.run.counting import Count
    from sudoku_encode.run.limits import Deadline
    from sudoku_encode.solvers.counters import Estimate


# The forms in which a method takes constraints; see `Method.constraint_input`.
UNITS, PRIMITIVES, DEFINITIONS = "units", "primitives", "definitions"


class RestSolver(NamedTuple):
    """How a method solves the puzzles on a board that singles do not solve."""

    # From givens, uint8 (m, n_cells), and their reductions by singles to a solution of each, and bool (m,): whether it
    # has one.
    solve: "Callable[[Grids, Reductions | None], tuple[Grids, Bools]]"
    # Whether it cannot do without the reductions. Other methods get None where singles solve few puzzles.
    needs_reductions: bool


class Engine(Protocol):
    """The functions of a method's module. It has those that its row says: see `lists`, `counts`, `explains`, `finds`.

    Each takes a puzzle and a `Deadline`, which it calls often, and as keywords `Method.arguments` and the options that
    are chosen.
    """

    def unsupported_reason(self, board: "Geometry", /) -> str:
        """Return why the method cannot do a board; an empty string if it can. Not needed with an encoding."""
        ...

    def solutions(self, puzzle: "Puzzle", deadline: "Callable[[], None]", /, **choices: object) -> "Iterator[Grids]":
        """Yield batches of solutions, uint8 (m, n_cells), each solution once."""
        ...

    def count(self, puzzle: "Puzzle", deadline: "Callable[[], None]", /, **choices: object) -> "int | Count":
        """Return the number of solutions; raise StoppedError if it cannot be found out."""
        ...

    def estimate(self, puzzle: "Puzzle", deadline: "Callable[[], None]", /, **choices: object) -> "Estimate":
        """Return an estimate of the number of solutions."""
        ...

    def explain(self, puzzle: "Puzzle", deadline: "Callable[[], None]", /, **choices: object) -> "Iterator[Step]":
        """Yield steps that show the method at work, on a puzzle without clashing givens and oversized units.

        The last one is of the kind `end`; its data contains `solutions` and `complete`, where these are known.
        """
        ...

    def solver_of_rest(self, board: "Geometry", /, **choices: object) -> "AbstractContextManager[RestSolver]":
        """Return a context manager that yields a solver of many puzzles; see `Method.max_batch_candidates`."""
        ...


class DrawingModule(Protocol):
    """The module that draws a method at work."""

    def draw(
        self, puzzle: "Puzzle", deadline: "Callable[[], None]", form: str, /, **choices: object
    ) -> "Iterator[str]":
        """Yield the lines of a file that shows the method at work on a puzzle."""
        ...


class Method(NamedTuple):
    """A method: one way to get solutions, or their number.

    Attributes:
        name: as in `--method`.
        summary: in one line.
        source: where it was published.
        family: methods of two families share no code but boards, puzzles and how work is run, so that agreement is
            evidence; those with the input `primitives` also share how constraints are lowered to these. Empty for a
            method that picks another.
        module: below `sudoku_encode`; in tests also an object that has the functions of an `Engine`.
        finds: `all` solutions, `forced-moves` only, or `some`, without a proof that there are no more; or only their
            number: `count`, or an `estimate` of it.
        lists: whether it has `solutions`; `counts`, `explains`: whether it has those.
        drawings: the forms that `draw` takes.
        drawn_by: the module with `draw`, below `sudoku_encode`; see `DrawingModule`.
        choices: further arguments of its functions, such as the variant of an algorithm.
        encoding: the CNF encoding that it works on, if it does.
        options: the fields of `Options` that it uses.
        compiled: whether its first use on a machine compiles it, which takes seconds.
        loads: libraries that it uses and that take long to load.
        constraint_input: the form in which it takes constraints other than units: `primitives`, to which it lowers them
            itself; `definitions`, by which it checks them; or `units`: it takes no other constraints.
        can_split: whether its `count` takes `in_parts`: then its count may be stopped by CONTINUE_IN_PARTS, and
            `search.in_parts` should continue.
        package: the optional package that it needs, from the extra `counters`.
        max_batch_candidates: on boards with up to this number of candidates it solves many puzzles together.
        batch_options: the options that it takes then.
        only_if_named: whether `verify` runs it only if it is named: it is a variant of another, or ends on few puzzles.
    """

    name: str
    summary: str
    source: str
    family: str
    module: str | Engine
    finds: str = "all"
    lists: bool = True
    counts: bool = False
    explains: bool = False
    drawings: tuple[str, ...] = ()
    drawn_by: str = ""
    choices: Mapping[str, object] = {}
    encoding: str = ""
    options: tuple[str, ...] = ()
    compiled: bool = False
    loads: tuple[str, ...] = ()
    constraint_input: str = UNITS
    can_split: bool = False
    package: str = ""
    max_batch_candidates: int = 0
    batch_options: tuple[str, ...] = ()
    only_if_named: bool = False

    def __repr__(self) -> str:
        """Return the method's name on one short line."""
        return f"Method({self.name!r}, finds {self.finds})"

    @property
    def reports_work(self) -> bool:
        """Whether it is a SAT or CP solver, or may pick one, and emits `SolverFigures`."""
        return not {"sat_solver", "seed"}.isdisjoint(self.options) or (self.family == "sat" and self.lists)

    @property
    def group(self) -> str:
        """The heading in lists of methods: `papers` for published algorithms, else `solvers` or `counters`."""
        if isinstance(self.module, str) and self.module.startswith("papers."):
            return "papers"
        return "solvers" if self.lists else "counters"

    @property
    def about(self) -> str:
        """Two sentences for a method that explains: what it does, and for which boards it is; else empty."""
        from sudoku_encode.methods.descriptions import DESCRIPTIONS

        return DESCRIPTIONS.get(self.name, "")

    @property
    def functions(self) -> Engine:
        """The module, loaded."""
        if isinstance(self.module, str):
            return cast("Engine", import_module(f"sudoku_encode.{self.module}"))
        return self.module

    def draw(self, puzzle: "Puzzle", deadline: "Deadline", form: str) -> "Iterator[str]":
        """Yield the lines of a drawing; see `DrawingModule`."""
        module = cast("DrawingModule", import_module(f"sudoku_encode.{self.drawn_by}"))
        return module.draw(puzzle, deadline, form, **self.arguments)

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments of its functions besides the puzzle and the deadline."""
        return {**self.choices, **({"encoding": self.encoding} if self.encoding else {})}

    def unsupported_reason(self, board: "Geometry") -> str:
        """Return why it cannot do a board; an empty string if it can."""
        if self.encoding:
            from sudoku_encode.encoders.encoding import unsupported_reason

            return unsupported_reason(self.encoding, board)
        return self.functions.unsupported_reason(board)

    @property
    def is_evidence(self) -> bool:
        """Whether its answers are evidence to compare: it neither estimates nor picks another method."""
        return bool(self.family) and self.finds != "estimate"

    @property
    def installed(self) -> bool:
        """Whether its optional package, or the compiler, is installed."""
        from importlib.util import find_spec

        from sudoku_encode.run import kernels

        if self.compiled and kernels.unavailable():
            return False
        return not self.package or find_spec(self.package) is not None
