"""A page of findings in each of its forms."""

from sudoku_encode.reproduce import pages, site
from sudoku_encode.reproduce.finding import Page


def in_form(page: Page, form: str) -> str:
    """Return the page in a form, a key of PAGE_FORMS."""
    write = {"text": pages.text, "markdown": pages.markdown, "json": pages.as_json, "html": site.paper}[form]
    return write(page)
