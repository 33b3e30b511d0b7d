"""Objects of JSON in a text: one after the other, as files with one a line have them, or in a list."""

import json
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.lines import DIRECTIVE

JsonObject = dict[str, Any]
# A key that is as like another one as this is meant for it: `constraint` for `constraints`, but not `size` for `side`.
_MISSPELT = 0.85


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
    decoder, at, line = json.JSONDecoder(object_pairs_hook=unique_keys), 0, 1
    while (begins := _next(text, at)) < len(text):
        line += text.count("\n", at, begins)
        if text[begins] == "#":
            at = end if (end := text.find("\n", begins)) >= 0 else len(text)
            if match := DIRECTIVE.match(text[begins:at]):
                raise FormatError(f"a line `# {match[1].lower()}:` before JSON, which says that itself", source, line)
            continue
        try:
            found, at = decoder.raw_decode(text, begins)
        except FormatError as error:
            raise FormatError(error.message, source, line) from None
        except json.JSONDecodeError as error:
            raise FormatError(f"not JSON: {error.msg}", source, error.lineno, error.colno) from error
        except (RecursionError, ValueError) as error:
            raise FormatError("JSON nested too deep, or with a number too long", source, line) from error
        for item in found if isinstance(found, list) else [found]:
            if not isinstance(item, dict):
                raise FormatError("a list or a value where each puzzle is an object, {...}", source, line)
            yield Found(line, item)
        line += text.count("\n", begins, at)


def unique_keys(pairs: list[tuple[str, Any]]) -> JsonObject:
    """Return an object of JSON; the `object_pairs_hook` of a decoder, which alone would keep the last of equal keys.

    Raises:
        FormatError: a key is there twice.
    """
    item = dict(pairs)
    if len(item) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in item if keys.count(key) > 1)
        raise FormatError(f"the key {_quoted(repeated)} is there twice in an object; give each key once")
    return item


def refuse_unknown(item: JsonObject, known: Collection[str], of: str) -> None:
    """Refuse an object that has a key besides the known ones.

    Args:
        item: the object.
        known: its keys.
        of: what the object stands for, for errors, such as `a puzzle`.

    Raises:
        FormatError: it has; the message names the nearest key.
    """
    for key in item:
        if key not in known:
            near = _nearest(key, known, 0.6)
            meant = f'did you mean "{near}"?' if near else f"the keys are {', '.join(known)}"
            raise FormatError(f"{_quoted(key)} is not a key of {of}; {meant}")


def refuse_misspelt(item: JsonObject, known: Collection[str], ours: Collection[str] = ()) -> None:
    """Refuse an object of another program, whose own keys mean nothing here, if one of them is nearly one of ours.

    Args:
        item: the object.
        known: the keys that it may have.
        ours: those of them that are looked for; by default all.

    Raises:
        FormatError: a key is nearly one of ours, and does not hold nothing.
    """
    for key, value in item.items():
        says_something = value not in (None, False, "", [], {})
        if key not in known and says_something and (near := _misspelt(key, ours or known)):
            raise FormatError(f'{_quoted(key)} is not a key that is read here; did you mean "{near}"?')


def _misspelt(key: str, known: Collection[str]) -> str:
    """Return the known key that a key is meant for: much like it, or its letters in another order, such as `valeu`."""
    letters = sorted(key.strip().lower())
    return next((name for name in known if sorted(name.lower()) == letters), "") or _nearest(key, known, _MISSPELT)


def _nearest(key: str, known: Collection[str], least: float) -> str:
    """Return the known key that is most like another one, an empty text where none is."""
    # Imported here: it takes long to load, and most objects have no such key.
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in known}
    return next((by_lower[name] for name in get_close_matches(key.strip().lower()[:60], by_lower, 1, least)), "")


def _quoted(key: str) -> str:
    return f'"{short(key)}"'


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
