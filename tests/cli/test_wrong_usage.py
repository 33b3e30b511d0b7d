"""What cannot be meant: one clear line that says what, where and what would be right, and nothing is written."""

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sudoku_encode as se
from sudoku_encode.cli.table import COMMANDS
from sudoku_encode.methods import calls
from sudoku_encode.methods.table import MAX_WORKERS
from tests.helpers.command import Command

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TEXT = "..343412..434321"
# A line for a shell, and the words that its error must have.
WRONG = {
    # Commands and options that there are not.
    "slve p.txt": "Did you mean 'solve'",
    "help": "No such command 'help'",
    "--nonsense": "No such option: --nonsense",
    "--version --nonsense": "No such option: --nonsense",
    "--show-completion tcsh": "'tcsh' is not one of 'bash', 'zsh', 'fish'",
    "solve p.txt --sover x": "No such option: --sover",
    "count --board": "'--board' requires an argument",
    "methods sat p.txt": "unexpected extra argument(s) (p.txt)",
    "methods p.txt": "no method is called 'p.txt'; choose from auto, ",
    "decode": "no model: give the file that `encode` wrote, or name its puzzle with --puzzle or --board",
    # What is no puzzle.
    "solve": "no puzzle: give a file, - or the text itself, or --board for an empty board",
    "count nofile.txt": "nofile.txt: no such file; text must have at least 16 symbols",
    "count ''": "the puzzle is empty",
    "show folder": "folder: this is a directory; give a file with puzzles",
    "info 12..": "12..: no such file; text must have at least 16 symbols",
    "solve 9 --board 9x9": "9: no such file, and 1 symbol makes no puzzle; 9x9 needs 81",
    "solve p.txt --board 16x16": "p.txt:1: 81 symbols on a line make no puzzle; 16x16 needs",
    "solve p.txt --from json": "p.txt: this is not json: it starts with neither",
    "solve p.txt --from xml": "'xml' is not one of 'line', 'grid'",
    "solve p.txt --alphabet Z": "not an alphabet: 'Z'; give its first and last symbol, such as 0-8 or 1-G",
    "solve p.txt --alphabet 1-Z": "p.txt: alphabet 1-Z has 35 symbols, and 9x9 9 values; write 1-9 or 0-8",
    # Boards and rules.
    "solve p.txt --board 9x8": "9x8: all sides must be equal",
    "count --board banana": "no board is called 'banana'; write 9x9,",
    "count --board 9x9+killer": "unknown extra rule 'killer'; known: diagonals, windoku",
    "count --board jigsaw:nofile": "nofile: no such file, and not a region map",
    "generate --board jigsaw:p.txt": "p.txt: not a region map, which has a letter or a digit for each cell",
    "generate --board 5x5x5": "a cube needs a side of 4, 9, 16, 25",
    "count --board 3x3x3": "not 3; 3x3x3:planes has 9 values, each once in each plane",
    "count --board 17x17x17": "a cube needs a side of 4, 9, 16, 25, ..., not 17",
    "count --board 16x16x16:planes": "a cube of planes needs a side from 2 to 15, not 16",
    "count --board 3x3x4:planes": "3x3x4:planes: all sides must be equal",
    "show --board 3x3x3:planes --to line": "'line' is not one of 'text'",
    "convert --board 3x3x3:planes --to table": "format table is for cubes, so it cannot hold 3x3x3:planes",
    "explain --board 3x3x3:planes --method jana2021": "does not fit 3x3x3:planes: it supports only cubes",
    "solve p.txt --rules rows": "9x9 has no rule 'rows'; its rules are row, column, box",
    "solve p.txt --rules ,": "no rule given; 9x9 has row, column, box",
    "show p.txt --axis z": "9x9 is a square and has no layers; an axis is for cubes",
    "show p.txt --axis w": "'w' is not one of 'x', 'y', 'z'",
    # Numbers.
    "count p.txt --limit abc": "Invalid value for '--limit': 'abc' is not a whole number. (see",
    "count p.txt --limit 1.5": "'1.5' is not a whole number",
    "count p.txt --limit 0": "0 is not in the range x>=1",
    "count p.txt --timeout soon": "Invalid value for '--timeout': 'soon' is not a number",
    "count p.txt --timeout -1": "-1.0 is not in the range x>=0",
    "count p.txt --timeout nan": "nan is not a number of seconds",
    "count p.txt --memory 5": "memory 5: expected a number of bytes, at least a million, such as 500M or 2G",
    "solve p.txt --workers 100000": f"100000 is not in the range 1<=x<={MAX_WORKERS}",
    "solve p.txt --workers 0": f"0 is not in the range 1<=x<={MAX_WORKERS}",
    "decode p.cnf --exit-status ten": "'ten' is not a whole number",
    "generate --seed -1": "-1 is not in the range 0<=x<=4294967295",
    "generate --clues 100": "100 clues on 9x9: it has 81 cells",
    # Methods and their options.
    "count p.txt --method gtsps-42": "no method is called 'gtsps-42'; did you mean gtsps-4.2?",
    "count p.txt --sat-solver minisat": "did you mean 'minisat22'?",
    "count p.txt --option seed": "for --option: not NAME=VALUE: 'seed' (known: reduce, amo, sat-solver, seed)",
    "solve p.txt --option sed=1": "not the name of an option: 'sed=1' (known: reduce, amo, sat-solver, seed, workers)",
    "solve p.txt --option seed=x": "Invalid value for --option seed: 'x' is not a whole number",
    "solve p.txt --option workers=0": f"0 is not in the range 1<=x<={MAX_WORKERS}",
    "count p.txt --option sat-solver=minisat": "--option sat-solver: 'minisat' is not one of 'cadical103'",
    "solve p.txt --option seed=1 --seed 1": "--option seed: the option is given twice; give it once",
    "solve p.txt --option seed=1 --option seed=2": "--option seed: the option is given twice; give it once",
    "methods serch": "no method is called 'serch'; did you mean search?",
    "count p.txt --method search --seed 3": "method search does not use the option seed; it uses none",
    "count p.txt --method jana2021": "method jana2021 does not fit 9x9: it supports only cubes",
    "bench p.txt --vary amo": "--vary: not NAME=VALUES: 'amo'",
    "verify p.txt --methods sta": "no method is called 'sta'; did you mean sat?",
    "verify p.txt --methods ,": "no method given; choose from",
    "candidates p.txt --method logic": "method logic finds forced-moves, but does not prove that a value is in no",
    "candidates p.txt --json --to svg": "--json and --to svg: give only one form of output",
    "candidates p.txt --json --colour always": "--colour is only for text",
    "candidates p.txt --method search --seed 3": "method search does not use the option seed; it uses none",
    "hint p.txt --technique xwing": "'xwing' is not one of 'naked single', ",
    "hint p.txt --all --to svg": "--to svg draws a single step: leave out --all",
    "sample p.txt -n 0": "0 is not in the range x>=1",
    "sample p.txt --method magic": "'magic' is not one of 'auto', 'listing', 'frontier', 'parts', 'walk'",
    "rate p.txt --figure node": "'node' is not one of 'technique', 'steps', 'nodes', 'conflicts', 'backdoor'",
    "rate p.txt --figure backdoor --sort nodes": "--sort nodes: this figure is not computed; add --figure nodes",
    "rate p.txt --figure backdoor --copies 3": "--copies has no effect on backdoor",
    "generate --rating 9-3": "--rating 9-3: 9 is above 3",
    "hint p.txt --techniques": "--techniques only lists the techniques: leave out puzzles",
    "explain p.txt --method sat": "method sat cannot explain its steps; these can: ",
    "explain p.txt --method logic --to svg": "method logic cannot be shown as svg; these can: jana2021, ",
    "prove p.txt --sat-solver minisat22": "'minisat22' is not one of 'cadical103'",
    "encode p.txt --encoding log --amo ladder": "encoding log takes no option amo; minimal, efficient, ",
    "encode p.txt --cubes 5": "model format cnf takes no option cubes; icnf takes it",
    "encode p.txt --duplicates --amo ladder": "duplicate pairs need amo pairwise, not ladder",
    "solve p.txt --method foo": "no method is called 'foo'; choose from auto, cp-sat, cp-sat-bool, sat",
    "encode p.txt --to opb --encoding log": "model format opb takes no option encoding",
    # What contradicts itself.
    "count p.txt --json --csv": "--json and --csv: give only one form of output",
    "solve p.txt --json --to grid": "--json and --to grid: give only one form of output",
    "enumerate p.txt --json --to grid": "--json and --to grid: give only one form of output",
    "sample p.txt --json --to csv": "--json and --to csv: give only one form of output",
    "decode p.txt --board 9x9 --json --to csv": "--json and --to csv: give only one form of output",
    "generate --json --to csv": "--json and --to csv: give only one form of output",
    "generate --clues 30 --blanks 51": "--clues and --blanks: give only one of them",
    "prove --check certificate p.txt": "--check takes a folder but no puzzle",
    "generate p.txt": "not a full grid: 51 blanks",
    "check p.txt --seed 1": "--seed has no effect without --minimize",
    "check p.txt p.txt --minimize": "--minimize is for one puzzle, or for many with --details",
    "check p.txt --towards p.txt": "the wanted solution does not solve the puzzle: r1c3 holds 0, not a value",
    "check p.txt --towards nofile": "nofile: no such file",
    # Files to write, and what is read from them.
    "encode p.txt -o p.txt": "p.txt is the input, which would be overwritten: give -o another name",
    "encode p.txt -o q.txt": "q.txt: no model format ends in .txt; name the format, or end the name in .cnf",
    "convert p.txt -o p.txt": "p.txt is the input, which would be overwritten: give -o another name",
    "encode p.txt -o model.xyz": "model.xyz: no model format ends in .xyz; name the format, or end the name in .cnf",
    "encode p.txt -o nofolder/p.cnf": "nofolder/p.cnf: cannot be written: No such file or directory",
    "encode p.txt --to cp-sat": "a CP-SAT model needs a file: -o NAME.pbtxt",
    "convert p.txt --to layers": "format layers is for cubes and surfaces, so it cannot hold 9x9; these can: line",
    "enumerate p.txt --resume": "--resume needs a plain file after -o",
    "enumerate p.txt -o folder --limit 5": "--limit has no effect with a folder",
    "reproduce gtsps --resume": "--resume needs a folder after -o",
    "reproduce nopaper": "'nopaper' is not one of 'jana2023'",
    "decode p.txt": "p.txt: not a model with the comments of sudoku-encode",
    "decode p.cnf nofile": "nofile: cannot be read: No such file or directory",
    "decode p.cnf p.txt": "is not a literal; expected s and v lines, or literals",
    "prove --check nofolder": "nofolder/puzzle.json: cannot be read: No such file or directory",
    "enumerate nofile.txt -o out": "nofile.txt: no such file",
    "solve nofile.txt -o out": "nofile.txt: no such file",
    "verify nofile.txt -o out": "nofile.txt: no such file",
    "convert nofile.txt -o out": "nofile.txt: no such file",
    "prove nofile.txt -o certificate": "nofile.txt: no such file",
    "solve p.txt -o folder": "-o: expected a file, got the folder folder",
    "verify folder": "folder: this folder contains no files",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command) -> Path:
    """A folder with a puzzle, a CNF and an empty folder; the work is done there."""
    monkeypatch.chdir(tmp_path)
    Path("p.txt").write_text(f"{PUZZLE}\n")
    Path("folder").mkdir()
    assert run("encode", TEXT, "-o", "p.cnf").status == 0
    return tmp_path


def everything(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {str(path): (path.stat().st_mode, b"" if path.is_dir() else path.read_bytes()) for path in folder.rglob("*")}


@pytest.mark.parametrize("line", WRONG)
def test_one_clear_line(run: Command, home: Path, line: str) -> None:
    """One clear line and nothing written."""
    import shlex

    before = everything(home)
    ran = run(*shlex.split(line))

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err
    assert ran.err.startswith("sudoku-encode: ")
    assert WRONG[line] in ran.err
    assert "Traceback" not in ran.err
    assert "internal error" not in ran.err
    assert everything(home) == before


def test_all_commands_covered() -> None:
    """Every command is used wrongly."""
    assert len(WRONG) >= 40
    assert set(COMMANDS) <= {line.split()[0] for line in WRONG}


def test_unreadable_file_skipped(run: Command, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in a folder that may not be looked at is passed over."""
    (home / "folder" / "4x4.txt").write_text("# board: 4x4\n1..............2\n")
    (home / "folder" / "secret").write_text("")
    looked, status = os.stat, (home / "folder").stat()

    def refused(path: Any, *more: Any, **named: Any) -> os.stat_result:
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", path)
        return looked(path, *more, **named)

    monkeypatch.setattr(os, "stat", refused)
    ran = run("verify", "folder", "--methods", "sat,cp-sat")
    assert stat.S_ISDIR(status.st_mode)
    assert (ran.status, ran.err) == (0, "")
    assert "confirmed" in ran.out


# What a program may call by mistake, and what the error says.
CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "a board of nothing": (lambda: se.board(None), "None is not a name of a board; write 9x9"),  # type: ignore[arg-type]
    "a board of a number": (lambda: se.board(9), "9 is not a name of a board"),  # type: ignore[arg-type]
    "a rule of a number": (lambda: se.board("9x9", [1]), "rules=[1]: expected a list of texts"),  # type: ignore[list-item]
    "puzzles on nothing": (lambda: next(se.generate(None)), "board=None: expected text or a board"),  # type: ignore[arg-type]
    "a model in no file": (lambda: se.save_model(TEXT, None), "not a file name: None"),  # type: ignore[arg-type]
    "a model in a number": (lambda: se.save_model(TEXT, 5), "not a file name: 5"),  # type: ignore[arg-type]
    "a model with a NUL": (lambda: se.save_model(TEXT, "a\0.cnf"), r"a\x00.cnf: not a possible file name"),
    "an encoding in no file": (lambda: se.encode(TEXT).save(None), "not a file name: None"),  # type: ignore[arg-type]
    "an encoding with a NUL": (lambda: se.encode(TEXT).save("a\0b"), "not a possible file name"),
    "an encoding from a NUL": (lambda: se.load_encoding("a\0b"), "not a possible file name"),
    "a puzzle of nothing": (lambda: se.read(None), "None is not a puzzle: give its text"),  # type: ignore[arg-type]
    "a puzzle with a NUL": (lambda: se.read("a\0b"), "no such file"),
    "a file with a NUL": (lambda: se.read(Path("a\0b")), "no such file"),
    "the count of nothing": (lambda: se.count(None), "not a puzzle: None; give its text"),  # type: ignore[arg-type]
    "the count of a number": (lambda: se.count(5), "not a puzzle: 5"),  # type: ignore[arg-type]
    "a method of nothing": (lambda: se.count(TEXT, None), "not the name of a method: None"),  # type: ignore[arg-type]
    "a text for the list of methods": (lambda: calls.solutions(TEXT), "not a Puzzle: "),  # type: ignore[arg-type]
    "nothing to verify": (lambda: list(se.verify(None)), "not a puzzle: None"),  # type: ignore[arg-type]
    "no methods to verify by": (lambda: list(se.verify(TEXT, 5)), "methods=5: expected text or a list of"),  # type: ignore[arg-type]
    "nothing to write": (lambda: se.write(None), "not a puzzle: None"),  # type: ignore[arg-type]
    "writing to nothing": (lambda: se.write(TEXT, None), "not a file name: None"),  # type: ignore[arg-type]
    "a certificate nowhere": (lambda: se.prove(TEXT, None), "not a file name: None"),  # type: ignore[arg-type]
    "a certificate with a NUL": (lambda: se.check_certificate("a\0b"), "not a possible file name"),
    "too many workers": (lambda: se.Options(workers=MAX_WORKERS + 1), f"from 1 to {MAX_WORKERS}"),
}


@pytest.mark.parametrize("call", CALLS)
def test_wrong_call_raises(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong call raises an error that says so."""
    monkeypatch.chdir(tmp_path)
    work, words = CALLS[call]
    with pytest.raises(se.SudokuError, match=re.escape(words)) as raised:
        work()
    assert len(str(raised.value).splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
