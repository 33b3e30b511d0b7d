"""The site of the documentation is built from its pages without a warning, and its links lead to what is there."""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

import sudoku_encode as se
from tests.helpers import paper_findings

HOME = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site() -> Path:
    pytest.importorskip("furo", reason="the docs extra is not installed")
    folder = paper_findings.run_folder() / "site"
    command = [sys.executable, str(HOME / "scripts" / "docs"), "--to", str(folder)]

    def build() -> tuple[int, str]:
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stderr

    assert paper_findings.once("site-built", build) == (0, "")
    return folder


def test_pages(site: Path) -> None:
    """Each page is there."""
    names = {path.relative_to(HOME / "docs").with_suffix(".html") for path in (HOME / "docs").rglob("*.md")}
    assert [name for name in names if not (site / name).is_file()] == []


def test_public_names(site: Path) -> None:
    """The reference has every public name."""
    text = (site / "python.html").read_text(encoding="utf-8")
    assert [name for name in se.__all__ if f'id="sudoku_encode.{name}"' not in text] == []


def test_links(site: Path) -> None:
    """Every link leads to a page and to a heading that are there."""
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    ids = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in texts.items()}
    wrong = []
    for path, text in texts.items():
        for link in re.findall(r'<a [^>]*href="([^":]+)"', text):
            target, _, heading = unquote(link).partition("#")
            file = (path.parent / target).resolve() if target else path
            if not file.exists() or (heading and file in ids and heading not in ids[file]):
                wrong.append((path.name, link))
    assert wrong == []
    assert len(texts) > 40


def test_linked_files(site: Path) -> None:
    """A file that a page has a link to is shown as code."""
    page = site / "source" / "sudoku_encode" / "proving" / "rup.py.html"
    assert "source/sudoku_encode/proving/rup.py.html" in (site / "internals/certificates.html").read_text("utf-8")
    assert "def " in re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8"))


def test_outside_files(site: Path) -> None:
    """What a page takes from outside the folder is in the site."""
    assert "Report a vulnerability" in (site / "answers.html").read_text(encoding="utf-8")
    assert "To add a" in (site / "internals" / "project.html").read_text(encoding="utf-8")


def test_drawn_pages(site: Path) -> None:
    """The first page shows a killer and a cube, as the program draws them."""
    text = (site / "index.html").read_text(encoding="utf-8")
    killer, cube = re.findall(r'<iframe class="drawn"[^>]* src="([^"]+)"', text)
    assert "<svg " in (site / killer).read_text(encoding="utf-8")
    assert "<canvas" in (site / cube).read_text(encoding="utf-8")


def test_broken_link_seen(tmp_path: Path) -> None:
    """A link to a page that is not there is an error."""
    pytest.importorskip("furo", reason="the docs extra is not installed")
    (tmp_path / "index.md").write_text("# A page\n\n[nowhere](nowhere.md)\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-C", "-D", "extensions=myst_parser"]
    ran = subprocess.run([*command, tmp_path, tmp_path / "html"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "nowhere.md" in ran.stderr
