"""Texts in every format are read as a second, simple reader reads them, or refused; `scripts/fuzz second-readers`."""

import json
import random
import runpy
from collections import Counter
from pathlib import Path

import pytest

from tests.helpers import second_readers_runs
from tests.helpers.second_readers import CannotRead, Meaning, Misleading, board_named, of_givens
from tests.helpers.second_readers_forms import READERS
from tests.helpers.second_readers_runs import Read, judge, read
from tests.helpers.second_texts import STYLES, Sample, changed, sample

FUZZ = Path(__file__).parents[2] / "scripts" / "fuzz"
TEXTS = 8
# How many of the texts without a mistake must be read, where not all: the others may have another meaning.
SHARES = {
    "length of two boards": 0.0,
    "two blanks": 0.4,
    "from 0": 0.0,
    "letters": 0.0,
    "regions below": 0.0,
    "overlap": 0.0,
    "size header": 0.0,
    "layers": 0.2,
    "sukaku": 0.3,
    "lines of 16": 0.0,
    "json from 0": 0.0,
    "json other key": 0.0,
    "json key twice": 0.0,
}


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_same_as_second_reader(style: str, tmp_path: Path) -> None:
    """A text is read as by a second reader or refused."""
    chance, outcomes, wrong = random.Random(style), Counter[str](), []
    for _ in range(TEXTS):
        plain = sample(chance, style)
        mistaken = plain._replace(text=changed(chance, plain.text))
        for one in (plain, mistaken):
            outcome = judge(one, tmp_path / "text")
            if outcome.kind == "wrong":
                wrong.append((outcome.why, one.text))
            if one is plain:
                outcomes[outcome.kind] += 1
    assert wrong == []
    assert outcomes["same"] + outcomes["remarked"] >= SHARES.get(style, 1.0) * TEXTS


def test_beyond_second_readers_rare(tmp_path: Path) -> None:
    """Few texts with mistakes are beyond the second readers."""
    chance, outcomes = random.Random(1), Counter[str]()
    for style in [*STYLES] * 4:
        text = changed(chance, sample(chance, style).text)
        outcomes[judge(Sample(STYLES[style][0].split(" ")[0], style, text), tmp_path / "text").kind] += 1
    assert outcomes["unjudged"] <= 0.1 * outcomes.total()
    assert outcomes["same"] >= 0.1 * outcomes.total()


def four(givens: str, board: str = "4x4") -> list[Meaning]:
    """A reading of one puzzle of 4x4 by its givens."""
    return [of_givens(board_named(board), [int(symbol) for symbol in givens.replace(".", "0")])]


def test_hand_read_texts() -> None:
    """Second readers read what was read by hand."""
    assert READERS["rows"]("12..\n3...\n....\n...1\n") == [four("12..3..........1")]
    assert READERS["rows"]("1,2,,\n3,,,\n,,,\n,,,1\n") == [four("12..3..........1")]
    assert READERS["rows"]("0.2.\n.0..\n....\n...1\n") == [four("..2............1"), four("1.3..1.........2")]
    assert len(READERS["rows"]("." * 64)) == 2
    assert len(READERS["rows"]("\n".join(["." * 21] * 21))) == 2
    with_regions = READERS["rows"]("12..\n3...\n....\n...1\n\n1222\n1123\n1433\n4443\n")
    assert four("12..3..........1", "jigsaw:1222112314334443") in with_regions
    from_zero = READERS["json"]("[[null,0,3,null],[0,null,null,1],[2,3,1,0],[null,null,0,2]]")
    assert from_zero == [four("..3....1231....2"), four(".14.1..23421..13")]
    (hodoku,) = READERS["hodoku"](":0000:x:" + "1" + "." * 80 + ":511 512 999::\n")
    assert [sorted(hodoku[0].allowed[cell]) for cell in (0, 1, 80)] == [
        [1],
        [2, 3, 4, 6, 7, 8, 9],
        [1, 2, 3, 4, 5, 6, 7, 8],
    ]
    (killer,) = READERS["killer"]("3x3::k:" + "1281:1281:768:" + "0:" * 78)
    assert killer[0].others == {("sum", ((0, 1),), (5,))}
    assert min(killer[0].allowed[2]) == 3
    (arrows,) = READERS["snarfable"]("5<" + "0" * 79)
    assert arrows[0].others == {("sum", ((0, 1),), (5,))}


def test_misleading_texts_refused() -> None:
    """Second readers refuse what would mislead."""
    for text in ('{"givens": [1], "givens": [2]}', '{"givens": [[1]], "constraint": ["odd r1c1"]}'):
        with pytest.raises(Misleading):
            READERS["json"](text)
    with pytest.raises(CannotRead):
        READERS["killer"]("3x3::k:1:2")


def test_wrong_reader_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A reader that is wrong is seen."""
    text = Sample("rows", "line", "12..34...12.....\n")
    other = of_givens(board_named("4x4"), [1, 2, 0, 0, 3, 4, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0])
    assert judge(text, tmp_path / "text").kind == "same"
    for answer in (Read([other], "", []), Read([other, other], "", []), Read([], "one\ntwo", [])):
        monkeypatch.setattr(second_readers_runs, "read", lambda *_, answer=answer: answer)
        assert judge(text, tmp_path / "text").kind == "wrong"


def test_two_meanings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A text of two meanings must be refused or read with a remark."""
    text = Sample("rows", "line", "0.2....0.......1\n")
    (blanks,) = four("..2............1")
    for answer, kind in (
        (Read([blanks], "", []), "wrong"),
        (Read([blanks], "", ["0 is a blank"]), "remarked"),
        (Read([], "0 may be a blank", []), "refused"),
    ):
        monkeypatch.setattr(second_readers_runs, "read", lambda *_, answer=answer: answer)
        assert judge(text, tmp_path / "text").kind == kind


def test_faults_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fault is kept and can be read again."""
    monkeypatch.setattr(second_readers_runs, "read", lambda *_: Read([], "two\nlines", []))
    runs, wrong = second_readers_runs.compare(1, 0.2, tmp_path)
    assert runs["wrong"] == len(wrong) == runs.total() > 0
    kept = min(tmp_path.iterdir())
    assert json.loads(kept.read_text())["fault"] == "refused in lines: two\nlines"
    fuzz = runpy.run_path(str(FUZZ))
    assert fuzz["main"](["second-readers", "--replay", str(kept)]) == 1
    monkeypatch.setattr(second_readers_runs, "read", lambda *_: Read([], "one line", []))
    assert fuzz["main"](["second-readers", "--replay", str(kept)]) == 0


def test_files_with_remarks(tmp_path: Path) -> None:
    """The text of a file is read with its remarks."""
    answer = read("u5 " + "12 " * 8 + "\n" + ("12 " * 9 + "\n") * 8, tmp_path / "text")
    assert len(answer.puzzles) == 1
    assert answer.remarks
