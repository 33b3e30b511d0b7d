"""Pages in a real browser: Debian's Chromium without a screen, driven by playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, sync_playwright

_FLAGS = [
    "--no-sandbox",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")
DESKTOP, PHONE = (1280, 800), (390, 844)


def is_error(said: ConsoleMessage) -> bool:
    """Say whether a message is of an error; that reading a drawing back is slow is no error."""
    return said.type in ("error", "warning") and "GL Driver Message (OpenGL, Performance" not in said.text


@contextmanager
def opened(path: Path, size: tuple[int, int] = DESKTOP, *, before: str = "", touch: bool = False) -> Iterator[Page]:
    """Open a page from its file; when all is done it must have logged no error, and asked the network for nothing.

    `before` is a script that is run before those of the page; `touch` is for a screen that takes touches.
    """
    errors: list[str] = []
    requests: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        try:
            page = browser.new_page(viewport={"width": size[0], "height": size[1]}, has_touch=touch)
            page.add_init_script(before)
            page.set_default_timeout(120_000)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda said: errors.append(said.text) if is_error(said) else None)
            page.on("request", lambda request: requests.append(request.url))
            page.goto(path.as_uri())
            yield page
        finally:
            browser.close()
    assert errors == [], errors
    elsewhere = [url for url in requests if not url.startswith(("data:", "blob:", path.parent.as_uri()))]
    assert elsewhere == [], elsewhere
