"""Constraints: conditions on a solution besides that the cells of each unit differ.

A constraint is a value: its kind, a key of CONSTRAINTS, and the cells and numbers that it names. Its text is one line,
such as `cage 15 r1c1 r1c2 r2c1` or `arrow r1c1 / r1c2 r1c3`: the kind, its numbers, and lists of cells with `/` between
them. `r1c1-r1c9` are all cells of a straight line. Some kinds have an expression instead of numbers, and a colon after
it: `relation |a-b| >= 5: r1c1 r1c2`. The kind `either` has other constraints: `either odd r1c1 | even r1c1 & odd r1c2`.
`h1`, `h2`, ... are hidden cells, which only constraints know: `sum 20 r1c1 r1c2 h1`.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from itertools import accumulate

from sudoku_encode.errors import FormatError, GeometryError, plural, short, whole_number, with_short_errors
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraints.constraint import UNBOUNDED, BoundConstraint, Bounds, Constraint, FromZero
from sudoku_encode.puzzles.geometry import MAX_HIDDEN, Geometry, with_hidden
from sudoku_encode.puzzles.table import Table

Kind = type[BoundConstraint]


@cache
def kinds() -> Table[Kind]:
    """Return the table of kinds, which is loaded with the first constraint: most puzzles have none."""
    table: Table[Kind] = import_module("sudoku_encode.puzzles.constraints.table").CONSTRAINTS
    return table


# Names of kinds as people write them: `Killer cage`, `German whispers`, `AntiKnight`.

_JOINED = re.compile(r"(?<=[a-z])[\s_-]+(?=[a-z])|\s+(?=[+-]$)")
# The most words of a name.
_MOST_WORDS = 3


def _key(name: str) -> str:
    """Return a name without what people write differently: capital letters, and hyphens or blanks between words."""
    return _JOINED.sub("", name.lower())


@cache
def _names() -> dict[str, tuple[Kind, tuple[str, ...]]]:
    """Return the kind and the numbers that each name and alias stands for, by the key of the name."""
    names: dict[str, tuple[Kind, tuple[str, ...]]] = {}
    for kind in kinds().values():
        for alias in (kind.name, *kind.aliases):
            name, *numbers = alias.split()
            names[_key(name)] = kind, tuple(numbers)
    return names


def _named(words: Sequence[str]) -> tuple[Kind, tuple[str, ...], int]:
    """Return the kind that the first words name, the numbers that its alias stands for, and how many words it has."""
    for n_words in range(min(_MOST_WORDS, len(words)), 0, -1):
        if (row := _names().get(_key(" ".join(words[:n_words])))) is not None:
            return *row, n_words
    raise FormatError(unknown(words[0] if words else ""))


# The text of alternatives: `|` stands between them, and `&` between constraints that hold together.


def split(text: str, form: str = "CONSTRAINT & ... | ...") -> list[list[str]]:
    """Return the lines of constraints of each alternative; errors tell the form of the kind.

    Both signs are words of their own. In an expression, which goes up to its colon, they mean what they mean there.

    Raises:
        FormatError: there is no constraint where there should be one.

    >>> split("cage 7 r1c1 r1c2 & odd r1c1 | relation |a-b| > 2: r1c1-r1c3")
    [['cage 7 r1c1 r1c2', 'odd r1c1'], ['relation |a-b| > 2: r1c1-r1c3']]
    """
    alternatives: list[list[list[str]]] = [[[]]]
    in_expression = False
    for word in text.split():
        line = alternatives[-1][-1]
        if in_expression:
            in_expression = ":" not in word
        elif not line and (row := _names().get(_key(word))) is not None:
            in_expression = row[0].has_expression
        if word == "|" and not in_expression:
            alternatives.append([[]])
        elif word == "&" and not in_expression:
            alternatives[-1].append([])
        else:
            line.append(word)
    if not all(line for lines in alternatives for line in lines):
        raise FormatError(f"a constraint is missing beside | or &; write {form}")
    return [[" ".join(line) for line in lines] for lines in alternatives]


_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)
# `>=12`, `>12`, `<=12` and `<12`; `12-20` and `12..20`.
_BOUND = re.compile(r"([<>])(=?)(-?\d{1,6})", re.ASCII)
_RANGE = re.compile(r"(-?\d{1,6})(?:-|\.\.)(-?\d{1,6})", re.ASCII)
# `r1c1*2`, `r1c1-r1c3*-1` and `2*r1c1`.
_TIMES = re.compile(r"(?:(-?\d{1,6})\*)?([^*]+)(?:\*(-?\d{1,6}))?", re.ASCII)


def bind(constraint: Constraint, board: Geometry, others: tuple[Constraint, ...] = ()) -> BoundConstraint:
    """Return a constraint on its board, with the hidden cells that it names; `others` are those of the puzzle.

    Raises:
        FormatError: the values of the board begin at 0, for which it has no meaning, or no values satisfy it.
    """
    bound = _with_its_numbers(constraint, board, others)
    if board.first:
        return bound
    from_one = bound.board.from_one
    parts = tuple(kinds()[part.kind](from_one, part, others) for part in bound.from_zero())
    return FromZero(bound.board, constraint, others, translated=parts)


def _with_its_numbers(constraint: Constraint, board: Geometry, others: tuple[Constraint, ...] = ()) -> BoundConstraint:
    """Return a constraint on its board; on one with values from 0, only `unfit` and `from_zero` have a meaning."""
    if constraint.last_cell >= board.n_cells:
        board = with_hidden(board, constraint.n_hidden(board))
    return kinds()[constraint.kind](board, constraint, others)


def bind_all(constraints: Sequence[Constraint], board: Geometry) -> list[BoundConstraint]:
    """Return the constraints of a puzzle on their board, which has all hidden cells that they use."""
    others, table = tuple(constraints), kinds()
    n_cells = 1 + max([constraint.last_cell for constraint in others], default=-1)
    board = with_hidden(board, max(n_cells - board.n_grid, 0))
    if board.first:
        bound = [table[constraint.kind](board, constraint, others) for constraint in others]
    else:
        bound = [bind(constraint, board, others) for constraint in others]
    own = [one.own_hidden_cells() for one in bound]
    if not any(own):
        return bound
    ends = [board.n_cells + end for end in accumulate(own)]
    board = with_hidden(board, ends[-1] - board.n_grid)
    return [one.with_own_hidden_cells(board, end - size) for one, size, end in zip(bound, own, ends, strict=True)]


def parse(text: str, board: Geometry) -> Constraint:
    """Return the constraint of a line of text.

    Raises:
        FormatError: the text is not a constraint; the message says what would be right.

    >>> from sudoku_encode import board
    >>> parse("thermometer r1c1-r1c3", board("9x9"))
    Constraint(kind='thermometer', cells=((0, 1, 2),), numbers=(), expression='', alternatives=(), bounds=(None, None))
    """
    constraint = _parsed(text, board)
    if reason := constraint_fault(constraint, board):
        raise FormatError(f"{constraint.kind}: {reason}")
    return constraint


def _parsed(text: str, board: Geometry) -> Constraint:
    """Return the constraint of a line of text, whether or not it fits the board."""
    words = text.split()
    kind, usual, n_words = _named(words)
    rest, expression = " ".join(words[n_words:]), ""
    if kind.has_alternatives:
        try:
            alternatives = tuple(tuple(_parsed(line, board) for line in lines) for lines in split(rest, kind.form))
        except FormatError as error:
            raise FormatError(f"{kind.name}: {error.message}") from error
        return Constraint(kind.name, alternatives=alternatives)
    if kind.has_expression:
        expression, colon, rest = rest.rpartition(":")
        expression = " ".join(expression.split())
        if not (colon and expression):
            raise FormatError(f"{kind.name} needs an expression and a colon before its cells: {kind.form}")
    head, *more = rest.replace(",", " ").replace("/", " / ").split(" / ")
    if not kind.has_expression:
        # `>= 12` is one number, and the brackets of `sandwich 10 [3 8]` are for people.
        head = re.sub(r"([<>]=?)\s+", r"\1", head.replace("[", " ").replace("]", " "))
    words = [*usual, *head.split()]
    bounds = _bounds(kind, words[0]) if words else UNBOUNDED
    words = words[bounds != UNBOUNDED :]
    numbers: list[int] = []
    while words and _NUMBER.fullmatch(words[0]) and not kind.has_expression:
        numbers.append(int(words.pop(0)))
    if kind.weighted and any("*" in word for word in words):
        try:
            weights = weighted_cells(words, board)
        except GeometryError as error:
            raise FormatError(f"{kind.name}: {error}; write {kind.form}") from error
        cells, coefficients = tuple(weights), tuple(weights.values())
        return Constraint(kind.weighted, (cells,), (*numbers, *coefficients), bounds=bounds)
    lists = [tuple(_cells(kind, part, board)) for part in [words, *(part.split() for part in more)]]
    if lists == [()]:
        lists = []
    return Constraint(kind.name, tuple(lists), tuple(numbers), expression, bounds=bounds)


def _bounds(kind: Kind, word: str) -> Bounds:
    """Return the bounds that a word says."""
    if not kind.has_bounds:
        return UNBOUNDED
    if match := _RANGE.fullmatch(word):
        return int(match[1]), int(match[2])
    if match := _BOUND.fullmatch(word):
        bound = int(match[3])
        return (bound + (not match[2]), None) if match[1] == ">" else (None, bound - (not match[2]))
    return UNBOUNDED


def weighted_cells(words: Iterable[str], board: Geometry) -> dict[int, int]:
    """Return the cells that some words name, such as `r1c1*2` or `2*r1c1-r1c3`, and their coefficients, by default 1.

    Raises:
        GeometryError: not a cell of the board, or not a coefficient.
    """
    coefficients: dict[int, int] = {}
    for word in words:
        match = _TIMES.fullmatch(word)
        if match is None or (match[1] and match[3]):
            raise GeometryError(f"not a cell with a coefficient: {short(word, 20)!r}; expected r1c1*2")
        for cell in cells_of([match[2]], board):
            coefficients[cell] = coefficients.get(cell, 0) + int(match[1] or match[3] or 1)
    return coefficients


# The constraints that were checked last, and their board: bulk readers and searches make many puzzles of one tuple.
_last_fitting: list[tuple[Geometry, tuple[Constraint, ...]]] = []


@with_short_errors
def checked_constraints(constraints: Iterable[Constraint | str], board: Geometry) -> tuple[Constraint, ...]:
    """Return constraints, or those of lines of text, each once.

    Raises:
        FormatError: one does not fit the board, or is neither a constraint nor a line of text.
    """
    for last_board, last in _last_fitting:
        if constraints is last and board is last_board:
            return last
    if isinstance(constraints, str) or not isinstance(constraints, Iterable):
        raise FormatError(f"constraints={short(repr(constraints))} is not a list; expected one such as ['odd r1c1']")
    distinct = tuple({_checked(constraint, board): None for constraint in constraints})
    if isinstance(constraints, tuple) and constraints == distinct:
        # The same tuple is recognized next time.
        distinct = constraints
    _last_fitting[:] = [(board, distinct)]
    return distinct


def _checked(constraint: Constraint | str, board: Geometry) -> Constraint:
    """Return a constraint that fits a board, given itself or by its text."""
    if isinstance(constraint, str):
        return parse(constraint, board)
    if not isinstance(constraint, Constraint):
        raise FormatError(f"{short(repr(constraint))} is not a constraint; expected one, or its text: 'odd r1c1'")
    if constraint.kind not in kinds():
        raise FormatError(unknown(constraint.kind))
    if reason := constraint_fault(constraint, board):
        raise FormatError(f"{constraint.kind}: {reason}")
    return constraint


def unknown(name: str) -> str:
    """Return the message that there is no kind of a name, with the three nearest."""
    from difflib import get_close_matches

    near = [_names()[key][0].name for key in get_close_matches(_key(name), _names(), n=6, cutoff=0.0)]
    nearest = ", ".join(list(dict.fromkeys(near))[:3])
    return f"not a kind of constraint: {short(name, 30)!r}; the nearest are {nearest} (docs/constraints.md lists all)"


def constraint_fault(constraint: Constraint, board: Geometry) -> str:
    """Return why a constraint cannot be on a board, or no values satisfy it; an empty text if it is fine."""
    if reason := form_fault(constraint, board):
        return reason
    kind = kinds()[constraint.kind]
    if not board.first:
        return _fault_from_zero(constraint, board)
    if kind.unfit is BoundConstraint.unfit and kind.impossible is BoundConstraint.impossible:
        return ""
    bound = _with_its_numbers(constraint, board)
    return bound.unfit() or bound.impossible()


def _fault_from_zero(constraint: Constraint, board: Geometry) -> str:
    """Return why a constraint cannot be on a board whose values begin at 0; an empty text if it is fine."""
    try:
        for part in _with_its_numbers(constraint, board).from_zero():
            if reason := constraint_fault(part, board.from_one):
                return f"{reason} (of values from 1: `{short(part.text(board.from_one))}`)"
    except FormatError as error:
        return error.message
    return ""


def placement_fault(constraint: Constraint, board: Geometry) -> str:
    """Return why a constraint cannot be on a board; an empty text if it can, even if it never holds."""
    return form_fault(constraint, board) or bind(constraint, board).unfit()


def form_fault(constraint: Constraint, board: Geometry) -> str:
    """Return why a constraint does not have the form of its kind, or not the board; an empty text if it has."""
    kind = kinds()[constraint.kind]
    if bool(constraint.alternatives) != kind.has_alternatives:
        return f"{'it needs' if kind.has_alternatives else 'it has no'} alternatives; write {kind.form}"
    sizes, n_numbers = tuple(map(len, constraint.cells)), len(constraint.numbers)
    if constraint.bounds != UNBOUNDED:
        if not kind.has_bounds:
            return f"it takes no bounds; write {kind.form}"
        n_numbers = len(constraint.words)
    if reason := _wrong_form(kind.name, n_numbers, sizes) or _wrong_cells(kind, constraint, board):
        return reason
    least, most = constraint.bounds
    if least is not None and most is not None and least > most:
        return f"the range {constraint.words[0]} is empty; expected {most}-{least}"
    return _missing(kind.needs, board) if kind.needs else ""


# Many constraints are of the same form.
@lru_cache(maxsize=1024)
def _wrong_form(name: str, n_numbers: int, sizes: tuple[int, ...]) -> str:
    """Return the fault in the number of numbers, or of cells in each list; an empty text if they are right."""
    kind = kinds()[name]
    least, most = kind.n_numbers
    if not least <= n_numbers <= most:
        expected = str(least) if least == most else f"{least} to {most}"
        return f"{n_numbers} {plural('number', n_numbers)} where there should be {expected}; write {kind.form}"
    n_lists = len(sizes)
    if not kind.n_lists[0] <= n_lists <= (n_lists if kind.n_lists[1] is None else kind.n_lists[1]):
        if kind.n_lists == (0, 0):
            return f"it takes no cells; write {kind.form}"
        expected = _range_text(*kind.n_lists)
        return f"{n_lists} {plural('list', n_lists)} of cells where there should be {expected}; write {kind.form}"
    for number, size in enumerate(sizes):
        least, most_cells = kind.n_cells[min(number, len(kind.n_cells) - 1)]
        if not least <= size <= (size if most_cells is None else most_cells):
            subject = f"list {number + 1} has" if n_lists > 1 else "it has"
            return f"{subject} {size} cells where there should be {_range_text(least, most_cells)}; write {kind.form}"
    return ""


def _range_text(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least}"
    return str(least) if least == most else f"{least} to {most}"


def _wrong_cells(kind: Kind, constraint: Constraint, board: Geometry) -> str:
    for cells in constraint.cells:
        if cells and not (min(cells) >= 0 and max(cells) < board.n_grid):
            outside = next(cell for cell in cells if not 0 <= cell < board.n_grid)
            if not 0 <= outside < board.n_grid + MAX_HIDDEN:
                return f"cell {outside} is not on {board.name}, which has {board.n_grid} cells"
            if kind.needs:
                return f"{board.cell_name(outside)} is a hidden cell; expected cells of the grid"
        if not kind.repeats and len(set(cells)) < len(cells):
            twice = next(cell for at, cell in enumerate(cells) if cell in cells[:at])
            return f"{board.cell_name(twice)} appears twice"
    return ""


def _missing(needs: str, board: Geometry) -> str:
    if needs == "lines" and not neighbours.has_lines(board):
        return f"it needs neighbours, and the cells of {board.name} have none that lie in straight lines"
    if needs == "grid" and not board.has_rows_and_columns:
        return f"it needs rows and columns, which {board.name} does not have over all its cells"
    # Where boxes of boards that overlap share cells, the box of a cell is not one.
    families = [rule for rule in board.rules if rule.name in ("box", "region")]
    if needs == "boxes" and not (len(families) == 1 and board.has_rows_and_columns):
        return f"it needs boxes or regions that share no cell, which {board.name} does not have"
    return ""


def _cells(kind: Kind, words: Sequence[str], board: Geometry) -> list[int]:
    """Return the cells that some words name."""
    try:
        return list(cells_of(words, board))
    except GeometryError as error:
        raise FormatError(f"{kind.name}: {error}; write {kind.form}") from error


def cells_of(cells: str | Iterable[str | int], board: Geometry) -> tuple[int, ...]:
    """Return the numbers of cells that a text, or a list of names or numbers, names.

    Raises:
        GeometryError: not a cell of the board; the ends of a line that is not straight.

    >>> from sudoku_encode import board
    >>> cells_of("r1c1-r1c3, r2c1", board("9x9")), cells_of([0, "r2c1"], board("9x9"))
    ((0, 1, 2, 9), (0, 9))
    """
    numbers: list[int] = []
    for word in cells.replace(",", " ").split() if isinstance(cells, str) else cells:
        if not isinstance(word, str):
            if (cell := whole_number(word, 0)) is None or cell >= board.n_grid:
                raise GeometryError(f"cell {short(repr(word))} is not on {board.name}, which has {board.n_grid} cells")
            numbers.append(cell)
            continue
        first, dash, last = word.lower().partition("-")
        ends = [board.cell_number(part) for part in ((first, last) if dash else (first,))]
        numbers += neighbours.straight(board, *ends) if dash else ends
    return tuple(numbers)
