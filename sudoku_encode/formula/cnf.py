"""Formulas: clauses in numpy arrays, independent of Sudoku; and a formula cut into independent parts.

A CNF is a few groups of clauses, and a group is a *pattern* applied to the columns of a *table* of literals. Most of an
encoding is one small pattern repeated (one clause per edge, the same for each value; one at-most-one, the same for
each cell), so millions of clauses take the memory of a pattern and a table, and are made only when they are used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_encode.errors import FormatError, InternalError, SudokuError, plural, short, whole_number

Literals = NDArray[np.int32]

# Number of literals written at a time: 1 MiB, which stays in the processor's cache.
_CHUNK_LITERALS = 1 << 18


@dataclass(frozen=True, eq=False)
class Group:
    """The clauses `sign * table[row, j]`, one for every row of the pattern and every column j of the table.

    Attributes:
        name: the meaning of the clauses, such as `amo-cell`.
        pattern: int32 (m, width); a number r stands for row |r| of the table, counted from 1, negated when r < 0.
        table: int32 (rows, columns) of literals, none of them 0.
    """

    name: str
    pattern: Literals
    table: Literals

    def __post_init__(self) -> None:
        # Not copied: tables are large, and an encoder has just made them.
        self.pattern.setflags(write=False)
        self.table.setflags(write=False)

    @staticmethod
    def of(name: str, clauses: ArrayLike) -> "Group":
        """Make a group of plain clauses, all of one width, (m, width)."""
        rows = np.array(clauses, dtype=np.int32)
        return Group(name, in_order(rows.shape[1]), np.ascontiguousarray(rows.T))

    @property
    def n_clauses(self) -> int:
        """Number of clauses."""
        return len(self.pattern) * int(self.table.shape[1])

    @property
    def width(self) -> int:
        """Number of literals of each clause."""
        return int(self.pattern.shape[1])

    def chunks(self) -> Iterator[Literals]:
        """Yield the clauses as int32 (k, width), pattern row by pattern row, in chunks of bounded size."""
        columns = self.table.shape[1]
        if len(self.pattern) * columns == 0:
            return
        if self.table.size <= _CHUNK_LITERALS and self.pattern is in_order(self.width):
            # One clause per column: usually there are few, of many widths.
            yield self.table.T
            return
        per_row = max(1, self.width * columns)
        step, span = max(1, _CHUNK_LITERALS // per_row), min(columns, max(1, _CHUNK_LITERALS // max(1, self.width)))
        sign = np.sign(self.pattern)[:, :, None]
        for start in range(0, len(self.pattern), step):
            rows = slice(start, start + step)
            for first in range(0, columns, span):
                clauses = self.table[np.abs(self.pattern[rows]) - 1, first : first + span] * sign[rows]
                # The number is not -1: clauses may be empty.
                yield clauses.transpose(0, 2, 1).reshape(clauses.shape[0] * clauses.shape[2], self.width)


@lru_cache(maxsize=512)
def in_order(size: int) -> Literals:
    """Return the pattern of a clause of all rows of a table, in order; do not change it."""
    return np.arange(1, size + 1, dtype=np.int32)[None]


@dataclass(frozen=True, eq=False)
class MixedClauses:
    """Clauses of any widths in any order.

    Attributes:
        name: of the group.
        literals: int32 (total,), all clauses in a row, with a 0 after each clause as in DIMACS.
    """

    name: str
    literals: Literals

    def __post_init__(self) -> None:
        self.literals.setflags(write=False)

    @cached_property
    def n_clauses(self) -> int:
        """Number of clauses."""
        return len(self.literals) - int(np.count_nonzero(self.literals))

    @property
    def table(self) -> Literals:
        """The literals without the zeros."""
        literals: Literals = self.literals[self.literals != 0]
        return literals

    def chunks(self) -> Iterator[Literals]:
        """Yield the clauses in order as int32 (k, width), in runs of clauses of one width."""
        ends = np.flatnonzero(self.literals == 0)
        sizes = np.diff(ends, prepend=-1)
        cuts = [0, *(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(sizes)]
        for first, last in pairwise(cuts) if len(sizes) else ():
            size, end = int(sizes[first]), ends[last - 1] + 1
            yield self.literals[end - (last - first) * size : end].reshape(last - first, size)[:, :-1]


@dataclass(frozen=True, eq=False, repr=False)
class Cnf:
    """A formula: groups of clauses over the variables 1..n_variables.

    Iterating yields each clause as a list of Python integers, which other solvers accept.

    Attributes:
        n_variables: number of variables.
        read_groups: the clauses; None if they were not read, and then `groups` raises an error.

    >>> from sudoku_encode import encode
    >>> encode("....", board="2x2").cnf
    Cnf(8 variables, 24 clauses)
    """

    n_variables: int
    read_groups: tuple[Group | MixedClauses, ...] | None

    def __post_init__(self) -> None:
        if (n_variables := whole_number(self.n_variables, 0)) is None:
            raise FormatError(f"a formula of {short(repr(self.n_variables))} variables; expected a whole number")
        object.__setattr__(self, "n_variables", n_variables)
        if self.read_groups is None:
            return
        if not isinstance(self.read_groups, (tuple, list)):
            raise FormatError(f"groups of clauses {short(repr(self.read_groups))}; expected a tuple")
        object.__setattr__(self, "read_groups", tuple(self.read_groups))
        for group in self.read_groups:
            if not isinstance(group, (Group, MixedClauses)):
                raise FormatError(f"{short(repr(group))} is not a group of clauses; Cnf.mixed takes plain literals")

    @staticmethod
    def of(n_variables: int, groups: Sequence[Group | MixedClauses]) -> "Cnf":
        """Return a formula of the groups, without empty ones.

        Raises:
            InternalError: a group uses a variable above `n_variables`.
        """
        nonempty = tuple(group for group in groups if group.n_clauses)
        # All at once: small puzzles have many short groups.
        literals = np.concatenate([np.zeros(0, np.int32), *(group.table.ravel() for group in nonempty)])
        if not literals.all() or max(literals.max(initial=0), -literals.min(initial=0)) > n_variables:
            name = next(
                group.name
                for group in nonempty
                if (group.table == 0).any() or np.abs(group.table).max(initial=0) > n_variables
            )
            raise InternalError(f"group {name} uses a variable outside 1..{n_variables}")
        return Cnf(n_variables, nonempty)

    @staticmethod
    def mixed(n_variables: int, name: str, literals: Literals) -> "Cnf":
        """Return a formula of clauses of any widths; see `MixedClauses`."""
        return Cnf(n_variables, (MixedClauses(name, literals),) if len(literals) else ())

    def __repr__(self) -> str:
        """Return its size on one line."""
        return f"Cnf({self.size})"

    def __iter__(self) -> Iterator[list[int]]:
        """Yield each clause, in the order of the file."""
        for chunk in self.chunks():
            yield from chunk.tolist()

    def __deepcopy__(self, memo: dict[int, object]) -> list[list[int]]:
        """Return the clauses, since `pysat.formula.CNF(from_clauses=cnf)` makes a deep copy its own, to append to."""
        return self.clauses

    @property
    def nv(self) -> int:
        """PySAT's name for `n_variables`."""
        return self.n_variables

    @property
    def clauses(self) -> list[list[int]]:
        """All clauses as lists, which take a hundred times the memory of the formula itself."""
        return list(self)

    @property
    def size(self) -> str:
        """The numbers of variables and clauses, in words."""
        variables = f"{self.n_variables:,} {plural('variable', self.n_variables)}"
        if self.read_groups is None:
            return f"{variables}, clauses not read"
        return f"{variables}, {self.n_clauses:,} {plural('clause', self.n_clauses)}"

    @property
    def groups(self) -> tuple[Group | MixedClauses, ...]:
        """The clauses.

        Raises:
            SudokuError: the clauses were not read.
        """
        if self.read_groups is None:
            raise SudokuError(
                "this formula was loaded without its clauses: load_encoding reads the comments of a file, not its "
                "clauses; encode the puzzle again to have them"
            )
        return self.read_groups

    @cached_property
    def n_clauses(self) -> int:
        """Number of clauses."""
        return sum(group.n_clauses for group in self.groups)

    @property
    def sizes(self) -> dict[str, int]:
        """Number of clauses of each group; groups of one name (they differ in width) are added up."""
        sizes: dict[str, int] = {}
        for group in self.groups:
            sizes[group.name] = sizes.get(group.name, 0) + group.n_clauses
        return sizes

    def chunks(self) -> Iterator[Literals]:
        """Yield all clauses, group by group, as int32 (k, width) in chunks of bounded size."""
        for group in self.groups:
            yield from group.chunks()


def by_width(name: str, literals: Literals, widths: NDArray[np.integer[Any]]) -> list[Group]:
    """Return clauses of many widths, whose literals are in a row, as one group per width, narrowest first."""
    starts = np.cumsum(widths) - widths
    return [
        Group.of(name, literals[starts[widths == width][:, None] + np.arange(width)])
        for width in np.flatnonzero(np.bincount(widths)).tolist()
    ]


def in_a_row(chunks: Sequence[Literals], order: NDArray[np.intp]) -> Literals:
    """Return clauses, int32 (k, width) a chunk, in a new order, in a row with a 0 after each, as in `MixedClauses`."""
    sizes = np.repeat([chunk.shape[1] + 1 for chunk in chunks], [len(chunk) for chunk in chunks]).astype(np.int64)
    ends = np.cumsum(sizes[order])
    starts = np.empty_like(ends)
    starts[order] = ends - sizes[order]
    literals, done = np.zeros(sizes.sum(), np.int32), 0
    for chunk in chunks:
        places = starts[done : done + len(chunk)]
        for column in chunk.T:
            literals[places] = column
            places += 1
        done += len(chunk)
    return literals


def each_once(tables: Sequence[Literals]) -> list[Literals]:
    """Return tables of sets without repeated sets, in the same table or an earlier one.

    Each column of a table, int32 (size, sets), is a set in any order, with 0 as padding; all have one size.
    """
    columns = np.ascontiguousarray(np.sort(np.concatenate(tables, axis=1), axis=0).T)
    as_bytes = columns.view(np.dtype((np.void, columns.itemsize * columns.shape[1]))).ravel()
    is_first = np.zeros(len(columns), bool)
    is_first[np.unique(as_bytes, return_index=True)[1]] = True
    ends = np.cumsum([table.shape[1] for table in tables])[:-1]
    return [table[:, is_new] for table, is_new in zip(tables, np.split(is_first, ends), strict=True)]


# A formula of parts that share no variable, such as many puzzles, cut into a formula for each part.

# The part of each variable; 16 bits, since these are sorted many times as fast as longer numbers.
Parts = NDArray[np.int16]
_UNKNOWN = -1


def cut_formula(cnf: Cnf, part_of: Parts, n_parts: int) -> tuple[list[Cnf], Literals]:
    """Return the formula of each part: its variables, renumbered, and its clauses, both in order.

    No clause contains variables of two parts; `part_of`, int16 (n_variables + 1,), is the part of each variable from 0,
    or -1 for an auxiliary variable, which belongs to the part of the others in its clauses. The second result, int32 (2
    * n_variables + 1,), is the new literal for each literal, indexed as a list, with -1 for the last; 0 remains 0.

    Raises:
        InternalError: the part of a variable cannot be determined.
    """
    chunks = list(cnf.chunks())
    part_of = _with_auxiliary(chunks, part_of)
    clauses = np.concatenate([np.zeros(0, np.int16), *(part_of[np.abs(chunk[:, 0])] for chunk in chunks)])
    names, n_variables = _part_names(part_of, n_parts)
    literals = in_a_row([names[chunk] for chunk in chunks], clauses.argsort(kind="stable"))
    sizes = np.zeros(n_parts, np.int64)
    for chunk in chunks:
        sizes += (chunk.shape[1] + 1) * np.bincount(part_of[np.abs(chunk[:, 0])], minlength=n_parts)
    own = np.split(literals, np.cumsum(sizes)[:-1])
    return [Cnf.mixed(n, "", row) for n, row in zip(n_variables.tolist(), own, strict=True)], names


def _with_auxiliary(chunks: Sequence[Literals], part_of: Parts) -> Parts:
    """Return the part of each variable, including auxiliary ones, which get it from their clauses."""
    part_of = part_of.copy()
    unknown = np.count_nonzero(part_of[1:] == _UNKNOWN)
    while unknown:
        for chunk in chunks:
            variables = np.abs(chunk)
            parts = part_of[variables].max(axis=1)
            is_certain = parts != _UNKNOWN
            part_of[variables[is_certain]] = parts[is_certain, None]
        before, unknown = unknown, np.count_nonzero(part_of[1:] == _UNKNOWN)
        if unknown == before:
            raise InternalError(f"{unknown} variables share no clause with a part")
    return part_of


def _part_names(part_of: Parts, n_parts: int) -> tuple[Literals, NDArray[np.int64]]:
    """Return the new literal for each literal, as `cut_formula` does, and the number of variables of each part."""
    of_variables = part_of[1:]
    n_variables = np.bincount(of_variables, minlength=n_parts)
    before = np.cumsum(n_variables) - n_variables
    numbers = np.empty(len(of_variables), np.int32)
    numbers[of_variables.argsort(kind="stable")] = np.arange(1, len(of_variables) + 1) - np.repeat(before, n_variables)
    return np.concatenate([np.zeros(1, np.int32), numbers, -numbers[::-1]]), n_variables
