"""Pages in a real browser: Debian's Chromium without a screen, driven by playwright."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

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
    """Return whether a message is of an error; that reading a drawing back is slow is no error."""
    return said.type in ("error", "warning") and "GL Driver Message (OpenGL, Performance" not in said.text


class _Shared:
    """The browser of the tests of a module.

    Attributes:
        browser: where it has been started.
        until: closes it.
    """

    browser: Browser | None = None
    until: ExitStack | None = None


@contextmanager
def shared() -> Iterator[None]:
    """Start one browser at most meanwhile, when it is first needed.

    No event loop can be started meanwhile: playwright has its own in this thread.
    """
    with ExitStack() as until:
        _Shared.until = until
        try:
            yield
        finally:
            _Shared.browser = _Shared.until = None


@contextmanager
def _launched() -> Iterator[Browser]:
    """Start a browser, or take the one that was started."""
    if _Shared.browser is not None:
        yield _Shared.browser
        return
    with ExitStack() as own:
        until = own if _Shared.until is None else _Shared.until
        playwright = until.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        until.callback(browser.close)
        if until is not own:
            _Shared.browser = browser
        yield browser


@contextmanager
def opened(path: Path, size: tuple[int, int] = DESKTOP, *, before: str = "", touch: bool = False) -> Iterator[Page]:
    """Open a page from its file; when all is done it must have logged no error, and asked the network for nothing.

    `before` is a script that is run before those of the page; `touch` is for a screen that takes touches.
    """
    errors: list[str] = []
    requests: list[str] = []
    with _launched() as browser:
        # One for each page: nothing is left of it for the next.
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=touch)
        try:
            page = context.new_page()
            page.add_init_script(before)
            page.set_default_timeout(120_000)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda said: errors.append(said.text) if is_error(said) else None)
            page.on("request", lambda request: requests.append(request.url))
            page.goto(path.as_uri())
            yield page
        finally:
            context.close()
    assert errors == [], errors
    elsewhere = [url for url in requests if not url.startswith(("data:", "blob:", path.parent.as_uri()))]
    assert elsewhere == [], elsewhere
