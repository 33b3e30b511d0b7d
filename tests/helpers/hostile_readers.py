"""Every reader as a function of bytes: it gives something valid or refuses in one line; all else is a fault.

The tests call these with hand-written and random input, `scripts/fuzz` for as long as one likes.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_encode import reproduce
from sudoku_encode.cli.reproduce import FindingsJournal
from sudoku_encode.encoders import cnf_file
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.formats import known_counts
from sudoku_encode.formats.reading import read_all
from sudoku_encode.formats.table import ALPHABETS, TEXT_FORMATS
from sudoku_encode.formula import solver_output
from sudoku_encode.generating.file import PuzzleFile, seed_of
from sudoku_encode.generating.options import GenerateOptions
from sudoku_encode.generating.request import Request
from sudoku_encode.proving import check, folder, prove
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.report import comparing
from sudoku_encode.reproduce import pages
from sudoku_encode.reproduce.finding import Page
from sudoku_encode.run.limits import Deadline
from sudoku_encode.storage import files
from sudoku_encode.storage.journal import Journal
from sudoku_encode.storage.listing import Listing
from sudoku_encode.verifying import Case, record

# No message needs more; one that does repeats its input.
LONGEST_MESSAGE = 2_000


@dataclass(frozen=True)
class Reader:
    """A reader as a target.

    Attributes:
        what: it reads.
        read: bytes, with a folder for files; raises SudokuError when it refuses them.
    """

    what: str
    read: Callable[[bytes, Path], None]


def accepts(reader: Reader, data: bytes, at: Path) -> bool:
    """Return whether a reader takes some bytes; anything but a valid result or one line of refusal raises."""
    try:
        reader.read(data, at)
    except SudokuError as error:
        check_message(error)
        return False
    return True


def check_message(error: SudokuError) -> None:
    message = str(error)
    assert message.strip()
    assert len(message.splitlines()) == 1, message
    assert len(message) <= LONGEST_MESSAGE, f"{len(message)} characters"


def check_puzzle(puzzle: Puzzle) -> None:
    board = puzzle.geometry
    again = Puzzle.of(board, puzzle.givens, puzzle.pencilmarks, puzzle.name)
    assert again.givens.tolist() == puzzle.givens.tolist()
    assert puzzle.givens.dtype == np.uint8
    assert puzzle.candidates.shape == (board.n_cells, board.n_values)
    puzzle.name.encode()


# What a caller may say about a text, by the first byte of the input; None: the text is an argument, and no file.
WISHES: tuple[dict[str, Any] | None, ...] = (
    *({}, {}, None, {"board": "4x4"}, {"board": "9x9"}, {"board": "4x4x4"}, {"board": "9x9x9"}),
    {"board": "jigsaw:aabbaabbccddccdd"},
    *({"alphabet": name} for name in ALPHABETS),
    *({"format": name} for name in TEXT_FORMATS),
)


def read_puzzles(data: bytes, at: Path) -> None:
    wish, data = WISHES[data[0] % len(WISHES) if data else 0], data[1:]
    if wish is None:
        check_argument(data.decode("utf-8", "surrogateescape"))
        return
    path = at / "puzzles"
    path.write_bytes(data)
    check_entries(read_all(str(path), **wish))


def check_argument(text: str) -> None:
    """Surrogates stand for bytes that are not UTF-8."""
    if text != "-":
        check_entries(islice(read_all(text), 100))


def check_entries(entries: Iterable[Puzzle | FormatError]) -> list[Puzzle]:
    good: list[Puzzle] = []
    for entry in entries:
        if isinstance(entry, FormatError):
            check_message(entry)
        else:
            if len(good) < 3:
                check_puzzle(entry)
            good.append(entry)
    return good


def read_board(data: bytes, at: Path) -> None:
    """A board's name, then rules, with NULs in between; or after a newline what a file of a map holds.

    What is named again must be the same board.
    """
    if data[:1] == b"\n":
        path = at / "map"
        path.write_bytes(data[1:])
        check_board(boards.board(f"jigsaw:{path}"))
        return
    name, *rules = data.decode("utf-8", "surrogateescape").split("\0")
    board = boards.board(name, rules or None, files=False)
    check_board(board)
    if not rules:
        assert check_board(boards.board(board.name, files=False)) == check_board(board)


def check_board(board: Geometry) -> list[tuple[str, object]]:
    assert 2 <= board.n_values <= 100
    assert board.n_cells <= 15_625
    return [(rule.name, rule.units.tolist()) for rule in board.rules]


def read_cnf(data: bytes, at: Path) -> None:
    """A CNF with the puzzle in its comments, and then the model in which nothing holds."""
    path = at / "a.cnf"
    path.write_bytes(data)
    encoding = cnf_file.load_encoding(str(path))
    check_puzzle(encoding.puzzle)
    encoding.decode_with_faults(())
    some = encoding.literals[encoding.literals != 0]
    encoding.decode_with_faults(dict.fromkeys(some[some > 0].tolist()))


@cache
def _solved() -> Encoding:
    return encode(Puzzle.of(boards.board("4x4"), [1] + [0] * 15))


def read_output(data: bytes, at: Path) -> None:
    """The first byte is the exit status, the rest what a solver printed."""
    path = at / "output"
    path.write_bytes(data[1:])
    printed = solver_output.parse(files.read_lines(str(path)), "output")
    status = None if not data or data[0] == 0 else data[0]
    cut_off = "by its end" if printed.cut_off else ""
    answer, reason = solver_output.verdict(printed.claim, bool(printed.models), cut_off, status)
    assert reason
    assert answer is not True or printed.models
    for model in printed.models[:3]:
        _solved().decode_with_faults(model)


SUFFIXES = ("", *files.SUFFIXES)


def read_compressed(data: bytes, at: Path) -> None:
    """The first byte chooses the compression."""
    path = at / f"packed{SUFFIXES[data[0] % len(SUFFIXES) if data else 0]}"
    path.write_bytes(data[1:])
    for line in files.read_lines(str(path)):
        assert "\n" not in line[:-1]


def read_known(data: bytes, at: Path) -> None:
    """A known_counts.toml in a folder with two files of puzzles."""
    home = at / "home"
    home.mkdir(exist_ok=True)
    for name in ("one.txt", "two.sdm"):
        (home / name).write_text("# board: 4x4\n1..............." + "\n" + "." * 16 + "\n")
    (home / known_counts.NAME).write_bytes(data)
    known_counts.load.cache_clear()
    known_counts._places.cache_clear()
    for case in known_counts.load(home)[:4]:
        assert case.name
        check_puzzle(case.puzzle)
        case.grids()


@cache
def _certificate(at: Path) -> dict[str, bytes]:
    """The files of a certificate of the empty 2x2 board."""
    prove(Puzzle.of(boards.board("2x2")), at, Deadline())
    return {name: (at / name).read_bytes() for name in folder.FILES}


def certificate(at: Path) -> dict[str, bytes]:
    made = at / "certificate"
    whole = _certificate(made)
    for name, data in whole.items():
        (made / name).write_bytes(data)
    return whole


def read_certificate(data: bytes, at: Path) -> None:
    """The first byte chooses the file of a certificate that has what follows in it."""
    whole = certificate(at)
    name = folder.FILES[data[0] % len(folder.FILES) if data else 0]
    (at / "certificate" / name).write_bytes(data[1:])
    found = check(at / "certificate")
    # Whatever is changed, what is accepted is true; another puzzle cannot fit the other files.
    assert found.count == 2 or data[1:] != whole[name]
    assert found.puzzle.geometry.n_cells == 4


LISTED = "".join(f"{number:04}\n" for number in range(50)).encode() + b"# 50 solutions, complete\n"


def read_listing(data: bytes, at: Path) -> None:
    """What an earlier run left; the run goes on, and the file is then whole or untouched."""
    path, part = at / "list", at / "list.part"
    path.unlink(missing_ok=True)
    part.write_bytes(data)
    try:
        with Listing(path, True) as listing:
            for start in range(0, len(LISTED), 35):
                listing.put(LISTED[start : start + 35])
    except SudokuError:
        assert not path.exists()
        assert part.read_bytes() == data
        raise
    if path.exists():
        assert path.read_bytes() == LISTED
    else:
        # The earlier run had listed more solutions than this one.
        assert part.read_bytes().startswith(LISTED)


# What the results of an earlier run are read for: the same question.
CASE = Case("4x4", Puzzle.of(boards.board("4x4")), ("sat", "cp-sat"))
REQUEST = Request(
    CASE.puzzle.geometry, GenerateOptions(solutions=2), seed=7, attempts=9, method="sat", timeout=None, grid=None
)
SETTINGS = {"puzzles": 4, "timeout": 0.2, "version": "1"}


def _verified(journal: Journal) -> None:
    for number, line in enumerate(journal.lines, start=1):
        try:
            found = record.parse(line, CASE, "asked", comparing.sentences)
        except ValueError as error:
            raise journal.fault(number, str(error)) from error
        for many in (False, True):
            assert comparing.sentences(CASE, found, many).replace("\n", "").isprintable()


def _generated(journal: Journal, as_json: bool) -> None:
    seed_of(journal)
    file = PuzzleFile(journal, REQUEST, "line", as_json)
    assert 0 <= file.done <= len(journal.lines)
    assert file.first <= max(1, file.done)


def _reproduced(journal: Journal) -> None:
    findings = FindingsJournal(journal, SETTINGS)
    for name, (finding, seconds) in findings.of("keck").items():
        page = Page(reproduce.paper("keck"), {name: finding}, {name: seconds})
        pages.text(page).encode()


RESULTS: tuple[Callable[[Journal], None], ...] = (
    _verified,
    lambda journal: _generated(journal, as_json=False),
    lambda journal: _generated(journal, as_json=True),
    _reproduced,
)


def read_results(data: bytes, at: Path) -> None:
    """What an earlier run left of the command that the first byte chooses; reading it changes nothing."""
    path, part = at / "results", at / "results.part"
    read, data = RESULTS[data[0] % len(RESULTS) if data else 0], data[1:]
    part.write_bytes(data)
    try:
        with Journal(path, True) as journal:
            read(journal)
    finally:
        assert not path.exists()
        assert (part.read_bytes() if data else b"") == data


READERS = {
    "puzzles": Reader("puzzles in every format, in files and as arguments", read_puzzles),
    "boards": Reader("names of boards, maps of jigsaws, and rules", read_board),
    "dimacs": Reader("CNF files with their puzzle", read_cnf),
    "output": Reader("what a SAT solver prints", read_output),
    "compressed": Reader("plain, gz, xz and zst files", read_compressed),
    "known": Reader("known.toml", read_known),
    "certificates": Reader("the files of a certificate", read_certificate),
    "resume": Reader("files of solutions to go on with", read_listing),
    "results": Reader("files of other results to go on with", read_results),
}
