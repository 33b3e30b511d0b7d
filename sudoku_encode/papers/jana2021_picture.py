"""The search tree of Jana et al. as a result: DOT, and a picture in SVG. The branches that are solutions are marked.

Source: Jana et al. 2023, Figs. 11 and 12 (the solutions highlighted in yellow).
Differs: a line leads from a node to each of its children. In the paper NEXT leads to the first of them, and DOWN from
    one to the next.
"""

from collections.abc import Callable, Iterator

from sudoku_encode.errors import MethodError
from sudoku_encode.papers import jana2021_drawing
from sudoku_encode.papers.jana2021 import Tree, plan
from sudoku_encode.papers.jana2021_drawing import END, MAX_LISTED_LEVELS, MAX_LISTED_NODES, Node
from sudoku_encode.puzzles.puzzle import Puzzle

# Sides in the picture, in pixels: a level to the right, a row down, a node, the edge of the picture.
_LEVEL, _ROW, _WIDE, _HIGH, _MARGIN = 56, 30, 34, 20, 40
_STYLE = (
    "text{font:11px sans-serif;text-anchor:middle}.h{fill:#666}path{fill:none;stroke:#888}"
    "rect.n{fill:#fff;stroke:#35689b}rect.s{fill:#ffe680;stroke:#b8860b}rect.e{fill:#eee;stroke:#bbb}"
)


def draw(puzzle: Puzzle, tick: Callable[[], None], form: str) -> Iterator[str]:
    """Yield the lines of a file with the search tree over the blanks of a cube in scan order: Fig. 11.

    Args:
        puzzle: a cube.
        tick: called now and then; it may raise StoppedError.
        form: `dot` or `svg`.

    Raises:
        MethodError: two givens clash, so that there is no tree; or it is too large for a picture.
    """
    no_clash(puzzle)
    yield from picture(plan(puzzle), tick, form)


def no_clash(puzzle: Puzzle) -> None:
    """Refuse a puzzle two of whose givens clash."""
    if puzzle.clash is not None:
        raise MethodError("two givens clash: there is no tree")


def picture(tree: Tree, tick: Callable[[], None], form: str) -> Iterator[str]:
    """Yield the lines of a file with a search tree, as `draw` does."""
    names = [jana2021_drawing.index(tree.board, cell) for cell in tree.cells.tolist()]
    listed = _nodes(tree, tick)
    yield from {"dot": dot, "svg": svg}[form](names, listed)


def _nodes(tree: Tree, tick: Callable[[], None]) -> list[Node]:
    """Return the nodes of a tree, after it was grown level by level to see that they are few."""
    levels = len(tree.cells)
    if levels > MAX_LISTED_LEVELS:
        raise MethodError(f"the tree has {levels} levels; up to {MAX_LISTED_LEVELS} are drawn")

    def check() -> None:
        tick()
        if tree.opened.sum() + tree.ended.sum() > MAX_LISTED_NODES:
            raise MethodError(f"the tree has more than {MAX_LISTED_NODES:,} nodes, which is more than are drawn")

    for _ in tree.grow(check):
        check()
    check()
    return jana2021_drawing.nodes(tree.candidates, tree.earlier)


def dot(names: list[str], listed: list[Node]) -> Iterator[str]:
    """Yield a tree for Graphviz, a line at a time: each node with its blank and value, solutions filled in yellow."""
    solved = _on_solutions(len(names), listed)
    yield "digraph tree {"
    yield "  rankdir=LR;"
    yield "  node [shape=box];"
    yield '  head [label="head"];'
    for number, node in enumerate(listed):
        yellow = ", style=filled, fillcolor=yellow" if number in solved else ""
        shape = "" if node.value else ", shape=plaintext"
        text = f"{names[node.level]}: {node.value}" if node.value else END
        yield f'  n{number} [label="{text}"{shape}{yellow}];'
    for number, node in enumerate(listed):
        yield f"  {'head' if node.parent < 0 else f'n{node.parent}'} -> n{number};"
    yield "}"


def svg(names: list[str], listed: list[Node]) -> Iterator[str]:
    """Yield a picture of a tree, a line at a time: a column for each blank, below each other what may be in it."""
    rows = _rows(listed)
    solved = _on_solutions(len(names), listed)
    width = _LEVEL * (len(names) + 1) + 2 * _MARGIN
    height = _ROW * (max(rows, default=0) + 1) + 2 * _MARGIN
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    yield f"<style>{_STYLE}</style>"
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
    yield f'<text x="{width // 2}" y="{height - 10}">yellow: on a branch that is a solution</text>'
    for level, name in enumerate(["head", *names]):
        yield f'<text class="h" x="{_MARGIN + level * _LEVEL}" y="{_MARGIN - 20}">{name}</text>'
    places = [
        (_MARGIN + (node.level + 1) * _LEVEL, _MARGIN + row * _ROW) for node, row in zip(listed, rows, strict=True)
    ]
    for node, (x, y) in zip(listed, places, strict=True):
        from_x, from_y = places[node.parent] if node.parent >= 0 else (_MARGIN, _MARGIN)
        bend = from_x + (_LEVEL - 6) // 2 + 3
        yield f'<path d="M{from_x} {from_y}H{bend}V{y}H{x}"/>'
    yield _box("n", _MARGIN, _MARGIN, "")
    for number, (node, (x, y)) in enumerate(zip(listed, places, strict=True)):
        yield _box("e" if not node.value else "s" if number in solved else "n", x, y, str(node.value or END))
    yield "</svg>"


def _box(kind: str, x: int, y: int, text: str) -> str:
    box = f'x="{x - _WIDE // 2}" y="{y - _HIGH // 2}" width="{_WIDE}" height="{_HIGH}" rx="3"'
    return f'<rect class="{kind}" {box}/><text x="{x}" y="{y + 4}">{text}</text>'


def _rows(listed: list[Node]) -> list[int]:
    """Return the row of each node: the first child is beside its parent, each other one below all that came before."""
    rows: list[int] = []
    row, before = 0, -1
    for number, node in enumerate(listed):
        row += node.parent != before
        rows.append(row)
        before = number
    return rows


def _on_solutions(levels: int, listed: list[Node]) -> set[int]:
    """Return the numbers of the nodes from which a branch leads to a value of the last blank."""
    found: set[int] = set()
    for number, node in enumerate(listed):
        at = number if node.level == levels - 1 and node.value else -1
        while at >= 0 and at not in found:
            found.add(at)
            at = listed[at].parent
    return found
