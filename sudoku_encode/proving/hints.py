"""Turn the lemmas of a DRAT proof into a proof with hints; see `rup`.

Lemmas that the refutation does not need are left out. A literal that unit propagation finds without any assumption
becomes a step of its own if it is needed, so that later steps need not repeat its derivation.
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
    from sudoku_encode.proving.hints_kernel import State

# How many literals a kernel looks at between two calls of `tick`: about a tenth of a second.
_SLICE_LITERALS = 10_000_000
# A formula and proof with fewer numbers than these take Python less time than it takes to load the compiler.
_COMPILED_FROM_NUMBERS = 100_000
# How many hints a kernel can find before they are copied and its buffer is used again.
_BUFFER_HINTS = 1 << 20


class NotRupError(SudokuError):
    """A lemma does not follow by unit propagation, or all of them lead to no contradiction."""


def find(formula: Numbers, lemmas: Numbers, n_variables: int, tick: Callable[[], None]) -> Numbers:
    """Return a proof with hints that a formula has no model, from its clauses and those of a proof.

    Each clause has a 0 at its end. The empty lemma may be missing, and no lemma uses another variable. Each step is its
    number, its literals, 0, its hints, 0; clauses are numbered from 1, the formula's first. `tick` is called some ten
    times a second; its errors end the search.

    Raises:
        NotRupError: a lemma that is needed does not follow by unit propagation, or there is no contradiction.
    """
    from sudoku_encode.proving import hints_kernel

    kernel, writing = _kernels(len(formula) + 10 * len(lemmas))
    state = hints_kernel.new_state(formula, lemmas, n_variables)
    progress, n_formula = state.progress, int(np.count_nonzero(formula == 0))
    kernel.begin(state, n_formula)
    while kernel.forward(state, n_formula, _SLICE_LITERALS) == kernel.MORE:
        tick()
    if progress[hints_kernel.CONFLICT] < 0:
        raise NotRupError("its lemmas and unit propagation lead to no contradiction")
    root = hints_kernel.current_root(state)
    state = hints_kernel.without_lemmas_after(state, n_formula, int(progress[hints_kernel.LEMMA]))
    hints = _hints(kernel, state, n_formula, tick)
    writer = hints_kernel.new_writer(state, root, len(hints))
    writing.write(state, root, hints, writer)
    return writer.out[: int(writer.progress[hints_kernel.SIZE])]


@cache
def compiled_kernels() -> tuple[Any, Any]:
    """Return `hints_kernel` and `hints_writing_kernel`, compiled."""
    from sudoku_encode.proving import hints_kernel, hints_writing_kernel
    from sudoku_encode.run.compiling import compiled_module

    return compiled_module(hints_kernel), compiled_module(hints_writing_kernel)


def _kernels(size: int) -> tuple[Any, Any]:
    """Return the functions that find hints and those that write the proof: as Python for few numbers, else compiled."""
    from sudoku_encode.proving import hints_kernel, hints_writing_kernel

    if size < _COMPILED_FROM_NUMBERS:
        return hints_kernel, hints_writing_kernel
    if reason := kernels.unavailable():
        emit(Remark(f"hints are looked for without compiled code, which takes long: {reason}"))
    return compiled_kernels()


def _hints(kernel: Any, state: "State", n_formula: int, tick: Callable[[], None]) -> NDArray[np.int32]:
    """Return the hints of all lemmas that are needed and of the contradiction, in the order of the proof."""
    from sudoku_encode.proving import hints_kernel

    progress = state.progress
    buffer = np.empty(max(_BUFFER_HINTS, 2 * len(state.trail) + 4), np.int32)
    conflict, end = int(progress[hints_kernel.CONFLICT]), int(progress[hints_kernel.TRAIL])
    count = state.hint_counts[-1] = kernel.explain(state, conflict, end, buffer, 0)
    hints = []
    verdict = kernel.MORE
    while verdict != kernel.DONE:
        verdict, count = kernel.backward(state, n_formula, buffer, count, _SLICE_LITERALS)
        hints.append(buffer[:count].copy())
        count = 0
        if verdict == kernel.NOT_RUP:
            lemma = int(progress[hints_kernel.LEMMA])
            start, stop = state.starts[n_formula + lemma - 1], state.ends[n_formula + lemma - 1]
            literals = " ".join(map(str, sorted(state.text[start:stop].tolist(), key=abs)[:20]))
            raise NotRupError(
                f"lemma {lemma} ({literals or 'the empty one'}) does not follow by unit propagation (RUP)"
            )
        tick()
    # They were found from the last lemma to the first, and in each from the last hint to the first.
    return np.concatenate(hints)[::-1]
