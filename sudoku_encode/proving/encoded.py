"""Check that a CNF has the same solutions as a puzzle, whatever program wrote it, and in whatever encoding.

Two formulas are compared: `plain`, written from the puzzle by code that shares nothing with the encoders, and that of
the file, in which only the variables of the cells have a meaning. The auxiliary variables of one formula are defined as
functions of the cells (see `definitions`). Then each of its clauses must follow from the other formula and these
definitions, so that each model of the other formula has the cells of a model of this one:

- no solution too many: the clauses of `plain` follow from the file.
- no solution lost: the clauses of the file follow from `plain`.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import FormatError, StoppedError, SudokuError
from sudoku_encode.proving import implication, numbers, plain, tied
from sudoku_encode.proving.checking import check_puzzle
from sudoku_encode.proving.definitions import definitions, disjunction
from sudoku_encode.proving.implication import Cases, apart, joined
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.proving.tied import FormulaPair
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.storage import files

# Larger files would take too much memory to check.
MAX_BYTES, MAX_CLAUSES = 1 << 28, 5_000_000
# How many solutions are tried if it cannot be proved that none is lost.
N_TESTED = 100


class EncodingError(SudokuError):
    """A CNF has other solutions than its puzzle; the message names a clause.

    >>> import pathlib, tempfile
    >>> from sudoku_encode import check_encoding, encode
    >>> path = pathlib.Path(tempfile.mkdtemp(), "p.cnf")
    >>> encode("1...............", board="4x4").save(path)
    >>> _ = path.write_text(path.read_text().replace("5 6 7 8 0", "5 6 7 0"))
    >>> try:
    ...     check_encoding(path)
    ... except EncodingError:
    ...     print("refused")
    refused
    """


@dataclass(frozen=True)
class Derivation:
    """How the clauses of one formula follow from the other.

    Attributes:
        clauses: how many there are.
        by: how many follow by `unit propagation`, by `cases`, by `counting` in units, and by a `solver` whose proof was
            checked.
        auxiliary: how many auxiliary variables of this formula are defined as functions of the cells.
        undecided: a clause in words that was neither proved nor refuted; empty if all follow.
        tested: if not all follow, how many solutions of the puzzle were tried, each of which is one of the file.
    """

    clauses: int
    by: dict[str, int]
    auxiliary: int
    undecided: str = ""
    tested: int = 0


@dataclass(frozen=True, eq=False)
class CheckedEncoding:
    """A CNF that was compared with its puzzle.

    Attributes:
        puzzle: whose solutions the CNF has.
        encoding: what its comments call the encoding.
        too_many: why it has no solution too many: how the clauses of the puzzle follow from the file.
        lost: why it has lost no solution: how the clauses of the file follow from those of the puzzle.
        seconds: how long the check took.

    >>> import tempfile, pathlib
    >>> from sudoku_encode import check_encoding, encode
    >>> path = pathlib.Path(tempfile.mkdtemp(), "p.cnf")
    >>> encode("1...............", board="4x4").save(path)
    >>> check_encoding(path).proved
    True
    """

    puzzle: Puzzle
    encoding: str
    too_many: Derivation
    lost: Derivation
    seconds: float

    @property
    def proved(self) -> bool:
        """Whether the file is proved to have exactly the solutions of the puzzle."""
        return not self.too_many.undecided and not self.lost.undecided

    def __repr__(self) -> str:
        """Return on one short line whether the file is proved."""
        return f"CheckedEncoding({self.encoding}, {'proved' if self.proved else 'not proved'})"


@dataclass(frozen=True, eq=False)
class CnfFile:
    """The clauses of a DIMACS file."""

    path: str
    text: bytes
    clauses: Numbers
    n_variables: int

    @cached_property
    def comments(self) -> list[list[str]]:
        """The words of each comment before the header, without the c."""
        head = self.text[: numbers.header(self.text, self.path)[2]].decode("ascii", "replace")
        return [line.split()[1:] for line in head.splitlines() if line.split()[:1] == ["c"]]

    @property
    def names_board(self) -> bool:
        """Whether its comments name the board of a puzzle."""
        return any(words[:1] == ["board"] for words in self.comments)

    def line(self, clause: int) -> int:
        """Return the line (from 1) of a clause (from 0)."""
        return numbers.line_of(self.text, numbers.header(self.text, self.path)[2], clause)


def read(path: str) -> CnfFile:
    """Return the clauses of a DIMACS file, which may be compressed.

    Raises:
        FormatError: it cannot be read, is not a CNF, or is too large; a variable or the number of clauses contradicts
            the header.
    """
    text = files.read_bytes(path, MAX_BYTES)
    n_variables, n_clauses, start = numbers.header(text, path)
    if n_clauses > MAX_CLAUSES:
        raise FormatError(f"{n_clauses:,} clauses are too many to be checked; expected at most {MAX_CLAUSES:,}", path)
    clauses = numbers.read(text, path, start)
    if len(clauses) and clauses[-1] != 0:
        raise FormatError("the 0 after the last clause is missing", path)
    # Not np.abs: the smallest number has no opposite.
    wrong = np.flatnonzero((clauses > n_variables) | (clauses < -n_variables))
    if len(wrong):
        word = "d" if clauses[wrong[0]] == numbers.DELETE else int(clauses[wrong[0]])
        line = numbers.line_of(text, start, int(np.count_nonzero(clauses[: wrong[0]] == 0)))
        raise FormatError(f"not a literal of a CNF with {n_variables} variables: {word}", path, line)
    if (count := int(np.count_nonzero(clauses == 0))) != n_clauses:
        raise FormatError(f"{count} clauses, but the header says {n_clauses}", path)
    return CnfFile(path, text, clauses, n_variables)


def check(file: CnfFile, puzzle: Puzzle, encoding: Encoding) -> CheckedEncoding:
    """Check that a CNF has exactly the solutions of a puzzle, in the variables of an encoding.

    Nothing of the encoding is used but `candidates` and `literals`, which say what a model of the file means.

    Raises:
        EncodingError: the file has a solution too many, or lost one.
        FormatError: the encoding is of another board.
        MethodError: the puzzle has too many clauses.
    """
    start = time.perf_counter()
    if encoding.candidates.shape != puzzle.extended.candidates.shape:
        reason = "its comments name another board than the puzzle's, or constraints with other hidden cells"
        raise FormatError(reason, file.path)
    check_puzzle(puzzle)
    _check_projection(file, encoding)
    checking = _Checking(file, puzzle, tied.tie(puzzle, encoding, file.clauses, file.n_variables))
    emit(Progress("looking for solutions too many ..."))
    too_many = checking.too_many()
    emit(Progress("looking for lost solutions ..."))
    return CheckedEncoding(puzzle, encoding.name, too_many, checking.lost(), time.perf_counter() - start)


def _check_projection(file: CnfFile, encoding: Encoding) -> None:
    """Refuse a projection for model counters that does not list the variables of the cells."""
    expected = set(map(str, encoding.projection.tolist()))
    for words in file.comments:
        if words[:2] == ["p", "show"] and (wrong := expected.symmetric_difference(words[2:]) - {"0"}):
            first = min(wrong, key=lambda word: (len(word), word))
            what = "lacks" if first in expected else "lists"
            raise EncodingError(f"{file.path}: its projection (c p show) wrongly {what} variable {first}")


@dataclass(frozen=True, eq=False)
class _Checking:
    """The two formulas that are compared."""

    file: CnfFile
    puzzle: Puzzle
    both: FormulaPair

    def too_many(self) -> Derivation:
        """Show that no model of the file breaks a clause of the puzzle.

        Raises:
            EncodingError: one does.
        """
        both, clauses = self.both, apart(self.both.plain)
        defined = definitions(both.plain, both.is_of_cell[: both.n_plain + 1], both.n_variables)
        premises = np.concatenate([both.file, both.meaning, joined(defined.clauses)])
        counted = partial(plain.counted, self.puzzle)
        cases = Cases(defined.reasons, tied.bits(both))
        outcome = implication.follow(premises, both.plain, defined.n_variables, cases, self.puzzle, counted)
        first = clauses[outcome.unproved[0]] if outcome.unproved else []
        if outcome.model is not None:
            self._refuse_too_many(first, outcome.model)
        undecided = self._in_words(first) if outcome.unproved else ""
        return Derivation(len(clauses), outcome.by, both.n_plain - both.n_of_cells, undecided)

    def lost(self) -> Derivation:
        """Show that each solution of the puzzle is one of the file.

        Raises:
            EncodingError: one is not.
        """
        both, values = self.both, tied.functions(self.both)
        has_value = np.arange(both.n_variables + 1) <= both.n_plain
        has_value[list(values)] = True
        clauses = np.concatenate([both.file, both.meaning])
        defined = definitions(clauses, has_value, both.n_variables)
        defining = [*(part for item in values.items() for part in disjunction(*item)), *defined.clauses]
        cases = Cases({**values, **defined.reasons})
        premises = np.concatenate([both.plain, joined(defining)])
        outcome = implication.follow(premises, clauses, defined.n_variables, cases, self.puzzle)
        followed = Derivation(len(apart(clauses)), outcome.by, both.n_variables - both.n_plain)
        if not outcome.unproved:
            return followed
        number = outcome.unproved[0]
        if outcome.model is not None and self._excludes(outcome.model):
            raise EncodingError(self._exclusion(number))
        return replace(followed, undecided=self._in_words(apart(clauses)[number]), tested=self._tested())

    def _in_words(self, clause: Sequence[int]) -> str:
        numbers_there = self.both.numbers
        return plain.sentence(self.puzzle, clause, lambda variable: numbers_there.get(variable, variable))

    def _refuse_too_many(self, clause: Sequence[int], model: NDArray[np.bool_]) -> None:
        """Refuse a file with a model that breaks a plain clause, unless only a definition is to blame."""
        both, board = self.both, self.puzzle.geometry
        if max(map(abs, clause), default=0) <= both.n_of_cells:
            reason = f"{self._in_words(clause)} does not follow from its clauses"
        else:
            # The clauses of the cells come first and are kept, so each cell has a value.
            values = model[1 : both.n_of_cells + 1].reshape(-1, board.n_values).argmax(axis=1) + 1
            reason = next(violations(self.puzzle, values[: board.n_cells]), "")
        if reason:
            raise EncodingError(f"{self.file.path}: it has a solution too many: {reason}")

    def _excludes(self, model: NDArray[np.bool_]) -> bool:
        """Return whether the file has no model with the cells of a model of the plain formula."""
        both = self.both
        cells = np.arange(1, both.n_of_cells + 1)
        units = [(int(literal),) for literal in np.where(model[cells], cells, -cells)]
        formula = np.concatenate([both.file, both.meaning, joined(units)])
        try:
            return implication.model(formula, both.n_variables, self.puzzle) is None
        except StoppedError:
            return False

    def _exclusion(self, number: int) -> str:
        """Return the message that a clause of the file, or of the meaning of its variables, excludes a solution."""
        n_in_file = len(self.both.file) - int(np.count_nonzero(self.both.file))
        if number < n_in_file:
            clause, line = apart(self.both.file)[number], self.file.line(number)
            return f"{self.file.path}, line {line}: the clause {self._in_words(clause)} excludes a solution"
        clause = apart(self.both.meaning)[number - n_in_file]
        return f"{self.file.path}: what its comments say of the cells, {self._in_words(clause)}, excludes a solution"

    def _tested(self) -> int:
        """Look for solutions of the puzzle in the file, refuse it if one is missing, and return their number."""
        both = self.both
        cells = np.arange(1, both.n_of_cells + 1)
        in_file, random = np.concatenate([both.file, both.meaning]), np.random.default_rng(1)
        with (
            implication.solver_of(both.plain, both.n_plain, self.puzzle) as solutions,
            implication.solver_of(in_file, both.n_variables, self.puzzle) as file,
        ):
            for count in range(N_TESTED):
                solutions.prefer(np.where(random.random(len(cells)) < 0.5, cells, -cells).tolist())
                if not solutions.solve([], Deadline()):
                    return count
                literals = np.where(solutions.model()[cells], cells, -cells).tolist()
                if not file.solve(literals, Deadline()):
                    true = [literal for literal in literals if literal > 0]
                    raise EncodingError(f"{self.file.path}: it excludes the solution with {self._in_words(true)}")
                solutions.add([-literal for literal in literals])
        return N_TESTED
