"""Encode a puzzle as a CNF: `encode` returns an `Encoding`, with a table of the literals of each cell and value.

Decoding, projection and blocking clauses follow from this table for every encoding, so encoders do not write them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.reduction import Reduction, reduce
from sudoku_encode.encoders.table import ALL, DEFAULT_ENCODING, ENCODINGS, Loader
from sudoku_encode.errors import FormatError, MethodError, SudokuError, printable, with_short_errors
from sudoku_encode.formula import dimacs
from sudoku_encode.formula.cnf import Cnf, Group, Literals
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.puzzles.arrays import freeze, freeze_fields, restore_frozen
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle, require_units_only
from sudoku_encode.puzzles.geometry import Geometry, with_hidden
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.storage import files
from sudoku_encode.storage.outputs import file_name

if TYPE_CHECKING:
    from sudoku_encode.encoders.own_clauses import Meaning


class MakeCnf(Protocol):
    """The function of an encoder.

    An encoder that takes a reduction reads the rules of the board, not its shape: many puzzles are encoded as one, on a
    board of copies (see `batch_encoding`).
    """

    def __call__(self, puzzle: Puzzle, reduced: Reduction, amo: str, duplicates: bool, /) -> tuple[Cnf, Literals]:
        """Return the formula of a puzzle in units, and `Encoding.literals`.

        With `duplicates` pairs that two units share are written twice.
        """


class UnsupportedReason(Protocol):
    """The function that says on which boards an encoder is right."""

    def __call__(self, board: Geometry, /) -> str:
        """Return why the encoding is wrong on a board; empty if it is right."""


_load_make_cnf: Loader[MakeCnf] = Loader()
_load_unsupported_reason: Loader[UnsupportedReason] = Loader()


class Choice(NamedTuple):
    """How a puzzle is encoded; see `encode`."""

    encoding: str = DEFAULT_ENCODING
    amo: str = "pairwise"
    duplicates: bool = False


# A formula without a model, and without an empty clause, which some solvers reject.
CONTRADICTION = Cnf.of(1, [Group.of("contradiction", [[1], [-1]])])


@dataclass(frozen=True, eq=False, repr=False)
class Encoding:
    """A puzzle as a CNF.

    Attributes:
        puzzle: what was encoded, on a board with its hidden cells.
        name: of the encoding and its options, for people.
        kind: `direct`, `order` or `log`: how the variables of a cell stand for its candidates.
        cnf: the formula.
        candidates: bool (n_cells, n_values): the values that a cell may have in a model.
        literals: int32 (n_cells, n_values, width), padded with 0: a cell holds a candidate iff all its literals hold.
            A cell with one candidate and no literals holds it in every model.
        contradiction: why there is no solution, if the reduction or the encoder shows that.
        seed: of the shuffling of variables, clauses and polarities; None if they are not shuffled.

    >>> from pysat.solvers import Solver
    >>> from sudoku_encode import encode
    >>> encoding = encode("1...............", board="4x4")
    >>> solver = Solver(bootstrap_with=encoding.cnf)
    >>> solver.solve(), encoding.decode(solver.get_model())[0, 0]
    (True, 1)
    """

    puzzle: Puzzle
    name: str
    kind: str
    cnf: Cnf
    candidates: Candidates
    literals: Literals
    contradiction: str = ""
    seed: int | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen
    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return a short description; the formula itself would fill pages."""
        return f"Encoding({self.name}, board {printable(self.puzzle.geometry.name):.20}, {self.cnf.size})"

    def __deepcopy__(self, memo: dict[int, object]) -> "Encoding":
        """Return the encoding itself: it is immutable, and a deep copy of its formula would be a list."""
        return self

    @cached_property
    def projection(self) -> Literals:
        """The variables that tell solutions apart, ascending; all others are auxiliary."""
        used = np.zeros(self.cnf.n_variables + 1, bool)
        used[np.abs(self.literals[: self.puzzle.geometry.n_grid])] = True
        return freeze(np.flatnonzero(used[1:]).astype(np.int32) + 1)

    @property
    def meaning(self) -> "Meaning":
        """The meaning of the variables."""
        from sudoku_encode.encoders.own_clauses import Meaning

        return Meaning(self.puzzle, self.candidates, self.literals, self.contradiction)

    @property
    def n_auxiliary(self) -> int:
        """Number of auxiliary variables."""
        return self.cnf.n_variables - len(self.projection)

    def holds(self, models: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the values of the cells in models.

        Args:
            models: bool (m, n_variables + 1); column v is variable v.

        Returns:
            bool (m, n_cells, n_values).
        """
        truth = np.broadcast_to(self.candidates, (len(models), *self.candidates.shape)).copy()
        for literal in np.moveaxis(self.literals, 2, 0):
            truth &= (models[:, np.abs(literal)] ^ (literal < 0)) | (literal == 0)
        return truth

    def decode(self, model: Iterable[int]) -> Grid:
        """Return the grid of one model; 0 where the model gives a cell no value, or two.

        Args:
            model: literals, as solvers give them; a variable that is not among them is false.

        Raises:
            FormatError: a literal is not of the formula, or a variable is both true and false.
        """
        board = with_hidden(self.puzzle.geometry, 0)
        return Grid(board, self.decode_all(self._truth(model))[0, : board.n_cells])

    def decode_all(self, models: NDArray[np.bool_]) -> Grids:
        """Return the grids of many models, uint8 (m, n_cells); 0 where a model gives a cell no value, or two.

        Args:
            models: bool (m, n_variables + 1); column v is variable v.
        """
        truth = self.holds(models)
        values = truth.argmax(axis=2).astype(np.uint8) + np.uint8(1)
        return np.where(truth.sum(axis=2, dtype=np.int32) == 1, values, np.uint8(0))

    def decode_with_faults(self, model: Iterable[int]) -> tuple[Grids, list[str]]:
        """Return the values of one model, uint8 (n_cells,), hidden cells too, and why they are not a solution.

        Raises:
            FormatError: see `decode`.
        """
        truth = self._truth(model)
        grid, cell_values = self.decode_all(truth)[0], self.holds(truth)[0]
        from sudoku_encode.encoders.answers import faults

        return grid, faults(self.puzzle, cell_values, grid)

    def _truth(self, model: Iterable[int]) -> NDArray[np.bool_]:
        """Return one model as bool (1, n_variables + 1)."""
        if model is None:
            raise FormatError("there is no model to decode: the solver found none, or was not run")
        literals = np.array([index(literal) for literal in model], np.int64)
        n = self.cnf.n_variables
        strange = literals[(literals == 0) | (np.abs(literals) > n)]
        if len(strange):
            raise FormatError(f"literal {strange[0]} is out of range: this CNF has {n} variables")
        truth, false = np.zeros((2, 1, n + 1), bool)
        truth[0, literals[literals > 0]] = True
        false[0, -literals[literals < 0]] = True
        if (truth & false).any():
            variable = int(np.argmax(truth & false))
            raise FormatError(f"the model has both {variable} and {-variable}")
        return truth

    @with_short_errors
    def save(self, path: str | Path, *, show: bool = False, about: Sequence[str] = ()) -> None:
        """Write the DIMACS file, compressed if the name ends in .gz, .xz or .zst; `-` is standard output.

        Args:
            path: of the file.
            show: write the projection (`c p show`) even if there is no auxiliary variable. It is one line, as counters
                require, but some proof checkers find that too long.
            about: further comments, after that of the program.

        Raises:
            SudokuError: the file cannot be written; or the encoding was loaded, and its clauses were not read.
        """
        if self.cnf.read_groups is None:
            raise SudokuError(
                f"{path}: this encoding was loaded without its clauses, so it cannot be written; "
                "encode its puzzle again, or copy the file"
            )
        from sudoku_encode.encoders.model_comments import with_about

        with files.writing(file_name(path)) as out:
            dimacs.write(self.cnf, out, list(with_about(self.comments(show=show), about)))

    def comments(self, *, show: bool = False) -> Iterator[str]:
        """Yield the comment lines of the DIMACS file, without their `c `; see `save`."""
        projection = self.projection if self.n_auxiliary or show else None
        from sudoku_encode.encoders.model_comments import cnf_comments

        return cnf_comments(
            self.puzzle,
            self.name,
            self.kind,
            self.candidates,
            self.literals,
            self.contradiction,
            projection,
            self.seed,
        )

    def blocking_clause(self, grid: Grids, blanks: NDArray[np.intp]) -> list[int]:
        """Return the clause that excludes one solution, of the literals of its blanks only."""
        literals = self.literals[blanks, grid[blanks].astype(np.intp) - 1]
        return [-literal for literal in dict.fromkeys(literals.ravel().tolist()) if literal]

    @with_short_errors
    def assuming(self, cells: Mapping[Any, int] | Iterable[str]) -> list[int]:
        """Return assumptions for a solver: the literals that cells hold values, or do not hold them.

        Args:
            cells: by the name of a cell (`r1c1`), its coordinates from 0 or its number, its value; -5 means `not 5`.
                Or texts; see `encode`.

        Raises:
            FormatError: there is no such cell or value.
            MethodError: "does not hold" is a clause instead of a literal in the encodings order and log; use
                `encode(assume=...)` instead.

        >>> from pysat.solvers import Solver
        >>> from sudoku_encode import encode
        >>> encoding = encode("1...............", board="4x4")
        >>> solver = Solver(bootstrap_with=encoding.cnf)
        >>> solver.solve(encoding.assuming({"r1c2": 3, "r2c1": -2})), solver.solve(encoding.assuming({(0, 1): 1}))
        (True, False)
        """
        from sudoku_encode.encoders.own_clauses import clauses_of

        assumptions: list[int] = []
        for cell, value, clauses in clauses_of(self.meaning, cells):
            if any(len(clause) > 1 for clause in clauses):
                raise MethodError(
                    f"that {self.puzzle.geometry.cell_name(cell)} does not hold {-value} is a clause in encoding "
                    f"{self.name}, not a literal to assume: use encode(assume=...)"
                )
            assumptions += [literal for clause in clauses for literal in clause]
        return assumptions

    @with_short_errors
    def blocking(self, grids: Any) -> list[list[int]]:
        """Return a clause for each grid that excludes it, and no other.

        Args:
            grids: arrays, `Grid`s or what `Solutions.batches` yields, (m, n_grid); grids that break a given or
                that a reduction excludes need no clause.

        Raises:
            FormatError: these are not full grids.

        >>> from pysat.solvers import Solver
        >>> from sudoku_encode import encode, solve
        >>> encoding = encode("1234341221..43..", board="4x4")
        >>> solver = Solver(bootstrap_with=encoding.cnf)
        >>> solver.append_formula(encoding.blocking([solve("1234341221..43..", board="4x4")]))
        >>> solver.solve()
        False
        """
        from sudoku_encode.encoders.own_clauses import blocking

        literals, widths = blocking(self.meaning, grids)
        ends, flat = np.cumsum(widths).tolist(), literals.tolist()
        return [flat[end - width : end] for end, width in zip(ends, widths.tolist(), strict=True)]

    def assumptions(self, givens: Grids) -> Iterator[list[int]]:
        """Yield for each row of givens (m, n_cells) the literals that fix them; for an encoding without givens."""
        rows, cells = np.nonzero(givens)
        literals = self.literals[cells, givens[rows, cells].astype(np.intp) - 1]
        ends = np.cumsum(np.bincount(rows, minlength=len(givens)) * literals.shape[1]).tolist()
        flat = literals.ravel().tolist()
        for start, end in pairwise([0, *ends]):
            yield [literal for literal in flat[start:end] if literal]


def unsupported_reason(encoding: str, board: Geometry) -> str:
    """Return why an encoding, a key of ENCODINGS, is wrong on a board; empty if it is right."""
    name = ENCODINGS[encoding].unsupported_reason
    return _load_unsupported_reason(name)(board) if name else ""


def refuse_unused(
    given: Mapping[str, bool], options: frozenset[str], owner: str, others: Mapping[str, frozenset[str]]
) -> None:
    """Refuse the first given option that `owner` does not support: options are never ignored silently.

    Args:
        given: for each option whether it is given.
        options: those that the owner supports.
        owner: the kind and the name.
        others: those that others of its kind support, by their names.

    Raises:
        MethodError: a given option is not supported.
    """
    for option, is_given in given.items():
        if is_given and option not in options:
            takers = [name for name, own in others.items() if option in own]
            advice = f"; {', '.join(takers)} {'takes' if len(takers) == 1 else 'take'} it" if takers else ""
            raise MethodError(f"{owner} takes no option {option}{advice}")


def encode(
    puzzle: Puzzle,
    encoding: str = DEFAULT_ENCODING,
    *,
    reduction: str | None = None,
    amo: str = "pairwise",
    duplicates: bool = False,
) -> Encoding:
    """Return the encoding of a puzzle. The default solves fastest: singles first, extended, at-most-one by pairs.

    A model that is written to a file is not reduced by default; see `model_files` and the public `encode`, which has
    the same options. With `duplicates` a pair of cells is written once for every unit that contains both, as in
    textbook clause counts.

    Raises:
        MethodError: an unknown name, a board or an option that the encoding does not support.
    """
    level, choice = level_of(encoding, reduction), Choice(encoding, amo, duplicates)
    in_units = lower_puzzle(puzzle).puzzle
    refuse_unfit(in_units.geometry, level, choice)
    return encode_reduced(puzzle, reduce(in_units, level), choice)


def refuse_unfit(board: Geometry, level: str, choice: Choice) -> None:
    """Raise the errors of `encode` for a board.

    Raises:
        MethodError: as `encode`.
    """
    encoding, amo, duplicates = choice
    if amo not in AT_MOST_ONE:
        raise MethodError(f"no at-most-one is called {amo!r}; choose from {', '.join(AT_MOST_ONE)}")
    encoder = ENCODINGS[encoding]
    if reason := unsupported_reason(encoding, board):
        raise MethodError(f"encoding {encoding} does not fit {board.name}: {reason}")
    # These values are the same as no option, so an encoding that takes no options accepts them.
    given = {"amo": amo != "pairwise", "duplicates": duplicates, "reduce": level != "none"}
    refuse_unused(
        given, encoder.options, f"encoding {encoding}", {name: row.options for name, row in ENCODINGS.items()}
    )
    if duplicates and amo != "pairwise":
        raise MethodError(f"duplicate pairs need amo pairwise, not {amo}")


def encode_reduced(puzzle: Puzzle, reduced: Reduction, choice: Choice) -> Encoding:
    """Return the encoding of a reduced puzzle, without the checks of `refuse_unfit`.

    Raises:
        MethodError: the puzzle has constraints that the encoding does not support.
    """
    encoding, amo, duplicates = choice
    puzzle = puzzle.extended
    if reduced.contradiction:
        return _unsatisfiable(puzzle, encoding, reduced)
    encoder, low = ENCODINGS[encoding], lower_puzzle(puzzle)
    cnf, literals = _load_make_cnf(encoder.encode)(low.puzzle, reduced, amo, duplicates)
    if low.primitives:
        if encoder.kind != "direct":
            require_units_only(puzzle, f"encoding {encoding}")
        # Imported here: puzzles with givens alone, which are most, do without it.
        from sudoku_encode.encoders.constraint_clauses import constraint_groups

        groups, n_variables, possible = constraint_groups(low.primitives, reduced, literals[:, :, 0], cnf.n_variables)
        if not possible:
            reason = f"no remaining values satisfy {', '.join(low.kinds)}"
            return _unsatisfiable(puzzle, encoding, replace(reduced, contradiction=reason))
        cnf = Cnf.of(n_variables, [*cnf.groups, *groups])
    name = encoding + f", {amo}" * (amo != "pairwise") + ", duplicates" * duplicates
    return Encoding(puzzle, name, encoder.kind, cnf, reduced.candidates, literals)


def level_of(encoding: str, reduction: str | None = None) -> str:
    """Return the reduction of an encoding: by default `singles` if it takes one.

    Raises:
        MethodError: an unknown encoding.
    """
    if encoding not in ENCODINGS:
        raise MethodError(f"no encoding is called {encoding!r}; choose from {', '.join(ENCODINGS)}")
    return reduction or ("singles" if "reduce" in ENCODINGS[encoding].options else "none")


def _unsatisfiable(puzzle: Puzzle, name: str, reduced: Reduction) -> Encoding:
    """Return the encoding of a puzzle that a reduction refutes."""
    literals = np.zeros((*reduced.candidates.shape, 1), np.int32)
    return Encoding(puzzle, name, "direct", CONTRADICTION, reduced.candidates, literals, reduced.contradiction)


# Variants: the encodings and at-most-ones for which `all` stands.


class Variant(NamedTuple):
    """An encoding and its at-most-one; None for the default, or if it takes none."""

    encoding: str | None
    amo: str | None

    @property
    def name(self) -> str:
        """Name of its file."""
        return "-".join(part for part in (self.encoding or DEFAULT_ENCODING, self.amo) if part)


def variants(encoding: str | None, amo: str | None, board: Geometry) -> list[Variant]:
    """Return the requested variants, by default the default one.

    `all` means all encodings that fit the board, or all at-most-ones that they take.

    Raises:
        MethodError: `all` at-most-ones of an encoding without that option.
    """
    if amo == ALL != encoding and "amo" not in ENCODINGS[encoding or DEFAULT_ENCODING].options:
        raise MethodError(f"encoding {encoding} takes no option amo")
    unfitting = unsupported_encodings(board) if encoding == ALL else {}
    names = [name for name in ENCODINGS if name not in unfitting] if encoding == ALL else [encoding]
    return [
        Variant(name, way) for name in names for way in ([amo] if amo != ALL else _amo_names(name or DEFAULT_ENCODING))
    ]


def _amo_names(encoding: str) -> list[str | None]:
    """Return the at-most-ones that an encoding takes; [None] if it has its own."""
    return [*AT_MOST_ONE] if "amo" in ENCODINGS[encoding].options else [None]


def unsupported_encodings(board: Geometry) -> dict[str, str]:
    """Return the encodings that are wrong on a board, with the reason."""
    reasons = {name: unsupported_reason(name, board) for name in ENCODINGS}
    return {name: reason for name, reason in reasons.items() if reason}
