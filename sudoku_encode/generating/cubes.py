"""Random 9x9x9 cubes of a kind: uniform, whose values all have one pattern of signs, or mixed.

Filling an empty cube is too hard for SAT solvers if most values must have one pattern. So each of the 14 classes of
patterns that occur (`placements.classes`) has a first cube. It is moved by random symmetries, and then a few values at
a time are refilled, as in `grids`, while each value keeps its pattern. So a cube depends only on the random numbers,
not on a solver.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.random import RandomState

from sudoku_encode.encoders.direct import at_least_one, drop_zeros, unit_sets
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError
from sudoku_encode.formula.cardinality import at_most_one
from sudoku_encode.formula.cnf import Cnf, each_once
from sudoku_encode.generating import grids
from sudoku_encode.placements.classes import CLASSES
from sudoku_encode.placements.structure import bits, lines, patterns_of, side
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline

# How many rounds of refilling there are: more than in `grids`, since fixed patterns leave fewer ways to refill.
ROUNDS = 20


def solution(board: Geometry, kind: str, rng: RandomState, deadline: Deadline, rounds: int = ROUNDS) -> Grids:
    """Return a random cube of side 9, uint8 (n_cells,). Not every cube is equally likely.

    Its kind is `uniform`, or `mixed`: one of the 13 other classes, all equally likely. With 0 rounds of refilling, it
    is the first one of its class, moved.
    """
    number = 0 if kind == "uniform" else 1 + rng.randint(len(CLASSES) - 1)
    axes = rng.permutation(3)
    first = np.ascontiguousarray(first_cube(board, number).reshape(board.shape).transpose(axes)).ravel()
    cube = grids.shuffled(board, first, rng)
    patterns = patterns_of(cube, 3)
    for _ in range(rounds):
        cube = grids.refilled(board, cube, rng, deadline, partial(encoded, patterns=patterns))
    return cube


def first_cube(board: Geometry, number: int) -> Grids:
    """Return the first cube of a class, an index of CLASSES, (n_cells,); its patterns are those of CLASSES."""
    if not number:
        regular = grids.pattern(board)
        if regular is None:
            raise InternalError(f"{board.name} has no regular solution")
        return regular
    cube = np.zeros(board.n_cells, np.uint8)
    chosen = np.array(list(MIXED[number - 1]), np.intp).reshape(9, 27, 1)
    for value, (pattern, places) in enumerate(zip(CLASSES[number], chosen, strict=True), start=1):
        cube[np.isin(lines(3, pattern), np.take_along_axis(bits(3), places, axis=1))] = value
    return cube


# A formula over lines, and the first cubes.


def encoded(puzzle: Puzzle, patterns: Sequence[int]) -> Encoding:
    """Return a formula for solutions of a puzzle in which each value has a given pattern; see `placements.structure`.

    If the pattern of a value is known, its cells come three at a time: a variable for the value on a line stands for
    each of the three cells of the line. A full cube takes 2,187 variables instead of 6,561. `patterns` are those of
    each value, from the first on.
    """
    board, k = puzzle.geometry, side(puzzle.geometry)
    candidates, literals, n = puzzle.candidates.copy(), np.zeros(puzzle.candidates.shape, np.int32), 0
    for value, pattern in enumerate(patterns):
        line = lines(k, pattern).astype(np.intp)
        # A line is possible if all its cells are.
        possible = np.bincount(line[candidates[:, value]], minlength=line.max() + 1) == k
        candidates[:, value] = possible[line]
        numbers = n + np.cumsum(possible)
        literals[:, value] = np.where(possible, numbers, 0)[line]
        n = int(numbers[-1])
    sets = [literals.T, *(unit_sets(literals, rule.units) for rule in board.rules)]
    tables = drop_zeros(np.concatenate(each_once(sets), axis=1))
    most, n = at_most_one("at most one", "pairwise", tables, n)
    cnf = Cnf.of(n, [*at_least_one("at least one", tables), *most])
    return Encoding(puzzle, "lines", "direct", cnf, candidates, literals[:, :, None])


# Data, so that the cubes are the same everywhere: for each class of `placements.classes.CLASSES` after the first, the
# place 3 o + r of the line that a value has in a block, a digit for each of the 9 x 27. This is the answer of glucose4
# for the formula of `encoded` with these patterns.
MIXED = (
    (
        "306174285063417528528306417417528306528306417306417528063852417630285174741528306"
        "741306528174852063063174285285630741417063852630285174528417063852741630285630741"
        "630285174306174285417852063852741630741528306174063852174063852285630741852741630"
    ),
    (
        "416284308632416527308527416307175526850307418526418307285306174417852063630174285"
        "741630285063285174174852063063528741528741630741063852852741630174063852285630741"
        "630852417741528306417306528528417063306174285063285174174063852285630741852741630"
    ),
    (
        "580705371236624148057813462265184640047462823630275751603528714361813482824306175"
        "056471265570158604283742037328246407482037570561158316832317156158570037306481248"
        "741850038527705316418527603417632823308246751175064580174063582416381265742630824"
    ),
    (
        "306528417174852306417306528630285741063417528306528417285741630417528063174063285"
        "528417306306174852063285174063852174630741285741630852852174063741285630630852741"
        "741630528852306417528417306417306285528063174285174063174063852285630741852741630"
    ),
    (
        "036825714580148037317263185605257146714036258073508427283418307471603825164326518"
        "528174063362257146406085274850742631623815704741630852362581470805724613630852741"
        "741630528063741852528417306417306285174852630285174063174063852285630741852741630"
    ),
    (
        "063174528528306417306417285306285174417852063528174306741306285063417528630528417"
        "417528306630285174741852063630852417852741630285630741852741630741528306174063852"
        "285630741174063852417306528528417063306174285063285174174063852285630741852741630"
    ),
    (
        "417528306630285174306852417630852417417306528741528306741306528063852417630174285"
        "528417063852741630285630741063285174306174285528417063852741630741528306174063852"
        "306174285528417063417306528285630741174063852063285174174063852285630741852741630"
    ),
    (
        "183318507318831426036147258426507318603258147318831426075183264582714603264426075"
        "642264183264426075825603714507750642825603714750075831831642750750075831582714603"
        "630852417063285174306174285528417063852741630285630741174063852285630741852741630"
    ),
    (
        "417306528528417306306528417063285174306528417528417306852741630630174285741852063"
        "285417063417306528630174285741528306063285174174063852630852417852741630285630741"
        "306174285174852063417306528528630741741063852063285174174063852285630741852741630"
    ),
    (
        "136258614058147236283075407571360158814603725742831083625714560460582371307426842"
        "842183307275426064164318526407642283326831418650264175083507742731075850518750631"
        "528417063741528306417306528630852417306174285063285174174063852285630741852741630"
    ),
    (
        "183318507318831426036147258642264183825603714318831426507750642264426075825603714"
        "426507318603258147264426075075183264582714603750075831831642750750075831582714603"
        "630852417063285174306174285528417063852741630285630741174063852285630741852741630"
    ),
    (
        "183318507036147258258471036642264183825603714714036825426507318582714603360825471"
        "075183264318831426603258147507750642264426075825603714831642750750075831582714603"
        "630852417306174285063285174528417063852741630285630741174063852285630741852741630"
    ),
    (
        "640264185752831073036147258831183318640264185713825037508750641075507750362471823"
        "184318506831183318257036472426642264263075427508750641075507750317426832640264185"
        "136057815813381138248624703625813461704570382417306528571462056248624703852741630"
    ),
)
