"""The table of the kinds of constraints."""

from sudoku_encode.puzzles.constraints import (
    global_rules,
    indexing,
    lines,
    outside_clues,
    own,
    pairs,
    regions,
    rows_and_columns,
    sets,
    sum_lines,
    sums,
)
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint
from sudoku_encode.puzzles.table import Table, by_name

_FAMILIES = (sums, sum_lines, pairs, global_rules, sets, lines, outside_clues, rows_and_columns, indexing, regions, own)

CONSTRAINTS: Table[type[BoundConstraint]] = by_name(*(kind for family in _FAMILIES for kind in family.KINDS))
"""The kinds of constraints, by the name that a line of text begins with.

>>> CONSTRAINTS["thermometer"].form
'thermometer CELLS'
"""
