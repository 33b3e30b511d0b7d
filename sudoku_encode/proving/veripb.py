"""A certificate for VeriPB: the puzzle as pseudo-Boolean constraints, and a proof that lists all of its solutions.

The two files are made from those of a certificate that lists its solutions, with the same lemmas. Where the CNF has a
clause for every two variables of which at most one is true, the puzzle has one constraint here. A hint that names such
a clause becomes one that names the constraint, which propagates at least as much.

`docs/internals/certificates.md` describes the files, and what they prove.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError, MethodError
from sudoku_encode.proving import folder as files
from sudoku_encode.proving import plain
from sudoku_encode.proving.numbers import DELETE, Numbers, clause_starts
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver
from sudoku_encode.storage import outputs

# Numbers of constraints, from 1.
_Ids = NDArray[np.int64]
# Words of lines, with the blanks between them. numpy fills up short ones with zero bytes, which `_joined` leaves out.
_Words = NDArray[np.bytes_]
# How many solutions become text at a time.
_BATCH = 1024
# About how many numbers of a proof become text at a time.
_BATCH_NUMBERS = 1 << 20


@dataclass(eq=False)
class PseudoBoolean:
    """A puzzle as pseudo-Boolean constraints, which are added one after the other."""

    n_variables: int
    # Solutions that differ in the first variables, this number, are different ones.
    n_preserved: int
    lines: list[bytes] = field(default_factory=list)
    n_lines: int = 0
    # An equality is two constraints: "at least", then "at most".
    n_constraints: int = 0
    # By their width the clauses that constraints imply, a clause of sorted literals a row, and these constraints.
    clauses: defaultdict[int, list[tuple[Numbers, _Ids]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, rows: Numbers, coefficient: int, relation: bytes, clauses: Iterable[tuple[Numbers, int]]) -> _Ids:
        """Add a constraint for each row of literals, and return their numbers, those of "at most" for equalities.

        Each table of clauses has a row for each constraint, whose first part, 0, or second part, 1, implies it.
        """
        n_parts = 1 + relation.startswith(b"=")
        ids = self.n_constraints + 1 + n_parts * np.arange(len(rows))
        self.lines.append(_lines(b"", _literals(self.n_variables, b"%d " % coefficient)[rows], relation))
        self.n_lines += len(rows)
        self.n_constraints += n_parts * len(rows)
        for implied, part in clauses:
            self.clauses[implied.shape[1]].append((np.sort(implied, axis=1), ids + part))
        return ids + n_parts - 1

    def ids(self, rows: Numbers) -> _Ids:
        """Return a constraint that implies each of some clauses of sorted literals, 0 where none does."""
        tables = self.clauses[rows.shape[1]]
        ids = np.concatenate([np.empty(0, np.int64), *(ids for _, ids in tables)])
        if not len(ids):
            return np.zeros(len(rows), np.int64)
        keys = plain.keys(*(table for table, _ in tables), rows)
        order, sought = np.argsort(keys[: len(ids)]), keys[len(ids) :]
        places = order[np.minimum(np.searchsorted(keys[order], sought), len(ids) - 1)]
        return np.where(keys[places] == sought, ids[places], 0)

    @property
    def text(self) -> bytes:
        """The file."""
        header = b"* #variable= %d #constraint= %d\npreserved: " % (self.n_variables, self.n_lines)
        return header + _joined(_literals(self.n_preserved)[1 : self.n_preserved + 1]) + b";\n" + b"".join(self.lines)


def of_puzzle(puzzle: Puzzle) -> tuple[PseudoBoolean, bytes]:
    """Return a puzzle as pseudo-Boolean constraints, and the step of the proof that adds up some of them.

    The sum says for all cells that they have at most one value, and twice that those of givens have theirs.

    Raises:
        MethodError: the puzzle's constraints have too many clauses.
    """
    n, n_cells = puzzle.geometry.n_values, puzzle.extended.geometry.n_cells
    variable = np.arange(1, n_cells * n + 1, dtype=np.int32).reshape(-1, n)
    result = PseudoBoolean(plain.n_variables(puzzle), puzzle.geometry.n_cells * n)
    # Each cell has one value, and each value one cell of a unit, or at most one if the unit has fewer cells.
    first, *others = _add_sums(result, variable, n)[: puzzle.geometry.n_cells].tolist()
    for rule in puzzle.geometry.rules:
        _add_sums(result, variable[rule.units].transpose(0, 2, 1).reshape(-1, rule.units.shape[1]), n)
    cells = np.flatnonzero(puzzle.givens)
    given = variable[cells, puzzle.givens[cells] - 1, None]
    givens = result.add(given, 1, b">= 1 ;\n", [(given, 0)]).tolist()
    for _, rows in sorted(plain.each_once(puzzle).items()):
        further = rows[result.ids(rows) == 0]
        result.add(further, 1, b">= 1 ;\n", [(further, 0)])
    words = [b"pol %d" % first, *(b"%d +" % number for number in others), *(b"%d 2 * +" % number for number in givens)]
    return result, b" ".join(words) + b" ;\n"


def _add_sums(result: PseudoBoolean, rows: Numbers, n: int) -> _Ids:
    """Add for each row that one of its variables is true, or at most one if they are fewer than n."""
    pairs = [-rows[:, pair] for pair in combinations(range(rows.shape[1]), 2)]
    if rows.shape[1] == n:
        return result.add(rows, 1, b"= 1 ;\n", [(rows, 0), *((clauses, 1) for clauses in pairs)])
    return result.add(rows, -1, b">= -1 ;\n", [(clauses, 0) for clauses in pairs])


def opb(puzzle: Puzzle) -> bytes:
    """Return the file of a puzzle's constraints; raises as `of_puzzle`."""
    return of_puzzle(puzzle)[0].text


def write(folder: Path, whole: Encoding) -> None:
    """Write the two files to the folder of a certificate that lists its solutions; `whole` is its formula.

    Raises:
        FormatError: a file of the certificate is missing.
        MethodError: its proof has no hints.
        SudokuError: the files cannot be written.
    """
    puzzle = files.puzzle(folder)
    if not (folder / files.PROOF).exists():
        raise MethodError(f"{folder}: VeriPB's proof is made from {files.PROOF}, which is missing")
    grids, (constraints, sum_step) = files.solutions(folder, puzzle), of_puzzle(puzzle)
    m, n_constraints = len(grids), constraints.n_constraints
    # After the solutions, which exclude themselves in all variables, come the sum and what excludes them in few.
    excluding = n_constraints + m + 2 + np.arange(m)
    n_before = n_constraints + (2 * m + 1 if m else 0)
    blocked = files.formula(folder, files.BLOCKED, plain.n_variables(puzzle))
    blocking = np.sort(plain.blocking(puzzle, grids), axis=1)
    constraints.clauses[blocking.shape[1]].append((blocking, excluding))
    ids, steps = _ids_of_clauses(constraints, blocked), _additions(files.steps(folder))
    try:
        (folder / files.OPB).write_bytes(constraints.text)
        with (folder / files.PBP).open("wb") as file:
            file.write(b"pseudo-Boolean proof version 3.0\nf %d ;\n" % n_constraints)
            file.writelines(_solution_lines(puzzle, whole, grids))
            if m:
                file.write(sum_step)
                numbers = range(n_constraints + 1, n_constraints + 1 + m)
                file.writelines(b"pol %d %d + 2 d ;\n" % (number, n_constraints + m + 1) for number in numbers)
            file.writelines(_lemma_lines(steps, ids, n_before, constraints.n_variables))
            file.write(_end(m, n_before + int(np.count_nonzero(steps == 0)) // 2))
    except OSError as error:
        raise outputs.unwritable(folder, error) from error


def _end(n_solutions: int, contradiction: int) -> bytes:
    """Return the end of a proof: what it proves, by the number of the constraint that is never true."""
    # UNSAT is what says that there is no solution; not every version knows it as an enumeration of none.
    claim = b"ENUMERATION_COMPLETE %d" % n_solutions if n_solutions else b"UNSAT"
    return b"output NONE ;\nconclusion %b : %d ;\nend pseudo-Boolean proof ;\n" % (claim, contradiction)


def _ids_of_clauses(constraints: PseudoBoolean, blocked: files.Formula) -> _Ids:
    """Return for each clause of a file, from entry 1 on, a constraint that implies it."""
    ids = np.zeros(int(np.count_nonzero(blocked.values == 0)) + 1, np.int64)
    for rows, numbers in blocked.rows_by_width().values():
        ids[numbers + 1] = constraints.ids(rows)
    if not ids[1:].all():
        raise InternalError(f"{blocked.path}: clause {np.argmin(ids[1:]) + 1} follows from no constraint")
    return ids


def _solution_lines(puzzle: Puzzle, whole: Encoding, grids: Grids) -> Iterator[bytes]:
    """Yield the steps that list solutions: the variables of cells that are true, and the literals of all others."""
    n_cells, n = puzzle.geometry.n_cells, puzzle.geometry.n_values
    words = _literals(whole.cnf.n_variables)
    for start in range(0, len(grids), _BATCH):
        values = grids[start : start + _BATCH]
        literals = np.arange(n_cells) * n + values
        yield _lines(b"solx ", words[np.hstack([literals, _others(whole, n_cells * n, literals)])], b";\n")


def _others(whole: Encoding, n_of_grid: int, literals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each solution, given by its literals, those of the variables after the grid's."""
    others = np.arange(n_of_grid, whole.cnf.n_variables) + 1
    truth = np.empty((len(literals), len(others)), bool)
    if not len(others):
        return truth.astype(np.int64)
    with IncrementalSolver(whole) as solver:
        for solution, row in zip(literals.tolist(), truth, strict=True):
            if not solver.solve(solution, Deadline()):
                raise InternalError("the plain clauses exclude a solution")
            row[:] = solver.model()[others]
    return np.where(truth, others, -others)


def _lemma_lines(steps: Numbers, ids: _Ids, n_before: int, n_variables: int) -> Iterator[bytes]:
    """Yield the steps of a proof with hints as those of VeriPB; `ids` are the constraints of the formula's clauses."""
    ends = np.flatnonzero(steps == 0)[1::2] + 1
    names = steps[np.append(0, ends[:-1])]
    named = np.zeros(max(len(ids), int(names.max()) + 1), np.int64)
    named[: len(ids)] = ids
    named[names] = n_before + 1 + np.arange(len(names))
    literal_words, id_words = _literals(n_variables, b"1 "), np.array([b"%d " % i for i in range(named.max() + 1)])
    first = 0
    for end in ends[np.append(np.diff(ends // _BATCH_NUMBERS) > 0, True)].tolist():
        yield _lemmas_text(steps[first:end], named, literal_words, id_words)
        first = end


def _lemmas_text(steps: Numbers, named: _Ids, literal_words: _Words, id_words: _Words) -> bytes:
    """Return some steps of a proof with hints as steps of VeriPB: each number becomes a word."""
    is_zero = steps == 0
    # How many zeros are before each number: each step has one after its literals, and one after its hints.
    n_zeros = np.cumsum(is_zero) - is_zero
    in_hints = n_zeros % 2 == 1
    is_name = np.append(True, in_hints[:-1] & is_zero[:-1])
    is_literal, is_hint = ~(is_name | is_zero | in_hints), in_hints & ~is_zero
    hints = named[steps[is_hint]]
    # The clauses of a constraint that says "at most one" have one name: once is enough, since it propagates for all.
    is_new = np.zeros(len(hints), bool)
    is_new[np.unique(n_zeros[is_hint] * len(id_words) + hints, return_index=True)[1]] = True
    words = np.empty(len(steps), np.result_type(literal_words, id_words, "S9"))
    words[is_name] = b"rup "
    words[is_zero] = np.where(in_hints[is_zero], b";\n", b">= 1 : ~ ")
    words[is_literal] = literal_words[steps[is_literal]]
    words[is_hint] = np.where(is_new, id_words[hints], b"")
    return _joined(words)


def _additions(steps: Numbers) -> Numbers:
    """Return the steps of a proof with hints that derive clauses, up to the empty one."""
    starts = clause_starts(steps)
    is_deletion = steps[np.minimum(starts + 1, len(steps) - 1)] == DELETE
    steps = steps[~np.repeat(is_deletion, np.diff(starts, append=len(steps)))]
    starts = clause_starts(steps)
    is_empty = np.diff(starts)[::2] == 2
    return steps[: np.append(starts, len(steps))[2 * int(np.argmax(is_empty)) + 2]]


def _literals(n_variables: int, before: bytes = b"") -> _Words:
    """Return words for literals, with a text before each, in their places: negative literals count from the end."""
    variables = range(1, n_variables + 1)
    positive = [b"%bx%d " % (before, variable) for variable in variables]
    negative = [b"%b~x%d " % (before, variable) for variable in reversed(variables)]
    return np.array([b"", *positive, *negative])


def _lines(start: bytes, words: _Words, end: bytes) -> bytes:
    """Return a line for each row of words, with a text before and after it."""
    column = (len(words), 1)
    return _joined(np.concatenate([np.full(column, start), words, np.full(column, end)], axis=1))


def _joined(words: _Words) -> bytes:
    return words.tobytes().translate(None, b"\0")
