"""Stand-alone pages of HTML: one file, without network requests."""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

_ASSETS = Path(__file__).parent / "assets"
# With this policy a browser refuses every request of the page.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"


def page(title: str, body: str, *, styles: Sequence[str] = (), scripts: Sequence[str] = (), data: Any = None) -> str:
    """Return a page of HTML that contains everything it needs; the title is plain text, the body HTML.

    Styles are names of files of `assets`, after `page.css`, which every page has; scripts are run in order after the
    body is loaded, and find `data` in the element of that name.

    >>> page("A <b> title", "<p>text</p>").count("<b>")
    0
    """
    css = "\n".join(asset(name) for name in ("page.css", *styles))
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{css}</style>",
        "</head>",
        "<body>",
        body,
    ]
    if data is not None:
        # Within JSON `<` can only be in a string; escaped it cannot end the element.
        text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
        parts.append(f'<script type="application/json" id="data">{text}</script>')
    for name in scripts:
        code = asset(name).replace("</script", "<\\/script").replace("<!--", "<\\!--")
        parts.append(f"<script>\n{code}</script>")
    return "\n".join([*parts, "</body>", "</html>", ""])


def within(text: str, title: str) -> str:
    """Return a page as an isolated element of another page, such as a notebook; it runs its own scripts.

    >>> within(page("A cube", "<p>text</p>"), "A cube")[:22]
    '<iframe title="A cube"'
    """
    return (
        f'<iframe title="{escape(title)}" sandbox="allow-scripts allow-downloads" loading="lazy" '
        f'style="width: 100%; height: 52rem; border: 0" srcdoc="{escape(text)}"></iframe>'
    )


def asset(name: str) -> str:
    """Return the text of a file of `assets`."""
    return (_ASSETS / name).read_text(encoding="utf-8")
