"""SudokuPad's shortened JSON, which its links hold: names without quotes, most of them short, and a few values so too.

Source: PuzzleZipper, as it is in public programs that write such links.
"""

import json
import re
from contextlib import suppress
from typing import Any

from sudoku_encode.formats.json_objects import unique_keys

# The names that we read, by what they become.
_NAMES = {
    "ce": "cells",
    "ca": "cages",
    "re": "regions",
    "v": "value",
    "t": "title",
    "l": "lines",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
}
_STRING = {quote: re.compile(rf"({quote}(?:[^{quote}\\]|\\.)*{quote})", re.DOTALL) for quote in "\"'"}
_KEY = re.compile(r"([,{\[])([A-Za-z0-9]+):")
_LEFT_OUT = re.compile(r"([,\[])(?=[,\]])")
_WORD = re.compile(r":([ft]|#[0F]|[0-9A-Fa-f]{6})(?=[,}\]])")


def loaded(text: str) -> Any:
    """Return what a text holds, be it JSON or the shortened kind, with the names in full.

    Raises:
        FormatError: an object has a key twice.
        ValueError: it is neither.
        RecursionError: it is nested too deep.
    """
    with suppress(ValueError):
        return json.loads(text, object_pairs_hook=unique_keys)
    quote = '"' if '"' in text else "'"
    parts = _STRING[quote].split(text)
    # Strings are between what is not: a colon or a brace in them means nothing.
    parts[::2] = [_whole(part) for part in parts[::2]]
    if quote == "'":
        parts[1::2] = [_string(part) for part in parts[1::2]]
    return _named(json.loads("".join(parts), object_pairs_hook=unique_keys))


def _named(found: Any) -> Any:
    if isinstance(found, list):
        return [_named(one) for one in found]
    if isinstance(found, dict):
        return unique_keys([(_NAMES.get(key, str(key)), _named(value)) for key, value in found.items()])
    return found


def _whole(part: str) -> str:
    """Return a part without strings as JSON."""
    part = _KEY.sub(r'\1"\2":', part)
    part = _LEFT_OUT.sub(r"\1{}", part)
    return _WORD.sub(lambda match: ":" + _word(match[1]), part)


def _word(word: str) -> str:
    return {"t": "true", "f": "false"}.get(word, f'"{word}"')


def _string(part: str) -> str:
    """Return a string in single quotes as one of JSON; a quote in it was either kind."""
    return '"' + part[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
