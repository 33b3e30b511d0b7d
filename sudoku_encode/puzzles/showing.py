"""How puzzles and answers show themselves in notebooks and on pages: the methods that programs look for in a class.

They are drawn in rooms above, which the front door knows, and which are loaded when the first object is shown.
"""

import sys


def show(how: str, value: object) -> str:
    """Return an object as `html`, `svg` or, of a grid, as `grid_text`."""
    # The front door is there before any other module of the package. A lower room does not import it, but asks it.
    return str(sys.modules["sudoku_encode"]._show(how, value))


def shown_as_html(value: object) -> str:
    """Return an object as HTML; its `repr` where the picture fails or would be too large. It is a `_repr_html_`."""
    from html import escape

    try:
        html = show("html", value)
    except Exception:  # An object that cannot be drawn can still be printed.
        html = ""
    return html or f"<pre>{escape(repr(value))}</pre>"


def shown_as_svg(value: object) -> str | None:
    """Return the picture of an object; None where it fails or would be too large. It is a `_repr_svg_`."""
    try:
        return show("svg", value) or None
    except Exception:
        return None
