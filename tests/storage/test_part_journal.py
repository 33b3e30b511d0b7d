"""A file of parts: a run whose client was ended goes on with it, on any executor; what is not its own is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sudoku_encode import search
from sudoku_encode.errors import SudokuError
from sudoku_encode.search import in_parts, parallel
from sudoku_encode.storage.outputs import PartsFile
from sudoku_encode.storage.part_journal import PartJournal, read_header
from tests.helpers.command import Command
from tests.helpers.long_searches import MANY

N_MANY = 943_676
OTHER = MANY.replace("12", "21", 1)
HEADER = {"form": 1, "puzzle": 1}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all puzzles but the quickest counted in parts, and these split themselves."""
    monkeypatch.setattr(parallel, "_ALONE_SECONDS", 0.0)
    monkeypatch.setattr("sudoku_encode.methods.answers._GIVEN_UP_SECONDS", 0.0)
    monkeypatch.setattr(search, "FRAMES_PER_CALL", 2000)
    monkeypatch.setattr(in_parts, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(in_parts, "LONG_SECONDS", 0.01)


@pytest.fixture
def ended_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Have Ctrl-C pressed after some parts are in the file."""

    def end(parts: int) -> None:
        put = PartJournal.put
        left = [parts]

        def ending(self: PartJournal, record: dict[str, object]) -> None:
            put(self, record)
            left[0] -= "part" in record
            if not left[0]:
                monkeypatch.setattr(PartJournal, "put", put)
                raise KeyboardInterrupt

        monkeypatch.setattr(PartJournal, "put", ending)

    return end


def count(run: Command, file: Path, *more: object, puzzle: str = MANY) -> tuple[int, str]:
    ran = run("count", puzzle, "--method", "search", "--json", "-o", file, *more)
    return ran.status, ran.err


def begun(run: Command, file: Path, ended_after: Callable[[int], None], parts: int = 20) -> Path:
    """Count until some parts are in the file; return that file."""
    ended_after(parts)
    status, said = count(run, file, "--executor", "threads:2")
    assert (status, "interrupted: 0 puzzles are done; " in said, "--resume" in said) == (3, True, True)
    kept = Path(f"{file}.parts")
    assert len(kept.read_bytes().splitlines()) == parts + 1
    return kept


@pytest.mark.parametrize("executor", ["threads:3", pytest.param("processes:2", marks=pytest.mark.slow)])
def test_resumed(run: Command, tmp_path: Path, small: None, ended_after: Callable[[int], None], executor: str) -> None:
    """A run that was ended goes on with its parts."""
    file = tmp_path / "counts.json"
    kept = begun(run, file, ended_after)
    before = kept.read_bytes()
    with kept.open("ab") as end:
        # Half a line, as a kill leaves it.
        end.write(b'{"part": "9')
    ended_after(5)
    assert count(run, file, "--resume", "--executor", executor)[0] == 3
    after = kept.read_bytes()
    assert after.startswith(before)
    lines = [json.loads(line) for line in after.splitlines()[1:]]
    assert len(lines) == len({line["part"] for line in lines}) == 25
    assert count(run, file, "--resume", "--executor", executor)[0] == 0
    assert json.loads(file.read_text())["count"] == N_MANY
    assert [path.name for path in tmp_path.iterdir()] == ["counts.json"]


@pytest.mark.slow
def test_several_puzzles(run: Command, tmp_path: Path, small: None, ended_after: Callable[[int], None]) -> None:
    """Several puzzles have the file one after the other."""
    puzzles, file = tmp_path / "puzzles.txt", tmp_path / "counts.json"
    # With a given more, which leaves a quarter of the solutions.
    fewer = [f"{puzzle[:-1]}3" for puzzle in (MANY, OTHER)]
    puzzles.write_text("".join(f"{puzzle}\n" for puzzle in (*fewer, fewer[0][::-1])))
    assert count(run, file, "--executor", "processes:2", puzzle=str(puzzles))[0] == 0
    expected = [json.loads(line)["count"] for line in file.read_text().splitlines()]
    assert len(expected) == 3
    file.unlink()
    ended_after(100)
    said = count(run, file, "--executor", "processes:2", puzzle=str(puzzles))[1]
    assert "--resume" in said
    assert count(run, file, "--resume", "--executor", "threads:2", puzzle=str(puzzles))[0] == 0
    assert [json.loads(line)["count"] for line in file.read_text().splitlines()] == expected


def damaged(text: str) -> str:
    lines = text.splitlines(keepends=True)
    lines[3] = lines[3].replace('"count": ', '"count": 1')
    return "".join(lines)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (damaged, ":4: the line is damaged"),
        (lambda text: "nonsense\n" + text, ":1: the line is damaged"),
        (lambda text: text.replace("\n", "\n\n", 1), ":2: the line is damaged"),
    ],
)
def test_damaged_line(
    run: Command,
    tmp_path: Path,
    small: None,
    ended_after: Callable[[int], None],
    change: Callable[[str], str],
    words: str,
) -> None:
    """A damaged line is named."""
    file = tmp_path / "counts.json"
    kept = begun(run, file, ended_after)
    kept.write_text(changed := change(kept.read_text()))
    status, said = count(run, file, "--resume", "--executor", "threads:2")
    assert (status, f"{kept}{words}" in said, said.count("\n")) == (2, True, 1)
    assert kept.read_text() == changed


@pytest.mark.parametrize("orphan", ["63.1", "1.99", "900"])
def test_orphan_part(
    run: Command, tmp_path: Path, small: None, ended_after: Callable[[int], None], orphan: str
) -> None:
    """A part that no line before it left is refused."""
    file = tmp_path / "counts.json"
    kept = begun(run, file, ended_after)
    with PartJournal(kept, read_header(PartsFile(kept, True))) as journal:
        journal.put(journal.records[0] | {"part": orphan})
    before = kept.read_bytes()
    status, said = count(run, file, "--resume", "--executor", "threads:2")
    assert (status, said.count("\n")) == (2, 1)
    assert f"{kept}:22: part {orphan} belongs to no part in the lines before; a line is missing" in said
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ((), "to resume it, add --executor"),
        (("--executor", "threads:2", "--limit", "5"), "to resume it, leave out --limit"),
        (("--executor", "threads:2", "--method", "auto"), "to resume it, add --method search"),
    ],
)
def test_options_refused(
    run: Command,
    tmp_path: Path,
    small: None,
    ended_after: Callable[[int], None],
    more: tuple[object, ...],
    words: str,
) -> None:
    """Options that would lose the parts are refused."""
    file = tmp_path / "counts.json"
    before = (kept := begun(run, file, ended_after)).read_bytes()
    status, said = count(run, file, "--resume", *more)
    assert (status, said.count("\n"), words in said) == (2, 1, True)
    assert kept.read_bytes() == before


def test_no_time(run: Command, tmp_path: Path, small: None, ended_after: Callable[[int], None]) -> None:
    """When the time is over at once what was known is said."""
    file = tmp_path / "counts.json"
    kept = begun(run, file, ended_after)
    known = sum(json.loads(line)["count"] for line in kept.read_text().splitlines()[1:])
    status, said = count(run, file, "--resume", "--executor", "threads:2", "--timeout", "0")
    record = json.loads(file.read_text())
    # A part may end in the meantime.
    assert 0 < known <= record["count"] < N_MANY
    assert (status, record["complete"]) == (3, False)
    assert f"at least {record['count']} solutions; stopped: time limit" in said


def test_name_without_room(run: Command, tmp_path: Path) -> None:
    """A name that has no room for parts is a name."""
    file = tmp_path / ("e" * 250)
    ran = run("count", "1...............", "--board", "4x4", "--executor", "threads:2", "-o", file, "--json")
    assert ran.status == 0
    assert json.loads(file.read_text())["count"] == 72


def test_other_work(run: Command, tmp_path: Path, small: None, ended_after: Callable[[int], None]) -> None:
    """The parts of other work are refused."""
    file = tmp_path / "counts.json"
    kept = begun(run, file, ended_after)
    status, said = count(run, file, "--resume", "--executor", "threads:2", puzzle=OTHER)
    assert (status, f"{kept}:1: it belongs to another run: different givens" in said) == (2, True)
    status, said = count(run, file, "--executor", "threads:2")
    assert (status, f"{kept} is from a run that did not finish: continue with --resume, or remove it" in said) == (
        2,
        True,
    )


def test_two_runs(tmp_path: Path) -> None:
    """Two runs do not write to one file."""
    with PartJournal(tmp_path / "parts", HEADER), pytest.raises(SudokuError, match="another run writes to it"):
        PartJournal(tmp_path / "parts", HEADER)


def test_round_trip(tmp_path: Path) -> None:
    """What is put is there again."""
    path = tmp_path / "parts"
    assert read_header(PartsFile(path, True)) == {}
    with PartJournal(path, HEADER) as journal:
        journal.put({"part": "1", "count": 10**40})
    assert read_header(PartsFile(path, True)) == HEADER
    with PartJournal(path, HEADER) as journal:
        assert journal.records == [{"part": "1", "count": 10**40}]
        journal.remove()
    assert not path.exists()
