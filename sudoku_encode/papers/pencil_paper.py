"""The pencil-and-paper solver: `logic` with fewer techniques.

Source: chapter 4 of the GTSPS thesis (A Novel Graph Theoretic Sudoku Solver), its reference [46].
Differs: see `logic`.
"""

from functools import partial

from sudoku_encode.papers import logic
from sudoku_encode.papers.techniques import PENCIL_PAPER

unsupported_reason = logic.unsupported_reason
solutions = partial(logic.solutions, techniques=PENCIL_PAPER)
explain = partial(logic.explain, techniques=PENCIL_PAPER)
