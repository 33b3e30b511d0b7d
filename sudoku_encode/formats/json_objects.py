"""Objects of JSON in a text: one after the other, as files with one a line have them, or in a list."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.lines import DIRECTIVE

JsonObject = dict[str, Any]


class Found(NamedTuple):
    """An object, with the line where it begins, from 1."""

    line: int
    item: JsonObject


def objects(text: str, source: str) -> Iterator[Found]:
    """Yield the objects of a text; lines before them that begin with `#` are comments.

    Raises:
        FormatError: the text is not JSON, or has something else than objects, or a line such as `# board: 9x9`, which
            would say something of puzzles that say it themselves.
    """
    decoder, at, line = json.JSONDecoder(), 0, 1
    while (begins := _next(text, at)) < len(text):
        line += text.count("\n", at, begins)
        if text[begins] == "#":
            at = end if (end := text.find("\n", begins)) >= 0 else len(text)
            if match := DIRECTIVE.match(text[begins:at]):
                raise FormatError(f"a line `# {match[1].lower()}:` before JSON, which says that itself", source, line)
            continue
        try:
            found, at = decoder.raw_decode(text, begins)
        except json.JSONDecodeError as error:
            raise FormatError(f"not JSON: {error.msg}", source, error.lineno, error.colno) from error
        except (RecursionError, ValueError) as error:
            raise FormatError("JSON nested too deep, or with a number too long", source, line) from error
        for item in found if isinstance(found, list) else [found]:
            if not isinstance(item, dict):
                raise FormatError("a list or a value where each puzzle is an object, {...}", source, line)
            yield Found(line, item)
        line += text.count("\n", begins, at)


def _next(text: str, at: int) -> int:
    """Return the place of the next character that is no blank, from a place on."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def shown(value: object) -> str:
    """Write a value as JSON does, shortened; what is nested may be too deep to be written."""
    if isinstance(value, dict | list):
        return "{...}" if isinstance(value, dict) else "[...]"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def one_line(text: str) -> str:
    """Return a name as one line that a terminal can show."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
