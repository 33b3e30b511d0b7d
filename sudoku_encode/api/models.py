"""Puzzles as models for solvers: CNF, CP-SAT and other standard forms."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sudoku_encode.api.arguments import checked
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.encoders import cnf_file, cp, encoding, saving
from sudoku_encode.encoders.adding import added
from sudoku_encode.encoders.cp import CpModel
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.saving import ModelOptions, SavedModel
from sudoku_encode.encoders.table import DEFAULT_ENCODING, DEFAULT_REDUCTION
from sudoku_encode.puzzles.geometry import Geometry


@checked
def encode(
    puzzle: PuzzleLike,
    name: str = DEFAULT_ENCODING,
    *,
    reduction: str = DEFAULT_REDUCTION,
    amo: str = "pairwise",
    duplicates: bool = False,
    assume: Mapping[Any, int] | None = None,
    blocked: Any = None,
    seed: int | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Encoding:
    """Return a puzzle as a CNF that knows what its variables mean.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        name: of the encoding, a key of ENCODINGS.
        reduction: what is left out before, a key of REDUCTIONS; by default nothing, and a given is a unit clause (in
            an encoding whose values are several literals, as many).
        amo: how at-most-one becomes clauses, a key of AT_MOST_ONE.
        duplicates: write a pair of cells once for every unit that has both, as textbooks count clauses.
        assume: what must hold besides, as clauses: by the name of a cell (`r1c1`), its coordinates from 0 or its
            number, its value; -5 means `not 5`. See `Encoding.assuming` for literals to assume instead.
        blocked: grids that are excluded, each by a clause, such as solutions found before; see `Encoding.blocking`.
        seed: shuffle variables, polarities, clauses and the literals in each; from 0 to 2^31 - 1.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        MethodError: an unknown name, a board that the encoding is not right for, an option that it does not take.
        FormatError: it is no puzzle; there is no such cell or value.

    >>> encode("1...............", board="4x4").cnf
    Cnf(64 variables, 385 clauses)
    >>> encode("1...............", board="4x4", reduction="singles").cnf
    Cnf(53 variables, 290 clauses)
    >>> from sudoku_encode import solve
    >>> found = solve("1...............", board="4x4")
    >>> encode("1...............", board="4x4", assume={"r1c2": 3, (1, 0): -2}, blocked=[found]).name
    'extended, 3 clauses added'
    """
    given = as_puzzle(puzzle, board, rules)
    encoded = encoding.encode(given, name, reduction=reduction, amo=amo, duplicates=duplicates)
    if assume is not None or blocked is not None:
        encoded = added(encoded, assume or {}, blocked)
    if seed is None:
        return encoded
    from sudoku_encode.encoders.shuffling import shuffled

    return shuffled(encoded, seed)


@checked
def load_encoding(path: str | Path) -> Encoding:
    """Return what a DIMACS file of ours says of its variables: enough to decode a model; its clauses are not read.

    Raises:
        FormatError: the file cannot be read, or is no CNF of a puzzle.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "p.cnf")
    >>> encode("1...............", board="4x4").save(path)
    >>> load_encoding(path).puzzle.geometry.name
    '4x4'
    """
    return cnf_file.load_encoding(path)


@checked
def cp_model(
    puzzle: PuzzleLike,
    name: str = "cp-sat",
    *,
    reduction: str = DEFAULT_REDUCTION,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> CpModel:
    """Return a puzzle as a CP-SAT model, to which constraints of one's own may be added.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        name: `cp-sat`, an integer per cell; or `cp-sat-bool`, a Boolean per candidate.
        reduction: what is decided before, a key of REDUCTIONS; by default nothing, and givens are fixed domains.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        MethodError: an unknown name.
        FormatError: it is no puzzle.

    >>> model = cp_model("1...............", board="4x4")
    >>> _ = model.model.add(model[0, 1] + model[1, 0] == 5)
    """
    return cp.cp_model(as_puzzle(puzzle, board, rules), name, reduction)


@checked
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
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> SavedModel:
    """Write a puzzle as a model, compressed if the name ends in .gz, .xz or .zst; return what was written.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        path: where to; `-` is standard output.
        form: a key of MODEL_FORMATS; by default what the suffix of the path stands for, else `cnf`.
        encoding: of a CNF; a key of ENCODINGS.
        reduction: a key of REDUCTIONS; by default nothing is left out.
        amo: of a CNF; a key of AT_MOST_ONE.
        duplicates: of a CNF; see `encode`.
        show: of a CNF; write the projection even where there is no auxiliary variable.
        seed: of a CNF; see `encode`.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        MethodError: an unknown name, a board that does not fit, an option that the format does not take.
        SudokuError: the file cannot be written, or it is no puzzle.

    >>> import tempfile, pathlib
    >>> print(save_model("1...............", pathlib.Path(tempfile.mkdtemp(), "p.opb"), board="4x4").form)
    opb
    """
    options = ModelOptions(encoding, reduction, amo, duplicates, show, seed)
    return saving.save_model(as_puzzle(puzzle, board, rules), path, form, options)
