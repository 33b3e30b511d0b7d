"""Theorems for Coq: one file that states how many solutions a puzzle has, and whose proof Coq's kernel computes.

theorem.v   the theory of the counter, the puzzle in numbers, and the theorem

The file stands beside the certificate of the same count and needs nothing but Coq. `docs/internals/proved.md` says what
the theorem means.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sudoku_encode.errors import MethodError
from sudoku_encode.proving import count_orders, counts, proved, recount, recount_kinds, recounting
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.checking import CheckedCount, refusal
from sudoku_encode.proving.making import Certificate
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.events import Progress, Remark, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.storage import outputs

# How the files of the theory name libraries and each other.
_REQUIRED = re.compile(r"^From Coq Require Import (.*)\.$", re.MULTILINE)
_IMPORTED = re.compile(r"^From (?:Coq|Proved) Require Import", re.MULTILINE)
# Coq's kernel fills some thousands of states a second.
MAX_STATES = 128_000
_HEAD = """\
(* This puzzle has exactly {n} solutions: `coqc theorem.v` checks it.

   Read the definitions at the beginning of the module Rules, and the puzzle and the theorem at the end of the file.
   Coq's kernel counts, in an order of the cells that need not be believed. *)
"""
_TAIL = """\
Import NArith ZArith List ListNotations Rules.
Open Scope N_scope.

Definition puzzle : rules := {{|
  cells := {n_cells};
  values := {n_values};
  units := {units};
  allowed := {allowed};
  constraints := {constraints} |}}.

Definition order : list N := {order}.

Theorem solutions : has_solutions puzzle {n}.
Proof.
  apply Recount.count_correct with (order := order) (tables := fun _ => None) (choose := fun _ _ => []).
  vm_cast_no_check (eq_refl (Some {n})).
Qed.
Print Assumptions solutions.
"""


def text(puzzle: Puzzle, order: Iterable[int], n_solutions: int) -> str:
    """Return the file that states a number of solutions, proved by filling the cells in an order.

    Raises:
        MethodError: a recount does not support a constraint.
    """
    rules = counts.rules_of(puzzle)
    tail = _TAIL.format(
        n=n_solutions,
        n_cells=rules.n_cells,
        n_values=rules.n_values,
        units=_list(map(_list, rules.units)),
        allowed=_list(f"({cell}, {_list(values)})" for cell, values in rules.allowed.items()),
        constraints=_list(_constraint(word, numbers) for word, numbers in rules.constraints),
        order=_list(order),
    )
    sources = {name: (proved.SOURCES / f"{name}.v").read_text("ascii") for name in proved.THEORY}
    # Files become modules, which may not require libraries themselves.
    libraries = sorted(
        {one for source in sources.values() for names in _REQUIRED.findall(source) for one in names.split()}
    )
    modules = [f"Module {name}.\n{_IMPORTED.sub('Import', source)}End {name}.\n" for name, source in sources.items()]
    return "\n".join([_HEAD.format(n=n_solutions), f"From Coq Require {' '.join(libraries)}.\n", *modules, tail])


def _constraint(word: str, numbers: list[int]) -> str:
    """Return a constraint of rules.txt as Coq's data."""
    match word:
        case "sum":
            return f"Sum ({numbers[0]}) {_terms(numbers[1:])}"
        case "clause":
            return f"Clause {_terms(numbers)}"
        case "pairs":
            pairs = zip(numbers[2::2], numbers[3::2], strict=True)
            return f"Pairs {numbers[0]} {numbers[1]} {_list(pairs)}"
        case _:
            end = numbers[0] + 1
            moves = zip(*(numbers[end + part :: 4] for part in range(4)), strict=True)
            return f"Sequence {_list(numbers[1:end])} {_list(moves)}"


def _terms(numbers: list[int]) -> str:
    """Return cells with whole numbers, which may be negative."""
    return _list(f"({cell}, ({number})%Z)" for cell, number in zip(numbers[::2], numbers[1::2], strict=True))


def _list(items: Iterable[object]) -> str:
    return f"[{'; '.join(map(str, items))}]"


def prove(puzzle: Puzzle, folder: Path, deadline: Deadline) -> Certificate:
    """Write the certificate of a count, as `counts.prove` does, and the theorem that states it.

    Raises:
        MethodError: a recount does not support the puzzle, or it has too many states for Coq's kernel.
        StoppedError: the deadline came.
        SudokuError: the folder cannot be written.
    """
    puzzle = puzzle.from_one
    certificate = counts.prove(puzzle, folder, deadline, _choose)
    order = _plan_of(folder, puzzle).order
    try:
        (folder / files.THEOREM).write_text(text(puzzle, order, certificate.count), encoding="ascii")
    except OSError as error:
        raise outputs.unwritable(folder, error) from error
    return certificate


def _choose(puzzle: Puzzle, rules: recount.Rules, deadline: Deadline) -> recount_kinds.Recount:
    """Return how to count in few states, by cells and without symmetries."""
    board = puzzle.geometry
    try:
        plan = count_orders.plan(board, rules, puzzle.candidates, deadline, MAX_STATES)
        layers = recounting.layers(rules, plan.order, {}, deadline, MAX_STATES)
        if sum(len(layer.states) for layer in layers) <= MAX_STATES:
            return recount_kinds.by_cells(board, rules, count_orders.Plan(plan.order, {}))
    except recounting.TooManyStatesError:
        pass
    most = f"at most {MAX_STATES:,} states"
    raise MethodError(f"a theorem for Coq supports counts of {most}; prove --count certifies larger ones")


def check(folder: Path) -> CheckedCount:
    """Check the certificate of a count, compare the theorem beside it, and let Coq check that where it is installed.

    Raises:
        CertificateError: it proves nothing, or the theorem is another or is refused.
        FormatError: a file is missing or invalid.
    """
    start, checked = time.perf_counter(), counts.check(folder)
    try:
        expected = text(checked.puzzle, _plan_of(folder, checked.puzzle).order, checked.count)
    except MethodError as error:
        raise refusal(folder, files.THEOREM, error.args[0]) from None
    if files.data(folder / files.THEOREM) != expected.encode("ascii"):
        raise refusal(
            folder, files.THEOREM, "not the theorem of the puzzle, the order and the number of the certificate"
        )
    if not shutil.which("coqc"):
        emit(Remark(f"Coq is not installed here; `coqc {files.THEOREM}` in {folder} checks the theorem"))
        return checked
    emit(Progress("Coq checks the theorem ..."))
    run_coq(folder)
    return replace(checked, checkers=(*checked.checkers, "Coq"), seconds=time.perf_counter() - start)


def run_coq(folder: Path) -> None:
    """Let Coq check the theorem in a folder, without writing there.

    Raises:
        CertificateError: Coq refuses it, or it assumes something.
    """
    with TemporaryDirectory() as scratch:
        shutil.copy(folder / files.THEOREM, scratch)
        done = subprocess.run(["coqc", "-q", files.THEOREM], cwd=scratch, capture_output=True, text=True, check=False)
    if done.returncode or done.stdout.strip() != proved.CLOSED:
        _, _, reason = done.stderr.partition("Error:")
        reason = " ".join((reason or done.stdout).split())[:300]
        raise refusal(folder, files.THEOREM, f"refused by Coq: {reason}")


def _plan_of(folder: Path, puzzle: Puzzle) -> count_orders.Plan:
    """Return how the certificate counts."""
    if (plan := counts.plan_of(folder, puzzle)) is None:
        raise MethodError("a theorem for Coq counts by cells, and this certificate by bands")
    return plan
