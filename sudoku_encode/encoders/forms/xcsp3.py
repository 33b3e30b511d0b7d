"""XCSP3-core instances, and the output of their solvers as in the competitions: `s` lines and `v` lines of XML."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, repeat

import numpy as np

from sudoku_encode.encoders.answers import Answer, Values, from_values
from sudoku_encode.encoders.forms.common import (
    CELL_NUMBERING,
    cell_values,
    heading,
    integer,
    joined,
    read_heading,
    region_clauses,
    sum_terms,
)
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    Count,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

# A comment of XML must not contain two hyphens in a row.
HYPHENS, IN_COMMENT = "--", "-&#45;"
# Never holds, since values begin with 1.
_NEVER = "<intension> eq(x[0],0) </intension>\n"


def xcsp3(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write an instance with an integer variable for each cell, which uses XCSP3-core only."""
    low = lower_puzzle(puzzle)
    board = low.puzzle.geometry
    n = board.n_values
    primitives = expanded(low.primitives, n, (Count,)) if low.primitives else []
    clauses, n_variables = region_clauses(low, candidates)
    copies = {
        (number, place): cell
        for number, primitive in enumerate(primitives)
        if isinstance(primitive, Automaton)
        for place, cell in _repetitions(primitive.cells)
    }
    comments = heading("", "xcsp3", puzzle, CELL_NUMBERING)
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<!--\n' + escaped(comments) + b"-->\n"
    yield f'<instance format="XCSP3" type="CSP">\n<variables>\n{_array("x", board.n_cells, f"1..{n}")}'.encode("ascii")
    if n_variables > candidates.size:
        yield _array("auxiliary", n_variables - candidates.size, "0 1").encode("ascii")
    if copies:
        yield _array("copy", len(copies), f"1..{n}").encode("ascii")
    yield b"</variables>\n<constraints>\n"
    yield from joined(chain(_domains(candidates), _units(board)))
    yield from joined(_constraints(primitives, copies))
    yield from joined(_clause([_literal(literal, n, candidates.size) for literal in clause]) for clause in clauses)
    yield b"</constraints>\n</instance>\n"


def escaped(comments: bytes) -> bytes:
    """Return comments as a comment of XML may contain them."""
    return comments.replace(b"&", b"&amp;").replace(HYPHENS.encode(), IN_COMMENT.encode())


def _unescaped(line: str) -> str:
    return line.replace("&#45;", "-").replace("&amp;", "&")


def _array(name: str, size: int, domain: str) -> str:
    return f'<array id="{name}" size="[{size}]"> {domain} </array>\n'


def _cells(cells: Sequence[int]) -> str:
    return " ".join(f"x[{cell}]" for cell in cells)


def _domains(candidates: Candidates) -> Iterator[str]:
    """Yield the cells that may hold a single value, then the others that may not hold all values."""
    values_of = list(enumerate(cell_values(candidates)))
    if decided := [(cell, values[0]) for cell, values in values_of if len(values) == 1]:
        listed = " ".join(str(value) for _, value in decided)
        yield "<instantiation>\n"
        yield f"  <list> {_cells([cell for cell, _ in decided])} </list>\n  <values> {listed} </values>\n"
        yield "</instantiation>\n"
    for cell, values in values_of:
        if not values:
            yield _NEVER
        elif 1 < len(values) < candidates.shape[1]:
            yield _extension([cell], map(str, values), " ")


def _units(board: Geometry) -> Iterator[str]:
    """Yield a group of the units of each rule."""
    for rule in board.rules:
        if rule.units.shape[1] > 1:
            name = re.sub(r"[^A-Za-z0-9]+", "-", rule.name)
            yield f'<group class="{name}">\n  <allDifferent> %... </allDifferent>\n'
            yield from (f"  <args> {_cells(unit)} </args>\n" for unit in rule.units.tolist())
            yield "</group>\n"


def _constraints(primitives: Sequence[Primitive], copies: dict[tuple[int, int], int]) -> Iterator[str]:
    """Yield the constraints other than units and clauses of regions; copies are of cells that an automaton repeats."""
    names = {key: f"copy[{number}]" for number, key in enumerate(copies)}
    yield from (f"<intension> eq({names[key]},x[{cell}]) </intension>\n" for key, cell in copies.items())
    for number, primitive in enumerate(primitives):
        if isinstance(primitive, Sum | EqualSums):
            yield from (_sum(terms, total) for terms, total in sum_terms(primitive))
        elif isinstance(primitive, Count):
            yield _count(primitive)
        elif isinstance(primitive, Relation):
            pairs = (f"({a},{b})" for a, allowed in enumerate(primitive.allowed, 1) for b in values_in(allowed))
            yield _extension([primitive.first, primitive.second], pairs, "")
        elif isinstance(primitive, Clause):
            signed = ((f"x[{cell}]", value) for cell, value in primitive.literals)
            yield _clause([f"{'eq' if value > 0 else 'ne'}({cell},{abs(value)})" for cell, value in signed])
        elif isinstance(primitive, Automaton):
            cells = (names.get((number, place), f"x[{cell}]") for place, cell in enumerate(primitive.cells))
            yield from _regular(" ".join(cells), primitive)


def _extension(cells: Sequence[int], tuples: Iterator[str], separator: str) -> str:
    """Return that cells hold a tuple of a table."""
    supports = separator.join(tuples)
    if not supports:
        return _NEVER
    return f"<extension> <list> {_cells(cells)} </list> <supports> {supports} </supports> </extension>\n"


def _sum(terms: dict[int, int], total: int) -> str:
    factors = " ".join(map(str, terms.values()))
    listed = f"<list> {_cells(list(terms))} </list> <coeffs> {factors} </coeffs>"
    return f"<sum> {listed} <condition> (eq,{total}) </condition> </sum>\n"


def _count(count: Count) -> str:
    numbers = [number for number in range(len(count.cells) + 1) if count.numbers >> number & 1]
    if not numbers:
        return _NEVER
    condition = f"(eq,{numbers[0]})" if len(numbers) == 1 else f"(in,{{{','.join(map(str, numbers))}}})"
    listed = f"<list> {_cells(count.cells)} </list> <values> {count.value} </values>"
    return f"<count> {listed} <condition> {condition} </condition> </count>\n"


def _literal(literal: int, n: int, n_of_cells: int) -> str:
    """Return a literal of the clauses of regions."""
    if abs(literal) > n_of_cells:
        return f"eq(auxiliary[{abs(literal) - n_of_cells - 1}],{int(literal > 0)})"
    cell, value = divmod(abs(literal) - 1, n)
    return f"{'eq' if literal > 0 else 'ne'}(x[{cell}],{value + 1})"


def _clause(literals: Sequence[str]) -> str:
    if not literals:
        return _NEVER
    text = f"or({','.join(literals)})" if len(literals) > 1 else literals[0]
    return f"<intension> {text} </intension>\n"


def _repetitions(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each place whose cell was there before, with the cell: solvers reject a variable twice in a list."""
    seen: set[int] = set()
    for place, cell in enumerate(cells):
        if cell in seen:
            yield place, cell
        seen.add(cell)


def _regular(cells: str, automaton: Automaton) -> Iterator[str]:
    """Yield an automaton; state S after I cells is called sI_S."""
    yield f"<regular>\n  <list> {cells} </list>\n  <transitions>\n"
    for place, layer in enumerate(automaton.layers):
        moves = (f"(s{place}_{before},{value},s{place + 1}_{after})" for before, value, after in layer)
        yield f"    {''.join(moves)}\n"
    yield f"  </transitions>\n  <start> s0_0 </start>\n  <final> s{len(automaton.layers)}_0 </final>\n</regular>\n"


# Output of solvers of XCSP3: a solution is an `instantiation` with a list of variables and their values.

_CLAIMS = {
    "SATISFIABLE": True,
    "OPTIMUM FOUND": True,
    "UNSATISFIABLE": False,
    "UNKNOWN": None,
    "UNSUPPORTED": None,
}
_ARRAY = re.compile(r'<array id="([a-z]+)" size="\[([0-9]{1,9})\]">')
_OPEN = "<instantiation"
_SOLUTION = re.compile(r"<instantiation\b[^>]*>(.*?)</instantiation>", re.S)
_PARTS = re.compile(r"\s*<list>([^<>]*)</list>\s*<values>([^<>]*)</values>\s*", re.S)
_CELL = re.compile(r"x\[([0-9]{1,8})\]")
_REPEATED = re.compile(r"(-?[0-9]{1,9})x([0-9]{1,9})")


def read(model: str, output: str) -> Answer:
    """Read `s` lines and the instantiations in `v` lines, or in a file of XML; other lines are remarks.

    Raises:
        FormatError: an invalid instantiation, or two claims.
    """
    source = files.source_name(output)
    puzzle = read_heading(model, "", map(_unescaped, files.read_lines(model)))
    claims: set[bool | None] = set()
    text: list[str] = []
    for number, line in enumerate(files.read_lines(output), 1):
        kind, _, rest = line.strip().partition(" ")
        if kind == "s":
            if rest.strip() not in _CLAIMS:
                raise FormatError(f"{short(line.strip())!r} is not an answer of a solver of XCSP3", source, number)
            claims.add(_CLAIMS[rest.strip()])
        elif kind == "v" or kind.startswith("<"):
            text.append(rest if kind == "v" else line)
    if len(claims) > 1:
        raise FormatError("the s lines of the solver contradict each other", source)
    printed = "\n".join(text)
    sizes = _array_sizes(model)
    grids = [_grid(match[1], puzzle, sizes, source) for match in _SOLUTION.finditer(printed)]
    cut_off = "" if printed.count(_OPEN) == len(grids) else "its XML does not end"
    return from_values(puzzle, claims.pop() if claims else None, grids, cut_off)


def _array_sizes(model: str) -> dict[str, int]:
    """Return the size of each array of variables of an instance."""
    sizes: dict[str, int] = {}
    for line in files.read_lines(model):
        if match := _ARRAY.match(line):
            sizes[match[1]] = int(match[2])
        if line.startswith("</variables>"):
            break
    return sizes


def _grid(text: str, puzzle: Puzzle, sizes: dict[str, int], source: str) -> Values:
    """Return the values of the cells in the list and the values of an instantiation."""
    parts = _PARTS.fullmatch(text)
    if not parts:
        raise FormatError(f"{short(text.strip())!r} is not a list of variables and their values", source)
    grid = np.zeros(puzzle.geometry.n_cells, np.int64)
    n_values = 0
    values = _values(parts[2], sum(sizes.values()))
    for variable in _variables(parts[1], sizes):
        value = next(values, None)
        if value is None:
            raise FormatError(f"{n_values} values for more variables", source)
        n_values += 1
        cell = _CELL.fullmatch(variable)
        if cell and int(cell[1]) >= len(grid):
            raise FormatError(f"{variable} is out of range: this instance has {len(grid)} cells", source)
        if cell:
            grid[int(cell[1])] = integer(value, source, 1)
    if next(values, None) is not None:
        raise FormatError(f"more values than {n_values} variables", source)
    return grid


def _variables(text: str, sizes: dict[str, int]) -> Iterator[str]:
    """Yield the variables in a list, in which `x[]` stands for all of an array."""
    for word in text.split():
        if word.endswith("[]"):
            yield from (f"{word[:-2]}[{number}]" for number in range(sizes.get(word[:-2], 0)))
        else:
            yield word


def _values(text: str, most: int) -> Iterator[str]:
    """Yield the values, of which `3x4` stands for four times 3."""
    for word in text.split():
        repeated = _REPEATED.fullmatch(word)
        yield from repeat(repeated[1], min(int(repeated[2]), most + 1)) if repeated else [word]
