"""The site of the papers' pages, opened in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import sudoku_encode as se
from sudoku_encode import reproduce
from sudoku_encode.render import plots as drawn_plots
from sudoku_encode.reproduce import pages, site
from sudoku_encode.reproduce.finding import (
    DIFFERS,
    REPRODUCED,
    SETTLED,
    UNCHECKED,
    Finding,
    Page,
    Paper,
    Plot,
    Series,
    Work,
    side_by_side,
)
from sudoku_encode.reproduce.site import in_form
from tests.helpers import browser
from tests.helpers.browser import DESKTOP, PHONE, needs_chromium, opened
from tests.helpers.command import Command
from tests.helpers.paper_findings import CHECKS, cases, finding

TABLE = side_by_side(
    ("animal", "paper, legs", "ours, legs", "mg"),
    ("ant <b>", 6, 6, 0.3),
    ("spider", None, "8", 25_000),
    ("spider", 8, "at least 6", 0),
    drawn={"legs": ("paper, legs", "ours, legs"), "mass, mg": ("mg",)},
)
GROWTH = side_by_side(("age", "eggs"), (1, 3), (2, 90), (4, 2_000), drawn={"eggs": ("eggs",)})
CLOUD = Plot("cloud", "A cloud", "blanks", "s", (Series("", tuple(range(30)), tuple(range(30)), True),), log=False)


def legs(work: Work) -> Finding:
    return Finding("Table 1", "Ants have `6` legs, <i>all</i> of them.", "6.", REPRODUCED, "", TABLE)


def eggs(work: Work) -> Finding:
    return Finding("Fig. 2", "Eggs double.", "They grow faster.", DIFFERS, "See the plot.", GROWTH, CLOUD)


def author(work: Work) -> Finding:
    return Finding("section 9", "The author is tired.", "Not compared.", UNCHECKED, "He is not at hand.")


def count(work: Work) -> Finding:
    return Finding("section 10", "Who has counted all ants?", "Nobody.", SETTLED, "By asking.")


INSECTS = Paper("insects", "On <Insects>", "A. Nt & B. Ee", "It counts `legs`.", (legs, eggs, author, count))

# Tables that are not drawn, and why.
NOT_DRAWN = {
    ("jana2023", "mini_cubes"): "cells and digits",
    ("jana2023", "candidates_of_figure_8a"): "sets of digits",
    ("jana2023", "rows_of_figures_13_to_16"): "rows of candidates",
    ("jana2023", "fields_of_figure_10"): "numbers of lines of code",
    ("jana2023", "places_named_in_the_text"): "names of sections",
    ("jana2023", "pictures"): "names of figures",
    ("block-world", "the_pictures"): "names of figures",
    ("keck", "rules_of_the_pictures"): "what is compared is a list of rules",
}


def page_of(paper: Paper) -> Page:
    found = {check.__name__: check(Work()) for check in paper.checks}
    return Page(paper, found, dict.fromkeys(found, 0.5))


def n_points(page: Page) -> int:
    """How many values there are to be drawn on a page."""
    named = [one for some in pages.plots_of_page(page).values() for one in some]
    return sum(value is not None for one in named for series in one.plot.series for value in series.y)


@pytest.fixture(scope="module", autouse=True)
def one_browser() -> Iterator[None]:
    """Share a browser among the tests that a worker runs one after the other."""
    with browser.shared():
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    page = page_of(INSECTS)
    (tmp_path / "insects.html").write_text(site.paper(page), encoding="utf-8")
    (tmp_path / "index.html").write_text(site.index([page]), encoding="utf-8")
    return tmp_path


def test_drawn_columns() -> None:
    """A table is drawn by the columns that it names."""
    (legs_, mass), (cloud, growth), *none = pages.plots_of_page(page_of(INSECTS)).values()
    assert none == [[], []]
    assert [one.name for one in (legs_, mass, cloud, growth)] == [
        *("insects-legs-1", "insects-legs-2", "cloud", "insects-eggs"),
    ]
    paper, ours = legs_.plot.series
    # Rows of one name are numbered; a number that is there as text is one, `at least 6` is none.
    assert paper.x == ours.x == ("ant <b>", "spider (1)", "spider (2)")
    assert (paper.y, ours.y) == ((6, None, 8), (6, 8, None))
    assert (paper.hollow, ours.hollow, paper.colour, ours.colour) == ((True,) * 3, (), 0, 0)
    assert (legs_.plot.log, mass.plot.log, growth.plot.log) == (False, True, True)
    assert (growth.plot.x, growth.plot.series[0].x, growth.plot.series[0].joined) == ("age", (1, 2, 4), True)


def test_unknown_column() -> None:
    """What is drawn must be a column."""
    with pytest.raises(ValueError, match="expected exactly one column 'wings'"):
        side_by_side(("animal", "legs"), ("ant", 6), drawn={"wings": ("wings",)})


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_visible_marks(folder: Path, size: tuple[int, int], scheme: str) -> None:
    """Each value of a table is a mark that is seen."""
    with opened(folder / "insects.html", size) as page:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        marks = page.locator(".plot .mark")
        assert marks.count() == n_points(page_of(INSECTS)) == 4 + 3 + 30 + 3
        boxes = "marks => marks.map(mark => mark.getBoundingClientRect()).map(box => Math.min(box.width, box.height))"
        assert min(marks.evaluate_all(boxes)) > 0.5
        # Nothing is wider than the window.
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        bar = page.evaluate("getComputedStyle(document.querySelector('.mark')).stroke")
        assert ground != bar
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


@needs_chromium
def test_pictures_on_a_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture of many layers shrinks to the screen."""
    figure = site.Figure("Fig. 1", "Nine layers.", "sudoku-encode show --board 9x9x9 --to svg", lambda: "")
    picture = str(se.draw(se.Puzzle.of(se.board("9x9x9"))))
    monkeypatch.setattr(site, "figures_of", lambda key: [(figure, picture)])
    path = tmp_path / "insects.html"
    path.write_text(site.paper(page_of(INSECTS)), encoding="utf-8")

    with opened(path, PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        frame = page.locator(".picture")
        assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth")
        assert 300 < page.locator(".picture img").evaluate("image => image.clientWidth") < PHONE[0]


@needs_chromium
@pytest.mark.parametrize("name", ["index.html", "insects.html"])
def test_verdict_filters(name: str, folder: Path) -> None:
    """Verdicts are filtered by click and by keyboard."""
    claims = "tbody tr[data-verdict]" if name == "index.html" else "article"
    with opened(folder / name) as page:
        shown = page.locator(f"{claims}:visible")
        assert shown.count() == 4
        page.get_by_role("checkbox", name="reproduced").uncheck()
        assert shown.count() == 3
        assert page.locator(f'{claims}[data-verdict="reproduced"]').is_hidden()
        page.get_by_role("checkbox", name="differs").focus()
        page.keyboard.press("Space")
        assert page.locator(".filters output").inner_text() == "2 shown"
        page.keyboard.press("Space")
        page.get_by_role("checkbox", name="reproduced").check()
        assert shown.count() == 4


@pytest.mark.slow
@needs_chromium
def test_paper_filters(folder: Path) -> None:
    """Papers are filtered and a link leads to its claim."""
    with opened(folder / "index.html") as page:
        page.get_by_role("combobox").select_option("insects")
        assert page.locator("tbody tr[data-verdict]:visible").count() == 4
        page.get_by_role("link", name="Fig. 2").click()
        assert page.url.endswith("insects.html#eggs")
        assert page.locator("article#eggs").is_visible()
        page.get_by_role("checkbox", name="differs").uncheck()
        assert page.locator("article#eggs").is_hidden()
        # A link from elsewhere shows what is filtered out.
        page.evaluate("location.hash = ''")
        page.evaluate("location.hash = '#eggs'")
        page.locator("article#eggs").wait_for(state="visible")


@pytest.mark.slow
@needs_chromium
def test_verdict_without_colour(folder: Path) -> None:
    """A verdict is told without its colour."""
    with opened(folder / "insects.html") as page:
        badges = page.locator("article .badge").all_inner_texts()
        assert badges == ["✓ reproduced", "≠ differs", "? cannot be checked", "◆ settled"]


@needs_chromium
def test_escaped_text(folder: Path) -> None:
    """Text of a finding is no HTML and backquotes are code."""
    with opened(folder / "insects.html") as page:
        assert page.get_by_role("heading", level=1).inner_text() == "On <Insects>"
        assert page.locator("#legs dd").first.inner_text() == "Ants have 6 legs, <i>all</i> of them."
        assert page.locator("#legs dd code").inner_text() == "6"
        assert page.locator("#legs td").first.inner_text() == "ant <b>"


@pytest.mark.slow
@needs_chromium
def test_copy_command(folder: Path) -> None:
    """The command is copied."""
    with opened(folder / "insects.html") as page:
        page.get_by_role("button", name="Copy the command").click()
        page.get_by_role("button", name=re.compile("Copied|Selected")).wait_for()
        assert page.locator(".command code").inner_text() == "sudoku-encode reproduce insects -o FOLDER"


@pytest.mark.slow
@needs_chromium
def test_printed_tables(folder: Path) -> None:
    """All tables are on paper."""
    long = side_by_side(("x", "y"), *((at, at) for at in range(40)))
    page_ = Page(INSECTS, {"legs": Finding("Table 1", "Long.", "It is.", REPRODUCED, "", long)}, {"legs": 0.5})
    (folder / "insects.html").write_text(site.paper(page_), encoding="utf-8")
    with opened(folder / "insects.html") as page:
        assert page.locator("#legs table").is_hidden()
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("#legs table").is_visible()
        assert page.locator(".filters").is_hidden()


@pytest.mark.slow
@needs_chromium
def test_real_run(run: Command, tmp_path: Path) -> None:
    """A real run writes pages whose links and pictures are all there."""
    home = tmp_path / "pages"
    assert run("reproduce", "keck", "--puzzles", "4", "--timeout", "0.2", "-o", home).status == 0
    pages = sorted(home.glob("*.html"))
    assert [path.name for path in pages] == ["index.html", "keck.html"]
    for path in pages:
        with opened(path) as page:
            links = page.eval_on_selector_all("a", "links => links.map(link => link.getAttribute('href'))")
            pictures = page.eval_on_selector_all("img", "all => all.map(one => one.complete && one.naturalWidth > 100)")
            n_marks = page.locator(".mark").count()
        assert pictures == [True] * len(site.FIGURES["keck"] if path.stem == "keck" else ())
        for link in links:
            file, _, place = unquote(link).partition("#")
            target = (home / file if file else path).read_text(encoding="utf-8")
            assert not place or f'id="{place}"' in target
    assert n_marks >= 20
    # So are the pictures of the page of Markdown, each with all its marks.
    named = re.findall(r"^!\[.*\]\((\S+\.svg)\)$", (home / "keck.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in home.glob("*.svg"))
    drawn = [ElementTree.parse(home / name) for name in named]
    assert sum("mark" in str(one.get("class")).split() for tree in drawn for one in tree.iter()) == n_marks


def test_page_of_one_paper(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of one paper is printed as HTML."""
    monkeypatch.setattr(reproduce, "paper", lambda key: INSECTS)
    ran = run("reproduce", "keck", "--to", "html")
    assert ran.status == 0
    assert ran.lines[0] == "<!DOCTYPE html>"
    assert in_form(page_of(INSECTS), "html") == ran.out.removesuffix("\n")


@pytest.mark.parametrize("key", [key for key in site.FIGURES if key != "jana2023"])
def test_figure_commands(key: str, run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command beside a figure draws it."""
    monkeypatch.chdir(Path(__file__).parents[2])
    for figure in site.FIGURES[key]:
        ran = run(*figure.command.split()[1:])
        assert ran.status == 0, figure.command
        assert ElementTree.fromstring(figure.draw()).tag.endswith("svg")
        assert figure.draw().rstrip("\n") == ran.out.rstrip("\n")


def test_figure_12(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figure 12 is what its command prints."""
    monkeypatch.chdir(Path(__file__).parents[2])
    (figure,) = [one for one in site.FIGURES["jana2023"] if one.number == "Fig. 12"]
    assert figure.draw() == run(*figure.command.split()[1:]).out.rstrip("\n")


@pytest.mark.parametrize(("key", "name"), cases((key, name) for key in CHECKS for name in CHECKS[key]))
@pytest.mark.thorough
def test_tables_drawn_or_listed(key: str, name: str) -> None:
    """Every table with numbers is drawn or is on the list."""
    found = finding(key, name)
    drawn = pages.plots_of_finding(f"{key}-{name}", found) if found.table else []
    assert bool(drawn) == (found.table is not None and (key, name) not in NOT_DRAWN)
    for one in drawn:
        text = drawn_plots.svg(one.plot)
        n = sum(value is not None for series in one.plot.series for value in series.y)
        assert text.count('class="mark ') == n > 0, one.name
