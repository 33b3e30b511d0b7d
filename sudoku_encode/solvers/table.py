"""The table of PySAT's solvers, and a loader of optional packages. Imports nothing heavy: --help reads it."""

from importlib import import_module
from typing import Any, NamedTuple

from sudoku_encode.errors import MethodError, missing_package
from sudoku_encode.puzzles.table import brief, by_name


class SatSolver(NamedTuple):
    """A solver of PySAT.

    Attributes:
        name: as in `--sat-solver`.
        stoppable: whether it can stop after a number of conflicts, so that a deadline can be kept.
        answers_again: whether it can be asked again after an answer; otherwise that aborts the whole process.
        proofs: whether an independent checker accepts its proofs. Those of maplesat are wrong; others give none.
    """

    name: str
    stoppable: bool = True
    answers_again: bool = True
    proofs: bool = False

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)


SAT_SOLVERS = by_name(
    SatSolver("cadical103", proofs=True),
    SatSolver("cadical153", proofs=True),
    SatSolver("cadical195", proofs=True),
    SatSolver("cadical300", proofs=True),
    SatSolver("ergo"),
    SatSolver("gluecard3", proofs=True),
    SatSolver("gluecard4", proofs=True),
    SatSolver("glucose3", proofs=True),
    SatSolver("glucose4", proofs=True),
    SatSolver("glucose42", proofs=True),
    SatSolver("kissat404", stoppable=False, answers_again=False),
    SatSolver("lingeling", stoppable=False, proofs=True),
    SatSolver("maplechrono", proofs=True),
    SatSolver("maplecm", proofs=True),
    SatSolver("maplesat"),
    SatSolver("mergesat3"),
    SatSolver("minicard"),
    SatSolver("minisat22"),
    SatSolver("minisat-ep"),
    SatSolver("minisat-gh"),
)
"""The solvers of PySAT, by the name that `sat_solver` of `Options` takes.

>>> SAT_SOLVERS["cadical195"].proofs
True
"""
DEFAULT_SOLVER = "cadical195"
# The solvers whose proofs can be trusted.
PROVERS = tuple(solver.name for solver in SAT_SOLVERS.values() if solver.proofs)
DEFAULT_PROVER = "glucose4"
# The provers of others for which `prove --to` writes.
CERTIFICATE_FORMS = ("rocq", "veripb")


def sat_solver(name: str) -> SatSolver:
    """Return the solver of that name.

    Raises:
        MethodError: there is no such solver.
    """
    if name not in SAT_SOLVERS:
        raise MethodError(f"no SAT solver is called {name!r}; choose from {', '.join(SAT_SOLVERS)}")
    return SAT_SOLVERS[name]


def load_package(name: str, caller: str) -> Any:
    """Return an optional package, such as those of the extra `counters`, which `caller` needs.

    Raises:
        MethodError: the package is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise MethodError(missing_package(name, caller)) from error
