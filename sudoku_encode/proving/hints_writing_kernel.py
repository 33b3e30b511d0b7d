"""The inner loops of `hints` that write a proof, once the hints of its lemmas are found.

As `hints_kernel`, they run in Python for small proofs and compiled for large ones.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving import hints_kernel
from sudoku_encode.proving.hints_kernel import Root, State, Writer

_N_START: Final = hints_kernel.N_START
_SIZE: Final = hints_kernel.SIZE
_NAME: Final = hints_kernel.NAME
_POSITION: Final = hints_kernel.POSITION


def begin_step(writer: Writer) -> int:
    """Write the number of a step; return how much is written."""
    writer.progress[_NAME] += 1
    size = writer.progress[_SIZE]
    writer.out[size] = writer.progress[_NAME]
    return int(size + 1)


def write_root(state: State, root: Root, writer: Writer, end: int) -> None:
    """Write the needed literals of the root before a place that are not unit clauses of the formula."""
    out, units = writer.out, writer.units
    while writer.progress[_POSITION] < end:
        position = writer.progress[_POSITION]
        clause, literal = root.reasons[position], root.literals[position]
        if state.ends[clause] - state.starts[clause] == 1:
            units[position] = writer.names[clause]
        elif state.roots[position]:
            size = begin_step(writer)
            out[size], out[size + 1] = literal, 0
            size += 2
            for index in range(state.starts[clause], state.ends[clause]):
                if state.text[index] != literal:
                    out[size] = units[root.positions[abs(state.text[index])]]
                    size += 1
            out[size], out[size + 1] = writer.names[clause], 0
            writer.progress[_SIZE] = size + 2
            units[position] = writer.progress[_NAME]
        writer.progress[_POSITION] += 1


def write_shortened(state: State, root: Root, writer: Writer) -> None:
    """Write the clauses of the formula that are used without their literals that are false from the start."""
    out, n_start = writer.out, state.progress[_N_START]
    for clause in range(len(state.starts) - len(state.before)):
        if state.shortened[clause]:
            size = begin_step(writer)
            for index in range(state.starts[clause], state.ends[clause]):
                if root.positions[abs(state.text[index])] >= n_start:
                    out[size] = state.text[index]
                    size += 1
            out[size] = 0
            size += 1
            for index in range(state.starts[clause], state.ends[clause]):
                if root.positions[abs(state.text[index])] < n_start:
                    out[size] = writer.units[root.positions[abs(state.text[index])]]
                    size += 1
            out[size], out[size + 1] = writer.names[clause], 0
            writer.progress[_SIZE] = size + 2
            writer.short_names[clause] = writer.progress[_NAME]


def write(state: State, root: Root, hints: NDArray[np.int32], writer: Writer) -> None:
    """Write the proof: the needed literals of the root, the shortened clauses and the lemmas, each with its hints."""
    # The state is that after `backward`, the root that after `forward`; the hints are in the order of the lemmas.
    out, n_lemmas = writer.out, len(state.before)
    n_formula = len(state.starts) - n_lemmas
    write_root(state, root, writer, state.progress[_N_START])
    write_shortened(state, root, writer)
    hint = 0
    for lemma in range(n_lemmas + 1):
        write_root(state, root, writer, state.before[lemma] if lemma < n_lemmas else len(root.literals))
        if lemma < n_lemmas and not state.needed[n_formula + lemma]:
            continue
        size = begin_step(writer)
        if lemma < n_lemmas:
            writer.names[n_formula + lemma] = writer.short_names[n_formula + lemma] = writer.progress[_NAME]
            for index in range(state.starts[n_formula + lemma], state.ends[n_formula + lemma]):
                out[size] = state.text[index]
                size += 1
        out[size] = 0
        size += 1
        for _ in range(state.hint_counts[lemma]):
            out[size] = writer.short_names[hints[hint]] if hints[hint] >= 0 else writer.units[-1 - hints[hint]]
            size += 1
            hint += 1
        out[size] = 0
        writer.progress[_SIZE] = size + 1
