"""Pages that play a method step by step, in a real browser."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from sudoku_encode import explain, read
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.puzzles.step import Step
from sudoku_encode.render import steps_page as pages
from sudoku_encode.render.steps_page import steps_page
from tests.helpers.browser import DESKTOP, PHONE, needs_chromium, opened
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES, known

SQUARE, CUBE = "papers/uhbpnp-fig-1.txt", "small/4x4x4-four-givens.txt"
# The axes of jana2023-v2 differ in nothing that a page shows; one of them is enough.
TRIES_ALL, SMALL = ("brute-force", "block-world-1"), "small/4x4-four-givens.txt"
# A method of each module: its versions report the same kinds of steps.
SHOWN = {
    row.module: name
    for name, row in METHODS.items()
    if row.explains and row.installed and (not row.only_if_named or name == "jana2023-v2-plain:z")
}.values()
FOUR_RULES = ("row-z", "box-xy", "box-xz", "box-yz")
HAS_GUESSES = "papers/gtsps-fig-4.9.sdk"

pytestmark = needs_chromium

READ_BOARD = """() => {
  const read = group => {
    const numbers = wanted => [...group.querySelectorAll(wanted)].map(text => Number(text.textContent));
    return {
      value: numbers("text.value:not(.removed)")[0] || 0, taken: numbers("text.value.removed"),
      candidates: numbers("text.candidate:not(.removed)"), struck: numbers("text.candidate.removed"),
      placed: numbers("text.placed"), classes: [...group.classList],
    };
  };
  const groups = [...document.querySelectorAll(".boards [data-cell]")];
  return Object.fromEntries(groups.map(group => [group.dataset.cell, read(group)]));
}"""


# Presses a button a number of times, and returns what each step says.
PLAY = """([name, times]) => Array.from({ length: times }, () => {
  document.querySelector(`button[aria-label="${name}"]`).click();
  return document.querySelector(".step-text .words").textContent;
})"""


def records_of(puzzle: Puzzle, method: str) -> list[dict[str, Any]]:
    """What `explain --json` prints of a method."""
    return [json.loads(json.dumps(step.record(puzzle.geometry))) for step in explain(puzzle, method)]


@contextmanager
def shown(
    puzzle: Puzzle, records: list[dict[str, Any]], folder: Path, step: int = 0, size: tuple[int, int] = DESKTOP
) -> Iterator[Page]:
    """Open the page of some records at a step."""
    path = folder / "steps.html"
    path.write_text(steps_page(puzzle, records, method="a method"), encoding="utf-8")
    with opened(path, size) as page:
        go_to(page, step)
        yield page


def go_to(page: Page, step: int) -> None:
    now = page.get_attribute("#player", "data-step")
    assert now is not None
    if now != str(step):
        # An address that is the same as before is no change: the page writes each step into it a moment later.
        wait_for_address(page, int(now))
        page.evaluate(f"location.hash = '#{step}'")
    page.wait_for_selector(f"#player[data-step='{step}']")


def click(page: Page, text: str) -> None:
    page.get_by_role("button", name=text, exact=True).click()


def wait_for_address(page: Page, step: int) -> None:
    """Wait until the address of a page names a step; it does so a moment later."""
    for _ in range(2400):
        if page.url.endswith(f"#{step}"):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{page.url} does not name step {step}")


def cells(page: Page) -> list[dict[str, Any]]:
    found = page.evaluate(READ_BOARD)
    return [found[str(cell)] for cell in range(len(found))]


def values(page: Page) -> list[int]:
    return [cell["value"] for cell in cells(page)]


def last_grid(puzzle: Puzzle, records: list[dict[str, Any]]) -> list[int]:
    """The last grid that a method reports; what a board holds without one."""
    grids = [record["data"]["grid"] for record in records if "grid" in record["data"]]
    return list(np.ravel(grids[-1])) if grids else puzzle.givens.tolist()


@pytest.mark.parametrize("method", SHOWN)
@pytest.mark.thorough
def test_forward_and_back(method: str, tmp_path: Path) -> None:
    """All steps of a method can be played forward and back."""
    squares = not METHODS[method].unsupported_reason(board("9x9"))
    puzzle = known(SMALL if method in TRIES_ALL else SQUARE if squares else CUBE).puzzle
    records = records_of(puzzle, method)
    expected = last_grid(puzzle, records)

    with shown(puzzle, records, tmp_path) as page:
        assert values(page) == puzzle.givens.tolist()
        said = page.evaluate(PLAY, ["one step on", len(records)])
        end = values(page)
        back = page.evaluate(PLAY, ["one step back", len(records)])
        assert values(page) == puzzle.givens.tolist()
        assert page.get_attribute("#player", "data-step") == "0"

    assert [text for text, record in zip(said, records, strict=True) if record["text"]] == [
        record["text"] for record in records if record["text"]
    ]
    assert back[:-1] == said[-2::-1]
    assert end == expected
    if METHODS[method].finds == "all" and any("grid" in record["data"] for record in records):
        assert list(violations(puzzle, np.array(end, np.uint8))) == []


def test_marks_of_a_step(tmp_path: Path) -> None:
    """A step strikes out what it removes and lights its unit and its reason."""
    puzzle = known(HAS_GUESSES).puzzle
    records = records_of(puzzle, "logic")
    number = next(at for at, record in enumerate(records, start=1) if record["rule"] == "naked pair")
    record, names = records[number - 1], puzzle.geometry.cell_names

    with shown(puzzle, records, tmp_path, number) as page:
        found = cells(page)
        said = page.inner_text(".step-head")
        page.select_option("select >> nth=1", "before")
        before = cells(page)
        page.select_option("select >> nth=1", "after")
        after = cells(page)

    struck = {names[cell]: each["struck"] for cell, each in enumerate(found) if each["struck"]}
    assert struck == record["removes"] == {"r4c4": [3], "r7c4": [4]}
    assert [names[cell] for cell, each in enumerate(found) if "reason" in each["classes"]] == record["because"]
    assert [names[cell] for cell, each in enumerate(found) if "unit" in each["classes"]] == [
        f"r{row}c4" for row in range(1, 10)
    ]
    assert "naked pair" in said
    assert "column 4" in said
    for name, gone in record["removes"].items():
        cell = names.index(name)
        assert sorted(set(before[cell]["candidates"]) - set(after[cell]["candidates"])) == gone
        assert set(after[cell]["candidates"]) < set(before[cell]["candidates"])


@pytest.mark.slow
@pytest.mark.thorough
def test_after_guesses(tmp_path: Path) -> None:
    """The board is right after every guess and every way back."""
    puzzle = known(HAS_GUESSES).puzzle
    records = records_of(puzzle, "uhbpnp")[:60]
    names = puzzle.geometry.cell_names
    kinds, grid = [], puzzle.givens.tolist()

    with shown(puzzle, records, tmp_path) as page:
        for record in records:
            if record["kind"] == "guess":
                # Before a guess its cell may hold what is tried, and what is left for later.
                ((name, tried),) = record["places"].items()
                page.select_option("select >> nth=1", "after")
                held = set(cells(page)[names.index(name)]["candidates"])
                page.select_option("select >> nth=1", "marked")
                assert held == {*tried, *record["data"]["left"]}
            page.click("button[aria-label='one step on']")
            for name, some in record["removes"].items():
                grid[names.index(name)] *= grid[names.index(name)] not in some
            for name, some in record["places"].items():
                grid[names.index(name)] = some[-1]
            assert values(page) == grid
            kinds.append(record["kind"])
            if record["kind"] == "undo":
                assert {name: cells(page)[names.index(name)]["taken"] for name in record["removes"]} == record[
                    "removes"
                ]

    assert kinds.count("undo") > 5


def test_jump(tmp_path: Path) -> None:
    """A step far on is the same when one jumps to it."""
    puzzle = known(HAS_GUESSES).puzzle
    records = records_of(puzzle, "uhbpnp")

    with shown(puzzle, records, tmp_path, 749) as page:
        jumped = cells(page)
        go_to(page, 740)
        for _ in range(9):
            page.keyboard.press("ArrowRight")
        assert cells(page) == jumped
        page.keyboard.press("End")
        assert page.inner_text(".count") == f"{len(records):,} of {len(records):,}"


def test_address_written_over(tmp_path: Path) -> None:
    """A step that is asked for by the address is shown, though the step before is written over it at once."""
    puzzle = known("small/4x4-four-givens.txt").puzzle

    with shown(puzzle, records_of(puzzle, "logic"), tmp_path) as page:
        page.evaluate("location.hash = '#3'; history.replaceState(null, '', '#0')")
        page.wait_for_selector("#player[data-step='3']")
        wait_for_address(page, 3)


def test_play_and_address(tmp_path: Path) -> None:
    """Play reaches the end and the address keeps the step."""
    puzzle = known("small/4x4-four-givens.txt").puzzle
    records = records_of(puzzle, "logic")

    with shown(puzzle, records, tmp_path) as page:
        page.select_option("select >> nth=0", "20")
        page.keyboard.press(" ")
        page.wait_for_selector(f"#player[data-step='{len(records)}']")
        wait_for_address(page, len(records))
        assert page.get_attribute(".play", "aria-label") == "play"
        page.click("button[aria-label='one step back']")
        wait_for_address(page, len(records) - 1)
        page.reload()
        assert page.get_attribute("#player", "data-step") == str(len(records) - 1)
        # Not by the mouse: the list scrolls to its step, and a click could meet another row.
        page.locator(".step-rows button:has-text('1. ')").first.evaluate("button => button.click()")
        page.wait_for_selector("#player[data-step='2']")


def test_tree_folding(tmp_path: Path) -> None:
    """A search tree is folded and unfolded by clicks and keys."""
    puzzle = read(INSTANCES / "papers/jana-2023-table-2.txt", rules=FOUR_RULES)
    records = records_of(puzzle, "jana2021")
    (nodes,) = (record["data"]["nodes"] for record in records if "nodes" in record["data"])

    with shown(puzzle, records, tmp_path) as page:
        click(page, "Unfold all")
        everything = page.locator(".tree .node").count()
        click(page, "Fold all")
        folded = page.locator(".tree .node").count()
        hidden = sum(
            int(number.replace(",", "")) for number in re.findall(r"([\d,]+) nodes? folded", page.inner_text(".tree"))
        )
        row = page.locator("[role=treeitem][aria-expanded=false]").first
        row.focus()
        page.keyboard.press("ArrowRight")
        unfolded = page.locator(".tree .node").count()
        page.keyboard.press("ArrowLeft")
        assert page.locator(".tree .node").count() == folded
        page.click(".tree button.fold >> nth=0")
        assert page.locator(".tree .node").count() == unfolded
        page.click(".tree button.fold >> nth=0")
        assert page.locator(".tree .node").count() == folded
        assert page.get_attribute("#player", "data-step") == "0"

    assert everything == len(nodes) == folded + hidden
    assert folded < unfolded <= everything


def test_solution_branch(tmp_path: Path) -> None:
    """The branch of a solution is lit in the tree."""
    puzzle = known(CUBE).puzzle
    records = records_of(puzzle, "jana2021")
    (tree,) = (record["data"] for record in records if "nodes" in record["data"])
    at = [number for number, record in enumerate(records, start=1) if record["kind"] == "grid"]

    with shown(puzzle, records, tmp_path, at[0]) as page:
        click(page, "Unfold all")
        lit = page.locator(".tree .node.lit").all_inner_texts()

    grid = np.ravel(records[at[0] - 1]["data"]["grid"]).reshape(puzzle.geometry.shape)
    assert [text.removesuffix(" ✓") for text in lit] == [str(grid[tuple(map(int, index))]) for index in tree["index"]]


def test_guess_nodes(tmp_path: Path) -> None:
    """A tree of guesses has a node for each guess."""
    puzzle = known(HAS_GUESSES).puzzle
    records = records_of(puzzle, "uhbpnp")
    guesses = [number for number, record in enumerate(records, start=1) if record["kind"] == "guess"]

    with shown(puzzle, records, tmp_path, guesses[40]) as page:
        said = page.inner_text(".extra >> nth=0")
        click(page, "Unfold all")
        assert page.locator(".tree .node").count() == len(guesses)
        current = page.inner_text(".tree [aria-current]")
        depth = page.inner_text(".step-head .depth")
        assert page.locator(".tree .node.lit").count() == int(depth.split()[-1])
        page.click(".tree .node >> nth=1")
        assert page.get_attribute("#player", "data-step") == str(guesses[1])

    assert "127 solutions" in said
    ((name, (value,)),) = records[guesses[40] - 1]["places"].items()
    assert current == f"{name}={value}"


def test_graph_vertices(tmp_path: Path) -> None:
    """The graph loses the vertices that the records delete."""
    puzzle = known("papers/gtsps-fig-4.2.ss").puzzle
    records = records_of(puzzle, "gtsps-4.1")
    (near,) = (record["data"]["linked lists"] for record in records if "linked lists" in record["data"])
    gone: list[str] = []

    with shown(puzzle, records, tmp_path) as page:
        for number, record in enumerate(records, start=1):
            page.keyboard.press("ArrowRight")
            going = page.locator(".vertex.going").evaluate_all("all => all.map(one => one.dataset.vertex)")
            assert going == record["data"].get("deleted", [])
            if going:
                # The graph is beside the board, and what goes is moved into view within its frame.
                box = page.locator(".vertex.going").first.bounding_box()
                assert box is not None
                assert 0 < box["y"] < DESKTOP[1] - box["height"], number
            faded = page.locator(".vertex.gone").evaluate_all("all => all.map(one => one.dataset.vertex)")
            assert set(faded) == set(gone), number
            gone += going
        go_to(page, 12)
        page.hover("[data-vertex='2b']")
        lit = page.locator(".vertex.near").evaluate_all("all => all.map(one => one.dataset.vertex)")
        assert set(lit) == {"2b", *near["2b"]}
        page.focus("[data-vertex='1a']")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.dataset.vertex") == "1b"
        assert page.get_attribute("#player", "data-step") == "12"

    assert len(gone) == 33 - 9


def test_super_vertices(tmp_path: Path) -> None:
    """Super vertices without an edge fade and a cycle is lit."""
    puzzle = known("papers/gtsps-fig-4.2.ss").puzzle
    records = records_of(puzzle, "gtsps-4.2")
    number = next(at for at, record in enumerate(records, start=1) if record["rule"] == "cycle")

    with shown(puzzle, records, tmp_path, number) as page:
        graph = page.locator(".graph:visible")
        assert graph.locator(".vertex").count() == 40
        assert graph.locator(".vertex.gone").count() == 21
        lit = graph.locator(".vertex.lit").evaluate_all("all => all.map(one => one.dataset.vertex)")
        assert lit == records[number - 1]["data"]["super-vertices"]
        go_to(page, len(records))
        assert page.locator(".graph:visible .vertex").count() == 6


def test_search_in_words(tmp_path: Path) -> None:
    """Search steps are sentences, and the board shows no solution before the search is over."""
    puzzle = known(HAS_GUESSES).puzzle
    records = records_of(puzzle, "gtsps-4.1")
    numbers = [number for number, record in enumerate(records, start=1) if record["kind"] == "branch"]
    (grid,) = (number for number, record in enumerate(records, start=1) if record["kind"] == "grid")

    with shown(puzzle, records, tmp_path, numbers[3]) as page:
        assert page.inner_text(".words") == "minigrid 7: 4 vertices left, 10 branches, 0 dead ends"
        assert page.inner_text(".step-rows [aria-current] .line") == page.inner_text(".words")
        units = [cell for cell, content in enumerate(cells(page)) if "unit" in content["classes"]]
        assert units == puzzle.geometry.rules[2].units[6].tolist()
        assert values(page) == puzzle.givens.tolist()
        go_to(page, grid)
        assert page.inner_text(".words").startswith("one of 127 solutions:")
        go_to(page, len(records))
        assert page.inner_text(".note") == "The board shows one of the 127 solutions."


def test_levels_in_words(tmp_path: Path) -> None:
    """Levels of a search tree are sentences."""
    puzzle = read(INSTANCES / "papers/jana-2023-table-2.txt", rules=FOUR_RULES)
    records = records_of(puzzle, "jana2023-v1")
    (number,) = (number for number, record in enumerate(records, start=1) if record["data"].get("level") == 12)

    with shown(puzzle, records, tmp_path, number) as page:
        assert page.inner_text(".words") == "level 12, 051 = x0y5z1, candidates 3 4: 3 branches open, 0 ended"
        assert page.locator("h2").all_inner_texts() == ["Board", f"Step {number}", "All steps", "Search tree"]


def test_about_the_method(run: Command, tmp_path: Path) -> None:
    """A page says what the method does, for which boards it is, and where it was published."""
    path = tmp_path / "page.html"
    run("explain", INSTANCES / SMALL, "--method", "norvig2006", "--to", "html", "-o", path)
    with opened(path) as page:
        row = METHODS["norvig2006"]
        assert page.inner_text("h1") == "4x4-four-givens.txt, 4x4: norvig2006, step by step; rules row, column, box"
        assert page.inner_text(".about") == row.about
        assert page.inner_text(".source") == f"Source: {row.source}"


def test_piles(tmp_path: Path) -> None:
    """The piles of the block world shrink as the board fills."""
    puzzle = known("papers/block-world-fig-1.opensudoku").puzzle
    records = records_of(puzzle, "block-world-4-sound")

    with shown(puzzle, records, tmp_path, 2) as page:
        start = list(map(int, page.locator(".piles .under").all_inner_texts()))
        go_to(page, 3)
        assert page.locator(".piles .moved").count() == 1
        go_to(page, len(records))
        end = list(map(int, page.locator(".piles .under").all_inner_texts()))

    assert start == records[1]["data"]["piles"]
    assert end == [0] * 9


@pytest.mark.parametrize(
    ("name", "method"),
    [
        (HAS_GUESSES, "uhbpnp"),
        (HAS_GUESSES, "gtsps-4.1"),
        ("papers/gtsps-fig-4.2.ss", "gtsps-4.2"),
        ("papers/jana-2023-table-2.txt", "jana2023-v1"),
        ("papers/block-world-fig-1.opensudoku", "block-world-1"),
    ],
)
@pytest.mark.thorough
def test_telephone(name: str, method: str, tmp_path: Path) -> None:
    """A telephone shows a page without scrolling sideways."""
    puzzle = known(name).puzzle
    records = records_of(puzzle, method)
    with shown(puzzle, records, tmp_path, len(records) // 2, PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("size", "at_first"), [(DESKTOP, 9), (PHONE, 1)])
def test_cube_layers(size: tuple[int, int], at_first: int, tmp_path: Path) -> None:
    """Of a cube all layers are seen or those that a step is about."""
    puzzle = read(INSTANCES / "papers/jana-2023-table-2.txt", rules=FOUR_RULES)
    records = records_of(puzzle, "jana2023-v1")
    number = next(at for at, record in enumerate(records, start=1) if record["places"])
    assert {name[:2] for key in ("places", "removes") for name in records[number - 1][key]} == {"x0"}

    with shown(puzzle, records, tmp_path, number, size) as page:
        figures = page.locator(".boards figure:visible")
        assert figures.count() == at_first
        page.click("input[type=checkbox]")
        assert figures.count() == 10 - at_first


def test_many_steps(tmp_path: Path) -> None:
    """Thousands of steps are a list of which few are in the page."""
    puzzle = Puzzle.of(board("4x4"))
    some = [Step("", "guess", places=((0, 1),)), Step("", "undo", removes=((0, 1),))] * 9_999
    records = [step.record(puzzle.geometry) for step in some]

    with shown(puzzle, records, tmp_path, 15_001) as page:
        assert values(page)[0] == 1
        assert page.locator(".step-rows li").count() < 60
        assert page.inner_text(".step-rows [aria-current]").split() == ["15001", "tries", "1", "in", "r1c1"]
        page.keyboard.press("ArrowRight")
        assert cells(page)[0]["taken"] == [1]


def test_omissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left out is said."""
    monkeypatch.setattr(pages, "MAX_STEPS", 5)
    puzzle = known("small/4x4-four-givens.txt").puzzle
    records = records_of(puzzle, "logic")
    with shown(puzzle, records, tmp_path) as page:
        assert f"Only the first 5 steps are here: {len(records) - 5} more are left out." in page.inner_text("body")
        assert page.get_attribute("input[type=range]", "max") == "5"


def test_escaped_texts(tmp_path: Path) -> None:
    """Texts are texts whatever is in them also without scripts."""
    puzzle = Puzzle.of(board("4x4"), name="</script><b>&")
    records = [Step(f"<i>{number}</i> </noscript>", "note").record(puzzle.geometry) for number in (1, 2)]
    with shown(puzzle, records, tmp_path, 1) as page:
        assert page.inner_text(".words") == "<i>1</i> </noscript>"
        assert page.locator("i, b").count() == 0

    text = (tmp_path / "steps.html").read_text(encoding="utf-8")
    (plain,) = re.findall("<noscript>(.*?)</noscript>", text, re.DOTALL)
    assert plain.count("<li>") == 2
    assert "&lt;i&gt;2&lt;/i&gt;" in plain


def test_explain_writes_pages(run: Command, tmp_path: Path) -> None:
    """Explain writes a page or one for each puzzle in a folder."""
    one, two = INSTANCES / "papers/keck-cubic.txt", INSTANCES / "papers/keck-hard.txt"
    single = run("explain", one, "--to", "html", "-o", tmp_path / "one.html")
    many = run("explain", one, two, "--to", "html", "-o", f"{tmp_path}/pages/")
    printed = run("explain", one, "--to", "html")

    assert (single.status, many.status, printed.status) == (0, 0, 0)
    assert (single.out, many.out) == ("", "")
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["000001.html", "000002.html"]
    text = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert (tmp_path / "pages" / "000001.html").read_text(encoding="utf-8") == text == printed.out
    with opened(tmp_path / "pages" / "000002.html") as page:
        assert "logic, step by step" in page.inner_text("h1")


def test_stopped_method(run: Command, tmp_path: Path) -> None:
    """A method that is stopped has a page that says so."""
    path = tmp_path / "page.html"
    ran = run("explain", "--board", "9x9x9", "--method", "jana2021", "--to", "html", "--timeout", "0.3", "-o", path)
    assert ran.status == 3
    assert "The method was stopped before its end: time limit." in path.read_text(encoding="utf-8")


def test_unsolvable(run: Command, tmp_path: Path) -> None:
    """A puzzle without a solution has a page and a negative answer."""
    path = tmp_path / "page.html"
    ran = run("explain", INSTANCES / "small/4x4-none.txt", "--to", "html", "-o", path)
    assert ran.status == 1
    with opened(path) as page:
        assert page.locator(".remark").count() == 0
        page.keyboard.press("End")
        assert page.inner_text(".words").startswith("no solution")


def test_refusals(run: Command, tmp_path: Path) -> None:
    """An input and an option without effect are refused."""
    puzzle = tmp_path / "puzzle.txt"
    puzzle.write_bytes((INSTANCES / "papers/keck-cubic.txt").read_bytes())
    same = run("explain", puzzle, "--to", "html", "-o", puzzle)
    without = run("explain", puzzle, "-o", tmp_path / "page.html")
    many = run("explain", puzzle, INSTANCES / "papers/keck-hard.txt", "--to", "html", "-o", tmp_path / "page.html")

    assert [ran.status for ran in (same, without, many)] == [2, 2, 2]
    assert "would be overwritten" in same.err
    assert "-o is only for the page of --to html" in without.err
    assert "give a folder to write to" in many.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["puzzle.txt"]
