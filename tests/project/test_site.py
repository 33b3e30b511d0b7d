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


def test_each_page_is_there(site: Path) -> None:
    names = {path.relative_to(HOME / "docs").with_suffix(".html") for path in (HOME / "docs").rglob("*.md")}
    assert [name for name in names if not (site / name).is_file()] == []


def test_the_reference_has_every_public_name(site: Path) -> None:
    text = (site / "api.html").read_text(encoding="utf-8")
    assert [name for name in se.__all__ if f'id="sudoku_encode.{name}"' not in text] == []


def test_every_link_leads_to_a_page_and_to_a_heading_that_are_there(site: Path) -> None:
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


def test_a_file_that_a_page_has_a_link_to_is_shown_as_code(site: Path) -> None:
    page = site / "source" / "sudoku_encode" / "proving" / "rup.py.html"
    assert "source/sudoku_encode/proving/rup.py.html" in (site / "papers.html").read_text(encoding="utf-8")
    assert "def " in re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8"))


def test_what_a_page_takes_from_outside_the_folder_is_in_the_site(site: Path) -> None:
    assert "Who may lie" in (site / "answers.html").read_text(encoding="utf-8")
    assert "To add a" in (site / "house.html").read_text(encoding="utf-8")


def test_a_link_to_a_page_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    pytest.importorskip("furo", reason="the docs extra is not installed")
    (tmp_path / "index.md").write_text("# A page\n\n[nowhere](nowhere.md)\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-C", "-D", "extensions=myst_parser"]
    ran = subprocess.run([*command, tmp_path, tmp_path / "html"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "nowhere.md" in ran.stderr
