"""`sudoku-encode reproduce`: pages as text, Markdown and JSON, with plots."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sudoku_encode as se
from sudoku_encode import reproduce
from sudoku_encode.methods.method import Method
from sudoku_encode.papers import brute_force
from sudoku_encode.render import plots as drawn_plots
from sudoku_encode.reproduce import pages, puzzles
from sudoku_encode.reproduce.finding import (
    CONSISTENT,
    DIFFERS,
    REPRODUCED,
    SETTLED,
    UNCHECKED,
    VERDICTS,
    Finding,
    Page,
    Paper,
    Plot,
    Series,
    Work,
    side_by_side,
    verdict,
)
from tests.helpers.command import Command

BARS = Plot(
    "bars",
    "A title",
    "kinds",
    "ms",
    (Series("a", ("one", "two"), (1.0, None), True), Series("a", ("one",), (3.0,), False)),
)
POINTS = Plot(
    "points", "Points", "blanks", "s", (Series("", (1, 2), (1.0, 2.0), True), Series("", (1,), (0.5,), False, "x"))
)


def six_legs(work: Work) -> Finding:
    table = side_by_side(("animal", "legs"), ("ant", 6), ("spider", None))
    return Finding("Table 1", "Ants have 6 legs.", "6 legs.", verdict(6 == 2 * 3), "", table, BARS)


def seven_legs(work: Work) -> Finding:
    return Finding(
        "section 2", "Ants have 7 legs.", f"6 legs, of {work.puzzles} ants.", verdict(7 == 2 * 3), "An odd number."
    )


def legs_of_the_author(work: Work) -> Finding:
    return Finding(
        "acknowledgements", "The author is on his last legs.", "Not compared.", UNCHECKED, "He is not at hand."
    )


ANTS = Paper(
    "ants", "On Ants", "A. Nt, Insects 1 (2020)", "It counts legs.", (six_legs, seven_legs, legs_of_the_author)
)


def page_of_ants(work: Work) -> Page:
    """Check what is `reproduce.paper` now."""
    names = [check.__name__ for check in reproduce.paper("ants").checks]
    return reproduce.page("ants", {name: (reproduce.check("ants", name, work), 0.5) for name in names})


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.setattr(reproduce, "paper", lambda key: ANTS)
    return page_of_ants(Work(puzzles=8))


def test_names_of_findings(page: Page) -> None:
    """A page has every finding by the name of its check."""
    assert {name: finding.verdict for name, finding in page.findings.items()} == {
        "six_legs": REPRODUCED,
        "seven_legs": DIFFERS,
        "legs_of_the_author": UNCHECKED,
    }
    assert pages.summary(page) == "3 claims: 1 reproduced, 1 differs, 1 cannot be checked."


def test_text_order(page: Page) -> None:
    """Text begins with what differs."""
    lines = pages.text(page).splitlines()
    assert lines[0] == "On Ants"
    assert lines.index("DIFFERENT RESULTS") < lines.index("REPRODUCED CLAIMS")
    assert lines.index("REPRODUCED CLAIMS") < lines.index("CLAIMS THAT CANNOT BE CHECKED")
    assert " 1. section 2. The paper: Ants have 7 legs." in lines
    assert "    Ours: 6 legs, of 8 ants." in lines
    assert "    ant        6" in lines
    assert "    spider     -" in lines


def test_markdown(page: Page) -> None:
    """Markdown has tables and pictures."""
    lines = pages.markdown(page).splitlines()
    assert lines[0] == "# On Ants"
    assert "| ant | 6 |" in lines
    assert "|---|---:|" in lines
    assert "![A title](bars.svg)" in lines
    assert "> An odd number." in lines


def test_json(page: Page) -> None:
    """JSON has the figures."""
    record = json.loads(pages.as_json(page))
    assert record["tally"] == {"reproduced": 1, "differs": 1, "cannot be checked": 1}
    assert record["findings"]["six_legs"]["table"]["rows"] == [["ant", 6], ["spider", None]]
    assert record["findings"]["six_legs"]["plot"]["series"][0]["y"] == [1.0, None]


@pytest.mark.parametrize("plot", [BARS, POINTS], ids=lambda plot: plot.name)
def test_plots(plot: Plot) -> None:
    """A plot is a picture with both sides in its legend."""
    (named,) = pages.plots_of_finding("", Finding("", "", "", REPRODUCED, plot=plot))
    tree = ElementTree.fromstring(drawn_plots.svg(named.plot))
    texts = [one.text for one in tree.iter() if one.tag.endswith("text")]
    for words in (plot.title, *(series.label for series in plot.series)):
        assert words in texts
    assert any(str(text).startswith(plot.y) for text in texts)
    assert plot.x in texts or plot is BARS


@pytest.mark.slow
def test_command(run: Command) -> None:
    """The command prints a page."""
    ran = run("reproduce", "keck", "--puzzles", "4", "--timeout", "0.2")
    assert ran.status == 0
    assert reproduce.paper("keck").title in ran.lines[0]
    assert f"{len(reproduce.paper('keck').checks)} claims" in ran.err


@pytest.mark.slow
def test_folder_of_forms(run: Command, tmp_path: Path) -> None:
    """A folder gets all forms and plots."""
    ran = run("reproduce", "keck", "--puzzles", "4", "--timeout", "0.2", "-o", tmp_path / "pages")
    assert ran.status == 0, ran.err
    assert {path.name for path in (tmp_path / "pages").iterdir()} == {
        *("README.md", "index.html", "findings.jsonl", "keck.md", "keck.txt", "keck.json", "keck.html"),
        *("keck-fewest-clues.svg", "keck-fewer-constraints.svg", "keck-surfaces-of-the-pictures.svg"),
        *("keck-other-sizes-1.svg", "keck-other-sizes-2.svg"),
    }
    assert "(keck.md)" in (tmp_path / "pages" / "README.md").read_text()


def test_bad_folder(run: Command, tmp_path: Path) -> None:
    """A folder that cannot be made is one line."""
    (tmp_path / "file").write_text("")
    ran = run("reproduce", "keck", "-o", tmp_path / "file" / "pages")
    assert ran.status == 2
    assert len(ran.err.splitlines()) == 1
    assert run("reproduce", "riemann1859").status == 2


@pytest.mark.parametrize("key", reproduce.PAPERS)
def test_check_names(key: str) -> None:
    """Every check has a name and a sentence of its own."""
    paper = reproduce.paper(key)
    names = [check.__name__ for check in paper.checks]
    assert paper.key == key
    assert len(set(names)) == len(names) >= 5
    assert all(check.__doc__ for check in paper.checks)
    assert set(VERDICTS) == {DIFFERS, REPRODUCED, CONSISTENT, SETTLED, UNCHECKED}


@pytest.mark.parametrize("method", ["brute-force", "gtsps-4.1", "gtsps-4.2", "jana2023-v1-boxes"])
def test_counted_as_front_door(method: str) -> None:
    """A method is counted in this process as the front door counts it."""
    cube = method.startswith("jana")
    (puzzle,) = puzzles.read("papers/jana-2023-table-2.txt" if cube else "papers/gtsps-fig-4.9.sdk")

    assert puzzles.count_in_process(puzzle, method, 60) == se.count(puzzle, method)
    assert puzzles.count_in_process(puzzle, method, 0) == se.Count(0, False, "time limit")


@pytest.mark.parametrize("wrong", ["a given", "a unit"])
def test_wrong_list_not_counted(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that lists what is no solution is not counted."""
    (puzzle,) = puzzles.read("papers/gtsps-fig-4.9.sdk")
    grids = puzzles.solutions(puzzle)
    if wrong == "a given":
        grids[100] = grids[100] % 9 + 1
    else:
        grids[100, puzzle.blanks[0]] = grids[100, puzzle.blanks[1]]
    monkeypatch.setattr(brute_force, "solutions", lambda puzzle, tick: iter([grids]))

    with pytest.raises(se.InternalError, match="brute-force lists a grid that is not a solution"):
        puzzles.count_in_process(puzzle, "brute-force", 60)


def test_uncompiled_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that cannot be compiled is not timed."""
    monkeypatch.setattr(Method, "installed", False)
    with pytest.raises(se.MethodError, match="brute-force needs compiled code, which cannot be made here"):
        puzzles.count_in_process(se.Puzzle.of(se.board("4x4")), "brute-force", 60)


def test_settled_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is settled is counted where something is."""

    def how_many_ants(work: Work) -> Finding:
        return Finding("section 3", "Who has counted all ants?", "Nobody.", SETTLED, "By asking.")

    monkeypatch.setattr(reproduce, "paper", lambda key: replace(ANTS, checks=(six_legs, how_many_ants)))
    page = page_of_ants(Work())

    assert pages.summary(page) == "2 claims: 1 reproduced, 0 differ, 0 cannot be checked, 1 settled."
    assert "## Settled questions" in pages.markdown(page).splitlines()
    assert json.loads(pages.as_json(page))["tally"]["settled"] == 1


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (6.45529e26, "6.45529e+26"),
        (645529412325649613995376640, "645,529,412,325,649,613,995,376,640"),
        (1234.4, "1,234"),
    ],
)
def test_no_invented_digits(cell: float, shown: str) -> None:
    """A large estimate has six digits, and a whole number all of its own."""
    assert pages.cell_text(cell) == shown
