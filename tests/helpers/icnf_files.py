"""A reader of incremental CNFs, of a few lines."""

from pathlib import Path

from pysat.solvers import Solver

from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.puzzles.puzzle import violations


def read(path: Path) -> tuple[list[list[int]], list[list[int]]]:
    """Return the clauses and the cubes of a file, as www.siert.nl/icnf describes it."""
    lines = [line.split() for line in path.read_text(encoding="ascii").splitlines() if line[0] != "c"]
    assert lines[0] == ["p", "inccnf"]
    assert all(line[-1] == "0" for line in lines[1:])
    cubes = [[int(word) for word in line[1:-1]] for line in lines[1:] if line[0] == "a"]
    clauses = [[int(word) for word in line[:-1]] for line in lines[1:] if line[0] != "a"]
    assert len(clauses) + len(cubes) + 1 == len(lines)
    # A cube is about the clauses before it, so all clauses come first.
    assert all(line[0] == "a" for line in lines[1 + len(clauses) :])
    return clauses, cubes


def grids(path: Path, clauses: list[list[int]], assumptions: list[int]) -> list[bytes]:
    """Return the grids of all models under some literals."""
    encoding, found = load_encoding(path), []
    with Solver(bootstrap_with=clauses) as solver:
        while solver.solve(assumptions):
            grid = encoding.decode(
                [literal for literal in solver.get_model() if abs(literal) <= encoding.cnf.n_variables]
            ).values
            assert list(violations(encoding.puzzle, grid)) == []
            found.append(grid.tobytes())
            # Of a puzzle without a variable these are two that contradict each other.
            for clause in encoding.blocking([grid]):
                solver.add_clause(clause)
    return found
