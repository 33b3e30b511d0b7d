"""What a search with constraints works on: a search on the board, and the propagators of the constraints."""

from typing import NamedTuple

from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint32s
from sudoku_encode.search.state import AnyState

# Kinds of propagators; those of a smaller number are cheaper, and are asked first.
#
# RELATION: two cells. `data`: for each value of the first the set of the second's that go with it; then the other way.
# CLAUSE: a cell holds one of its values of the clause, at least one cell does. `factors`: these sets.
# SETS: cells that differ hold one of some sets of values. `data`: how many, the sets.
# SUMS: the cells of some parts add up to the same, which is one of some amounts. `factors`: how much a step of a cell's
#     value adds; where that is below 0, steps are counted from the greatest value downwards. `data`: how many parts,
#     the amounts as a set of bits, the amounts that are looked at at all, for each part what it begins with, and where
#     its cells begin among those of the propagator; then where the last one ends.
# BOUNDS: the same, for amounts that are too many for the bits of a word, and for cells that differ: a part is made of
#     groups of cells that differ and have the same factor. `data`: how many parts, the least and the greatest amount,
#     where the groups of each part begin, and where those of the last one end; where the cells of each group begin, and
#     where those of the last one end.
# AUTOMATON: `data`: for each layer the number of its first state, and at the end the number of all states; for each
#     state where its transitions begin, and where the last ones end; the transitions, each a bit and the next state.
# DISTINCT: an automaton whose cells all differ; `data` is the same.
# COUNTS: each value that the cells can hold comes one of some numbers of times. The cells stand in groups that differ.
#     `data`: how many groups, how many values; where the cells of each group begin, and where those of the last one
#     end; of each value its bit, and the numbers as a set of bits.
RELATION, CLAUSE, SETS, SUMS, BOUNDS, COUNTS, AUTOMATON, DISTINCT = range(8)
N_KINDS = 8
# Places in `Propagators.progress`: how much has been looked at; how many guesses were made; how many propagators, from
# the first on, are asked; how much is looked at before all are, and the search begins anew; how many solutions were
# found; what a contradiction adds to weights; 1 where the search did not end soon.
EFFORT, GUESSED, ASKED, AGAIN, FOUND, BLAME, LATE = range(7)
# Amounts from 0 to this number are bits of a word, of which the sign is left out.
MOST_BITS = 62


class Propagators(NamedTuple):
    """What the constraints of a puzzle remove candidates by, in flat arrays.

    Attributes:
        kinds: int64 (m,): of each, such as RELATION.
        starts: int64 (m + 1,): where its cells start.
        cells: uint32: the cells of all, one after the other.
        factors: int64: a number for each of those, whose meaning depends on the kind.
        places: int64 (m,): where its numbers start in `data`.
        data: int64: what the kinds say.
        costs: int64 (m,): about how long it takes to ask it, 1 for a relation.
        once: bool (m,): whether nothing more follows from it directly after it was asked.
        user_starts: int64 (n_cells + 1,): where the propagators of each cell start.
        users: uint32: the propagators of all cells.
        weights: int64 (n_cells,): how much a cell has to do with contradictions, late ones above all, and how many
            propagators it has.
        waiting: uint32 (N_KINDS, m): rings of those to be asked.
        rings: int64 (2, N_KINDS): of each ring the first place, and how many are in it.
        marked: bool (m,): whether it waits.
        scratch: int64: for the propagator at work.
        progress: int64 (7,): see EFFORT and those after it.
    """

    kinds: Int64s
    starts: Int64s
    cells: Uint32s
    factors: Int64s
    places: Int64s
    data: Int64s
    costs: Int64s
    once: Bools
    user_starts: Int64s
    users: Uint32s
    weights: Int64s
    waiting: Uint32s
    rings: Int64s
    marked: Bools
    scratch: Int64s
    progress: Int64s


class ConstrainedState(NamedTuple):
    """A search on a board with constraints.

    Attributes:
        board: the search on the board alone.
        propagators: of the constraints.
    """

    board: AnyState
    propagators: Propagators

    @property
    def counts(self) -> Int64s:
        """See `AnyState`."""
        return self.board.counts
