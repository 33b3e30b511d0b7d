"""From the lemmas of a DRAT proof to a proof with hints: see `rup`.

Lemmas that the refutation does not need are left out. What unit propagation finds without any assumption becomes a step
of its own where it is needed, so that no later step has to repeat why.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import SudokuError
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.run import kernels
from sudoku_encode.run.events import Remark, emit

if TYPE_CHECKING:
    from sudoku_encode.proving.hints_state import State

# Literals to look at between two looks at the clock: about a tenth of a second.
_SLICE = 10_000_000
# Fewer numbers than these take Python less time than loading the compiler.
_SMALL = 100_000
# Hints found before they are put aside.
_ROOM = 1 << 20


class NotRup(SudokuError):
    """A lemma does not follow by unit propagation, or all of them lead to no contradiction."""


def find(formula: Numbers, lemmas: Numbers, n_variables: int, tick: Callable[[], None]) -> Numbers:
    """Return a proof with hints that a formula has no model.

    Args:
        formula: its clauses, each with a 0 at its end.
        lemmas: the clauses of the proof, likewise; the empty one may be missing.
        n_variables: of the formula; no lemma uses another.
        tick: called some ten times a second; what it raises ends the search.

    Returns:
        The steps, each as its number, its literals, 0, its hints, 0. Clauses are numbered from 1, the formula's first.

    Raises:
        NotRup: a lemma that is needed does not follow by unit propagation, or there is no contradiction.
    """
    from sudoku_encode.proving import hints_state

    kernel = _kernel(len(formula) + 10 * len(lemmas))
    state = hints_state.state(formula, lemmas, n_variables)
    progress, n_formula = state.progress, int(np.count_nonzero(formula == 0))
    kernel.begin(state, n_formula)
    while kernel.forward(state, n_formula, _SLICE) == kernel.MORE:
        tick()
    if progress[hints_state.CONFLICT] < 0:
        raise NotRup("its lemmas and unit propagation lead to no contradiction")
    root = hints_state.root(state)
    state = hints_state.without_lemmas_after(state, n_formula, int(progress[hints_state.LEMMA]))
    hints = _hints(kernel, state, n_formula, tick)
    writer = hints_state.writer(state, root, len(hints))
    kernel.write(state, root, hints, writer)
    return writer.out[: int(writer.progress[hints_state.SIZE])]


@cache
def _compiled() -> Any:
    from sudoku_encode.proving import hints_kernel
    from sudoku_encode.run.compiling import compiled_module

    return compiled_module(hints_kernel)


def _kernel(size: int) -> Any:
    """Return the functions that do the work: as Python where that is soon done, else compiled."""
    from sudoku_encode.proving import hints_kernel

    if size < _SMALL:
        return hints_kernel
    if reason := kernels.unavailable():
        emit(Remark(f"hints are looked for without compiled code, which takes long: {reason}"))
    return _compiled()


def _hints(kernel: Any, state: "State", n_formula: int, tick: Callable[[], None]) -> NDArray[np.int32]:
    """Return the hints of all lemmas that are needed and of the contradiction, in the order of the proof."""
    from sudoku_encode.proving import hints_state

    progress = state.progress
    room = np.empty(max(_ROOM, 2 * len(state.trail) + 4), np.int32)
    conflict, end = int(progress[hints_state.CONFLICT]), int(progress[hints_state.TRAIL])
    count = state.hint_counts[-1] = kernel.explain(state, conflict, end, room, 0)
    found = []
    verdict = kernel.MORE
    while verdict != kernel.DONE:
        verdict, count = kernel.backward(state, n_formula, room, count, _SLICE)
        found.append(room[:count].copy())
        count = 0
        if verdict == kernel.NOT_RUP:
            lemma = int(progress[hints_state.LEMMA])
            start, stop = state.starts[n_formula + lemma - 1], state.ends[n_formula + lemma - 1]
            literals = " ".join(map(str, sorted(state.text[start:stop].tolist(), key=abs)[:20]))
            raise NotRup(f"lemma {lemma} ({literals or 'the empty one'}) does not follow by unit propagation (RUP)")
        tick()
    # The last lemma was looked at first, and the last hint of each was found first.
    return np.concatenate(found)[::-1]
