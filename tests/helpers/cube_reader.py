"""A second reader of certificates in cubes, written from docs/internals/certificates.md alone.

As `certificate_reader` and `count_reader`, with which it reads the puzzle, the proofs and the counts, it shares no code
with sudoku_encode.
"""

import itertools
import os
import pathlib

from tests.helpers import count_reader
from tests.helpers.certificate_reader import (
    Clause,
    Puzzle,
    check_proof,
    numbers,
    puzzle_clauses,
    read_cnf,
    read_json,
    read_lines,
    read_puzzle,
    read_solutions,
    require,
)

_OF_LISTS = ("solutions.txt", "blocked.cnf", "proof.lrat", "proof.drat", "formula.opb", "proof.pbp")
OTHERS = (*_OF_LISTS, "candidates.json", "rules.txt", "count.json")

# The literals of each cube by its number.
Cubes = dict[int, list[int]]


def check(folder: pathlib.Path) -> int:
    """Return the number of solutions that a certificate in cubes proves, or raise Refused."""
    for stray in OTHERS:
        require(not os.path.lexists(folder / stray), f"{stray}: not a file of a certificate in cubes")
    puzzle = read_puzzle(folder)
    cubes = read_cubes(folder, puzzle)
    names = {path.name for path in (folder / "leaves").iterdir()}
    counted = [number for number in cubes if f"{number:06}.json" in names]
    listed = cubes.keys() - counted
    right = {f"{number:06}{suffix}" for number in listed for suffix in (".txt", ".lrat.gz")}
    require(names == right | {f"{number:06}.json" for number in counted}, "leaves: not the files of the cubes")
    formula = read_cnf(folder, "formula.cnf", puzzle, puzzle_clauses(puzzle))
    check_proof(folder, [*formula, *(tuple(-literal for literal in cube) for cube in cubes.values())], "cover.lrat")
    count = sum(check_list(folder, puzzle, formula, number, cubes[number]) for number in listed)
    count += sum(recount(folder, puzzle, number, cubes[number]) for number in counted)
    certificate = read_json(folder, "certificate.json")
    for key, expected in {"solutions": count, "clauses": len(formula), "cubes": len(cubes)}.items():
        stated = certificate.get(key)
        require(type(stated) is int and stated == expected, f"certificate.json: {key} should be {expected}")
    return count


def read_cubes(folder: pathlib.Path, puzzle: Puzzle) -> Cubes:
    """Return the cubes, no two of which have a solution in common."""
    cubes = Cubes()
    for line in read_lines(folder, "cubes.txt", comments=False):
        number, *literals, last = numbers("cubes.txt", line) if len(line) > 1 else [0, 1]
        cells = {(literal - 1) // puzzle.n for literal in literals}
        in_range = all(0 < literal <= len(puzzle.givens) * puzzle.n for literal in literals)
        require(last == 0 and number > max(cubes, default=0), "cubes.txt: not a cube, or a number that does not ascend")
        require(in_range and len(cells) == len(literals), "cubes.txt: a literal of no cell, or two of one")
        cubes[number] = literals
    for cube, other in itertools.combinations(cubes.values(), 2):
        pairs = itertools.product(cube, other)
        apart = any(a != b and (a - 1) // puzzle.n == (b - 1) // puzzle.n for a, b in pairs)
        require(apart, "cubes.txt: two cubes are not disjoint")
    return cubes


def check_list(folder: pathlib.Path, puzzle: Puzzle, formula: list[Clause], number: int, cube: list[int]) -> int:
    """Return the number of solutions of a cube with a list."""
    solutions = read_solutions(folder, puzzle, f"leaves/{number:06}.txt")
    for solution, literal in itertools.product(solutions, cube):
        inside = (literal - 1) // puzzle.n * puzzle.n + solution[(literal - 1) // puzzle.n] == literal
        require(inside, f"leaves/{number:06}.txt: a solution is outside the cube")
    blanks = [cell for cell, given in enumerate(puzzle.givens) if given == 0]
    blocking = [tuple(-cell * puzzle.n - solution[cell] for cell in blanks) for solution in solutions]
    clauses = [*formula, *((literal,) for literal in cube), *blocking]
    check_proof(folder, clauses, f"leaves/{number:06}.lrat.gz")
    return len(solutions)


def recount(folder: pathlib.Path, puzzle: Puzzle, number: int, cube: list[int]) -> int:
    """Return the number of solutions of a cube with a count."""
    rules = count_reader.rules_of(puzzle)
    for literal in cube:
        cell = (literal - 1) // puzzle.n
        rules.allowed[cell] &= {literal - cell * puzzle.n}
    return count_reader.check_count(folder, f"leaves/{number:06}.json", rules)
