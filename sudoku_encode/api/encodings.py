"""Whether a CNF is the formula of a puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Unpack

from sudoku_encode.api.arguments import NO_LIMITS, LimitNames, check_arguments, run_in_process
from sudoku_encode.api.models import encode, named_puzzle, refuse_unused
from sudoku_encode.api.puzzles import PuzzleLike
from sudoku_encode.encoders import cnf_file
from sudoku_encode.encoders.encoding import Encoding, level_of
from sudoku_encode.encoders.table import DEFAULT_ENCODING, DEFAULT_REDUCTION
from sudoku_encode.errors import FormatError
from sudoku_encode.proving import encoded
from sudoku_encode.proving.encoded import CheckedEncoding
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.storage.outputs import file_name


@check_arguments
def check_encoding(
    path: str | Path,
    puzzle: PuzzleLike | None = None,
    name: str = DEFAULT_ENCODING,
    *,
    reduction: str = DEFAULT_REDUCTION,
    amo: str = "pairwise",
    seed: int | None = None,
    limits: Limits = NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> CheckedEncoding:
    """Check that a DIMACS file has exactly the solutions of a puzzle.

    The file may be in any encoding, compressed or shuffled, and other programs
    may have changed its clauses. Only its comments about the cells are
    believed: they say what its models mean.

    Args:
        path: the file.
        puzzle: the puzzle; by default the one in the comments.
        name: the encoding of a file whose comments another program dropped, as
            for `encode`.
        reduction: as for `encode`.
        amo: as for `encode`.
        seed: as for `encode`.
        limits: on time and memory.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        EncodingError: the file has a solution too many, or lost one; the
            message names the clause.
        FormatError: the file cannot be read, or is not the CNF of a puzzle.
        MethodError: the puzzle has too many clauses.
        StoppedError: a limit was reached.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "p.cnf")
    >>> from sudoku_encode import encode
    >>> encode("1...............", "log", board="4x4").save(path)
    >>> check_encoding(path).proved
    True
    """
    level_of(name, reduction)
    own, file = named_puzzle(puzzle, board, rules), encoded.read(file_name(path))
    options = {"name": name, "reduction": reduction, "amo": amo, "seed": seed}
    if own is None and not file.names_board:
        raise FormatError("its comments do not name the board; name its puzzle, or its board with --board", file.path)
    if own is None or file.names_board:
        refuse_unused(options, "on a file whose comments name the encoding")
        encoding = cnf_file.load_encoding(path)
    else:
        encoding = cnf_file.load_encoding(path, encode(own, name, reduction=reduction, amo=amo, seed=seed))
    limits = limits.without_solutions("check_encoding")
    work = partial(_check, file, encoding.puzzle.on_grid if own is None else own, encoding, limits.start())
    return run_in_process(work, limits) if limits.need_a_process else work()


def _check(file: encoded.CnfFile, puzzle: Puzzle, encoding: Encoding, deadline: Deadline) -> CheckedEncoding:
    """Check a file, unless the time is over already: a small one is checked before a process could be ended."""
    deadline()
    return encoded.check(file, puzzle, encoding)
