"""Call a method of the list, in this process: its solutions are checked, and a `Deadline` stops it.

`asking` calls these functions in processes of their own, so that limits hold even where a method ignores its deadline.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING

from sudoku_encode.constraints.lowering import lowered, plain
from sudoku_encode.errors import MethodError, short
from sudoku_encode.methods.method import DEFINITIONS, UNITS, Method
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO, METHODS
from sudoku_encode.puzzles.dead_ends import impossible
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import Count, checked, count_or_stopped, tally
from sudoku_encode.run.limits import Deadline

if TYPE_CHECKING:
    from sudoku_encode.solvers.approxmc import Estimate

_NO_DEADLINE, _NO_OPTIONS = Deadline(), Options()


def find(name: str) -> Method:
    """Return the method of that name.

    Raises:
        MethodError: there is none.
    """
    if not isinstance(name, str):
        raise MethodError(f"{short(repr(name))} is no name of a method; choose from {', '.join(METHODS)}")
    if name not in METHODS:
        near = get_close_matches(name, METHODS, n=1)
        hint = f"did you mean {near[0]}? All are" if near else "choose from"
        raise MethodError(f"no method is called {name!r}; {hint} {', '.join(METHODS)}")
    return METHODS[name]


def explaining(board: Geometry, form: str = "text") -> str:
    """Return a method that can be shown at work on a board: on cubes with boxes their paper's, and else by logic.

    Args:
        board: any.
        form: `text`, or a drawing.

    Raises:
        MethodError: no method is shown in this form on this board.
    """
    # That paper's algorithm looks at rows and minigrids; of a cube without minigrids logic shows more.
    has_minigrids = any(rule.startswith("box") for rule in board.rule_names)
    first = ["jana2023-v1", "logic"] if has_minigrids else ["logic"]
    for name in [*first, *METHODS]:
        if _shows(METHODS[name], form) and not METHODS[name].unsupported_reason(board):
            return name
    raise MethodError(f"no method is shown as {form} on {board.name}")


def solutions(
    puzzle: Puzzle,
    method: str = "auto",
    deadline: Deadline = _NO_DEADLINE,
    options: Options = _NO_OPTIONS,
    repeatable: bool = False,
) -> Iterator[Grids]:
    """Return the solutions of a puzzle in batches, uint8 (m, n_cells), each once, each checked against the rules.

    The batches end by themselves only when there are no more.

    Args:
        puzzle: the puzzle.
        method: a key of METHODS.
        deadline: how far it may go.
        options: what else is chosen.
        repeatable: whether `auto` should give the same order in a later call, though by then more may be compiled.

    Raises:
        StoppedError: the limit on solutions or the deadline was reached; while they are read.
        MethodError: the method cannot do this board, does not list, or does not use an option; at once.
        InternalError: a method returned a grid that is no solution.
    """
    chosen = fitting(puzzle, method, options)
    asked = given_to(chosen, puzzle)
    if asked.geometry.oversized_unit:
        # A unit with more cells than there are values is the whole proof; most solvers would never find it.
        return iter(())
    if options.workers is not None and deadline.solutions != 1:
        raise MethodError("workers are used only where one solution is wanted: more than one lose solutions")
    if not chosen.lists:
        raise MethodError(f"method {method} counts solutions and does not list them; choose another to list")
    order = {"repeatable": True} if repeatable and method == AUTO else {}
    batches = chosen.functions.solutions(asked, deadline, **chosen.arguments, **options.chosen, **order)
    return checked(puzzle, batches, deadline.solutions)


def count(
    puzzle: Puzzle,
    method: str = "auto",
    deadline: Deadline = _NO_DEADLINE,
    options: Options = _NO_OPTIONS,
    in_parts: bool = False,
) -> Count:
    """Count the solutions of a puzzle; a method that can do so does not list them, unless there is a limit on them.

    Args:
        puzzle: the puzzle.
        method: a key of METHODS.
        deadline: how far it may go.
        options: what else is chosen.
        in_parts: whether the caller counts in parts what takes long: then a method that `spreads` is stopped by
            `counting.IN_PARTS`.

    Raises:
        MethodError: the method cannot do this board, does not count, or does not use an option.
        InternalError: a method returned a grid that is no solution.
    """
    chosen = fitting(puzzle, method, options)
    if chosen.finds == "estimate":
        raise MethodError(f"method {method} estimates and does not count; see `estimate`")
    limited = deadline.solutions is not None and chosen.lists
    asked = given_to(chosen, puzzle)
    if not chosen.counts or asked.geometry.oversized_unit or limited:
        batches = solutions(puzzle, method, deadline, options)
        return count_or_stopped(lambda: tally(batches))
    spread = {"in_parts": True} if in_parts and chosen.spreads else {}
    counting = partial(chosen.functions.count, asked, deadline, **chosen.arguments, **options.chosen, **spread)
    found = count_or_stopped(counting)
    if deadline.solutions is not None and found.value >= deadline.solutions:
        return Count(deadline.solutions, False, f"limit of {deadline.solutions}")
    return found


def estimate(puzzle: Puzzle, method: str, deadline: Deadline = _NO_DEADLINE) -> "Estimate":
    """Return about how many solutions a puzzle has.

    Raises:
        MethodError: the method does not estimate, cannot do this board, or its package is not installed.
        StoppedError: the deadline was reached.
    """
    chosen = fitting(puzzle, method)
    if chosen.finds != "estimate":
        raise MethodError(f"method {method} does not estimate")
    found: Estimate = chosen.functions.estimate(in_units(puzzle), deadline, **chosen.arguments)
    return found


def explain(puzzle: Puzzle, method: str, deadline: Deadline = _NO_DEADLINE, form: str = "text") -> Iterator[Step]:
    """Return the steps of a method at work on a puzzle, or the lines of a drawing as steps.

    Args:
        puzzle: the puzzle.
        method: a key of METHODS.
        deadline: when to stop.
        form: `text`, or one of the method's drawings.

    Raises:
        MethodError: the method cannot show it, not in this form, or cannot do this board.
        StoppedError: the deadline was reached; while they are read.
    """
    chosen = find(method)
    if not _shows(chosen, form):
        able = ", ".join(name for name, other in METHODS.items() if _shows(other, form))
        what = "does not show its working" if form == "text" else f"is not shown as {form}"
        raise MethodError(f"method {method} {what}; these can: {able}")
    fitting(puzzle, method)
    asked = plain(puzzle, f"method {method} at work")
    if form != "text":
        return map(Step, chosen.draw(asked, deadline, form, **chosen.arguments))
    if (only := impossible(asked)) is not None:
        return iter((only,))
    steps: Iterator[Step] = chosen.functions.explain(asked, deadline, **chosen.arguments)
    return steps


def _shows(method: Method, form: str) -> bool:
    return method.explains if form == "text" else form in method.drawings


def fitting(puzzle: Puzzle, method: str, options: Options = _NO_OPTIONS) -> Method:
    """Return the method, if it can do the puzzle's board and uses the options.

    Raises:
        MethodError: it cannot.
    """
    if not isinstance(puzzle, Puzzle):
        raise MethodError(f"{short(repr(puzzle))} is no Puzzle; sudoku_encode.read makes one of a text or a file")
    chosen = find(method)
    options.for_method(chosen)
    if chosen.compiled:
        kernels.require(method)
    if chosen.takes == UNITS:
        plain(puzzle, f"method {method}")
    if reason := why_not(chosen, puzzle):
        raise MethodError(f"method {method} does not fit {puzzle.geometry.name}: {reason}")
    return chosen


def why_not(method: Method, puzzle: Puzzle) -> str:
    """Say why a method cannot do a puzzle, by its board with all units and its constraints; empty where it can."""
    if method.takes == DEFINITIONS:
        return method.unsupported_reason(puzzle.geometry)
    found = lowered(puzzle)
    if found.primitives and method.takes == UNITS:
        return f"it takes no constraints but units; the puzzle has {', '.join(found.kinds)}"
    return method.unsupported_reason(found.puzzle.geometry)


def given_to(method: Method, puzzle: Puzzle) -> Puzzle:
    """Return a puzzle as a method is given it; see `Method.takes`."""
    return puzzle if method.takes == DEFINITIONS else in_units(puzzle)


def in_units(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle as most methods are given it: without constraints, where units and pencilmarks say the same."""
    found = lowered(puzzle)
    return puzzle if found.primitives else found.puzzle
