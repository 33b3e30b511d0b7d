"""The command line, as a user calls it: answers, exit statuses, and what it says of bad input."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from sudoku_encode.encoders.table import MODEL_FORMATS
from sudoku_encode.formats.styles import STYLES
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS, OPTIONS
from sudoku_encode.puzzles.boards import EXAMPLES
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import counting
from sudoku_encode.run.pools import EXECUTORS
from tests.helpers.command import Command
from tests.helpers.puzzles import CLASH, JANA, PUZZLE, SEVERAL, SOLUTION

INSTANCES = Path(__file__).parents[2] / "instances"


@pytest.mark.parametrize("method", ["cp-sat", "cp-sat-bool", "sat", "sat:triads", "sat:log"])
def test_solve_prints_solution(run: Command, method: str) -> None:
    """Solve prints the solution."""
    ran = run("solve", PUZZLE, "--method", method)

    assert (ran.status, ran.out, ran.err) == (0, SOLUTION + "\n", "")


@pytest.mark.parametrize("method", ["cp-sat", "sat"])
def test_solve_names_clash(run: Command, method: str) -> None:
    """Solve names two cells that clash."""
    ran = run("solve", CLASH, "--method", method)

    assert (ran.status, ran.out) == (1, "")
    assert "no solution: r1c1 and r1c2 are peers and both hold 5" in ran.err


def test_count_many(run: Command) -> None:
    """Count gives the number of a puzzle with many solutions."""
    assert run("count", SEVERAL).out == "127\n"


@pytest.mark.parametrize(
    ("limit", "out", "status"), [(126, "at least 126", 3), (127, "at least 127", 3), (128, "127", 0)]
)
@pytest.mark.parametrize("method", ["cp-sat", "cp-sat-bool", "sat"])
def test_count_at_limit(run: Command, method: str, limit: int, out: str, status: int) -> None:
    """A count at its limit is not complete."""
    ran = run("count", SEVERAL, "--limit", limit, "--method", method)

    assert (ran.out, ran.status) == (f"{out}\n", status)


def test_count_none(run: Command) -> None:
    """A puzzle without solutions counts 0 with status 1."""
    ran = run("count", CLASH)

    assert (ran.status, ran.out) == (1, "0\n")
    assert "both hold 5" in ran.err


def test_count_time_limit(run: Command) -> None:
    """A time limit leaves a count incomplete."""
    ran = run("count", "--board", "9x9", "--timeout", "0.3")

    assert ran.status == 3
    assert ran.out.startswith("at least ")
    assert "time limit" in ran.err


def test_enumerate_all(run: Command) -> None:
    """Enumerate prints each solution once and says that it is complete."""
    ran = run("enumerate", "--board", "4x4", "--method", "cp-sat")

    grids = [line for line in ran.lines if not line.startswith("#")]
    assert ran.status == 0
    assert len(grids) == len(set(grids)) == 288
    assert ran.lines[0] == "# board: 4x4"
    assert "288 solutions, complete" in ran.err


def test_solve_round_trip(run: Command) -> None:
    """What solve prints can be read back."""
    solved = run("solve", "--board", "4x4x4")

    shown = run("info", "-", "--json", stdin=solved.out)
    figures = json.loads(shown.out)
    assert (figures["board"], figures["blanks"]) == ("4x4x4", 0)


def test_jana_table_2(run: Command) -> None:
    """The two solutions that Jana table 2 has under four rules are the papers."""
    six = run("count", JANA)
    four = run("enumerate", JANA, "--rules", "row-z,box-yz,box-xz,box-xy")

    grids = [line for line in four.lines if not line.startswith("#")]
    cells = [(0, 5, 0), (0, 5, 1), (0, 5, 2), (1, 3, 0), (1, 3, 1), (1, 3, 2)]
    values = {tuple(int(grid[(x * 9 + y) * 9 + z]) for x, y, z in cells) for grid in grids}
    assert six.out == "1\n"
    assert values == {(4, 3, 8, 8, 4, 3), (8, 4, 3, 4, 3, 8)}


def test_batch_with_bad_line(run: Command, tmp_path: Path) -> None:
    """A batch goes on after a bad line."""
    batch = tmp_path / "batch.txt"
    batch.write_text(f"{PUZZLE}\n{PUZZLE[:-1]}\n{CLASH}\n{SEVERAL[:20]}Q{SEVERAL[21:]}\n{SEVERAL}\n")

    ran = run("count", batch)

    assert ran.status == 2
    symbols = "'Q' is not a symbol of a puzzle; values on 9x9 go from 1 to 9, a blank is . 0 * _ - ?"
    wrong = ["# puzzle 2: bad input: 80 symbols where 9x9 needs 81", f"# puzzle 4: bad input: {symbols}"]
    assert ran.lines == ["1", wrong[0], "0", wrong[1], "127"]
    assert f"{batch}:2" in ran.err
    assert f"{batch}:4:21" in ran.err


@pytest.mark.parametrize("method", ["cp-sat", "sat"])
def test_batch_in_order(run: Command, tmp_path: Path, method: str) -> None:
    """A batch is solved in order."""
    batch = tmp_path / "batch.txt"
    batch.write_text(f"{PUZZLE}\n{CLASH}\n{SOLUTION}\n")

    ran = run("solve", batch, "--method", method)

    assert ran.status == 1
    assert ran.lines == [SOLUTION, "# puzzle 2: no solution", SOLUTION]


def test_json_lines(run: Command) -> None:
    """JSON is one object a puzzle."""
    solved = json.loads(run("solve", PUZZLE, "--json").out)
    counted = json.loads(run("count", SEVERAL, "--method", "sat", "--json", "--limit", 5).out)

    assert "".join(map(str, solved["solution"])) == SOLUTION
    assert [choice.split(",")[0] for choice in solved["chosen"]] in (["search"], ["sat"])
    place = {"file": "argument", "line": 1, "puzzle": 1, "name": None, "status": "limit", "method": "sat"}
    assert isinstance(counted.pop("seconds"), float)
    assert counted == {**place, "count": 5, "complete": False, "reason": "limit of 5", "chosen": []}


def test_info_literal_cube(run: Command) -> None:
    """Info proves that the literal cube has no colouring."""
    figures = json.loads(run("info", "--board", "9x9x9:literal", "--json").out)

    assert (figures["edges"], figures["degree"]) == (107_892, [296, 296])
    assert "81 cells of one row-x" in figures["no_solution"]
    assert run("count", "--board", "9x9x9:literal").out == "0\n"


def test_info_classic_boards(run: Command) -> None:
    """Info has the figures of the classic boards."""
    square = json.loads(run("info", "--board", "9x9", "--json").out)
    cube = json.loads(run("info", "--board", "9x9x9", "--json").out)

    assert (square["edges"], square["unit_count"]) == (810, 27)
    assert (cube["edges"], cube["unit_count"], cube["degree"]) == (13_122, 486, [36, 36])
    (extended,) = [size for size in cube["encodings"] if size["encoding"] == "extended"]
    assert extended == {
        "encoding": "extended",
        "amo": "pairwise",
        "variables": 6_561,
        "clauses": 149_445,
        "reduced_variables": 6_561,
        "reduced_clauses": 149_445,
        "reason": None,
    }


def test_info_contradiction(run: Command) -> None:
    """Info of a contradiction names the clash."""
    assert "r1c1 and r1c2 are peers and both hold 5" in run("info", CLASH).out


def test_show_boxes(run: Command) -> None:
    """Show draws boxes."""
    drawn = run("show", PUZZLE)

    assert drawn.lines[0] != drawn.lines[1]
    assert "5 3 . │ . 7 . │ . . ." in drawn.out


def test_convert_format(run: Command, tmp_path: Path) -> None:
    """Convert changes the format."""
    there = tmp_path / "puzzle.sdk"

    assert run("convert", PUZZLE, "--to", "sdk", "-o", there).status == 0
    assert run("convert", there, "--to", "line").out == PUZZLE + "\n"


def test_methods_list(run: Command) -> None:
    """Methods lists every method."""
    listed = [json.loads(line) for line in run("methods", "--board", "6x6", "--json").lines]

    assert [row["method"] for row in listed] == list(METHODS)
    for_cubes = {row["method"] for row in listed if row["refuses"] == "it supports only cubes"}
    assert for_cubes == {name for name in METHODS if name.startswith("jana")}
    for_others = {"allsat:triads", "sat:triads", "felgenhauer2006", "placements"}
    assert {row["method"] for row in listed if row["refuses"]} - for_cubes == for_others


def test_methods_by_group(run: Command) -> None:
    """The list of methods has each of them in its group, and is short."""
    lines = run("methods").lines
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 100
    groups = "\n".join(lines).split("\n\n")
    for group, text in zip(("solvers", "counters", "papers"), groups, strict=False):
        assert text.lower().startswith(group)
        words = set(re.findall(r"[\w.:+-]+", text))
        assert {name for name, method in METHODS.items() if method.group == group} <= words


@pytest.mark.parametrize("name", ["sat", "cp-sat", "frontier", "jana2023-v1"])
def test_method_in_full(run: Command, name: str) -> None:
    """One method is shown with its source, boards and options."""
    text = " ".join(run("methods", name).out.split())
    method = METHODS[name]
    assert text.startswith(f"{name}: {method.summary} finds ")
    assert f"source {method.source} boards " in text
    assert ("not the others: it supports only cubes" in text) == name.startswith("jana")
    assert [option.name for field, option in OPTIONS.items() if f" {option.name} {option.summary}: " in text] == [
        option.name for field, option in OPTIONS.items() if field in method.options
    ]


def test_unknown_method(run: Command) -> None:
    """A name that is not a method is refused with a near one."""
    ran = run("methods", "serch")
    assert (ran.status, ran.out) == (2, "")
    assert "no method is called 'serch'; did you mean search?" in ran.err


def test_info_lists(run: Command) -> None:
    """Info lists boards, formats and executors; nothing may be beside a list."""
    for option, key, names in (
        ("--boards", "board", list(EXAMPLES)),
        ("--formats", "format", [*TEXT_FORMATS, *STYLES, *MODEL_FORMATS]),
        ("--executors", "executor", [row.form for row in EXECUTORS.values()]),
    ):
        records = [json.loads(line) for line in run("info", option, "--json").lines]
        assert [record[key] for record in records] == names
        lines = run("info", option).lines
        assert [line.split()[0] for line in lines if not line.startswith(" ")] == [key, *names]
        assert max(map(len, lines)) <= 100
        for beside in (["1..............."], ["--board", "9x9"], ["--csv"], ["--encodings", "all"], ["--to", "svg"]):
            ran = run("info", option, *beside)
            assert (ran.status, ran.out) == (2, "")
            assert f"{option} prints a list of its own: leave out " in ran.err
    assert run("info", "--boards", "--formats").status == 2


# An option of a method, how it was written before, and a method that uses it.
METHOD_OPTIONS = [
    ("reduce=none", ["--reduce", "none"], "sat"),
    ("reduction=none", ["--reduce", "none"], "sat"),
    ("amo=ladder", ["--amo", "ladder"], "sat"),
    ("sat-solver=glucose4", ["--sat-solver", "glucose4"], "sat"),
    ("sat_solver=glucose4", ["--sat-solver", "glucose4"], "sat"),
    ("seed=3", ["--seed", 3], "cp-sat"),
]


@pytest.mark.parametrize(("text", "before", "method"), METHOD_OPTIONS)
@pytest.mark.parametrize("command", ["solve", "enumerate", "count", "candidates"])
def test_method_options(
    run: Command, monkeypatch: pytest.MonkeyPatch, command: str, text: str, before: list[object], method: str
) -> None:
    """An option of a method is the same as --option and under its own name, which help does not show."""
    received: list[dict[str, object]] = []
    monkeypatch.setattr(Options, "__post_init__", lambda self: received.append(self.chosen))

    def chosen(*words: object) -> list[dict[str, object]]:
        received.clear()
        assert run(command, "12..34...12.....", "--method", method, *words).status == 0
        return [options for options in received if options]

    assert chosen("--option", text) == chosen(*before) != []
    assert f"  {before[0]} " not in run(command, "--help").out


def test_option_of_other_method(run: Command) -> None:
    """A method refuses an option that it does not use, and a command one that it does not take."""
    ran = run("count", "--board", "4x4", "--method", "search", "--option", "amo=ladder")
    assert (ran.status, "method search does not use the option amo" in ran.err) == (2, True)
    ran = run("count", "--board", "4x4", "--option", "workers=2")
    assert (ran.status, "(known: reduce, amo, sat-solver, seed)" in ran.err) == (2, True)
    assert run("solve", "1...............", "--option", "workers=2").status == 0


@pytest.mark.parametrize(
    "command",
    [
        *("encode", "decode", "solve", "enumerate", "count", "candidates", "check", "sample", "verify", "prove"),
        *("reproduce", "generate", "show", "explain", "hint", "rate", "info", "methods", "convert"),
    ],
)
def test_help_of_each_command(run: Command, command: str) -> None:
    """Every command has help."""
    ran = run(command, "--help")

    assert ran.status == 0
    assert f"Usage: sudoku-encode {command}" in ran.out


def test_sat_without_ortools() -> None:
    """Solving by SAT does not load OR-Tools."""
    code = (
        f"import sys; sys.argv = ['sudoku-encode', 'solve', '--method', 'sat', '{PUZZLE}']\n"
        "from sudoku_encode.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('ortools' in sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert (ran.stdout, ran.stderr) == (SOLUTION + "\n", "False\n")


ROWS = [PUZZLE[at : at + 9] for at in range(0, 81, 9)]
# What is wrong with a file: its bytes (None for no file) and what the message must say. No more than is looked at:
# pytest keeps parameters to its end, and each process that a test forks takes longer to begin for every megabyte.
BAD_FILES: dict[str, tuple[bytes | None, str]] = {
    "wrong-length": (PUZZLE[:-1].encode(), "80"),
    "bad-symbol": (f"{PUZZLE[:40]}%{PUZZLE[41:]}".encode(), "%"),
    "too-large": (b"1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 9\n", "9"),
    "ragged": ("\n".join([*ROWS[:4], ROWS[4][:-1], *ROWS[5:]]).encode(), "5"),
    "empty": (b"", "empty"),
    "binary": (bytes(range(256)) * 8, "text"),
    "missing": (None, "no such file"),
    "ambiguous": (b"." * 729, "9x9x9"),
    "garbage-line": (b"x7%" * 100_000, "262,144 characters"),
    "garbage-lines": (b"hello world\n" * 30_000, "garbage-lines"),
    "nulls": (b"\0" * 300_000, "text"),
}


@pytest.mark.parametrize("fault", BAD_FILES)
@pytest.mark.parametrize("command", ["solve", "encode"])
def test_malformed_file(run: Command, tmp_path: Path, fault: str, command: str) -> None:
    """A malformed file gives one clear line and status 2."""
    content, expected = BAD_FILES[fault]
    path = tmp_path / fault
    if content is not None:
        path.write_bytes(content)

    ran = run(command, path)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert ran.err.startswith(f"sudoku-encode: {path}")
    assert expected in ran.err


def test_directory_refused(run: Command, tmp_path: Path) -> None:
    """A directory is refused."""
    ran = run("solve", tmp_path)

    assert ran.status == 2
    assert "directory" in ran.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["solve"], "--board"),
        (["solve", "--board", "9x8"], "sides must be equal"),
        (["solve", "--board", "banana"], "no board is called 'banana'"),
        (["solve", PUZZLE, "--rules", "row,diagonal"], "no rule 'diagonal'"),
        (["solve", PUZZLE, "--method", "guess"], "no method is called 'guess'"),
        (["solve", PUZZLE, "--method", "sat", "--sat-solver", "guess"], "'guess' is not one of 'cadical103'"),
        (["count", PUZZLE, "--method", "sat", "--sat-solver", "kissat404"], "kissat404"),
        (["count", "--board", "6x6", "--method", "sat:triads"], "square boxes"),
        (["count", PUZZLE, "--limit", "0"], "--limit"),
        (["encode", PUZZLE, "--encoding", "order", "--amo", "product"], "takes no option amo"),
        (["encode", PUZZLE, "--to", "cp-sat"], "-o NAME.pbtxt"),
        (["encode", PUZZLE, "-o", "/no/such/folder/a.cnf"], "/no/such/folder/a.cnf"),
        (["frobnicate"], "No such command"),
        (["solve", "--frobnicate"], "--help"),
    ],
)
def test_wrong_calls(run: Command, arguments: list[str], expected: str) -> None:
    """A wrong call gives one clear line and status 2."""
    ran = run(*arguments)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert expected in ran.err


def test_interrupt_keeps_results(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt leaves what was found and status 3."""

    def interrupted(puzzle: Puzzle, batches: Iterable[Grids], limit: int | None) -> Iterator[Grids]:
        yield next(checked(puzzle, batches, limit))
        raise KeyboardInterrupt

    checked = counting.checked
    monkeypatch.setattr("sudoku_encode.methods.calls.checked", interrupted)

    ran = run("count", SEVERAL, "--method", "sat")

    assert ran.status == 3
    assert ran.out.startswith("at least ")
    assert "interrupted" in ran.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["count", "--board", "9x9", "--method", "sat"], "at least "),
        (["count", "--board", "9x9", "--method", "cp-sat"], "at least "),
        (["solve", "--board", "9x9x9", "--method", "sat:log"], ""),
        (["solve", "--board", "16x16x16", "--method", "cp-sat"], ""),
    ],
)
def test_ctrl_c_in_solver(arguments: list[str], out: str) -> None:
    """Ctrl-C while a solver works ends with status 3."""
    # Ctrl-C while libraries are still loaded ends it with nothing to print: on a busy machine it has more time.
    for seconds in (1, 4, 30):
        with subprocess.Popen(
            [sys.executable, "-m", "sudoku_encode", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            # An answer is hours away.
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=seconds)
            process.send_signal(signal.SIGINT)
            printed, said = process.communicate(timeout=60)
        assert process.returncode == 3
        if printed.startswith(out):
            break
    assert printed.startswith(out)
    assert "interrupted" in said
    assert "Traceback" not in said


def test_internal_error(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of our own is said without a traceback."""

    def broken(*arguments: object, **more: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("sudoku_encode.methods.calls.solutions", broken)

    ran = run("count", PUZZLE, "--method", "sat")

    assert (ran.status, ran.out) == (70, "")
    assert ran.err == "sudoku-encode: internal error, please report it: ZeroDivisionError: oops\n"


@pytest.mark.slow
def test_broken_pipe() -> None:
    """A reader that goes away is no fault."""
    ran = subprocess.run(
        f"{sys.executable} -m sudoku_encode enumerate --board 9x9 --limit 20000 | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )

    assert len(ran.stdout) == 82
    assert "Traceback" not in ran.stderr
    assert "Exception" not in ran.stderr


FOUR_RULES = "row-z,box-xy,box-xz,box-yz"


def test_explain_jana_matrix(run: Command) -> None:
    """Explain shows the matrix of the paper and its two solutions."""
    ran = run("explain", JANA, "--rules", FOUR_RULES)

    assert (ran.status, ran.err) == (0, "by jana2023-v1, since no --method is given\n")
    # The first rows of Fig. 8a: 032 has 4 8 9, 036 has 4.
    assert ran.lines[:4] == [
        "rules: row-z, box-xy, box-xz, box-yz",
        "P: x, y, z, candidates, their count",
        "0 3 2 4 8 9 0 0 0 0 0 0 3",
        "0 3 6 4 0 0 0 0 0 0 0 0 1",
    ]
    assert "P reduced and sorted" in ran.lines
    assert ran.lines[-1] == "2 branches open after the last level: the solutions"


OPEN = ("2 branches open after the last level: the solutions", "1 branch open after the last level: the solution")


@pytest.mark.parametrize(
    ("method", "lines"),
    [
        ("jana2021", OPEN),
        ("jana2023-v1", OPEN),
        (
            "jana2023-v2-joined",
            ("2 of them satisfy all rules: the solutions", "1 of them satisfies all rules: the solution"),
        ),
    ],
)
def test_explain_count(run: Command, method: str, lines: tuple[str, str]) -> None:
    """Explain ends with the number of solutions."""
    four, six = (run("explain", JANA, *rules, "--method", method) for rules in (("--rules", FOUR_RULES), ()))
    assert (four.lines[-1], six.lines[-1]) == lines


def test_explain_named_puzzles(run: Command) -> None:
    """Explain names the puzzles that have a name."""
    ran = run("explain", INSTANCES / "cubes" / "jana-2023-figs-13-to-16.json", "--method", "jana2023-v1")

    heads = [line.split(":")[:2] for line in ran.lines if line.startswith("#")]
    assert heads == [[f"# puzzle {number}", f" Jana et al. 2023, Fig. {12 + number}"] for number in range(1, 5)]


def test_explain_batch(run: Command, tmp_path: Path) -> None:
    """Explain numbers the puzzles of a batch."""
    cube = run("solve", "--board", "4x4x4").lines[-1]
    batch = tmp_path / "batch.txt"
    batch.write_text(f"# board: 4x4x4\n.{cube[1:]}\n..{cube[2:]}\n")
    ran = run("explain", batch, "--method", "jana2021")

    assert ran.status == 0
    assert [line for line in ran.lines if line.startswith("#") or "last level" in line] == [
        "# puzzle 1",
        "1 branch open after the last level: the solution",
        "# puzzle 2",
        "1 branch open after the last level: the solution",
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            [JANA, "--method", "cp-sat"],
            "cp-sat cannot explain its steps; these can: frontier, placements, jana2021",
        ),
        ([JANA, "--method", "magic"], "no method is called 'magic'"),
        (
            [PUZZLE, "--method", "jana2023-v2-joined"],
            "method jana2023-v2-joined does not fit 9x9: it supports only cubes",
        ),
        ([], "--board"),
    ],
)
def test_explain_refusals(run: Command, arguments: list[str | Path], expected: str) -> None:
    """Explain refuses what cannot be shown."""
    ran = run("explain", *arguments)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert expected in ran.err


@pytest.mark.parametrize("method", ["jana2021", "jana2023-v1", "jana2023-v2-joined"])
def test_explain_time_limit(run: Command, method: str) -> None:
    """Explain stops in time."""
    ran = run("explain", "--board", "9x9x9", "--method", method, "--timeout", "0.2")

    assert ran.status == 3
    assert ran.err == "stopped: time limit\n"


@pytest.mark.parametrize("arguments", [(), ("-h",), ("--help",)])
def test_bare_call(run: Command, arguments: tuple[str, ...]) -> None:
    """A bare call is answered with help."""
    ran = run(*arguments)
    assert (ran.status, ran.err) == (0, "")
    assert "\nAnswer (" in ran.out
    assert run("count", "-h").out == run("count", "--help").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("count", PUZZLE, "--method", "gtsps-42"), "no method is called 'gtsps-42'; did you mean gtsps-4.2?"),
        (("encode", PUZZLE, "-o", "models.xyz"), "models.xyz: no model format ends in .xyz"),
        (("encode", PUZZLE, "-o", "models.json.gz"), "no model format ends in .json"),
        (("count", "--board", "jigsaw:nofile"), "nofile: no such file, and not a region map"),
        (("count", "1..", "--board", "4x4"), "1..: no such file, and 3 symbols make no puzzle; 4x4 needs 16"),
        (("explain", PUZZLE, "--to", "nothing"), "'nothing' is not one of"),
    ],
)
def test_spelling_suggestions(run: Command, arguments: tuple[str, ...], words: str) -> None:
    """What is meant is named."""
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "remark"),
    [
        ("jana2023-v2-printed", "jana2023-v2-printed is now called jana2023-v2\n"),
        ("jana2023-v2", "jana2023-v2 is the algorithm as printed; up to version 0.2 this was jana2023-v2-joined\n"),
        ("jana2023-v2-joined", ""),
    ],
)
def test_former_names(run: Command, name: str, remark: str) -> None:
    """A method's former name still works, and a name with a new meaning is remarked on."""
    ran = run("count", JANA, "--method", name)
    assert (ran.status, ran.out, ran.err) == (0, "1\n", remark)


def test_rules_of_steps(run: Command, tmp_path: Path) -> None:
    """Steps say under which rules they are: in the first line, in the last record and in the title of the page."""
    rules = ("--rules", FOUR_RULES, "--method", "jana2021")
    record = json.loads(run("explain", JANA, *rules, "--json").lines[-1])
    assert record["rules"] == FOUR_RULES.split(",")
    run("explain", JANA, *rules, "--to", "html", "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"jana2021, step by step; rules {FOUR_RULES.replace(',', ', ')}</title>" in page
    assert run("explain", JANA, *rules).lines[0] == f"rules: {FOUR_RULES.replace(',', ', ')}"


def test_explain_default_method(run: Command) -> None:
    """Explain takes a method that fits the board."""
    square, cube = run("explain", PUZZLE), run("explain", INSTANCES / "papers" / "jana-2023-table-2.txt")
    drawn = run("explain", PUZZLE, "--to", "svg")
    assert (square.status, square.err, square.lines[-1]) == (0, "by logic, since no --method is given\n", "solved")
    assert (cube.status, cube.err) == (0, "by jana2023-v1, since no --method is given\n")
    assert (drawn.status, drawn.err) == (0, "by gtsps-4.1, since no --method is given\n")


@pytest.mark.parametrize(("form", "begins"), [("dot", "graph "), ("graphml", "<?xml"), ("svg", "<svg ")])
def test_explain_graph(run: Command, form: str, begins: str) -> None:
    """A graph is drawn by the command."""
    drawn = run("explain", PUZZLE, "--method", "gtsps-4.1", "--to", form)
    assert (drawn.status, drawn.err) == (0, "")
    assert drawn.out.startswith(begins)
    assert len(drawn.lines) > 50
    clash = run("explain", CLASH, "--method", "gtsps-4.1", "--to", form)
    assert (clash.status, clash.out) == (2, "")
    assert "there is no graph" in clash.err
    refused = run("explain", PUZZLE, "--method", "logic", "--to", form)
    assert refused.status == 2
    assert "gtsps-4.1" in refused.err.partition("these can: ")[2]
