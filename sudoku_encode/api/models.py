"""Puzzles as models for solvers: CNF, CP-SAT and other standard forms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sudoku_encode.api.arguments import check_arguments
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle, board_of
from sudoku_encode.encoders import cnf_file, cp, encoding, model_files
from sudoku_encode.encoders.changes import add_clauses
from sudoku_encode.encoders.cp import CpModel
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.model_files import ModelOptions, SavedModel
from sudoku_encode.encoders.table import DEFAULT_ENCODING, DEFAULT_REDUCTION
from sudoku_encode.errors import SudokuError, short
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle


@check_arguments
def encode(
    puzzle: PuzzleLike,
    name: str = DEFAULT_ENCODING,
    *,
    reduction: str = DEFAULT_REDUCTION,
    amo: str = "pairwise",
    duplicates: bool = False,
    assume: Mapping[Any, int] | Iterable[str] | None = None,
    blocked: Any = None,
    seed: int | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Encoding:
    """Encode a puzzle as a CNF with the meaning of its variables.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        name: the encoding, a key of ENCODINGS.
        reduction: how to simplify first, a key of REDUCTIONS; by default not at
            all: a given is a unit clause, or several if the encoding uses
            several literals for a value.
        amo: how at-most-one becomes clauses, a key of AT_MOST_ONE.
        duplicates: repeat the clauses for two cells in every unit that contains
            both, as textbooks count clauses.
        assume: more values, added as clauses: a mapping from the name of a cell
            (`r1c1`), its coordinates from 0 or its number to a value, -5 for
            `not 5`; or texts such as `r1c1=5,r1c2!=3`. `Encoding.assuming`
            returns literals instead.
        blocked: grids to exclude, each by a clause, such as known solutions;
            see `Encoding.blocking`.
        seed: shuffles variables, polarities, clauses and their literals.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.

    Raises:
        MethodError: an unknown name, a board or an option that the encoding
            does not support.
        FormatError: not a puzzle; no such cell or value.

    >>> encode("1...............", board="4x4").cnf
    Cnf(64 variables, 385 clauses)
    >>> encode("1...............", board="4x4", reduction="singles").cnf
    Cnf(53 variables, 290 clauses)
    >>> from sudoku_encode import solve
    >>> solution = solve("1...............", board="4x4")
    >>> encode("1...............", board="4x4", assume={"r1c2": 3, (1, 0): -2}, blocked=[solution]).name
    'extended, 3 clauses added'
    """
    parsed = as_puzzle(puzzle, board, rules)
    encoded = encoding.encode(parsed, name, reduction=reduction, amo=amo, duplicates=duplicates)
    if assume is not None or blocked is not None:
        encoded = add_clauses(encoded, assume or {}, blocked)
    if seed is None:
        return encoded
    from sudoku_encode.encoders.changes import shuffle

    return shuffle(encoded, seed)


@check_arguments
def load_encoding(
    path: str | Path,
    puzzle: PuzzleLike | None = None,
    name: str = DEFAULT_ENCODING,
    *,
    reduction: str = DEFAULT_REDUCTION,
    amo: str = "pairwise",
    seed: int | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Encoding:
    """Read the meaning of the variables from a DIMACS file of this program.

    The result decodes models. The clauses are not read.

    Args:
        path: the file.
        puzzle: the puzzle of a file whose comments another program dropped; by
            default the comments name it.
        name: the encoding of such a file, as for `encode`.
        reduction: as for `encode`.
        amo: as for `encode`.
        seed: as for `encode`.
        board: needed if the text or array does not identify it; without a
            puzzle, the empty board is meant.
        rules: the names of the rules to keep; by default all.

    Raises:
        FormatError: the file cannot be read, or is not the CNF of a puzzle; its
            comments already name a puzzle; or its number of variables differs.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "p.cnf")
    >>> encode("1...............", board="4x4").save(path)
    >>> load_encoding(path).puzzle.geometry.name
    '4x4'
    """
    own = named_puzzle(puzzle, board, rules)
    options = {"name": name, "reduction": reduction, "amo": amo, "seed": seed}
    if own is None:
        refuse_unused({**options, "rules": rules}, "without a puzzle or a board")
        return cnf_file.load_encoding(path)
    return cnf_file.load_encoding(path, encode(own, name, reduction=reduction, amo=amo, seed=seed))


def named_puzzle(puzzle: PuzzleLike | None, board: str | Geometry | None, rules: Iterable[str] | None) -> Puzzle | None:
    """Return the puzzle that a caller names, which is an empty board if only that is named; None if neither is."""
    if puzzle is None and board is not None:
        return Puzzle.of(board_of(board, None, None if rules is None else tuple(rules)))
    return None if puzzle is None else as_puzzle(puzzle, board, rules)


def refuse_unused(options: Mapping[str, Any], where: str) -> None:
    """Raise SudokuError for an option about the encoding of a file that is not the default."""
    usual = {"name": DEFAULT_ENCODING, "reduction": DEFAULT_REDUCTION, "amo": "pairwise"}
    for option, value in options.items():
        if value != usual.get(option):
            raise SudokuError(f"{option}={short(repr(value))} has no effect {where}")


@check_arguments
def cp_model(
    puzzle: PuzzleLike,
    name: str = "cp-sat",
    *,
    reduction: str = DEFAULT_REDUCTION,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> CpModel:
    """Return a puzzle as a CP-SAT model, to which you can add constraints.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        name: `cp-sat`, an integer per cell; or `cp-sat-bool`, a Boolean per
            candidate.
        reduction: how to simplify first, a key of REDUCTIONS; by default not at
            all: givens are fixed domains.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.

    Raises:
        MethodError: an unknown name.
        FormatError: not a puzzle.

    >>> model = cp_model("1...............", board="4x4")
    >>> _ = model.model.add(model["r1c2"] + model["r2c1"] == 5)
    >>> from sudoku_encode import model_solutions
    >>> len(list(model_solutions(model)))
    24
    """
    return cp.cp_model(as_puzzle(puzzle, board, rules), name, reduction)


@check_arguments
def save_model(
    puzzle: PuzzleLike,
    path: str | Path,
    form: str | None = None,
    *,
    encoding: str | None = None,
    reduction: str | None = None,
    amo: str | None = None,
    duplicates: bool = False,
    show: bool = False,
    seed: int | None = None,
    assume: Mapping[Any, int] | Iterable[str] | None = None,
    blocked: Any = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> SavedModel:
    """Write a puzzle as a model, and return a description of it.

    The file is compressed if its name ends in .gz, .xz or .zst.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        path: the file; `-` is standard output.
        form: a key of MODEL_FORMATS; by default the one for the suffix of the
            path, else `cnf`.
        encoding: for a CNF, a key of ENCODINGS.
        reduction: a key of REDUCTIONS; by default nothing is simplified.
        amo: for a CNF, a key of AT_MOST_ONE.
        duplicates: for a CNF; see `encode`.
        show: for a CNF, write the projection even if there is no auxiliary
            variable.
        seed: for a CNF; see `encode`.
        assume: for a CNF, also with cubes or soft givens; see `encode`.
        blocked: for such a CNF, solutions to exclude; see `encode`.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.

    Raises:
        MethodError: an unknown name, a board or an option that the format does
            not support.
        SudokuError: the file cannot be written; not a puzzle, a cell or a
            value; or a grid to exclude is not a solution.

    >>> import tempfile, pathlib
    >>> print(save_model("1...............", pathlib.Path(tempfile.mkdtemp(), "p.opb"), board="4x4").form)
    opb
    """
    options = ModelOptions(encoding, reduction, amo, duplicates, show, seed, assume=assume, blocked=blocked)
    return model_files.save_model(as_puzzle(puzzle, board, rules), path, form, options)
