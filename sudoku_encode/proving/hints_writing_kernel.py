"""Write a proof with hints, once `hints_kernel` has found the hints of its lemmas.

A step of the proof is its number, its literals, 0, its hints, 0: see `hints.find`. These loops run in Python for small
proofs and compiled for large ones, as those of `hints_kernel`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving import hints_kernel
from sudoku_encode.proving.hints_kernel import Root, State, Writer

# A place in `State.progress`, and three in `Writer.progress`.
_N_START: Final = hints_kernel.N_START
_SIZE: Final = hints_kernel.SIZE
_NAME: Final = hints_kernel.NAME
_POSITION: Final = hints_kernel.POSITION


def begin_step(writer: Writer) -> int:
    """Write the next number as the beginning of a step; return the place in `out` after it."""
    writer.progress[_NAME] += 1
    place = writer.progress[_SIZE]
    writer.out[place] = writer.progress[_NAME]
    return int(place + 1)


def write_root(state: State, root: Root, writer: Writer, end: int) -> None:
    """Write a step for each needed literal before a place of the root, unless it is a unit clause of the formula."""
    out, units = writer.out, writer.units
    while writer.progress[_POSITION] < end:
        position = writer.progress[_POSITION]
        clause, literal = root.reasons[position], root.literals[position]
        if state.ends[clause] - state.starts[clause] == 1:
            units[position] = writer.names[clause]
        elif state.roots[position]:
            place = begin_step(writer)
            out[place], out[place + 1] = literal, 0
            place += 2
            for index in range(state.starts[clause], state.ends[clause]):
                if state.text[index] != literal:
                    out[place] = units[root.positions[abs(state.text[index])]]
                    place += 1
            out[place], out[place + 1] = writer.names[clause], 0
            writer.progress[_SIZE] = place + 2
            units[position] = writer.progress[_NAME]
        writer.progress[_POSITION] += 1


def write_shortened(state: State, root: Root, writer: Writer) -> None:
    """Write a step for each clause of the formula used without the literals that are false at the start."""
    out, n_start = writer.out, state.progress[_N_START]
    for clause in range(len(state.starts) - len(state.before)):
        if state.shortened[clause]:
            place = begin_step(writer)
            for index in range(state.starts[clause], state.ends[clause]):
                if root.positions[abs(state.text[index])] >= n_start:
                    out[place] = state.text[index]
                    place += 1
            out[place] = 0
            place += 1
            for index in range(state.starts[clause], state.ends[clause]):
                if root.positions[abs(state.text[index])] < n_start:
                    out[place] = writer.units[root.positions[abs(state.text[index])]]
                    place += 1
            out[place], out[place + 1] = writer.names[clause], 0
            writer.progress[_SIZE] = place + 2
            writer.short_names[clause] = writer.progress[_NAME]


def write(state: State, root: Root, hints: NDArray[np.int32], writer: Writer) -> None:
    """Write the proof: needed literals of the root, shortened clauses, needed lemmas, and at last the empty clause."""
    # `state`: after `backward`. `root`: after `forward`. `hints`: those of the needed lemmas in order, then those of
    # the empty clause: the number of a clause from 0, or -1 - place for the literal at that place of the root.
    out, n_lemmas = writer.out, len(state.before)
    n_formula = len(state.starts) - n_lemmas
    write_root(state, root, writer, state.progress[_N_START])
    write_shortened(state, root, writer)
    hint = 0
    for lemma in range(n_lemmas + 1):
        write_root(state, root, writer, state.before[lemma] if lemma < n_lemmas else len(root.literals))
        if lemma < n_lemmas and not state.needed[n_formula + lemma]:
            continue
        place = begin_step(writer)
        if lemma < n_lemmas:
            writer.names[n_formula + lemma] = writer.short_names[n_formula + lemma] = writer.progress[_NAME]
            for index in range(state.starts[n_formula + lemma], state.ends[n_formula + lemma]):
                out[place] = state.text[index]
                place += 1
        out[place] = 0
        place += 1
        for _ in range(state.hint_counts[lemma]):
            out[place] = writer.short_names[hints[hint]] if hints[hint] >= 0 else writer.units[-1 - hints[hint]]
            place += 1
            hint += 1
        out[place] = 0
        writer.progress[_SIZE] = place + 1
