"""The command hint: a sentence and a picture, all steps, records, and what is refused."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import sudoku_encode as se
from sudoku_encode.questions.techniques.table import TECHNIQUES
from tests.helpers.command import Command
from tests.helpers.puzzles import PUZZLE, SOLUTION
from tests.helpers.technique_puzzles import NEEDED

FOUR = "1234341221434..."
NONE = f"55{'.' * 79}"
# At the next step of this puzzle nothing simpler than a skyscraper finds anything.
MARKS = (
    "4 569 1268 5789 3 15789 259 2567 25679 1237 359 12 6 127 14579 8 2357 234579 23678 3569 268 45789 278 45789 23459 "
    "23567 1 1236 346 1246 378 5 13678 23 9 2378 123 8 59 3479 17 13479 6 12357 23457 136 7 59 2 168 134689 345 1358 "
    "3458 68 46 468 1 9 2 7 35 35 5 12 3 78 678 678 129 4 29 9 12 7 35 4 35 12 68 68"
)


@pytest.fixture
def skyscraper(tmp_path: Path) -> Path:
    """A file with givens and pencilmarks."""
    cells = MARKS.split()
    marks = [[str(value) in text for value in range(1, 10)] for text in cells]
    givens = [int(text) if len(text) == 1 else 0 for text in cells]
    file = tmp_path / "marks.json"
    se.write(se.Puzzle.of(se.board("9x9"), givens, marks), file, format="json")
    return file


def test_step_with_drawing(run: Command, skyscraper: Path) -> None:
    """A step is a sentence and a drawing."""
    ran = run("hint", skyscraper, "--technique", "skyscraper")

    assert ran.status == 0
    assert ran.lines[0] == (
        "skyscraper in r5c4, r3c4, r3c7 and r6c7: 4 has two places in column 4, r5c4 and r3c4, and two in column 7, "
        "r3c7 and r6c7; r3c4 and r3c7 are both in row 3, so at least one of them is not 4, and then r5c4 or r6c7 "
        "is, so r5c9 and r6c6 are not 4"
    )
    board = "\n".join(ran.lines[1:-1])
    assert sorted(re.findall(r"\d+\*", board)) == ["23459*", "345*", "3479*", "45789*"]
    assert re.findall(r"\d+-\d+", board) == ["23-457", "13-4689"]
    assert ran.lines[-1] == "*: cells of the step; -4: removed; +4: placed"


def test_placed_value(run: Command) -> None:
    """A placed value has a plus."""
    ran = run("hint", "1234" + 12 * ".", "--technique", "hidden single")
    assert ran.status == 3
    ran = run("hint", "12..34...........", "--board", "4x4")
    assert ran.status == 2
    ran = run("hint", "12..34..2.......")
    assert ran.status == 0
    assert "+" in ran.out.split("\n", 1)[1].rsplit("*:", 1)[0]


def test_all_steps(run: Command) -> None:
    """All steps lead to the solution."""
    ran = run("hint", PUZZLE, "--all")

    assert ran.status == 0
    numbered = [line for line in ran.lines if re.match(r"\d+\. ", line)]
    assert [int(line.split(".")[0]) for line in numbered] == list(range(1, len(numbered) + 1))
    end = ran.lines[len(numbered)]
    assert re.fullmatch(rf"solved in {len(numbered)} steps; the hardest is (naked|hidden) single", end)
    assert "".join(re.findall(r"\d", "".join(ran.lines[len(numbered) + 1 :]))) == SOLUTION


def test_records(run: Command) -> None:
    """Records have the steps and the end."""
    records = [json.loads(line) for line in run("hint", NEEDED["W-wing"], "--all", "--json").lines]
    *steps, end = records

    assert {record["status"] for record in steps} == {"step"}
    assert [record["step"] for record in steps] == list(range(1, len(steps) + 1))
    assert (end["status"], end["steps"], end["hardest"], end["blanks"]) == ("solved", len(steps), "W-wing", 0)
    (wing, *_) = (record for record in steps if record["technique"] == "W-wing")
    assert wing["family"] == "wings"
    assert len(wing["cells"]) == len(wing["pattern"]) == 4
    assert wing["removes"]
    assert wing["places"] == {}
    assert wing["text"].startswith("W-wing in ")
    (one,) = (json.loads(line) for line in run("hint", NEEDED["W-wing"], "--json").lines)
    assert {key: one[key] for key in ("status", "technique", "text")} == {
        key: steps[0][key] for key in ("status", "technique", "text")
    }


def test_picture_marks(run: Command, skyscraper: Path) -> None:
    """A picture marks cells and strikes out what goes."""
    ran = run("hint", skyscraper, "--technique", "skyscraper", "--to", "svg")

    root = ET.fromstring(ran.out)
    assert len(root.findall(".//{*}g[@class='reason']/{*}rect")) == 4
    assert _texts(root, "removed") == ["4", "4"]
    assert len(root.findall(".//{*}g[@class='strike']/{*}path")) == 2
    assert _texts(root, "pattern") == ["4"] * 4
    placing = ET.fromstring(run("hint", FOUR, "--to", "svg").out)
    assert _texts(placing, "placed") == ["3"]
    assert len(placing.findall(".//{*}g[@class='placed-ring']/{*}circle")) == 1


def _texts(root: ET.Element, kind: str) -> list[str | None]:
    return [text.text for text in root.findall(f".//{{*}}g[@class='{kind}']/{{*}}text")]


def test_batch(run: Command, tmp_path: Path) -> None:
    """Many puzzles have their places."""
    file = tmp_path / "many.txt"
    file.write_text(f"{PUZZLE}\nbad\n{NONE}\n{'.' * 81}\n{SOLUTION}\n")
    ran = run("hint", file, "--all", "--json")
    ends = [json.loads(line) for line in ran.lines if '"status": "step"' not in line]

    assert ran.status == 2
    assert [(end["puzzle"], end["status"]) for end in ends] == list(
        enumerate(("solved", "bad input", "no solution", "stuck", "solved"), start=1)
    )
    assert ends[2]["reason"].startswith("the givens clash: r1c1 and r1c2 both hold 5")
    text = run("hint", file).out
    assert [int(number) for number in re.findall(r"^# puzzle (\d)", text, re.MULTILINE)] == [1, 2, 3, 4, 5]
    assert "solved: no cell is blank" in text


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ([PUZZLE], 0),
        ([SOLUTION], 0),
        ([NONE], 1),
        (["--board", "9x9"], 3),
        (["--board", "9x9", "--all"], 3),
        ([PUZZLE, "--technique", "BUG+1"], 3),
        ([NEEDED["nested forcing net"], "--all", "--timeout", "0"], 3),
    ],
)
def test_exit_statuses(run: Command, arguments: list[str], status: int) -> None:
    """The exit status says how it ended."""
    ran = run("hint", *arguments)
    assert ran.status == status
    assert ran.out or ran.err


def test_steps_before_timeout(run: Command) -> None:
    """Steps that were found in time are printed."""
    ran = run("hint", "--board", "25x25", "--timeout", "0.001", "--all", "--json")
    assert ran.status == 3
    assert json.loads(ran.lines[-1])["status"] in ("timeout", "stuck")


def test_list_of_techniques(run: Command) -> None:
    """Techniques are listed from simple to hard."""
    ran = run("hint", "--techniques")
    assert [re.split(r"  +", line)[0] for line in ran.lines] == list(TECHNIQUES)
    assert [name for name, line in zip(TECHNIQUES, ran.lines, strict=True) if "--assume-unique" in line] == [
        *("unique rectangle", "BUG+1")
    ]


def test_techniques_as_json(run: Command) -> None:
    """Each technique is a record with its number and the word for difficulty."""
    records = [json.loads(line) for line in run("hint", "--techniques", "--json").lines]
    assert [(record["technique"], record["number"]) for record in records] == [
        (name, row.number) for name, row in TECHNIQUES.items()
    ]
    assert records[0] == {
        "technique": "naked single",
        "number": 1,
        "difficulty": "easy",
        "weight": 4,
        "family": "singles",
        "summary": "A cell has one candidate left.",
        "of_constraints": False,
        "assumes_unique": False,
    }
    (line,) = (line for line in run("hint", "--techniques").lines if line.startswith("X-wing"))
    assert re.split(r"  +", line)[:4] == ["X-wing", "11", "hard", "fish"]


def test_uniqueness_option(run: Command) -> None:
    """Uniqueness is used where it is wanted."""
    puzzle = NEEDED["unique rectangle"]
    assert "unique rectangle in" not in run("hint", puzzle, "--all").out
    assert "unique rectangle in" in run("hint", puzzle, "--all", "--assume-unique").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--technique", "X-Wing"], "'X-Wing' is not one of 'naked single', .*; did you mean 'X-wing'"),
        (["--all", "--to", "svg"], "--to svg draws a single step: leave out --all"),
        (["--json", "--to", "svg"], "--json prints steps as data, --to svg a picture"),
        (["--technique", "BUG+1", "--assume-unique"], "--assume-unique has no effect with --technique"),
        (["--techniques"], "--techniques only lists the techniques: leave out puzzles"),
    ],
)
def test_unused_options(run: Command, arguments: list[str], message: str) -> None:
    """What has no effect is refused."""
    ran = run("hint", PUZZLE, *arguments)
    assert ran.status == 2
    assert re.search(message, ran.err)
    assert ran.out == ""
