"""The additions of the built site to the pages of this folder.

The pages are plain Markdown that a code host shows as it is. Five things differ in the site:

- A link to a file that is not a page, such as a module or a puzzle, leads to a page that shows the file as code, and a
  notebook with what its cells show.
- `<!-- in the site: FILE -->` stands for the text of a page outside this folder; links to FILE lead there.
- `<!-- in the site, a page 28rem high: show ... -->` above a picture: the command draws a page, which takes its place.
- The list of all pages is the menu at the side.
- A table of public names, `<!-- generated: api GROUP -->`, becomes their reference, from the docstrings.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from html import escape
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from docutils import nodes
from nbconvert import HTMLExporter
from page_parts import contents, functions
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging

import sudoku_encode
from sudoku_encode import _HOME_OF
from sudoku_encode.cli.table import COMMANDS

PAGES = Path(__file__).parent.resolve()
HOME = PAGES.parent
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".xml": "xml", ".opensudoku": "xml", ".css": "css"}
IMAGES = {".svg", ".png", ".webp", ".jpg", ".gif"}

_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#\s:]+)(#[^)\s]*)?\)")
_IN_THE_SITE = re.compile(r"<!-- in the site: (\S+) -->")
_DRAWN = re.compile(r"<!-- in the site, a page (\w+) high: (.+) -->\n!\[(.*)\]\(.*\)")
_API = re.compile(r"<!-- generated: api (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)

log = logging.getLogger(__name__)


def included_in() -> dict[Path, Path]:
    """Return the files outside this folder whose text is in a page, each with that page."""
    return {
        (HOME / name).resolve(): page
        for page in PAGES.rglob("*.md")
        for name in _IN_THE_SITE.findall(page.read_text(encoding="utf-8"))
    }


def with_links(text: str, replace: Callable[[str, str], str]) -> str:
    """Return a page with its links replaced, from the file and the heading of each; code stays as it is."""
    parts = _FENCED.split(text)
    parts[::2] = [_LINK.sub(lambda match: f"]({replace(match[1], match[2] or '')})", part) for part in parts[::2]]
    return "".join(parts)


def included(name: str, page: Path) -> str:
    """Return the text of a file for a page: without its title, and with links as seen from the page."""
    file = HOME / name

    def rebased(target: str, heading: str) -> str:
        return os.path.relpath(file.parent / target, page.parent) + heading

    return with_links(re.sub(r"\A# .*\n", "", file.read_text(encoding="utf-8")), rebased)


def reference(names: list[str]) -> str:
    """Return directives of reStructuredText for the reference of public names."""
    lines = [".. py:currentmodule:: sudoku_encode", ""]
    for name in names:
        thing = getattr(sudoku_encode, name)
        if isinstance(thing, type) and issubclass(thing, Exception):
            lines += [f".. autoexception:: {name}", ""]
        elif isinstance(thing, type):
            lines += [f".. autoclass:: {name}", ""]
        elif callable(thing) and not hasattr(thing, "__args__"):
            lines += [f".. autofunction:: {name}", "", *command_line(name)]
        else:
            # The docstring of a table is below it in its module.
            home = f"sudoku_encode.{_HOME_OF[name]}"
            import_module(home)
            docs = ModuleAnalyzer.for_module(home).find_attr_docs().get(("", name), [])
            lines += [f".. py:data:: {name}", "", *(f"   {line}" for line in docs), ""]
    return "\n".join(["```{eval-rst}", *lines, "```"])


def command_line(name: str) -> list[str]:
    """Return the lines that lead from a function to the command that does the same."""
    for command, row in COMMANDS.items():
        if name in functions(command):
            return [f"   On the command line: :doc:`sudoku-encode {command} <commands/{row.group.lower()}>`.", ""]
    return []


def notebook(path: Path) -> str:
    """Return a notebook as HTML, with what its cells show."""
    body: str = HTMLExporter(template_name="basic").from_filename(str(path))[0]
    return f'<div class="notebook">{body}</div>'


def drawn(height: str, command: str, text: str, name: str, folder: Path) -> str:
    """Write the page that a command of the program draws to a file of the site; return the frame that shows it."""
    (folder / name).parent.mkdir(exist_ok=True)
    words = [sys.executable, "-m", "sudoku_encode", *shlex.split(command), "--to", "html", "-o", str(folder / name)]
    subprocess.run(words, cwd=HOME, check=True)
    return f'<iframe class="drawn" style="height: {height}" src="{name}" title="{escape(text)}"></iframe>'


def menu() -> str:
    """Return directives that put the pages into the menu."""
    parts = [
        "\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", "", *names, "```"])
        for heading, names in contents().items()
    ]
    return "\n\n".join(parts)


def on_source_read(app: Sphinx, docname: str, content: list[str]) -> None:
    """Make of a page what the site has in its place."""
    page = Path(app.env.doc2path(docname))
    moved = included_in()
    text = _IN_THE_SITE.sub(lambda match: included(match[1], page), content[0])
    text = _API.sub(lambda match: reference(re.findall(r"^\| `(\w+)", match[2], re.MULTILINE)), text)
    if docname == "index":
        names = (f"drawn/page-{number}.html" for number in count(1))
        text = _DRAWN.sub(lambda match: drawn(match[1], match[2], match[3], next(names), Path(app.outdir)), text)

    def replaced(target: str, heading: str) -> str:
        path = (page.parent / target).resolve()
        if path in moved:
            return os.path.relpath(moved[path], page.parent) + heading
        if path.suffix in IMAGES or (path.is_relative_to(PAGES) and path.suffix == ".md"):
            return target + heading
        if not path.exists() or not path.is_relative_to(HOME):
            log.warning("a link to a file that is not there: %s", target, location=docname)
        shown = path.relative_to(HOME).as_posix()
        return f"source:{shown}"

    content[0] = with_links(text, replaced) + (f"\n\n{menu()}\n" if docname == "index" else "")


def on_doctree_resolved(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Let links to files that are shown as code lead to their pages."""
    for link in doctree.findall(nodes.reference):
        if link.get("refuri", "").startswith("source:"):
            shown = link["refuri"].removeprefix("source:")
            link["refuri"] = app.builder.get_relative_uri(docname, f"source/{shown}")
            app.env.shown_files = {*getattr(app.env, "shown_files", ()), shown}


def on_collect_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each file, or folder, that a page has a link to."""
    for name in sorted(getattr(app.env, "shown_files", ())):
        path = HOME / name
        if path.suffix == ".ipynb":
            yield f"source/{name}", {"title": path.stem, "body": notebook(path)}, "page.html"
            continue
        if path.is_dir():
            text = "\n".join(sorted(file.name + "/" * file.is_dir() for file in path.iterdir()))
        else:
            text = path.read_text(encoding="utf-8")
        code = app.builder.highlighter.highlight_block(text, LANGUAGES.get(path.suffix, "text"), force=True)
        yield f"source/{name}", {"title": name, "body": f"<h1><code>{name}</code></h1>{code}"}, "page.html"


def on_skip_member(app: Sphinx, what: str, name: str, thing: object, skip: bool, options: object) -> bool | None:
    """Leave out the fields of named tuples that have no text of their own: the text of the class has them."""
    return True if (getattr(thing, "__doc__", "") or "").startswith("Alias for field number") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx which function is called when."""
    app.connect("source-read", on_source_read)
    app.connect("doctree-resolved", on_doctree_resolved)
    app.connect("html-collect-pages", on_collect_pages)
    app.connect("autodoc-skip-member", on_skip_member)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
