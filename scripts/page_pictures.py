"""The pictures in docs/images that come from the program, and how each is made.

There are two sorts. A page shows a picture beside the command that makes it: a block with `-o NAME.svg`, or with
`--to svg > NAME.svg`, on a page that shows `images/NAME.svg`. And `kinds/` contains a small picture of each kind of
constraint for the tables of docs/constraints.md. `scripts/docs --update` makes both anew, and tests compare them. The
`.webp` files are screenshots of pages and sheets, made by hand.
"""

import re
from pathlib import Path

import page_blocks

import sudoku_encode as se

HOME = Path(__file__).resolve().parent.parent
IMAGES = HOME / "docs" / "images"
KINDS = IMAGES / "kinds"

_SHOWN = re.compile(r"!\[[^\]]*\]\([\w./]*?images/([\w-]+\.svg)\)")
_COMMAND = re.compile(r"^\$ sudoku-encode (?:.*\\\n)*.* (?:-o|--to svg >) ([\w-]+\.svg)$", re.MULTILINE)

# A constraint of each kind that is drawn, on a small board: 9 values without boxes, where the kind needs none.
_LINES, _ROWS, _BOXES, _SQUARE = "latin:2x4:9", "latin:2x4", "4x4", "latin:4x4:9"
EXAMPLES = {
    "cage": (_LINES, "cage 15 r1c1 r1c2 r2c1"),
    "sum": (_LINES, "sum 20 r1c2-r1c4 r2c2"),
    "little-killer": (_SQUARE, "little-killer 12 r1c2-r3c4"),
    "weighted-sum": (_LINES, "weighted-sum 10 2 1 r1c2 r1c3"),
    "product": (_LINES, "product 24 r1c2 r1c3 r2c2"),
    "lunchbox": (_LINES, "lunchbox 11 r1c1-r1c4"),
    "rellik-cage": (_LINES, "rellik-cage 9 r1c2-r1c4"),
    "equality-cage": (_LINES, "equality-cage r1c1-r1c4"),
    "same-values": (_LINES, "same-values r1c1 r1c2 / r2c3 r2c4"),
    "arrow": (_LINES, "arrow r2c1 / r1c1-r1c3"),
    "double-arrow": (_LINES, "double-arrow r1c1-r1c4"),
    "equal-sums": (_LINES, "equal-sums r1c1 r1c2 / r2c2-r2c4"),
    "region-sums": (_BOXES, "region-sums r1c1 r1c2 r2c3 r3c3 r4c4"),
    "zipper": (_LINES, "zipper r2c1 r1c1-r1c3 r2c4"),
    "sum-line": (_LINES, "sum-line 10 r1c1-r1c4"),
    "sum-loop": (_LINES, "sum-loop 10 r1c2 r1c3 r2c3 r2c2"),
    "difference": (_LINES, "difference r1c2 r1c3"),
    "ratio": (_LINES, "ratio r1c2 r1c3"),
    "xv": (_LINES, "xv 10 r1c2 r1c3"),
    "greater": (_LINES, "greater r1c2-r1c4"),
    "clone": (_LINES, "clone r1c1 r1c2 / r2c3 r2c4"),
    "palindrome": (_LINES, "palindrome r2c1 r1c2-r1c4"),
    "diagonal": (_BOXES, "diagonal"),
    "windoku": (_BOXES, "windoku"),
    "odd": (_LINES, "odd r1c2"),
    "even": (_LINES, "even r1c2"),
    "values": (_LINES, "values 2 5 7 r1c2"),
    "minimum": (_LINES, "minimum r1c2"),
    "maximum": (_LINES, "maximum r1c2"),
    "extra-region": (_LINES, "extra-region r1c2-r1c4 r2c2"),
    "quadruple": (_LINES, "quadruple 1 2 6 r1c2 r1c3 r2c2 r2c3"),
    "counting-circles": (_LINES, "counting-circles r1c1 r1c3 r2c2"),
    "look-and-say": (_LINES, "look-and-say 1 6 2 7 r1c2-r1c4"),
    "count-distinct": (_LINES, "count-distinct r2c1 / r1c1-r1c4"),
    "thermometer": (_LINES, "thermometer r2c1 r1c1-r1c4"),
    "slow-thermometer": (_LINES, "slow-thermometer r2c1 r1c1-r1c4"),
    "whispers": (_LINES, "whispers r2c1 r1c2-r1c4"),
    "renban": (_LINES, "renban r2c1 r1c2-r1c4"),
    "nabner": (_LINES, "nabner r2c1 r1c2-r1c4"),
    "entropic": (_LINES, "entropic r2c1 r1c2-r1c4"),
    "modular": (_LINES, "modular r2c1 r1c2-r1c4"),
    "parity-line": (_LINES, "parity-line r2c1 r1c2-r1c4"),
    "between": (_LINES, "between r2c1 r1c2-r1c4"),
    "lockout": (_LINES, "lockout r2c1 r1c2-r1c4"),
    "sandwich": (_ROWS, "sandwich 5 r1c1-r1c4"),
    "x-sum": (_ROWS, "x-sum 7 r1c1-r1c4"),
    "skyscraper": (_ROWS, "skyscraper 3 r1c1-r1c4"),
    "hidden-skyscraper": (_ROWS, "hidden-skyscraper 2 r1c1-r1c4"),
    "numbered-room": (_ROWS, "numbered-room 3 r1c1-r1c4"),
    "full-rank": (_BOXES, "full-rank 10 r2c1-r2c4"),
    "row-indexer": (_BOXES, "row-indexer r2c1 r2c3"),
    "column-indexer": (_BOXES, "column-indexer r2c1 r3c1"),
    "box-indexer": (_BOXES, "box-indexer r1c1 r3c4"),
    "slingshot": (_LINES, "slingshot r2c1 r1c1-r1c4"),
    "relation": (_LINES, "relation a + b > 8: r1c1-r1c3"),
    "pairs": (_LINES, "pairs 134 25: r1c1-r1c3"),
    "regex": (_LINES, "regex [12].*9: r1c1-r1c4"),
    "automaton": (_LINES, "automaton 1234>0,9>1 !.>1: r1c1-r1c4"),
}


def of_kind(kind: str) -> str:
    """Return the picture of a kind of constraint."""
    board, line = EXAMPLES[kind]
    return str(se.draw(se.Puzzle.of(se.board(board), constraints=[line]), "svg"))


def of_page(page: str) -> set[str]:
    """Return the names of the pictures of a page that its commands make."""
    commands = (match for block in page_blocks.blocks(page) for match in _COMMAND.finditer(block.text))
    return {match[1] for match in commands} & set(_SHOWN.findall(page))


def renew(page: str, folder: Path) -> bool:
    """Take the pictures of a page from the folder where its blocks ran; return whether one is another than before."""
    pictures = {IMAGES / name: (folder / name).read_text(encoding="utf-8") for name in of_page(page)}
    if "images/kinds/" in page:
        pictures |= {KINDS / f"{kind}.svg": of_kind(kind) for kind in EXAMPLES}
    return sum(written(path, text) for path, text in pictures.items()) > 0


def written(path: Path, text: str) -> bool:
    """Write a file if its text is another than before; return whether it was."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True
