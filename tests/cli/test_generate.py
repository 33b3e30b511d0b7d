"""The command generate, as a user calls it."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from sudoku_encode.formats.place import FIRST_KEYS
from tests.helpers.command import Command

SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
GENERATE = [sys.executable, "-m", "sudoku_encode", "generate"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--clues", "30"],
        ["--blanks", "20"],
        ["--solutions", "3"],
        ["--symmetry", "point"],
        ["--clues", "24", "--minimal"],
        ["--board", "4x4x4"],
        ["--board", "4x4x4", "--rules", "row-z,box-xy"],
        ["--board", "9x9+diagonals"],
        ["--board", "jigsaw:aaabacbbccbdcddd", "--solutions", "2"],
        ["--board", "6x6:3x2", "--to", "grid"],
        pytest.param(["--board", "16x16", "--clues", "200"], marks=pytest.mark.slow),
        pytest.param(["--board", "9x9x9", "--clues", "500"], marks=pytest.mark.slow),
        ["--to", "json"],
        [SOLUTION],
        ["--board", "4x4x4", "--method", "keck2022"],
    ],
    ids=" ".join,
)
def test_printed_puzzle_as_asked(run: Command, arguments: list[str]) -> None:
    """What is printed is the puzzle that was wanted."""
    ran = run("generate", *arguments, "--seed", 5)
    counted = run("count", "-", "--method", "cp-sat", stdin=ran.out)
    figures = json.loads(run("info", "-", "--json", stdin=ran.out).out)

    options = dict(pairwise(arguments))
    assert (ran.status, ran.err) == (0, "")
    assert counted.out == options.get("--solutions", "1") + "\n"
    assert figures["board"] == options.get("--board", "9x9")
    assert str(figures["givens"]) == options.get("--clues", str(figures["givens"]))
    assert str(figures["blanks"]) == options.get("--blanks", str(figures["blanks"]))
    if "--rules" in options:
        assert ",".join(figures["rules"]) == options["--rules"]


def test_full_grid(run: Command) -> None:
    """No blanks make a full grid."""
    ran = run("generate", "--blanks", 0, "--seed", 1)

    assert re.fullmatch("[1-9]{81}\n", ran.out)
    assert run("solve", "-", stdin=ran.out).out == ran.out


def test_json_records(run: Command) -> None:
    """JSON is one object a puzzle with all there is to know."""
    ran = run("generate", "--json", "--seed", 3, "--many", 2, "--solutions", 2, "--board", "4x4x4")
    objects = [json.loads(line) for line in ran.lines]
    more = (
        "seed",
        "board",
        "rules",
        "reached",
        "reason",
        "clues",
        "solutions",
        "minimal",
        "attempt",
        "uniform",
        "givens",
    )

    assert ran.status == 0
    assert [found["puzzle"] for found in objects] == [1, 2]
    for line, found in zip(ran.lines, objects, strict=True):
        assert tuple(found) == (*FIRST_KEYS, *more, "solution")
        assert (found["seed"], found["reached"], found["solutions"], found["minimal"]) == (3, True, 2, True)
        assert found["clues"] == sum(map(bool, found["givens"]))
        assert all(value in (0, right) for value, right in zip(found["givens"], found["solution"], strict=True))
        assert run("count", "-", stdin=line).out == "2\n"


def test_same_seed_same_output(run: Command) -> None:
    """The same seed prints the same."""
    one, two = (run("generate", "--seed", 9, "--many", 3) for _ in range(2))

    assert one.out == two.out
    assert len(set(one.lines)) == 3
    assert run("generate", "--seed", 10).lines[0] not in one.lines


def test_seed_is_reported(run: Command) -> None:
    """A seed that was not given is said and makes the same again."""
    ran = run("generate")
    found = re.fullmatch(r"seed (\d+)\n", ran.err)

    assert found
    assert run("generate", "--seed", found[1]).out == ran.out
    assert run("generate").out != ran.out


def test_missed_target(run: Command) -> None:
    """A target that is missed is status 3 with how near it was."""
    ran = run("generate", "--clues", 16, "--seed", 1, "--attempts", 2, "--many", 2)

    assert (ran.status, ran.out) == (3, "")
    first, second = ran.err.splitlines()
    assert re.fullmatch(r"puzzle 1: target not reached in 2 attempts: the nearest has 2\d clues and 1 solution", first)
    assert second.startswith("puzzle 2: target not reached")


def test_nearest_attempt_json(run: Command) -> None:
    """The nearest attempt is there as JSON."""
    ran = run("generate", "--clues", 16, "--minimal", "--seed", 1, "--attempts", 1, "--json")
    found = json.loads(ran.out)

    assert ran.status == 3
    assert (found["reached"], found["solutions"], found["minimal"], found["attempt"]) == (False, 1, True, 1)
    assert f"in 1 attempt: the nearest has {found['clues']} clues and 1 solution, and is minimal" in ran.err


@pytest.mark.parametrize("name", ["4x4x4:literal", "jigsaw:aaabbbbaccddccdd"])
def test_unsolvable_board(run: Command, name: str) -> None:
    """A board without a solution is status 1."""
    ran = run("generate", "--board", name, "--seed", 1)
    found = json.loads(run("generate", "--board", name, "--seed", 1, "--json").out)

    assert (ran.status, ran.out) == (1, "")
    # Regions in several pieces are remarked on before.
    assert ran.err.splitlines()[-1] == f"{name} has no solution: {found['reason']}"
    assert not found["reached"]


def test_time_limit(run: Command) -> None:
    """The time limit is status 3."""
    ran = run("generate", "--board", "9x9x9", "--seed", 1, "--timeout", "0.5")
    found = json.loads(run("generate", "--seed", 1, "--timeout", 0, "--json").out)

    assert (ran.status, ran.out, ran.err) == (3, "", "puzzle 1: stopped: time limit\n")
    assert (found["reached"], found["status"], found["reason"]) == (False, "timeout", "time limit")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--clues", "20", "--blanks", "61"], "--clues and --blanks: give only one of them"),
        (["--clues", "82"], "82 clues on 9x9: it has 81 cells"),
        (["--blanks", "82"], "82 blanks on 9x9: it has 81 cells"),
        (["--clues", "-1"], "--clues"),
        (["--clues", "22", "--symmetry", "quarter"], "no pattern of 22 clues has symmetry quarter"),
        (["--solutions", "0"], "--solutions"),
        (["--symmetry", "round"], "--symmetry"),
        (["--method", "magic"], "--method"),
        (["--method", "keck2022", "--solutions", "2"], "use --method sat"),
        (["--seed", "-1"], "--seed"),
        (["--seed", str(2**32)], "--seed"),
        (["--many", "0"], "--many"),
        (["--attempts", "0"], "--attempts"),
        (["--board", "banana"], "no board is called 'banana'"),
        (["." + SOLUTION[1:]], "not a full grid: 1 blank, the first at r1c1"),
        (["1" + SOLUTION[1:]], "the full grid is not a solution: r1c1 and r1c8 of one row both hold 1"),
        ([SOLUTION[1:]], "80"),
    ],
    ids=str,
)
def test_wrong_calls(run: Command, arguments: list[str], expected: str) -> None:
    """A wrong call is one clear line and status 2."""
    ran = run("generate", *arguments)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert expected in ran.err


def test_several_grids_refused(run: Command, tmp_path: Path) -> None:
    """Several grids to cut puzzles out of are refused."""
    path = tmp_path / "two.txt"
    path.write_text(f"{SOLUTION}\n{SOLUTION}\n{SOLUTION}\n")
    ran = run("generate", path)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "sudoku-encode: expected a single full grid to remove givens from, got several\n"


def test_ctrl_c_keeps_puzzles(tmp_path: Path) -> None:
    """Ctrl-C keeps what was made and ends with status 3."""
    arguments = ["--many", "100000", "--seed", "1"]
    with subprocess.Popen(
        [*GENERATE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        # Not by `communicate`, which loses what was read together with the first line.
        rest, said = process.stdout.read(), process.stderr.read() if process.stderr else ""

    assert process.returncode == 3
    made = [first.strip(), *rest.splitlines()]
    # The key may have been pressed when the last one was printed and not yet counted.
    assert said in {f"interrupted: {len(made) - late} of 100,000 puzzles are made\n" for late in (0, 1)}
    assert all(re.fullmatch("[.1-9]{81}", line) for line in made)


@pytest.mark.slow
def test_ctrl_c_in_hard_search() -> None:
    """Ctrl-C ends a hard search soon."""
    arguments = [*GENERATE, "--board", "9x9x9", "--seed", "1"]
    # Ctrl-C while libraries are still loaded ends it with nothing to say: on a busy machine it has more time.
    for seconds in (1, 4, 30):
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=seconds)
            process.send_signal(signal.SIGINT)
            try:
                # The search would take hours.
                out, said = process.communicate(timeout=120)
            finally:
                process.kill()
        assert (process.returncode, out) == (3, "")
        if "0 of 1" in said:
            break
    assert said == "interrupted: 0 of 1 puzzles are made\n"


def test_progress_on_terminal() -> None:
    """Puzzles go to standard output while a terminal shows progress."""
    ours, theirs = pty.openpty()
    ran = subprocess.run([*GENERATE, "--seed", "1", "--many", "2"], stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    said = os.read(ours, 65536).decode()
    os.close(ours)

    assert re.fullmatch("([.1-9]{81}\n){2}", ran.stdout.decode())
    assert "attempt 1" in said
    assert "2 of 2 puzzles" in said
    assert not re.search("[.1-9]{81}", said)
