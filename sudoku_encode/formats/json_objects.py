"""JSON objects in a text: one after the other, such as one per line, or in a list."""

import json
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.lines import DIRECTIVE

JsonObject = dict[str, Any]
# Keys as similar as this are misspelt: `constraint` for `constraints`, but not `size` for `side`.
_MISSPELT = 0.85


class JsonItem(NamedTuple):
    """An object, with the line where it begins, from 1."""

    line: int
    item: JsonObject


def objects(text: str, source: str) -> Iterator[JsonItem]:
    """Yield the objects of a text; lines before them that begin with `#` are comments.

    Raises:
        FormatError: the text is not JSON, or contains values that are not objects, or a line such as `# board: 9x9`, as
            the objects name their boards themselves.
    """
    decoder, position, line = json.JSONDecoder(object_pairs_hook=unique_keys), 0, 1
    while (begins := _next(text, position)) < len(text):
        line += text.count("\n", position, begins)
        if text[begins] == "#":
            position = end if (end := text.find("\n", begins)) >= 0 else len(text)
            if match := DIRECTIVE.match(text[begins:position]):
                raise FormatError(f"a line `# {match[1].lower()}:` before JSON, which says that itself", source, line)
            continue
        try:
            value, position = decoder.raw_decode(text, begins)
        except FormatError as error:
            raise FormatError(error.message, source, line) from None
        except json.JSONDecodeError as error:
            raise FormatError(f"not JSON: {error.msg}", source, error.lineno, error.colno) from error
        except (RecursionError, ValueError) as error:
            raise FormatError("JSON nested too deep, or with a number too long", source, line) from error
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, dict):
                raise FormatError("a list or a value where each puzzle is an object, {...}", source, line)
            yield JsonItem(line, item)
        line += text.count("\n", begins, position)


def unique_keys(pairs: list[tuple[str, Any]]) -> JsonObject:
    """Return an object of JSON; the `object_pairs_hook` of a decoder, which by itself keeps the last of equal keys.

    Raises:
        FormatError: a key occurs twice.
    """
    item = dict(pairs)
    if len(item) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in item if keys.count(key) > 1)
        raise FormatError(f"the key {_quoted(repeated)} appears twice in an object; give each key once")
    return item


def refuse_unknown(item: JsonObject, keys: Collection[str], of: str) -> None:
    """Refuse an object with an unknown key; `of` is the meaning of the object, for errors, such as `a puzzle`.

    Raises:
        FormatError: it has an unknown key; the message names the nearest known one.
    """
    for key in item:
        if key not in keys:
            near = _nearest(key, keys, 0.6)
            meant = f'did you mean "{near}"?' if near else f"the keys are {', '.join(keys)}"
            raise FormatError(f"{_quoted(key)} is not a key of {of}; {meant}")


def refuse_misspelt(item: JsonObject, keys: Collection[str], checked: Collection[str] = ()) -> None:
    """Refuse an object of another program, whose other keys are ignored, if one of them is a misspelt known key.

    Of the known keys those to check are looked for, by default all.

    Raises:
        FormatError: a key is a misspelt known key, and its value is not empty.
    """
    for key, value in item.items():
        says_something = value not in (None, False, "", [], {})
        if key not in keys and says_something and (near := _misspelt(key, checked or keys)):
            raise FormatError(f'{_quoted(key)} is not a key that is read here; did you mean "{near}"?')


def _misspelt(key: str, keys: Collection[str]) -> str:
    """Return the known key that a misspelt key stands for: a similar one, or its letters in another order (`valeu`)."""
    letters = sorted(key.strip().lower())
    return next((name for name in keys if sorted(name.lower()) == letters), "") or _nearest(key, keys, _MISSPELT)


def _nearest(key: str, keys: Collection[str], least: float) -> str:
    """Return the known key that is most similar to another one, an empty text if all differ."""
    # Imported here: it takes long to load, and most objects have no such key.
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in keys}
    return next((by_lower[name] for name in get_close_matches(key.strip().lower()[:60], by_lower, 1, least)), "")


def _quoted(key: str) -> str:
    return f'"{short(key)}"'


def _next(text: str, position: int) -> int:
    """Return the position of the next character that is not white space."""
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def shown(value: object) -> str:
    """Return a value as JSON, shortened; lists and objects, which may be nested too deep, without their items."""
    if isinstance(value, dict | list):
        return "{...}" if isinstance(value, dict) else "[...]"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def one_line(text: str) -> str:
    """Return a name as one line that a terminal can show."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
