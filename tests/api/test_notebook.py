"""Objects show themselves wherever HTML or SVG is asked for, and long cells of notebooks say how far they are."""

import io
import re
import runpy
import subprocess
import sys
from base64 import b64decode
from html import escape
from pathlib import Path
from typing import Any

import pytest

import sudoku_encode as se
from sudoku_encode.api import notebook, notebook_views
from tests.helpers.browser import needs_chromium, opened

SEVERAL = "1.....3........."
UNIQUE = "1234341221434..."
CLASH = "11.............."
CUBE = "1" + 63 * "."


def executed(*cells: str) -> list[list[Any]]:
    """Run cells in a kernel of their own; return the outputs of each."""
    # Not loaded with this module: each process that a test forks would copy the page tables of these 60 MB.
    import nbformat
    from nbclient import NotebookClient

    v4: Any = nbformat.v4
    book = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    return [cell.outputs for cell in book.cells]


def pictures(html: str) -> list[str]:
    parts = html.split('src="data:image/svg+xml;base64,')[1:]
    return [b64decode(part.partition('"')[0]).decode() for part in parts]


@pytest.mark.parametrize("kind", notebook_views.VIEWS)
def test_classes_show_themselves(kind: type) -> None:
    """A class that has a view is asked for it by `_repr_html_`."""
    assert callable(kind.__dict__["_repr_html_"])


BOARDS = [se.read(SEVERAL, board="4x4"), se.board("6x6"), se.solve(SEVERAL, board="4x4")]


@pytest.mark.parametrize("shown", [*BOARDS, se.candidates(SEVERAL, board="4x4"), se.hint(UNIQUE, board="4x4")])
def test_board_is_picture(shown: Any) -> None:
    """Boards, grids, candidates and hints are pictures, by themselves and in HTML."""
    assert shown._repr_svg_().startswith("<svg ")
    assert pictures(shown._repr_html_()) == [shown._repr_svg_()]


def test_drawing_shows_itself() -> None:
    """A drawing in SVG shows itself as HTML too."""
    drawing: Any = se.draw(SEVERAL, board="4x4")
    assert drawing._repr_svg_() == str(drawing)
    assert pictures(drawing._repr_html_()) == [str(drawing)]
    page: Any = se.draw(CUBE, "html", board="4x4x4")
    assert (page._repr_svg_(), "<iframe " in page._repr_html_()) == (None, True)


def test_samples_first_few() -> None:
    """Samples show the first few, and how many there are."""
    drawn = se.sample(SEVERAL, 5, seed=1, board="4x4")
    html = notebook_views.html(drawn)
    assert html.startswith("<p>5 samples, uniform, of 12 solutions; the first 4:</p>")
    assert len(pictures(html)) == 4
    assert notebook_views.html(se.sample(CLASH, seed=1, board="4x4")) == "<p>0 samples, uniform, of 0 solutions</p>"


def test_models_show_sizes() -> None:
    """A model shows how large it is."""
    html = notebook_views.html(se.cp_model(CLASH, board="4x4", reduction="givens"))
    assert ">constraints</td>" in html
    assert ">no solution</td>" in html


def test_failing_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a picture fails the object is still printed."""
    monkeypatch.setattr(notebook_views, "draw", lambda *_, **__: 1 / 0)
    shown: Any = se.read(SEVERAL, board="4x4")
    assert shown._repr_html_() == "<pre>Puzzle(&#x27;4x4&#x27;, 2 givens)</pre>"
    assert shown._repr_svg_() is None


def test_subclass_shows_itself() -> None:
    """A class of a user's own shows itself as the one below it."""

    class Own(se.Puzzle):
        pass

    assert notebook_views.html(Own(se.board("4x4"))) == notebook_views.html(se.board("4x4"))


def test_cube_as_layers() -> None:
    """A cube is shown as its layers."""
    text = notebook_views.svg(se.read(CUBE, board="4x4x4"))
    assert [f"x = {layer}" in text for layer in range(4)] == [True] * 4


@pytest.mark.slow
@needs_chromium
@pytest.mark.thorough
def test_turning_cube_in_page(tmp_path: Path) -> None:
    """A cube can be turned within a page."""
    path = tmp_path / "notebook.html"
    html = notebook_views.html(se.read(CUBE, board="4x4x4"))
    path.write_text(f"<!DOCTYPE html><title>notebook</title>{html}", encoding="utf-8")

    with opened(path) as page:
        cube = page.frame_locator("iframe")
        cube.locator("canvas").focus()
        page.keyboard.press("x")
        assert cube.locator("#cell").inner_text() == "x0y0z0"


def test_wide_picture_scaled() -> None:
    """A picture that may be too wide is scaled to the page."""
    assert 'style="max-width: 100%; height: auto"' in notebook_views.html(se.board("25x25"))


def test_large_board_as_text() -> None:
    """A board that is too large stays a line of text."""
    large: Any = se.board("25x25x25")
    assert (large._repr_html_(), large._repr_svg_()) == (f"<pre>{escape(repr(large))}</pre>", None)


def test_count_shows_proof() -> None:
    """A count says whether it is proved."""
    assert notebook_views.html(se.count(SEVERAL, board="4x4")) == "<b>12</b> solutions, proved"
    some = se.count(SEVERAL, board="4x4", limits=se.Limits(2))
    assert notebook_views.html(some) == "<b>at least 2</b> solutions, stopped: limit of 2"


def test_check_marks_cells() -> None:
    """A check names the cells and marks them."""
    unique = notebook_views.html(se.check(UNIQUE, board="4x4", seed=1))
    assert "13 of 13 givens can be removed (marked), one at a time: r1c1" in unique
    assert [picture.count('class="cell-highlighted"') for picture in pictures(unique)] == [1, 0]
    several = notebook_views.html(se.check(SEVERAL, board="4x4"))
    assert "12 solutions; two of them differ" in several
    assert len(pictures(several)) == 2
    none = notebook_views.html(se.check(CLASH, board="4x4"))
    assert "2 givens clash (marked): r1c1, r1c2" in none
    assert len(pictures(none)) == 1
    unknown = se.check(SEVERAL, board="4x4", limits=se.Limits(seconds=0))
    assert notebook_views.html(unknown) == "<p>not known: time limit</p>"


def test_answers_with_words(tmp_path: Path) -> None:
    """Answers are pictures with words."""
    found = notebook_views.html(se.candidates(SEVERAL, board="4x4", counts=True))
    assert "true candidates of 12 solutions, complete" in found
    step = se.hint(UNIQUE, board="4x4")
    html = notebook_views.html(step)
    assert str(step) in html
    assert len(pictures(html)) == 1
    assert notebook_views.html(se.hints(UNIQUE, board="4x4")).count("<li>") == 3
    made = next(se.generate("4x4", seed=1))
    assert "1 solution, proved" in notebook_views.html(made)
    assert ">backdoor</td>" in notebook_views.html(se.rate(UNIQUE, board="4x4", figures=["backdoor"]))
    assert ">64, 0 of them auxiliary</td>" in notebook_views.html(se.encode(CUBE[:16], board="4x4", reduction="none"))
    certificate = se.prove(SEVERAL, tmp_path / "certificate", board="4x4")
    assert "exactly 12</b> solutions, according" in notebook_views.html(certificate)
    assert "exactly 12</b> solutions, proved" in notebook_views.html(se.check_certificate(certificate.folder))
    (report,) = se.verify(SEVERAL, ["sat", "cp-sat"], board="4x4")
    html = notebook_views.html(report)
    assert "confirmed: 12, by sat and cp-sat" in html
    assert html.count("\u2713") == 2


def test_file_text_is_escaped() -> None:
    """What a file says is no HTML."""
    found = se.check("1" + 15 * ".", board="4x4")
    assert isinstance(found, se.Several)
    stopped = se.Count(3, False, "<script>alert(1)</script>")
    assert "<script>" not in notebook_views.html(stopped)


@pytest.mark.parametrize("asked", [UNIQUE, SEVERAL, CLASH])
def test_short_verdict_elsewhere(asked: str) -> None:
    """A verdict is one short line elsewhere."""
    text = repr(se.check(asked, board="4x4"))
    assert "\n" not in text
    assert len(text) < 100


@pytest.mark.slow
def test_nothing_without_ipython() -> None:
    """Without IPython nothing of notebooks is loaded."""
    program = "import sys, sudoku_encode as se; se.count('1' + 15 * '.', board='4x4'); print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in said if name.startswith(("IPython", "sudoku_encode.api.notebook"))] == []
    assert "sudoku_encode.render.svg" not in said


def test_text_only_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is written to standard output is shown where that takes text only."""
    cell = io.StringIO()
    monkeypatch.setattr(sys, "stdout", cell)
    se.write(se.read(SEVERAL, board="4x4"))
    assert cell.getvalue() == f"{SEVERAL}\n"


def test_progress_bar_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar says how far the work is in words that are no HTML."""
    shown_so_far = list[str]()
    monkeypatch.setattr(notebook, "DELAY_SECONDS", 0)
    monkeypatch.setattr(notebook.Bar, "_show", lambda bar, html: shown_so_far.append(html))
    notebook.Bar()(se.Progress("72 solutions so far ..."))
    assert shown_so_far == ["<progress></progress> <small>72 solutions so far ... 0 s</small>"]
    notebook.Bar()(se.Progress("<b>"))
    assert "&lt;b&gt;" in shown_so_far[-1]
    n_shown = len(shown_so_far)
    notebook.Bar()(se.Remark("the disk is full"))
    monkeypatch.setattr(notebook, "DELAY_SECONDS", 1000)
    notebook.Bar()(se.Progress("soon done"))
    assert len(shown_so_far) == n_shown


@pytest.mark.slow
def test_kernel_shows_bar() -> None:
    """A kernel shows objects and a bar that ends."""
    first, second, third, fourth = executed(
        "import sudoku_encode as se\nse.read('1' + 15 * '.', board='4x4')",
        "from sudoku_encode.api import notebook\nfrom sudoku_encode.run.events import Progress, emit, observing\n"
        "notebook.DELAY_SECONDS = 0\nemit(Progress('half way'))\nse.count('1' + 15 * '.', 'search', board='4x4')",
        "notebook.DELAY_SECONDS = 1000\nemit(Progress('half way'))\nse.Count(2, True)",
        "notebook.DELAY_SECONDS = 0\nwith observing(print):\n    emit(Progress('half way'))",
    )
    assert first[0].data["image/svg+xml"].startswith("<svg ")
    assert first[0].data["text/html"].startswith("<figure ")
    assert first[0].data["text/plain"] == "Puzzle('4x4', 1 givens)"
    bar, answer = second
    # It is taken away at the end.
    assert bar.data["text/html"] == ""
    assert answer.data["text/html"] == "<b>72</b> solutions, proved"
    assert len(third) == 1
    assert [output.get("text") for output in fourth] == ["Progress(text='half way', found=0)\n"]


NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"
# What may be another number next time: seconds, what `check` counts in a second, and the pictures and pages, whose own
# tests say what is in them.
VARIES = re.compile(
    r"\d+\.\d\d\b|\d+\.\d+ s\b|(at least )?\d+ solutions(?=; two of them|, \d+ extra)"
    r'|base64,[\w+/=]+|srcdoc="[^"]*"'
)


def said(book: Any) -> list[tuple[str, list[str]]]:
    """Return the code of each cell, and the texts that it shows, without what varies."""
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    return [(cell.source, [VARIES.sub("?", text) for out in cell.outputs for text in texts(out)]) for cell in cells]


def texts(output: Any) -> list[str]:
    if output.output_type == "stream":
        return [output.text]
    return [text for kind, text in sorted(output.data.items()) if kind in ("text/plain", "text/html")]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(path: Path) -> None:
    """A notebook runs and shows what is in it."""
    script = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "notebooks"))
    kept = script["nbformat"].read(path, as_version=4)
    assert said(script["executed"](path)) == said(kept), "run scripts/notebooks"
    assert path.stat().st_size < 500_000
    assert {output.output_type for cell in kept.cells for output in cell.get("outputs", [])} <= {
        *("stream", "execute_result", "display_data")
    }
    assert not any(out.get("name") == "stderr" for cell in kept.cells for out in cell.get("outputs", []))


def test_three_notebooks() -> None:
    """There are three notebooks."""
    assert len(list(NOTEBOOKS.glob("*.ipynb"))) == 3
