"""Formulas read by plain readers: their clauses, their text, their models."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from pysat.solvers import Solver

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.table import ENCODINGS, REDUCTIONS
from sudoku_encode.formula import dimacs
from sudoku_encode.formula.cnf import Cnf, Group
from sudoku_encode.formula.table import AT_MOST_ONE


def plain(group: Group) -> list[list[int]]:
    """Return the clauses of a group by its definition, one number at a time."""
    clauses = []
    for row in group.pattern.tolist():
        for column in range(group.table.shape[1]):
            clauses.append([(1 if r > 0 else -1) * int(group.table[abs(r) - 1, column]) for r in row])
    return clauses


def random_group(seed: int, rows: int, columns: int, width: int, m: int, largest: int) -> Group:
    chance = np.random.default_rng(seed)
    table = chance.integers(1, largest + 1, (rows, columns)) * chance.choice([-1, 1], (rows, columns))
    pattern = chance.integers(1, rows + 1, (m, width)) * chance.choice([-1, 1], (m, width))
    return Group("any", pattern.astype(np.int32), table.astype(np.int32))


def text_of(formula: Cnf, *comments: str) -> bytes:
    pieces: list[bytes] = []
    dimacs.write(formula, lambda piece: pieces.append(bytes(piece)), comments)
    return b"".join(pieces)


def expected(formula: Cnf, *comments: str) -> bytes:
    lines = [f"c {comment}" for comment in comments] + [f"p cnf {formula.n_variables} {formula.n_clauses}"]
    lines += [
        " ".join(map(str, [*clause, 0]))
        for group in formula.groups
        if isinstance(group, Group)
        for clause in plain(group)
    ]
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def read_strict(text: bytes) -> tuple[int, list[list[int]]]:
    """Read DIMACS and accept no more than the strictest reader there is; ValueError says what is wrong.

    Returns:
        The variables that the header counts, and the clauses.
    """
    if text and not text.endswith(b"\n"):
        raise ValueError("the last line has no end")
    if b"\r" in text or b"\t" in text:
        raise ValueError("only blanks and newlines may separate")
    lines = text.decode("ascii").split("\n")[:-1]
    body = [line for line in lines if line[:2] != "c "]
    for line in lines:
        if line[:2] == "c " and len(line) >= 1000 and not line.startswith("c p show "):
            raise ValueError("a comment is too long")
    header = body[0].split(" ") if body else []
    if len(header) != 4 or header[:2] != ["p", "cnf"]:
        raise ValueError(f"no header: {body[:1]}")
    n_variables, n_clauses = int(header[2]), int(header[3])
    if [str(n_variables), str(n_clauses)] != header[2:]:
        raise ValueError("a number of the header is not plain")
    clauses = []
    for line in body[1:]:
        numbers = [int(part) for part in line.split(" ")]
        if " ".join(map(str, numbers)) != line:
            raise ValueError(f"not plain numbers and single blanks: {line!r}")
        if numbers[-1] != 0 or 0 in numbers[:-1]:
            raise ValueError(f"not one clause on a line: {line!r}")
        if max(map(abs, numbers)) > n_variables:
            raise ValueError(f"a variable above {n_variables}: {line!r}")
        clauses.append(numbers[:-1])
    if len(clauses) != n_clauses:
        raise ValueError(f"{len(clauses)} clauses, the header says {n_clauses}")
    return n_variables, clauses


def clasp_models(text: bytes, folder: Path) -> int:
    """Count the models with clasp, as it comes with clingo: a reader and counter that shares nothing with us."""
    file = folder / "formula.cnf"
    file.write_bytes(text)
    done = subprocess.run(
        [sys.executable, "-m", "clingo", "--mode=clasp", "--outf=2", "-n", "0", "-q", str(file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    answer = json.loads(done.stdout)
    assert answer["Result"] in ("SATISFIABLE", "UNSATISFIABLE"), done.stdout + done.stderr
    assert answer["Models"]["More"] == "no"
    assert not done.stderr
    return int(answer["Models"]["Number"])


def clauses_of(encoded: Encoding) -> list[list[int]]:
    return list(encoded.cnf)


def models_of(formula: Cnf) -> np.ndarray:
    """Return every model as bool (m, variables + 1), by PySAT alone: variables that no clause uses are false."""
    rows = []
    with Solver(name="minisat22", bootstrap_with=formula) as solver:
        for model in solver.enum_models():
            truth = np.zeros(formula.n_variables + 1, bool)
            truth[[literal for literal in model if literal > 0]] = True
            rows.append(truth)
    return np.array(rows).reshape(-1, formula.n_variables + 1)


def models(encoded: Encoding) -> np.ndarray:
    return models_of(encoded.cnf)


def combinations_of_options() -> list[tuple[str, str, str]]:
    made = []
    for name, encoder in ENCODINGS.items():
        for level in REDUCTIONS if "reduce" in encoder.options else ["none"]:
            made += [(name, level, amo) for amo in (AT_MOST_ONE if "amo" in encoder.options else ["pairwise"])]
    return made
