"""What a method is."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_encode.puzzles.geometry import Geometry


# How constraints are given to a method; see `Method.takes`.
UNITS, PRIMITIVES, DEFINITIONS = "units", "primitives", "definitions"


class Method(NamedTuple):
    """One way to get solutions.

    Its module has functions of these names, as far as the attributes say so. Each is given a puzzle, a `Deadline` to
    call now and then, `choices`, `encoding` where there is one, and the options that are chosen:

        unsupported_reason(board): why it cannot do a board, or an empty string.
        solutions(puzzle, deadline, ...): yields batches, uint8 (m, n_cells), each solution once.
        count(puzzle, deadline, ...): the number of solutions; it raises StoppedError when it cannot tell.
        estimate(puzzle, deadline, ...): about how many there are.
        explain(puzzle, deadline, ...): yields steps that show the method at work; `calls.explain` has seen to it that
            no givens clash and no unit is oversized. The last one is of the kind `end`; its data says `solutions` and
            `complete` where that is known.

    And where many puzzles on a board are solved faster together than one by one:

        solver_of_rest(board, ...): a context manager that returns a `methods.many.SolveRest`.

    And the module `drawn_by` has, where there are drawings:

        draw(puzzle, deadline, form, ...): yields the lines of a file with what the method makes of a puzzle.

    Attributes:
        name: as in `--method`.
        summary: in one line.
        source: where it was published.
        family: methods of two families share no code but boards, puzzles and how work is run, so that agreement is
            evidence; those that take `primitives` share what constraints are lowered to as well. Empty for one that
            picks another.
        module: below `sudoku_encode`; in tests also an object that has these functions.
        finds: `all` solutions, `forced-moves` only, or `some` as it happens, without a proof that it is all; or only
            their number: `count`, or an `estimate` of it.
        lists: whether it has `solutions`; `counts`, `explains`: whether it has those.
        drawings: the forms that `draw` takes.
        drawn_by: the module with `draw`, below `sudoku_encode`.
        choices: further arguments of its functions, such as the variant of an algorithm.
        encoding: of the CNF that it works on, where it works on one.
        options: those of `Options` that it uses.
        compiled: its first use on a machine compiles it, which takes seconds.
        loads: libraries that it uses and that take long to load.
        takes: how it is given constraints that are no units: `primitives`, to which it lowers them itself;
            `definitions`, where it looks at what they mean alone; or not at all, since it knows `units`.
        spreads: its `count` takes `in_parts`: then it is stopped by IN_PARTS where `search.in_parts` should go on.
        package: the optional package that it needs, of the extra `counters`.
        together_up_to: on boards with up to this number of candidates it solves many puzzles together.
        together_options: those of `options` that it takes then.
        only_if_named: `verify` does not choose it by itself: it is a variant of another, or ends on few puzzles.
    """

    name: str
    summary: str
    source: str
    family: str
    module: Any
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
    takes: str = UNITS
    spreads: bool = False
    package: str = ""
    together_up_to: int = 0
    together_options: tuple[str, ...] = ()
    only_if_named: bool = False

    def __repr__(self) -> str:
        """Return the method's name on one short line."""
        return f"Method({self.name!r}, finds {self.finds})"

    @property
    def functions(self) -> Any:
        """The module, loaded."""
        return import_module(f"sudoku_encode.{self.module}") if isinstance(self.module, str) else self.module

    @property
    def draw(self) -> "Callable[..., Iterator[str]]":
        """The function that draws, loaded."""
        found: Callable[..., Iterator[str]] = import_module(f"sudoku_encode.{self.drawn_by}").draw
        return found

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments of its functions besides the puzzle and the deadline."""
        return {**self.choices, **({"encoding": self.encoding} if self.encoding else {})}

    def unsupported_reason(self, board: "Geometry") -> str:
        """Return why it cannot do a board, or an empty string."""
        if self.encoding:
            from sudoku_encode.encoders.encoding import unsupported_reason

            return unsupported_reason(self.encoding, board)
        return str(self.functions.unsupported_reason(board))

    @property
    def is_evidence(self) -> bool:
        """Whether its answer can be compared with others': it does not estimate, nor pick another method."""
        return bool(self.family) and self.finds != "estimate"

    @property
    def installed(self) -> bool:
        """Whether what it needs is there: the optional package, or the compiler."""
        from importlib.util import find_spec

        from sudoku_encode.run import kernels

        if self.compiled and kernels.unavailable():
            return False
        return not self.package or find_spec(self.package) is not None
