"""All solutions by trying values, from the units and nothing else: what every method and model is compared with.

`test_geometry_plain` holds the units against the rules in plain coordinates.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import inf

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

Grid = tuple[int, ...]


class TooMany(Exception):
    """More solutions, or more steps, than were allowed."""


def by_hand(puzzle: Puzzle, most_steps: float = inf) -> Iterator[Grid]:
    """Yield all solutions of a puzzle.

    Raises:
        TooMany: it takes more steps.
    """
    geometry, values = puzzle.geometry, range(1, puzzle.geometry.n_values + 1)
    peers: list[set[int]] = [set() for _ in range(geometry.n_cells)]
    for rule in geometry.rules:
        for unit in rule.units.tolist():
            for cell in unit:
                peers[cell] |= set(unit) - {cell}
    grid, blanks = puzzle.givens.tolist(), {}
    for cell, given in enumerate(grid):
        if given and any(grid[peer] == given for peer in peers[cell]):
            return
        if not given:
            marks = values if puzzle.pencilmarks is None else (np.flatnonzero(puzzle.pencilmarks[cell]) + 1).tolist()
            blanks[cell] = set(marks) - {grid[peer] for peer in peers[cell]}
    for chosen in colourings(peers, blanks, most_steps):
        yield tuple(chosen.get(cell, given) for cell, given in enumerate(grid))


def colourings(
    neighbours: Sequence[set[int]], allowed: Mapping[int, set[int]], most_steps: float = inf
) -> Iterator[dict[int, int]]:
    """Yield all ways to give some vertices colours that they may have, so that no two neighbours have the same.

    The vertex with the fewest colours left is tried first. What is yielded is changed afterwards.

    Raises:
        TooMany: it takes more steps from vertex to vertex.
    """
    left = {vertex: set(colours) for vertex, colours in allowed.items()}
    chosen: dict[int, int] = {}
    steps = most_steps

    def extend() -> Iterator[dict[int, int]]:
        nonlocal steps
        steps -= len(left)
        if steps < 0:
            raise TooMany
        if not left:
            yield chosen
            return
        vertex = min(left, key=lambda one: len(left[one]))
        colours = left.pop(vertex)
        for colour in colours:
            chosen[vertex] = colour
            hit = [other for other in neighbours[vertex] if other in left and colour in left[other]]
            for other in hit:
                left[other].remove(colour)
            yield from extend()
            for other in hit:
                left[other].add(colour)
        left[vertex] = colours

    return extend()


def singles_and_locked(board: Geometry, marks: NDArray[np.bool_]) -> list[str]:
    """Return what singles and locked candidates would remove, of what each cell may hold."""
    found = []
    units = [unit for rule in board.rules for unit in rule.units]
    for cell in np.flatnonzero(marks.sum(axis=1) == 1):
        if marks[board.peers[cell]][:, marks[cell]].any():
            found.append(f"naked single {cell}")
    for number, value in product(range(len(units)), range(board.n_values)):
        unit = units[number]
        places = unit[marks[unit, value]]
        if len(places) == 1 and marks[places[0]].sum() > 1:
            found.append(f"hidden single {places[0]}")
        # Only units through its first place can have all of them.
        for other in board.units_of_cells[places[0]] if len(places) else ():
            if np.isin(places, units[other]).all() and marks[np.setdiff1d(units[other], unit), value].any():
                found.append(f"locked {value + 1} in {places}")
    return found
