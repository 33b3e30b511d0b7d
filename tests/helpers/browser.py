"""Pages in a real browser: Debian's Chromium without a screen, driven by playwright."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, sync_playwright

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
        page: the page that plain tests open one after the other: each new one would start a process.
        until: closes it.
    """

    browser: Browser | None = None
    page: Page | None = None
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
            _Shared.browser = _Shared.page = _Shared.until = None


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
def _empty_page(browser: Browser, size: tuple[int, int], before: str, touch: bool) -> Iterator[Page]:
    """Make a page, or take the one that was made if nothing of it can be seen in the next."""
    page = None if before or touch else _Shared.page
    if page is None:
        page = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=touch).new_page()
        page.add_init_script(before)
        page.set_default_timeout(120_000)
    _Shared.page, kept = None, _Shared.browser is not None and not before and not touch
    try:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(media="null", color_scheme="light")
        yield page
    except BaseException:
        kept = False
        raise
    finally:
        if kept:
            _Shared.page = page
        else:
            page.context.close()


@contextmanager
def opened(path: Path, size: tuple[int, int] = DESKTOP, *, before: str = "", touch: bool = False) -> Iterator[Page]:
    """Open a page from its file; when all is done it must have logged no error, and asked the network for nothing.

    `before` is a script that is run before those of the page; `touch` is for a screen that takes touches. Pages of this
    project store nothing in the browser, so that one may come after the other.
    """
    errors: list[str] = []
    requests: list[str] = []

    def log_error(error: Error) -> None:
        errors.append(str(error))

    def log_said(said: ConsoleMessage) -> None:
        if is_error(said):
            errors.append(said.text)

    def log_request(request: Request) -> None:
        requests.append(request.url)

    with _launched() as browser, _empty_page(browser, size, before, touch) as page:
        page.on("pageerror", log_error)
        page.on("console", log_said)
        page.on("request", log_request)
        try:
            page.goto(path.as_uri())
            yield page
        finally:
            page.remove_listener("pageerror", log_error)
            page.remove_listener("console", log_said)
            page.remove_listener("request", log_request)
    assert errors == [], errors
    elsewhere = [url for url in requests if not url.startswith(("data:", "blob:", path.parent.as_uri()))]
    assert elsewhere == [], elsewhere
