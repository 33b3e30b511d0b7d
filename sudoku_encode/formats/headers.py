"""Finds settings of the board in comments, columns and keys: `# size=12 box=3x4` is read, others get a remark."""

import re

# `# size=12 box=3x4`, the width of a box before its height, as other programs write it: nothing but such pairs.
_PAIR = re.compile(r"([A-Za-z_][\w-]*)=([^\s,;=]+)", re.ASCII)
_SIZE = re.compile(r"(\d{1,3})(?:[x*\u00d7](\d{1,3}))?", re.ASCII)
_BOX = re.compile(r"(\d{1,3})[x*\u00d7](\d{1,3})", re.ASCII)
_BOX_KEYS = r"(?:box|block|region)(?:e?s)?(?:[_-]?(?:size|shape|width|height|rows|columns|cols))?"
_COMMENT_KEYS = rf"{_BOX_KEYS}|variants?|jigsaw|board|rules?|alphabet|constraints?|diagonals?"
# Names of columns or keys that may change the meaning of a puzzle.
_SETTING_KEY = re.compile(rf"{_COMMENT_KEYS}|size|cages?|candidates|pencilmarks|type|maps?|layout", re.IGNORECASE)
# `# box: 2x3`, or `box=2x3` anywhere: prose has a colon after such words, too, but hardly after a comma.
_LIKE_A_SETTING = re.compile(
    rf"(?:#\s*(?P<first>{_COMMENT_KEYS})\s*[=:]|[\s,;(](?P<later>{_COMMENT_KEYS})\s*=|[,;]\s*(?P<listed>{_COMMENT_KEYS}):)"
    r"\s*\S",
    re.IGNORECASE | re.ASCII,
)
_BOX_OF_HEADER = re.compile(r"\bbox\s*=", re.IGNORECASE)


def board_of_header(comment: str) -> str:
    """Return the name of the board of a comment such as `# size=12 box=3x4`; an empty text if it has other words.

    A size alone may be that of a file.
    """
    words = re.split(r"[\s,;]+", re.sub(r"\s*=\s*", "=", comment.lstrip("# \t").rstrip(" \t\r,;")))
    pairs = [match for word in words if (match := _PAIR.fullmatch(word))]
    values = {match[1].lower(): match[2] for match in pairs}
    if len(pairs) < len(words) or len(values) < len(pairs):
        return ""
    box, size = _BOX.fullmatch(values.get("box", "")), _SIZE.fullmatch(values.get("size", ""))
    if box is None or (size is None and "size" in values):
        return ""
    columns, rows = map(int, box.groups())
    sides = (int(size[1]), int(size[2] or size[1])) if size else (rows * columns,) * 2
    return f"{sides[0]}x{sides[1]}:{rows}x{columns}"


def unread_key(comment: str, *, is_header: bool) -> str:
    """Return the key in a comment that looks like a setting, but is not read; an empty text without one.

    In a header the box is read.
    """
    match = _LIKE_A_SETTING.search(_BOX_OF_HEADER.sub("=", comment) if is_header else comment)
    return (match["first"] or match["later"] or match["listed"]).lower() if match else ""


def is_setting_key(key: str) -> bool:
    """Check whether the name of a column or a key that is not read suggests that it changes the puzzle."""
    return _SETTING_KEY.fullmatch(key.strip()) is not None
