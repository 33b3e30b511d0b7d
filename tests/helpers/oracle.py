"""Random small puzzles with their solutions, by backtracking and definitions that share no code with the project.

Boards, units and constraints are written here as `docs/internals/certificates.md` and `docs/constraints.md` define
them. The puzzles come as text, so that a comparison goes through the readers. Nothing of the project may be imported
here.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

Cells = tuple[int, ...]
Grid = tuple[int, ...]
# Cells, and a condition on their values in this order.
Check = tuple[Cells, Callable[[Sequence[int]], bool]]

MOST_SOLUTIONS, MOST_STEPS = 150, 1500


class TooMany(Exception):
    """The search gave up: too many solutions, or too many steps."""


@dataclass(frozen=True)
class Board:
    """A board.

    Attributes:
        name: as `--board` takes it.
        n: its largest value.
        places: the coordinates of each cell, in the order of the cells.
        rules: by name, the units.
    """

    name: str
    n: int
    places: tuple[tuple[int, ...], ...]
    rules: dict[str, list[Cells]]

    @property
    def index(self) -> dict[tuple[int, ...], int]:
        """The cell at each place."""
        return {place: cell for cell, place in enumerate(self.places)}

    def cell_name(self, cell: int) -> str:
        """Return how a constraint names a cell."""
        place = self.places[cell]
        return f"r{place[0] + 1}c{place[1] + 1}" if len(place) == 2 else "x{}y{}z{}".format(*place)


@dataclass(frozen=True)
class Puzzle:
    """A puzzle as the program reads it, and what it means.

    Attributes:
        text: JSON, or a line of symbols after comments.
        board: its board.
        rules: names of the rules that hold.
        givens: a value for each cell, 0 for a blank.
        allowed: the values that each cell may hold.
        checks: what the constraints demand.
        kinds: the kinds of its constraints.
    """

    text: str
    board: Board
    rules: tuple[str, ...]
    givens: Grid
    allowed: tuple[frozenset[int], ...]
    checks: tuple[Check, ...] = ()
    kinds: tuple[str, ...] = ()

    def units(self) -> list[Cells]:
        """Return the units of the rules that hold."""
        return [unit for rule in self.rules for unit in self.board.rules[rule]]


def solutions(puzzle: Puzzle, steps: int = MOST_STEPS, chance: random.Random | None = None) -> Iterator[Grid]:
    """Yield the solutions of a puzzle, by backtracking on the cell with the fewest values left.

    Args:
        puzzle: which.
        steps: how many times a value may be tried.
        chance: for values in random order.

    Raises:
        TooMany: more steps are needed.
    """
    n_cells, units = len(puzzle.givens), puzzle.units()
    units_of: list[list[int]] = [[] for _ in range(n_cells)]
    for number, unit in enumerate(units):
        for cell in unit:
            units_of[cell].append(number)
    checks_of: list[list[int]] = [[] for _ in range(n_cells)]
    for number, (cells, _) in enumerate(puzzle.checks):
        for cell in set(cells):
            checks_of[cell].append(number)
    open_cells = [len(set(cells)) for cells, _ in puzzle.checks]
    used: list[set[int]] = [set() for _ in units]
    grid, budget = [0] * n_cells, steps

    def options(cell: int) -> list[int]:
        return [value for value in puzzle.allowed[cell] if not any(value in used[unit] for unit in units_of[cell])]

    def extend(blanks: list[int]) -> Iterator[Grid]:
        nonlocal budget
        if not blanks:
            yield tuple(grid)
            return
        best, values = -1, list(range(99))
        for cell in blanks:
            choice = options(cell)
            if len(choice) < len(values):
                best, values = cell, choice
                if len(values) < 2:
                    break
        if chance:
            chance.shuffle(values)
        rest = [cell for cell in blanks if cell != best]
        for number in checks_of[best]:
            open_cells[number] -= 1
        closed = [puzzle.checks[number] for number in checks_of[best] if not open_cells[number]]
        for value in values:
            budget -= 1
            if budget < 0:
                raise TooMany
            grid[best] = value
            if all(holds([grid[cell] for cell in cells]) for cells, holds in closed):
                for unit in units_of[best]:
                    used[unit].add(value)
                yield from extend(rest)
                for unit in units_of[best]:
                    used[unit].discard(value)
        for number in checks_of[best]:
            open_cells[number] += 1

    yield from extend(list(range(n_cells)))


def all_solutions(puzzle: Puzzle) -> set[Grid]:
    """Return all solutions.

    Raises:
        TooMany: there are more than MOST_SOLUTIONS, or it takes more than MOST_STEPS.
    """
    every: set[Grid] = set()
    for grid in solutions(puzzle):
        every.add(grid)
        if len(every) > MOST_SOLUTIONS:
            raise TooMany
    return every


# Boards.


def _grouped(places: Sequence[tuple[int, ...]], key: Callable[[tuple[int, ...]], object]) -> list[Cells]:
    """Return the cells with equal keys as units; cells whose key is None are in none."""
    groups: dict[object, list[int]] = {}
    for cell, place in enumerate(places):
        if (group := key(place)) is not None:
            groups.setdefault(group, []).append(cell)
    return [tuple(cells) for cells in groups.values()]


def rectangle(name: str, rows: int, columns: int, n: int, more: dict[str, Callable[..., object]]) -> Board:
    """Return a board of rows and columns with more rules: by name, to which unit a place belongs."""
    places = tuple(product(range(rows), range(columns)))
    keys: dict[str, Callable[..., object]] = {"row": lambda p: p[0], "column": lambda p: p[1], **more}
    return Board(name, n, places, {rule: _grouped(places, key) for rule, key in keys.items()})


def _window(place: tuple[int, int], n: int, height: int, width: int) -> tuple[int, int] | None:
    """Return the window of a place: in a line of windows there are as many as fit with a line of cells around each."""
    (row, at), (column, beside) = (
        divmod(side - 1, size + 1) for side, size in zip(place, (height, width), strict=True)
    )
    fits = row * (height + 1) + height + 1 < n and column * (width + 1) + width + 1 < n
    return (row, column) if min(place) > 0 and at < height and beside < width and fits else None


def square(chance: random.Random) -> Board:
    """Return a square with boxes of any form, diagonals and windows."""
    n = chance.choice([4, 4, 4, 5, 6, 6])
    height = chance.choice([side for side in range(1, n + 1) if n % side == 0])
    name, width = f"{n}x{n}:{height}x{n // height}", n // height
    more: dict[str, Callable[..., object]] = {"box": lambda p: (p[0] // height, p[1] // width)}
    if n in (4, 6) and chance.random() < 0.3:
        # The box that a side has where none is named: the most rows that are not more than its columns.
        name, height, width = f"{n}x{n}", 2, n // 2
    for extra in chance.choice([[], [], ["diagonals"], ["windoku"], ["windoku", "diagonals"]]):
        if extra == "diagonals":
            more["diagonal"] = lambda p: 0 if p[0] == p[1] else None
            more["antidiagonal"] = lambda p: 0 if p[0] + p[1] == n - 1 else None
        elif max(height, width) < n - 1 and min(height, width) > 1:
            more["window"] = lambda p: _window(p, n, height, width)
        else:
            continue
        name += f"+{extra}"
    return rectangle(name, n, n, n, more)


def latin(chance: random.Random) -> Board:
    """Return a board of rows and columns alone, with as many values as its longer side or more."""
    rows, columns = chance.choice([(3, 3), (4, 4), (5, 5), (6, 6), (2, 5), (4, 3), (3, 6), (5, 4)])
    n = max(rows, columns) + chance.choice([0, 0, 1])
    return rectangle(f"latin:{rows}x{columns}:{n}", rows, columns, n, {})


def jigsaw(chance: random.Random) -> Board:
    """Return a board with regions of any cells, or of strips that were changed a little."""
    rows, columns, n = chance.choice([(4, 4, 4), (5, 5, 5), (6, 6, 6), (3, 3, 3), (4, 6, 6), (3, 4, 4), (2, 4, 4)])
    regions = sorted(range(rows * columns), key=lambda cell: cell % columns if chance.random() < 0.7 else cell)
    regions = [at // n for at in regions]
    if chance.random() < 0.5:
        chance.shuffle(regions)
    text = "".join("abcdefghijklm"[region] for region in regions)
    name = f"jigsaw:{text}" if rows == columns == n else f"jigsaw:{rows}x{columns}:{text}"
    return rectangle(name, rows, columns, n, {"region": lambda p: regions[p[0] * columns + p[1]]})


def overlap(chance: random.Random) -> Board:
    """Return a square or another board two or three times, where a row or column may be common or not."""
    base = chance.choice([square, square, latin, jigsaw])(chance)
    height, width = (max(place[axis] for place in base.places) + 1 for axis in (0, 1))
    corners = {(0, 0), (chance.randrange(1, height), chance.randrange(1, width))}
    if chance.random() < 0.2:
        corners.add((chance.randrange(height), chance.randrange(width)))
    if chance.random() < 0.3:
        corners = {(row, width - column) for row, column in corners}
        leftmost = min(column for _, column in corners)
        corners = {(row, column - leftmost) for row, column in corners}
    order = sorted(corners)
    chance.shuffle(order)
    places = tuple(sorted({(top + p[0], left + p[1]) for top, left in order for p in base.places}))
    index = {place: cell for cell, place in enumerate(places)}
    rules = {
        rule: [
            tuple(index[top + base.places[cell][0], left + base.places[cell][1]] for cell in unit)
            for top, left in order
            for unit in units
        ]
        for rule, units in base.rules.items()
    }
    at = ";".join(f"{top},{left}" for top, left in order)
    return Board(f"{base.name}@{at}", base.n, places, rules)


def _without(axis: int, place: tuple[int, ...]) -> tuple[int, ...]:
    return place[:axis] + place[axis + 1 :]


def cube(chance: random.Random) -> Board:
    """Return a cube: of side 4 with boxes in three kinds of planes, or of lines alone."""
    n = chance.choice([2, 3, 4, 4, 4, 4])
    places = tuple(product(range(n), repeat=3))
    rules = {}
    for axis in range(3):
        rules[f"row-{'xyz'[axis]}"] = _grouped(places, partial(_without, axis))
    if n < 4 or chance.random() < 0.1:
        return Board(f"latin:{n}x{n}x{n}", n, places, rules)
    rules["box-xy"] = _grouped(places, lambda p: (p[0] // 2, p[1] // 2, p[2]))
    rules["box-xz"] = _grouped(places, lambda p: (p[0] // 2, p[1], p[2] // 2))
    rules["box-yz"] = _grouped(places, lambda p: (p[0], p[1] // 2, p[2] // 2))
    return Board("4x4x4", n, places, rules)


BOARDS = (square, square, square, latin, jigsaw, jigsaw, overlap, overlap, cube)


# Puzzles.


@dataclass
class Draw:
    """What a puzzle is made of while it is drawn: chance, a board, and a grid that most of its clues are true of."""

    chance: random.Random
    board: Board
    grid: Grid

    @property
    def n(self) -> int:
        """The largest value."""
        return self.board.n

    def near(self, cell: int) -> list[int]:
        """Return the cells that touch a cell, at a side, an edge or a corner."""
        place = self.board.places[cell]
        return [
            other
            for other, at in enumerate(self.board.places)
            if other != cell and all(abs(a - b) <= 1 for a, b in zip(at, place, strict=True))
        ]

    def beside(self, cell: int) -> list[int]:
        """Return the cells that share a side with a cell."""
        place = self.board.places[cell]
        return [
            other
            for other, at in enumerate(self.board.places)
            if sum(abs(a - b) for a, b in zip(at, place, strict=True)) == 1
        ]

    def walk(self, least: int, most: int) -> Cells:
        """Return different cells, each touching the one before; fewer than wanted where the walk ends."""
        path = [self.chance.randrange(len(self.grid))]
        wanted = self.chance.randint(least, most)
        while len(path) < wanted:
            choice = [cell for cell in self.near(path[-1]) if cell not in path]
            path.append(self.chance.choice(choice or [c for c in range(len(self.grid)) if c not in path]))
        return tuple(path)

    def pair(self) -> Cells:
        """Return two cells side by side."""
        while not (others := self.beside(first := self.chance.randrange(len(self.grid)))):
            pass
        return first, self.chance.choice(others)

    def values(self, cells: Cells, differ: bool = False) -> list[int]:
        """Return the values of cells in the grid, or for some of the clues any other values."""
        true = [self.grid[cell] for cell in cells]
        if self.chance.random() < 0.8 and (not differ or len(set(true)) == len(true)):
            return true
        if differ:
            return self.chance.sample(range(1, self.n + 1), len(cells))
        return [self.chance.randint(1, self.n) for _ in cells]

    def named(self, cells: Cells) -> str:
        """Return cells as a constraint names them."""
        return " ".join(map(self.board.cell_name, cells))


GLOBAL = ("anti-knight", "anti-king", "non-consecutive")
Kinds = dict[str, Callable[["Draw"], tuple[str, list[Check]]]]


def random_puzzle(chance: random.Random, kinds: Kinds) -> tuple[Puzzle, set[Grid]] | None:
    """Return a random puzzle with its solutions, or None where no grid for it is found soon."""
    board = chance.choice(BOARDS)(chance)
    rules = tuple(board.rules)
    if chance.random() < 0.3:
        rules = tuple(rule for rule in rules if chance.random() < 0.6) or rules[:1]
    n, n_cells = board.n, len(board.places)
    every = tuple(frozenset(range(1, n + 1)) for _ in range(n_cells))
    draw = Draw(chance, board, tuple(chance.randint(1, n) for _ in range(n_cells)))
    # What holds in the whole grid is drawn before the grid: hardly any other grid fulfils it.
    first = [kind for kind in GLOBAL if chance.random() < 0.06]
    demands = tuple(check for kind in first for check in kinds[kind](draw)[1])
    try:
        grid = next(solutions(Puzzle("", board, rules, (0,) * n_cells, every, demands), 3000, chance), None)
    except TooMany:
        return None
    grid = grid or draw.grid
    names, lines, checks = _constraints(replace(draw, grid=grid), kinds, first)
    givens = _givens(chance, grid, n)
    marks = [{v for v in range(1, n + 1) if v == own or chance.random() < 0.6} for own in grid]
    if chance.random() < 0.75:
        marks = [set(values) for values in every]
    elif chance.random() < 0.1:
        marks[chance.randrange(n_cells)] = set()
    while True:
        allowed = tuple(frozenset([given] if given else own) for given, own in zip(givens, marks, strict=True))
        puzzle = Puzzle("", board, rules, tuple(givens), allowed, tuple(checks), tuple(names))
        try:
            truth = all_solutions(puzzle)
        except TooMany:
            blanks = [cell for cell in range(n_cells) if not givens[cell]]
            if not blanks:
                return None
            for cell in chance.sample(blanks, (len(blanks) + 2) // 3):
                givens[cell] = grid[cell]
            continue
        return replace(puzzle, text=_text(chance, puzzle, marks, lines, every)), truth


def _constraints(draw: Draw, kinds: Kinds, first: list[str]) -> tuple[list[str], list[str], list[Check]]:
    """Return the constraints of some kinds and a few others: their kinds, lines, and what they demand together."""
    names: list[str] = []
    lines: list[str] = []
    checks: list[Check] = []
    marked: set[frozenset[int]] = set()
    others = [draw.chance.choice(list(kinds)) for _ in range(draw.chance.choice([0, 0, 0, 1, 1, 2, 2, 3]))]
    for kind in first + others:
        # Most constraints hold in the grid, so that there is a solution.
        for _ in range(draw.chance.choice([1, 40, 40, 40, 40])):
            text, demands = kinds[kind](draw)
            if all(holds([draw.grid[cell] for cell in cells]) for cells, holds in demands):
                break
        # Marks of one kind are compared with each other, so that there is one line of it.
        if kind not in names or kind not in ("minimum", "maximum", *GLOBAL):
            names.append(kind)
            lines.append(text)
            checks += demands
            if text.startswith("difference "):
                marked.add(frozenset(demands[0][0]))
    # Of pairs that a `difference` marks, `non-consecutive` says nothing.
    rest = [check for check in checks if not (check[1] is not_consecutive and frozenset(check[0]) in marked)]
    return names, lines, rest


def _givens(chance: random.Random, grid: Grid, n: int) -> list[int]:
    """Return some values of a grid, for a few puzzles with one changed."""
    share = chance.choice([0.1, 0.2, 0.4, 0.6])
    givens = [value if chance.random() < share else 0 for value in grid]
    if chance.random() < 0.08:
        givens[chance.randrange(len(givens))] = chance.randint(1, n)
    return givens


def not_consecutive(values: Sequence[int]) -> bool:
    """Check that two values do not differ by 1."""
    return abs(values[0] - values[1]) != 1


def _text(
    chance: random.Random, puzzle: Puzzle, marks: list[set[int]], lines: list[str], every: tuple[frozenset[int], ...]
) -> str:
    """Return a puzzle as JSON, or where it has no pencilmarks as a line of symbols after comments."""
    board = puzzle.board
    has_marks = [set(values) for values in every] != marks
    if not has_marks and chance.random() < 0.5:
        comments = [f"# board: {board.name}", f"# rules: {','.join(puzzle.rules)}"]
        comments += [f"# constraint: {line}" for line in lines]
        return "\n".join([*comments, "".join(str(value or ".") for value in puzzle.givens), ""])
    item: dict[str, object] = {"board": board.name, "rules": list(puzzle.rules), "givens": list(puzzle.givens)}
    if has_marks:
        item["pencilmarks"] = [sorted(values) for values in marks]
    if lines:
        item["constraints"] = lines
    return json.dumps(item)
