"""Call a method of the list, in this process: its solutions are checked, and a `Deadline` stops it.

`limited_calls` calls these functions in processes of their own, so that limits hold even where a method ignores its
deadline.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING

from sudoku_encode.errors import MethodError, short, solution_limit
from sudoku_encode.methods.method import DEFINITIONS, UNITS, Method
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO, FORMER_NAMES, METHODS
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle, require_units_only
from sudoku_encode.puzzles.dead_ends import clash_step
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import Count, checked, count_or_stopped, tally
from sudoku_encode.run.limits import Deadline

if TYPE_CHECKING:
    from sudoku_encode.solvers.counters import Estimate

LIST_METHODS = "sudoku-encode methods"
_NO_DEADLINE, _NO_OPTIONS = Deadline(), Options()


def find_method(name: str) -> Method:
    """Return the method of that name.

    Raises:
        MethodError: there is no such method.
    """
    if not isinstance(name, str):
        raise MethodError(f"not the name of a method: {short(repr(name))}; all: {LIST_METHODS}")
    name = FORMER_NAMES.get(name, name)
    if name not in METHODS:
        near = get_close_matches(name, METHODS, n=1)
        hint = f"did you mean {near[0]}? There are" if near else "choose from"
        # All of them would be a line of a thousand characters.
        first = [known for known in METHODS if ":" not in known][:6]
        n_others = len(METHODS) - len(first)
        raise MethodError(
            f"no method is called {name!r}; {hint} {', '.join(first)} and {n_others} more: {LIST_METHODS}"
        )
    return METHODS[name]


def default_explainer(board: Geometry, form: str = "text") -> str:
    """Return the method that is explained on a board by default: jana2023-v1 on cubes with boxes, else `logic`.

    Args:
        board: any.
        form: `text`, or a drawing.

    Raises:
        MethodError: no method can be explained in this form on this board.
    """
    # That paper's algorithm looks at rows and minigrids; of a cube without minigrids logic shows more.
    has_minigrids = any(rule.startswith("box") for rule in board.rule_names)
    first = ["jana2023-v1", "logic"] if has_minigrids else ["logic"]
    for name in [*first, *METHODS]:
        if _shows(METHODS[name], form) and not METHODS[name].unsupported_reason(board):
            return name
    raise MethodError(f"no method can be shown as {form} on {board.name}")


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
        deadline: the limits.
        options: of the method.
        repeatable: whether `auto` should give the same order in a later call, though by then more may be compiled.

    Raises:
        StoppedError: the limit on solutions or the deadline was reached; raised while the batches are read.
        MethodError: the method cannot do this board, does not list, or does not use an option; raised at once.
        InternalError: a method returned a grid that is not a solution.
    """
    chosen = require_method(puzzle, method, options)
    prepared = prepared_for(chosen, puzzle)
    if prepared.geometry.oversized_unit:
        # A unit with more cells than values proves that there is no solution; most solvers would never find that out.
        return iter(())
    if options.workers is not None and deadline.solutions != 1:
        raise MethodError("several workers lose solutions: use the option workers only to find one solution")
    if not chosen.lists:
        raise MethodError(f"method {method} counts solutions and does not list them; choose another to list")
    order = {"repeatable": True} if repeatable and method == AUTO else {}
    batches = chosen.functions.solutions(prepared, deadline, **chosen.arguments, **options.chosen, **order)
    return checked(puzzle, batches, deadline.solutions)


def count(
    puzzle: Puzzle,
    method: str = "auto",
    deadline: Deadline = _NO_DEADLINE,
    options: Options = _NO_OPTIONS,
    in_parts: bool = False,
) -> Count:
    """Count the solutions of a puzzle, without listing them if the method can and there is no limit on them.

    Args:
        puzzle: the puzzle.
        method: a key of METHODS.
        deadline: the limits.
        options: of the method.
        in_parts: whether the caller counts a puzzle that takes long in parts: then a method that `can_split` may
            return a count that is stopped by `counting.CONTINUE_IN_PARTS`.

    Raises:
        MethodError: the method cannot do this board, does not count, or does not use an option.
        InternalError: a method returned a grid that is not a solution.
    """
    chosen = require_method(puzzle, method, options)
    if chosen.finds == "estimate":
        raise MethodError(f"method {method} estimates the number of solutions, but does not count them; use `estimate`")
    limited = deadline.solutions is not None and chosen.lists
    prepared = prepared_for(chosen, puzzle)
    if not chosen.counts or prepared.geometry.oversized_unit or prepared.geometry.n_hidden or limited:
        batches = solutions(puzzle, method, deadline, options)
        return count_or_stopped(lambda: tally(batches))
    spread = {"in_parts": True} if in_parts and chosen.can_split else {}
    counting = partial(chosen.functions.count, prepared, deadline, **chosen.arguments, **options.chosen, **spread)
    counted = count_or_stopped(counting)
    if deadline.solutions is not None and counted.value >= deadline.solutions:
        return Count(deadline.solutions, False, solution_limit(deadline.solutions))
    return counted


def estimate(puzzle: Puzzle, method: str, deadline: Deadline = _NO_DEADLINE) -> "Estimate":
    """Return an estimate of the number of solutions of a puzzle.

    Raises:
        MethodError: the method does not estimate, cannot do this board, or its package is not installed.
        StoppedError: the deadline was reached.
    """
    chosen = require_method(puzzle, method)
    if chosen.finds != "estimate":
        raise MethodError(f"method {method} does not estimate")
    return chosen.functions.estimate(lowered_to_units(puzzle), deadline, **chosen.arguments)


def explain(puzzle: Puzzle, method: str, deadline: Deadline = _NO_DEADLINE, form: str = "text") -> Iterator[Step]:
    """Return the steps of a method at work on a puzzle, or the lines of a drawing as steps.

    Args:
        puzzle: the puzzle.
        method: a key of METHODS.
        deadline: when to stop.
        form: `text`, or one of the method's drawings.

    Raises:
        MethodError: the method cannot be shown at work, or not in this form, or cannot do this board.
        StoppedError: the deadline was reached; raised while the steps are read.
    """
    chosen = find_method(method)
    if not _shows(chosen, form):
        able = ", ".join(name for name, other in METHODS.items() if _shows(other, form))
        what = "cannot explain its steps" if form == "text" else f"cannot be shown as {form}"
        raise MethodError(f"method {method} {what}; these can: {able}")
    require_method(puzzle, method)
    prepared = require_units_only(puzzle, f"the steps of method {method}")
    if form != "text":
        return map(Step, chosen.draw(prepared, deadline, form))
    if (only := clash_step(prepared)) is not None:
        return iter((only,))
    return chosen.functions.explain(prepared, deadline, **chosen.arguments)


def _shows(method: Method, form: str) -> bool:
    return method.explains if form == "text" else form in method.drawings


def require_method(puzzle: Puzzle, method: str, options: Options = _NO_OPTIONS) -> Method:
    """Return the method of a name, after checking that it can do the puzzle and uses the options.

    Raises:
        MethodError: it cannot do the puzzle, or does not use an option.
    """
    if not isinstance(puzzle, Puzzle):
        raise MethodError(f"not a Puzzle: {short(repr(puzzle))}; sudoku_encode.read makes one from a text or a file")
    chosen = find_method(method)
    options.for_method(chosen)
    if chosen.compiled:
        kernels.require(method)
    if chosen.constraint_input == UNITS:
        require_units_only(puzzle, f"method {method}")
    if reason := unsupported_reason(chosen, puzzle):
        raise MethodError(f"method {method} does not fit {puzzle.geometry.name}: {reason}")
    return chosen


def unsupported_reason(method: Method, puzzle: Puzzle) -> str:
    """Return why a method cannot do a puzzle, judged by its board with all units and its constraints; "" if it can."""
    if method.constraint_input == DEFINITIONS:
        return method.unsupported_reason(puzzle.geometry)
    lowering = lower_puzzle(puzzle)
    if lowering.placed and method.constraint_input == UNITS:
        return f"it supports only units; the puzzle has constraints: {', '.join(lowering.kinds)}"
    return method.unsupported_reason(lowering.puzzle.geometry)


def prepared_for(method: Method, puzzle: Puzzle) -> Puzzle:
    """Return a puzzle in the form that a method takes; see `Method.takes`."""
    return puzzle if method.constraint_input == DEFINITIONS else lowered_to_units(puzzle)


def lowered_to_units(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle without constraints, if units and pencilmarks can express them all; else the puzzle itself.

    It has the hidden cells.
    """
    lowering = lower_puzzle(puzzle)
    return puzzle.extended if lowering.placed else lowering.puzzle
