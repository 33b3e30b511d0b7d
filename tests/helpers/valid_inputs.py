"""Valid input of every reader in `hostile_readers`, to be changed, and words that may mean something to it."""

import bz2
import gzip
import json
import lzma
import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import zstandard

from sudoku_encode import reproduce
from sudoku_encode.cli.reproduce import FindingsJournal
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats import known_counts, writing
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.generating import making
from sudoku_encode.generating.file import PuzzleFile
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.reproduce.finding import REPRODUCED, Finding, Plot, Series, side_by_side
from sudoku_encode.reproduce.puzzles import instances
from sudoku_encode.storage.journal import Journal
from sudoku_encode.verifying import DEFAULT_LIMITS, record, verify
from tests.helpers.hostile_readers import CASE, LISTED, REQUEST, RESULTS, SETTINGS, SUFFIXES, WISHES, certificate


def _instances() -> list[bytes]:
    paths = [path for path in sorted(instances().rglob("*")) if path.is_file() and path.name != known_counts.NAME]
    return [path.read_bytes() for path in paths if path.stat().st_size < 12_000]


def _written() -> list[bytes]:
    """A puzzle in every format that we write."""
    found = []
    for name in ("4x4", "9x9", "4x4x4"):
        board = boards.board(name)
        for form in TEXT_FORMATS:
            try:
                found.append(writing.write(board, np.arange(board.n_cells) % 3, form).encode())
            except SudokuError:
                continue
    return found


def _puzzle_seeds() -> list[bytes]:
    plain = [b"\0" + text for text in _instances() + _written()]
    return plain + [bytes([wish]) + text for wish in range(len(WISHES)) for text in _written()[:3]]


def _cnfs() -> list[bytes]:
    found = []
    ways = [("extended", "none"), ("extended", "singles"), ("order", "none"), ("log", "none")]
    for (way, reduction), name in product(ways, ("4x4", "jigsaw:aabbaabbccddccdd", "4x4x4")):
        board = boards.board(name)
        encoding = encode(Puzzle.of(board, [1, 2, *[0] * (board.n_cells - 2)]), way, reduction=reduction)
        text = "".join(f"c {line}\n" for line in encoding.comments(show=True))
        found.append(f"{text}p cnf {encoding.cnf.n_variables} 1\n1 0\n".encode())
    return found


def _packed() -> list[bytes]:
    text = b"c comment\nv 1 -2 3 0\n" * 20
    packed = [text, gzip.compress(text), lzma.compress(text), zstandard.compress(text), bz2.compress(text)]
    packed += [gzip.compress(text) * 2, lzma.compress(text) * 2, zstandard.compress(text) * 2]
    return [bytes([kind]) + data for kind in range(len(SUFFIXES)) for data in packed]


def _certificate_seeds() -> list[bytes]:
    at = Path(tempfile.mkdtemp())
    try:
        whole = certificate(at)
    finally:
        shutil.rmtree(at)
    return [bytes([number]) + data for number, data in enumerate(whole.values())]


_KNOWN = """[[known]]
file = "one.txt"
board = "4x4"
source = "here"
count = 72
rules = ["row", "column"]
claims = "none"
solutions = ["1234341221434321"]
slow = true
methods = ["sat"]
beyond = ["cp-sat"]

[[known]]
file = "two.sdm"
index = 2
board = "4x4"
source = "here"
count = 288

[[known]]
file = "two.sdm"
board = "4x4"
source = "here"
counts = [72, 288]
"""

_BOARDS = (
    *(b"9x9", b"6x6:2x3", b"9x9+diagonals+windoku", b"9x9x9", b"4x4x4:literal", b"jigsaw:aabbaabbccddccdd"),
    *(b"9x9\0row\0box", b"4x4x4\0row-x\0box-yz", b"100x100", b"25x25x25", b"7x7:1x7"),
    *(b"\naabb\naabb\nccdd\nccdd\n", b"\n# a map\n00011\n02011\n22231\n24333\n44443\n"),
)
_OUTPUTS = (
    *(b"\ns SATISFIABLE\nv 1 -2 3 0\n", b"\nSAT\n1 -2 3 0\n", b"\0[1, -2, 3]\n", b"\x14s UNSATISFIABLE\n"),
    *(b"\x1es SATISFIABLE\nv 1 2\nv 3 0\nv -1 0\n", b"\0INDET\n", b"\nc x\nv 1\n", b"\ns UNKNOWN\n"),
)
_LISTS = (LISTED, LISTED[:40], LISTED[:43], LISTED[:-20] + b"# at least 47 solutions; stopped: x\n", LISTED * 2)


def _result_seeds() -> list[bytes]:
    """What each command leaves: as it is, and a line less."""
    made = list(making.puzzles(REQUEST.board, REQUEST.options, REQUEST.seed, many=2))
    check = reproduce.paper("keck").checks[0].__name__
    series = (Series("a", ("one", "two"), (1.0, None), True), Series("a", ("one",), (3,), False))
    plot = Plot("bars", "A title", "kinds", "ms", series)
    finding = Finding("one", "Paper.", "Ours.", REPRODUCED, "why", side_by_side(("a", "b"), ("c", 6.5)), plot)

    def verified(journal: Journal) -> None:
        for report in (*verify([CASE], replace(DEFAULT_LIMITS, solutions=9)), *verify([CASE])):
            journal.put(json.dumps(record.record(CASE, "asked", report, [])))

    def generated(as_json: bool) -> Callable[[Journal], None]:
        def write(journal: Journal) -> None:
            file = PuzzleFile(journal, REQUEST, "line", as_json)
            for number, one in enumerate([*made, None], start=1):
                file.put(number, one)

        return write

    writers: list[Callable[[Journal], None]] = [
        verified,
        generated(as_json=False),
        generated(as_json=True),
        lambda journal: FindingsJournal(journal, SETTINGS).add("keck", check, finding, 1.5),
    ]
    assert len(writers) == len(RESULTS)
    found = []
    for number, write in enumerate(writers):
        with tempfile.TemporaryDirectory() as at:
            with Journal(Path(at) / "results", False) as journal:
                write(journal)
            text = (Path(at) / "results.part").read_bytes()
        found += [bytes([number]) + text, bytes([number]) + text[: text.rfind(b"\n", 0, -1) + 1]]
    return found


SEEDS: dict[str, Callable[[], Iterable[bytes]]] = {
    "puzzles": _puzzle_seeds,
    "boards": lambda: _BOARDS,
    "dimacs": _cnfs,
    "output": lambda: _OUTPUTS,
    "compressed": _packed,
    "known": lambda: [_KNOWN.encode(), *(part.encode() for part in _KNOWN.split("\n\n"))],
    "certificates": _certificate_seeds,
    "resume": lambda: _LISTS,
    "results": _result_seeds,
}

# Between blanks; _ stands for a blank.
_WORDS = {
    "puzzles": r"""#_board:_ #_rules:_ #_alphabet:_ [Puzzle] [Author] 9x9 4x4 4x4x4 jigsaw: \ud800 NaN 1e999 null
        | ---+--- "givens" "pencilmarks" "board" "rules" "name" <opensudoku> <game_data=" /> <!DOCTYPE &#10; ۹ ² """,
    "boards": "x : +diagonals +windoku :literal jigsaw: row column box row-x box-xy ۹ ² 99999 # é",
    "dimacs": """c_ p_cnf_ c_board_ c_rules_ c_kind_ direct order log c_givens_r1c1_ c_cell_r1c1_ c_pencilmarks_r1c1_
        c_contradiction:_x from_1:_ =_1 2147483648 -1 99999999999999999999 x0y0z0 1_0 4x4 4x4x4""",
    "output": "s_ v_ c_ SATISFIABLE UNSATISFIABLE SAT UNSAT UNKNOWN _0 -0 2147483648 [ ]",
    "compressed": "",
    "known": """[[known]] file_=_ board_=_ count_=_ counts_=_[ source_=_ index_=_ solutions_=_[ rules_=_[
        "../" "/etc/passwd" {a=1} inf nan 1979-05-27 ''' \"\"\" \\ud800 0x1 a.b.c true""",
    "certificates": """p_cnf_ d_ c_ _0 - "solutions" "clauses" "lemmas" "board" "givens" 2x2 null 2147483648
        999999999999 1e999 100x100 25x25x25 [[ {""",
    "resume": "#_at_least_ 0001 #_50_solutions,_complete",
    "results": """"puzzle":_ "question":_ "asked" "status":_ "confirmed" "disagree" "runs":_ "faults":_[ "grid":_[ 17
        "smallest":_[ "count":_ null true NaN 1e999 -1 {"a":_ ], }, "\\ud800" "paper":_ "keck" "check":_ "finding":_
        "table":_ "plot":_ "series":_ "../../x" "seconds":_ "version":_ "\\n" "\\u001b[2J" #_sudoku-encode_generate_
        _--seed_7_ _--seed_99999999999_ "reached":_false "command":_ .1..2""",
}
WORDS = {name: [*(word.replace("_", " ") for word in words.split()), "\n", "\r\n"] for name, words in _WORDS.items()}
