"""A second reader of certificate folders, written from docs/internals/certificates.md alone, with nothing but Python.

It shares no code with sudoku_encode and must not: it shows that the page is enough to write a checker.
"""

import gzip
import itertools
import json
import math
import os
import pathlib
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tests.helpers import certificate_constraints, certificate_lines, certificate_primitives, certificate_ranks

# The literals, in ascending order where clauses are compared.
Clause = tuple[int, ...]
# The cells of each unit.
Units = list[list[int]]

SIZE = "[1-9][0-9]{0,2}"
LATIN = "latin:"
SURFACE = re.compile(rf"(corner|sudokube):({SIZE})|isodoku:([0-9]+)")
RECTANGLE = re.compile(rf"latin:({SIZE})x({SIZE})(?::({SIZE}))?|jigsaw:({SIZE})x({SIZE}):([!-~]+)")
COPIES = re.compile(r"([!-~]+)@(PLACE(?:;PLACE)*)".replace("PLACE", "(?:0|[1-9][0-9]{0,3}),(?:0|[1-9][0-9]{0,3})"))
SHORT_NAMES = {
    "samurai": "9x9@0,0;0,12;6,6;12,0;12,12",
    "twodoku": "9x9@0,0;6,6",
    "gattai-3": "9x9@0,3;3,6;6,0",
    "flower": "9x9@0,3;3,0;3,3;3,6;6,3",
    "kazaguruma": "9x9@0,3;3,12;6,6;9,0;12,9",
    "sohei": "9x9@0,6;6,0;6,12;12,6",
    "butterfly": "9x9@0,0;0,3;3,0;3,3",
    "shogun": "9x9@0,0;0,12;0,24;0,36;6,6;6,18;6,30;12,0;12,12;12,24;12,36",
}
BOARD = re.compile(rf"({SIZE})x\1(?::({SIZE})x({SIZE}))?|({SIZE})x\4x\4(:literal|:planes)?|jigsaw:([!-~]+)")
NUMBER = re.compile("0|-?[1-9][0-9]{0,17}")
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Refused(ValueError):
    """The folder does not prove its number of solutions; the message is one line."""


class Puzzle(NamedTuple):
    """A puzzle of values from 1 to n, with what each cell has: its given or 0, the values that its marks exclude.

    And with what its constraints are made of, their clauses, how many variables there are with theirs, and how many
    hidden cells.
    """

    n: int
    units: Units
    givens: list[int]
    excluded: list[set[int]]
    primitives: list[certificate_primitives.Primitive]
    auxiliary: list[Clause]
    n_variables: int
    n_hidden: int


def check(folder: pathlib.Path) -> int:
    """Returns the number of solutions that a certificate folder proves, or raises Refused."""
    if os.path.lexists(folder / "cubes.txt"):
        return check_cubes(folder)
    require(not os.path.lexists(folder / "proof.drat"), "proof.drat: this reader takes LRAT proofs only")
    for stray in ("candidates.json", "cover.lrat"):
        require(not os.path.lexists(folder / stray), f"{stray}: not a file of this kind of certificate")
    puzzle = read_puzzle(folder)
    solutions = read_solutions(folder, puzzle)
    blanks = [cell for cell, given in enumerate(puzzle.givens) if given == 0]
    blocking = (tuple(sorted(-cell * puzzle.n - solution[cell] for cell in blanks)) for solution in solutions)
    formula = read_cnf(folder, "formula.cnf", puzzle, puzzle_clauses(puzzle))
    lemmas = check_proof(folder, read_cnf(folder, "blocked.cnf", puzzle, itertools.chain(formula, blocking)))
    certificate = read_json(folder, "certificate.json")
    for key, number in {"solutions": len(solutions), "clauses": len(formula), "lemmas": lemmas}.items():
        said = certificate.get(key)
        require(type(said) is int and said == number, f"certificate.json: {key} should be {number}")
    return len(solutions)


def check_cubes(folder: pathlib.Path) -> int:
    """Returns the number of solutions that a certificate in cubes proves, or raises Refused."""
    strays = ("solutions.txt", "blocked.cnf", "proof.lrat", "proof.drat", "formula.opb", "proof.pbp", "candidates.json")
    for stray in strays:
        require(not os.path.lexists(folder / stray), f"{stray}: not a file of a certificate in cubes")
    puzzle = read_puzzle(folder)
    cubes: dict[int, list[int]] = {}
    for line in read_lines(folder, "cubes.txt", comments=False):
        number, *literals, last = numbers("cubes.txt", line) if len(line) > 1 else [0, 1]
        cells = {(literal - 1) // puzzle.n for literal in literals}
        in_range = all(0 < literal <= len(puzzle.givens) * puzzle.n for literal in literals)
        require(last == 0 and number > max(cubes, default=0), "cubes.txt: not a cube, or a number that does not ascend")
        require(in_range and len(cells) == len(literals), "cubes.txt: a literal of no cell, or two of one")
        cubes[number] = literals
    for one, other in itertools.combinations(cubes.values(), 2):
        pairs = itertools.product(one, other)
        apart = any(a != b and (a - 1) // puzzle.n == (b - 1) // puzzle.n for a, b in pairs)
        require(apart, "cubes.txt: two cubes are not disjoint")
    names = {f"{number:06}{suffix}" for number in cubes for suffix in (".txt", ".lrat.gz")}
    require({path.name for path in (folder / "leaves").iterdir()} == names, "leaves: not the files of the cubes")
    formula = read_cnf(folder, "formula.cnf", puzzle, puzzle_clauses(puzzle))
    check_proof(folder, [*formula, *(tuple(-literal for literal in cube) for cube in cubes.values())], "cover.lrat")
    blanks, count = [cell for cell, given in enumerate(puzzle.givens) if given == 0], 0
    for number, cube in cubes.items():
        solutions = read_solutions(folder, puzzle, f"leaves/{number:06}.txt")
        for solution, literal in itertools.product(solutions, cube):
            inside = (literal - 1) // puzzle.n * puzzle.n + solution[(literal - 1) // puzzle.n] == literal
            require(inside, f"leaves/{number:06}.txt: a solution is outside the cube")
        blocking = [tuple(-cell * puzzle.n - solution[cell] for cell in blanks) for solution in solutions]
        clauses = [*formula, *((literal,) for literal in cube), *blocking]
        check_proof(folder, clauses, f"leaves/{number:06}.lrat.gz")
        count += len(solutions)
    certificate = read_json(folder, "certificate.json")
    for key, right in {"solutions": count, "clauses": len(formula), "cubes": len(cubes)}.items():
        said = certificate.get(key)
        require(type(said) is int and said == right, f"certificate.json: {key} should be {right}")
    return count


def require(condition: bool, complaint: str) -> None:
    """Raises Refused unless the condition holds."""
    if not condition:
        raise Refused(complaint)


def read_text(folder: pathlib.Path, name: str) -> str:
    """Returns the text of a file of the folder, with plain newlines."""
    try:
        require((folder / name).is_file(), f"{name}: there is no such file")
        content = (folder / name).read_bytes()
        if name.endswith(".gz"):
            content = gzip.decompress(content)
        text = content.decode("ascii").replace("\r\n", "\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise Refused(f"{name}: cannot be read as ASCII text ({type(error).__name__})") from None
    require(not re.search(r"[^\t\n -~]", text), f"{name}: has control characters")
    return text


def read_lines(folder: pathlib.Path, name: str, comments: bool = True) -> Iterator[list[str]]:
    """Yields the words of each line that is not blank, nor a comment where there may be comments."""
    for line in read_text(folder, name).split("\n"):
        words = line.split()
        if words and not (comments and words[0].startswith("c")):
            yield words


def numbers(name: str, words: list[str]) -> list[int]:
    """Returns the numbers that the words are."""
    if not all(map(NUMBER.fullmatch, words)):
        raise Refused(f"{name}: a word is not a number, or a huge one: {words[:9]}"[:150])
    return [int(word) for word in words]


def read_json(folder: pathlib.Path, name: str) -> dict[str, object]:
    """Returns the object that a JSON file holds."""
    text = read_text(folder, name)
    try:
        # NaN, which is not JSON, is then a ValueError.
        value: object = json.loads(text, parse_constant=int, parse_int=signed, object_pairs_hook=each_once)
    except (ValueError, RecursionError):
        raise Refused(f"{name}: not JSON") from None
    if not isinstance(value, dict):
        raise Refused(f"{name}: not an object")
    return value


def signed(word: str) -> int:
    """Returns a whole number of JSON; 0 has no sign."""
    require(word != "-0", "JSON: -0 is not a number here")
    return int(word)


def each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Returns an object whose keys are each there once."""
    require(len(dict(pairs)) == len(pairs), "JSON: a key appears twice")
    return dict(pairs)


def read_puzzle(folder: pathlib.Path) -> Puzzle:
    """Returns the puzzle of puzzle.json."""
    data = read_json(folder, "puzzle.json")
    unknown = sorted(data.keys() - {"board", "rules", "givens", "pencilmarks", "constraints", "name"})
    require(not unknown, f"puzzle.json: unknown keys {str(unknown)[:60]}")
    name = str(data.get("board"))
    sides, n, rules = board(SHORT_NAMES.get(name, name))
    givens = [value_of(given, 0, n) for given in flatten(data.get("givens"), sides)]
    excluded: list[set[int]] = [set() for _ in givens]
    for cell, marks in enumerate(flatten(data["pencilmarks"], [len(givens)]) if "pencilmarks" in data else []):
        if not isinstance(marks, list):
            raise Refused("puzzle.json: the pencilmarks of a cell are not a list")
        allowed = {value_of(mark, 1, n) for mark in marks}
        excluded[cell] = set() if givens[cell] else set(range(1, n + 1)) - allowed
    chosen = data.get("rules", list(rules))
    if not isinstance(chosen, list) or not all(isinstance(name, str) and chosen.count(name) == 1 for name in chosen):
        raise Refused("puzzle.json: rules are not a list of names, each once")
    if not all(name in rules for name in chosen):
        raise Refused("puzzle.json: rules are not a list of rules of the board")
    rules = {name: units for name, units in rules.items() if name in chosen}
    primitives, auxiliary, last, n_hidden = read_constraints(data.get("constraints", []), sides, n, rules)
    units = [unit for units in rules.values() for unit in units]
    return Puzzle(n, units, givens, excluded, primitives, auxiliary, last, n_hidden)


def read_constraints(
    lines: object, sides: list[int], n: int, rules: dict[str, Units]
) -> tuple[list[certificate_primitives.Primitive], list[Clause], int, int]:
    """Returns what constraints are made of, their clauses, the number of variables with theirs, and of hidden cells."""
    board = certificate_lines.board_of(sides, n, rules.get("region", rules.get("box", [])))
    if not isinstance(lines, list) or not all(isinstance(line, str) and lines.count(line) == 1 for line in lines):
        raise Refused("puzzle.json: constraints are not a list of lines, each once")
    try:
        parsed = [certificate_lines.parse(line, board) for line in lines]
        n_hidden = certificate_ranks.hidden_cells(parsed, board)
        writer = certificate_primitives.Writer(n, (math.prod(sides) + n_hidden) * n)
        found = [one for line in parsed for one in certificate_constraints.primitives(line, board, parsed)]
        clauses = [tuple(sorted(clause)) for one in found for clause in writer.clauses(*one)]
    except (KeyError, ValueError, IndexError) as error:
        raise Refused(f"puzzle.json: a constraint is not understood: {error}"[:150]) from None
    return found, clauses, writer.last, n_hidden


def board(name: str) -> tuple[list[int], int, dict[str, Units]]:
    """Returns the sides of a board, how many values it has, and its rules, each as its units."""
    if SURFACE.fullmatch(name):
        return surface(name)
    if match := COPIES.fullmatch(name):
        return copies(match[1], [(int(row), int(column)) for row, column in re.findall("([0-9]+),([0-9]+)", match[2])])
    return rectangle(match) if (match := RECTANGLE.fullmatch(name)) else plain_board(name)


def copies(name: str, beginnings: list[tuple[int, int]]) -> tuple[list[int], int, dict[str, Units]]:
    """Returns the same of a board several times, which begin at these rows and columns."""
    sides, n, rules = board(name)
    require(len(sides) == 2, "puzzle.json: only boards of rows and columns can overlap")
    places = list(itertools.product(range(sides[0]), range(sides[1])))
    cells = sorted({(top + row, left + column) for top, left in beginnings for row, column in places})
    found: dict[str, Units] = {}
    for rule, units in rules.items():
        moved = {
            tuple(sorted(cells.index((top + places[cell][0], left + places[cell][1])) for cell in unit))
            for top, left in beginnings
            for unit in units
        }
        found[rule] = [list(unit) for unit in sorted(moved)]
    return [len(cells)], n, found


def rectangle(match: re.Match[str]) -> tuple[list[int], int, dict[str, Units]]:
    """Returns the same of rows and columns that may differ in number."""
    rows, columns = int(match[1] or match[4]), int(match[2] or match[5])
    cells = list(itertools.product(range(rows), range(columns)))
    rules = {"row": groups([row for row, _ in cells]), "column": groups([column for _, column in cells])}
    n = int(match[3] or max(rows, columns))
    if match[6]:
        require(len(match[6]) == rows * columns, "puzzle.json: the map of the jigsaw has another size")
        rules["region"] = groups(match[6])
        n = len(rules["region"][0])
        require(all(len(unit) == n for unit in rules["region"]), "puzzle.json: regions differ in size")
    require(n >= max(rows, columns), "puzzle.json: a row or column has more cells than there are values")
    return [rows, columns], n, rules


def plain_board(name: str) -> tuple[list[int], int, dict[str, Units]]:
    """Returns the sides of a square or a cube, how many values it has, and its rules, each as its units."""
    base, *extras = name.split("+")
    latin = base.startswith(LATIN)
    match = BOARD.fullmatch(base.removeprefix(LATIN))
    if latin and (match is None or extras or match[2] or match[5] or match[6]):
        raise Refused(f"puzzle.json: unknown board {base[:60]!r}")
    if match is None or len(set(extras)) < len(extras) or not set(extras) <= {"diagonals", "windoku"}:
        raise Refused(f"puzzle.json: unknown board {name[:60]!r}")
    if match[5] == ":planes":
        s = int(match[4])
        places = list(itertools.product(range(s), repeat=3))
        return [s] * 3, s * s, {f"plane-{'xyz'[a]}": groups([place[a] for place in places]) for a in range(3)}
    n, depth = int(match[1] or match[4] or math.isqrt(len(match[6] or ""))), 3 if match[4] else 2
    rules = cube_rules(match, n, extras, latin) if match[4] else flat_rules(match, n, extras)
    if latin:
        rules = {name: units for name, units in rules.items() if not name.startswith("box")}
    return [n] * depth, n, rules


def surface(name: str) -> tuple[list[int], int, dict[str, Units]]:
    """Returns the same of a surface: its faces, rows and columns, and so on."""
    kind, _, text = name.partition(":")
    s = len(text) if kind == "isodoku" else int(text)
    cells = list(itertools.product(range(6 if kind == "sudokube" else 3), range(s), range(s)))
    if kind == "sudokube":
        x = [{0: c, 5: c, 2: c, 4: s - 1 - c}.get(f) for f, r, c in cells]
        y = [{0: s - 1 - r, 1: s - 1 - c, 3: c, 5: r}.get(f) for f, r, c in cells]
        z = [r if 0 < f < 5 else None for f, r, c in cells]
        return [6, s, s], max(4 * s, s * s), {"hoop": slices(x, y, z), "face": groups([f for f, _, _ in cells])}
    x = [{0: r, 2: s - 1 - c}.get(f) for f, r, c in cells]
    y = [{0: c, 1: c}.get(f) for f, r, c in cells]
    z = [s - 1 - r if f else None for f, r, c in cells]
    if kind == "corner":
        require(s % 2 == 0, "puzzle.json: there is no such corner")
        return (
            [3, s, s],
            2 * s,
            {"line": slices(x, y, z), "box": groups([(f, (r if f == 1 else c) // 2) for f, r, c in cells])},
        )
    k = math.isqrt(s)
    h = [[int(digit) for digit in text[at : at + k]] for at in range(0, s, k)]
    falls = all(a >= b for row in [*h, *zip(*h, strict=False)] for a, b in itertools.pairwise(row))
    require(k * k == s and k > 1 and falls and h[0][0] <= k, "puzzle.json: there is no such stack")
    # Twice the coordinates, so that a half is a whole number.
    places = []
    for cell, (f, r, c) in enumerate(cells):
        i, j, up = x[cell] or 0, y[cell] or 0, (z[cell] or 0) // k
        if f == 0:
            places.append((2 * i + 1, 2 * j + 1, 2 * k * h[r // k][c // k]))
        elif f == 1:
            places.append((2 * k * sum(row[j // k] > up for row in h), 2 * j + 1, 2 * (s - 1 - r) + 1))
        else:
            places.append((2 * i + 1, 2 * k * sum(height > up for height in h[i // k]), 2 * (s - 1 - r) + 1))
    halves = [
        [None if one is None else (one, place[a] > place[b]) for one, place in zip(axis, places, strict=True)]
        for axis, a, b in ((x, 1, 2), (y, 0, 2), (z, 1, 0))
    ]
    return [3, s, s], s, {"line": slices(*halves), "box": groups([(f, r // k, c // k) for f, r, c in cells])}


def slices(*keys: Sequence[object]) -> Units:
    """Returns the cells that have the same key, for each of some lists of keys; a cell whose key is None is in none."""
    return [unit for key in keys for unit in groups(key) if key[unit[0]] is not None]


def flatten(value: object, sides: Sequence[int]) -> list[object]:
    """Returns what nested lists of the shape of the board hold, in the order of the cells."""
    if not isinstance(value, list) or len(value) != sides[0]:
        raise Refused("puzzle.json: givens or pencilmarks do not have the shape of the board")
    return value if len(sides) == 1 else [item for part in value for item in flatten(part, sides[1:])]


def value_of(value: object, least: int, n: int) -> int:
    """Returns the value if it is a whole number out of least, ..., n."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= n:
        raise Refused(f"puzzle.json: givens or pencilmarks have something that is not a number from {least} to {n}")
    return value


def flat_rules(match: re.Match[str], n: int, extras: list[str]) -> dict[str, Units]:
    """Returns the rules of an n x n board, each as its units."""
    k = math.isqrt(n)
    cells = list(itertools.product(range(n), repeat=2))
    rules = {"row": groups([row for row, _ in cells]), "column": groups([column for _, column in cells])}
    r = c = 0
    if match[6]:
        require(len(match[6]) == n * n, "puzzle.json: the map of the jigsaw is not a square")
        rules["region"] = groups(match[6])
    else:
        r = int(match[2] or max(r for r in range(1, k + 1) if n % r == 0))
        c = int(match[3] or n // r)
        require(r * c == n, "puzzle.json: boxes do not have n cells")
        if match[2] or r > 1 or n == 1:  # there are none if n is prime, unless the name says which
            rules["box"] = groups([(row // r, column // c) for row, column in cells])
    if "diagonals" in extras:
        rules["diagonal"] = [[i * n + i for i in range(n)]]
        rules["antidiagonal"] = [[i * n + n - 1 - i for i in range(n)]]
    if "windoku" in extras:
        require("box" in rules, "puzzle.json: there are no windows without boxes")
        ways = [[first for first in range(1, n, side + 1) if first + side < n] for side in (r, c)]
        require(all(ways), "puzzle.json: there are no windows, as boxes are too large")
        corners = itertools.product(*ways)
        rules["window"] = [[(row + i) * n + column + j for i in range(r) for j in range(c)] for row, column in corners]
    return rules


def cube_rules(match: re.Match[str], n: int, extras: list[str], latin: bool) -> dict[str, Units]:
    """Returns the rules of an n x n x n cube, each as its units."""
    k = math.isqrt(n)
    require((k * k == n or latin) and not extras, "puzzle.json: there is no such cube")
    cells = list(itertools.product(range(n), repeat=3))
    rules: dict[str, Units] = {}
    for a, b, c in (0, 1, 2), (0, 2, 1), (1, 2, 0):
        lines = [cell[c] if match[5] else (cell[a], cell[b]) for cell in cells]
        boxes = [(cell[a] // k, cell[b] // k, 0 if match[5] else cell[c]) for cell in cells]
        rules |= {f"row-{'xyz'[c]}": groups(lines), f"box-{'xyz'[a]}{'xyz'[b]}": groups(boxes)}
    return rules


def groups(keys: Sequence[object]) -> Units:
    """Returns the lists of the cells that have the same key, given the key of each cell."""
    found: dict[object, list[int]] = {}
    for cell, key in enumerate(keys):
        found.setdefault(key, []).append(cell)
    return list(found.values())


def read_solutions(folder: pathlib.Path, puzzle: Puzzle, name: str = "solutions.txt") -> dict[Clause, None]:
    """Returns the solutions of a file in their order, all of them solutions of the puzzle and no two the same."""
    solutions: dict[Clause, None] = {}
    for words in read_lines(folder, name, comments=False):
        require(len(words) == 1, f"{name}: a line has more than one word")
        characters = puzzle.n < len(DIGITS)
        values = [DIGITS.find(c) for c in words[0].upper()] if characters else numbers(name, words[0].split(","))
        require(len(values) == len(puzzle.givens), f"{name}: a line is not one value for each cell")
        require(all(1 <= value <= puzzle.n for value in values), f"{name}: a value is not from 1 to {puzzle.n}")
        for value, given, excluded in zip(values, puzzle.givens, puzzle.excluded, strict=True):
            require(given in (0, value), f"{name}: a solution changes a given")
            require(value not in excluded, f"{name}: a solution has a value that pencilmarks exclude")
        for unit in puzzle.units:
            require(len({values[cell] for cell in unit}) == len(unit), f"{name}: a value is twice in a unit")
        for name_of, of in puzzle.primitives if not puzzle.n_hidden else []:
            holds = certificate_primitives.holds(name_of, of, values)
            require(holds, f"{name}: a solution breaks a constraint")
        if puzzle.n_hidden:
            literals = {cell * puzzle.n + value for cell, value in enumerate(values)}
            holds = certificate_primitives.has_model(list(puzzle_clauses(puzzle)), literals)
            require(holds, f"{name}: no values of hidden cells go with a solution")
        require(tuple(values) not in solutions, f"{name}: a solution appears twice")
        solutions[tuple(values)] = None
    return solutions


def puzzle_clauses(puzzle: Puzzle) -> Iterator[Clause]:
    """Yields the clauses of the puzzle, some of them more than once."""
    n, values = puzzle.n, range(1, puzzle.n + 1)
    hidden: list[tuple[int, set[int]]] = [(0, set())] * puzzle.n_hidden
    for cell, (given, excluded) in enumerate([*zip(puzzle.givens, puzzle.excluded, strict=True), *hidden]):
        yield tuple(cell * n + value for value in values)
        yield from ((-cell * n - w, -cell * n - v) for v, w in itertools.combinations(values, 2))
        yield from ((-cell * n - value,) for value in excluded)
        if given:
            yield (cell * n + given,)
    for unit, value in itertools.product(puzzle.units, values):
        literals = tuple(sorted(cell * n + value for cell in unit))
        if len(unit) == n:
            yield literals
        yield from ((-b, -a) for a, b in itertools.combinations(literals, 2))
    yield from puzzle.auxiliary


def read_cnf(folder: pathlib.Path, name: str, puzzle: Puzzle, right: Iterable[Clause]) -> list[Clause]:
    """Returns the clauses of a CNF of a puzzle, in their order, which must be the right ones, each once."""
    lines = read_lines(folder, name)
    header = next(lines, [])
    clauses: list[Clause] = []
    literals: list[int] = []
    for literal in itertools.chain.from_iterable(numbers(name, words) for words in lines):
        if literal:
            literals.append(literal)
        else:
            clauses.append(tuple(sorted(literals)))
            literals = []
    require(not literals, f"{name}: the last clause does not end in 0")
    begin = f"p cnf {puzzle.n_variables} {len(clauses)}"
    require(header == begin.split(), f"{name}: does not begin with {begin}")
    known, expected = set(clauses), set()
    require(len(known) == len(clauses), f"{name}: a clause appears twice")
    for clause in right:
        if clause not in known:  # known bounds expected, so that a huge board in a small folder does no harm
            raise Refused(f"{name}: the clause {str(clause)[:60]} is missing")
        expected.add(clause)
    require(len(expected) == len(known), f"{name}: has {len(known) - len(expected)} clauses too many")
    return clauses


def check_proof(folder: pathlib.Path, blocked: list[Clause], name: str = "proof.lrat") -> int:
    """Checks that the proof derives the empty clause, and returns how many clauses it derives up to there."""
    clauses = dict(enumerate(blocked, 1))
    last, lemmas = len(blocked), 0
    highest = max((abs(literal) for clause in blocked for literal in clause), default=0)
    words = itertools.chain.from_iterable(read_lines(folder, name))
    for first in words:
        (number,) = numbers(name, [first])
        require(number > 0, f"{name}: the number of a step is not above 0")
        part = up_to_zero(name, words)
        if part[:1] == ["d"]:
            for deleted in numbers(name, part[1:]):
                require(deleted in clauses, f"{name}: there is no clause {deleted} to delete")
                del clauses[deleted]
            continue
        lemma, hints = numbers(name, part), numbers(name, up_to_zero(name, words))
        require(number > last, f"{name}: {number} is not greater than the numbers before")
        require(all(abs(literal) <= highest for literal in lemma), f"{name}: step {number} has an unknown variable")
        require(is_implied(lemma, hints, clauses), f"{name}: step {number} is wrong")
        last, lemmas, clauses[number] = number, lemmas + 1, tuple(set(lemma))
        if not lemma:
            return lemmas
    raise Refused(f"{name}: does not derive the empty clause")


def up_to_zero(name: str, words: Iterator[str]) -> list[str]:
    """Takes the words up to the next 0, and that one too."""
    taken: list[str] = []
    for word in words:
        if word == "0":
            return taken
        taken.append(word)
    raise Refused(f"{name}: the last 0 is missing")


def is_implied(lemma: list[int], hints: list[int], clauses: dict[int, Clause]) -> bool:
    """Says whether the hints lead from the assumption that all literals of a lemma are false to a contradiction."""
    false = set(lemma)
    for hint in hints:
        if hint not in clauses:
            return False
        left = [literal for literal in clauses[hint] if literal not in false]
        if not left:
            return True
        if len(left) > 1:
            return False
        false.add(-left[0])
    return False
