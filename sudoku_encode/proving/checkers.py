"""Programs that check a proof with hints. Each has to accept it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sudoku_encode.proving import folder as files
from sudoku_encode.proving import rup
from sudoku_encode.proving.numbers import DELETE, Numbers, clause_starts
from sudoku_encode.run import kernels
from sudoku_encode.run.events import Remark, emit

# How many literals the compiled checker looks at in one call, about a tenth of a second: Ctrl-C works between calls.
_SLICE_LITERALS = 50_000_000


@dataclass(frozen=True, eq=False)
class Refutation:
    """A formula, and a proof with hints that it has no model."""

    formula: files.Formula
    n_variables: int  # no clause uses a higher one
    proof: Numbers  # int32: for each step its number, its literals, 0, its hints, 0; or its number, DELETE, numbers, 0


class Checker(NamedTuple):
    """A program that checks a proof."""

    name: str  # of the program
    # Returns how many clauses the proof derives; raises ProofError, with the reason, unless it accepts the proof.
    run: Callable[[Refutation], int]
    least: float = 0  # the smallest proof that it is used for, in numbers of the formula and the proof
    most: float = np.inf  # the size from which it is not used, since it would take more than half a second


def check(refutation: Refutation, share: float = 1.0) -> tuple[int, tuple[str, ...]]:
    """Have a proof checked by every program that is quick, by one at least, in a share of the usual time.

    Return how many clauses it derives, and which programs checked it.

    Raises:
        ProofError: one of them does not accept it; the message says which, and why.
    """
    size = len(refutation.formula.values) + 4 * len(refutation.proof)
    chosen = [checker for checker in CHECKERS if checker.least <= size / share < checker.most]
    if size / share >= PLAIN.most and (reason := kernels.unavailable()):
        emit(Remark(f"checking the proof with the plain checker, which is slow: {reason}"))
        chosen = [PLAIN]
    derived = set()
    for checker in chosen:
        try:
            derived.add(checker.run(refutation))
        except rup.ProofError as reason:
            raise rup.ProofError(f"the {checker.name} does not accept it: {reason}") from reason
    (count,) = derived
    return count, tuple(checker.name for checker in chosen)


def load() -> None:
    """Load the compiled checker, where there is a compiler: processes that are forked then need not load it each."""
    if not kernels.unavailable():
        values = np.array([1, 0, -1, 0], np.int32)
        _compiled(Refutation(files.Formula(Path(), b"", values), 1, np.array([3, 0, 1, 2, 0], np.int32)))


def _plain(refutation: Refutation) -> int:
    # From the numbers, not from the file's text: the formula to refute is the one that was compared with the puzzle.
    try:
        return rup.refute([_text(refutation.formula.values)], [_text(refutation.proof)])
    except ValueError as error:
        raise rup.ProofError(str(error)) from error


def _text(values: Numbers) -> str:
    return " ".join("d" if number == DELETE else str(number) for number in values.tolist())


def _compiled(refutation: Refutation) -> int:
    from sudoku_encode.proving import rup_kernel
    from sudoku_encode.proving import rup_kernel as kernel

    text, tables, progress = rup_kernel.new_tables(refutation.formula.values, refutation.proof, refutation.n_variables)
    while (verdict := kernel.steps(text, tables, progress, _SLICE_LITERALS)) == kernel.MORE:
        pass
    name, wrong = progress[4], progress[5]
    reasons = {
        kernel.NO_CLAUSE: f"step {name}: there is no clause {wrong}",
        kernel.FOLLOWS_NOT: f"step {name}: its clause does not follow from its hints",
        kernel.LOW: f"step {name}: its number is not above {wrong}",
        kernel.BROKEN: f"step {name}: the last 0 is missing, a d is out of place, or a variable is above "
        f"{refutation.n_variables}",
        kernel.NOT_EMPTY: "it does not end in the empty clause",
    }
    if verdict != kernel.ENDED:
        raise rup.ProofError(reasons[verdict])
    return int(progress[2])


def _dratify(refutation: Refutation) -> int:
    """Have dratify check the same lemmas without hints, which it finds itself."""
    # With RAT or with deletions it accepts false proofs (0.1.10, both of its engines), so it is given neither.
    import dratify

    with suppress(ImportError):
        # Its faster engine, which dratify uses if the package is loaded.
        import_module("cdclkit")
    used, lemmas = _without_hints(refutation)
    clauses = "\n".join(used)
    try:
        formula = dratify.parse_dimacs(f"p cnf {refutation.n_variables} {len(used)}\n{clauses}\n")
        result: Any = dratify.check_proof(formula, "\n".join(lemmas) + "\n", check_rat=False, apply_deletions=False)
    except ValueError as error:
        raise rup.ProofError(str(error)) from error
    if not result.ok:
        raise rup.ProofError(str(result).strip("<>"))
    return len(lemmas)


def _without_hints(refutation: Refutation) -> tuple[list[str], list[str]]:
    """Return the clauses of the formula that the hints name, and the lemmas, each as a line."""
    values, proof = refutation.formula.values, refutation.proof
    starts = clause_starts(values)
    parts = [proof[start : start + length] for start, length in _parts(proof)]
    named: set[int] = set()
    lemmas = []
    step = iter(parts)
    for part in step:
        if len(part) > 1 and part[1] == DELETE:
            continue
        lemmas.append(part[1:])
        named.update(next(step).tolist())
        if len(part) == 1:
            # The empty clause: the proof ends here.
            break
    ends = np.append(starts[1:], len(values))
    used = [values[starts[name - 1] : ends[name - 1] - 1] for name in sorted(named) if 0 < name <= len(starts)]
    return [_line(clause) for clause in used], [_line(clause) for clause in lemmas]


def _parts(proof: Numbers) -> list[tuple[int, int]]:
    """Return where the runs of numbers between zeros start, and how long they are."""
    starts = clause_starts(proof)
    ends = np.flatnonzero(proof == 0)
    return list(zip(starts.tolist(), (ends - starts).tolist(), strict=True))


def _line(literals: Numbers) -> str:
    return " ".join(map(str, [*literals.tolist(), 0]))


PLAIN = Checker("plain checker", _plain, most=1_000_000)
COMPILED = Checker("compiled checker", _compiled, least=500_000)
DRATIFY = Checker("dratify", _dratify, most=600_000)
CHECKERS = (PLAIN, COMPILED, DRATIFY)
