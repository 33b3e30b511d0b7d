"""Text cut into segments: lines that belong to one board, without comments, borders and foreign sections.

- Digits of other scripts, dots and squares for blanks, and box-drawing characters are read as those of ASCII.
- `#` at the start of a line or after a space starts a comment, and so do `%`, `//` and `; text` at the start of a line.
  `# board: NAME`, `# rules: A,B` and `# alphabet: NAME` hold for all that follows; the options of the caller win.
- `[Puzzle]` (SadMan) starts a puzzle; lines under any other such heading are ignored.
- `|` is a border wherever it stands. A line of border characters is a border if it has `+` or `=`, or if it has `---`
  between corners such as `*` that are not side by side. A line of nothing but `-` and `|` is a row of blanks if it has
  as many `-` as some line with other symbols that also has a `-` for a blank, or if the segment has no other lines;
  else it is a border.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats.headers import board_of_header, unread_key
from sudoku_encode.formats.symbols import board_alphabet, plain
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET, alphabet_names, alphabet_symbols, fitting_alphabet
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.parsing import parse
from sudoku_encode.puzzles.geometry import Geometry

# Stands in place of a constraint for a puzzle without any.
NO_CONSTRAINT = "none"
DIRECTIVE = re.compile(r"#\s*(board|rules|alphabet|constraint)\s*:(.*)", re.IGNORECASE | re.ASCII)
# The first comment of a file that `generate` wrote, and the keys of the others about its puzzles.
_GENERATED = re.compile(r"#\s*(sudoku-encode generate .*)")
ABOUT_KEYS = ("instance", "command", "puzzle", "status", "solutions", "clash", "evidence", "versions")
_ABOUT = re.compile(rf"#\s*({'|'.join(ABOUT_KEYS)}):(.*)")
_SECTION = re.compile(r"\[([A-Za-z ]+)\]")
# Names of sections that may say which board is meant.
_BOARD_SECTION = re.compile(r"\b(regions?|jigsaw|map|layout|box(es)?|areas?)\b", re.IGNORECASE)
_COMMENT = re.compile(r"\s#.*")
# A row of a table with semicolons may begin with one, before a digit or another.
_WHOLE_COMMENT = re.compile(r"#|%|//|;\s*(?:[A-Za-z]|$)")
_BORDER_CHARACTERS = "-+=|*.:' \t"
_CORNERS = "*.:'"
# In a row of blanks, of which `---` is outside of boards that overlap.
_TWO_CORNERS = re.compile(f"[{_CORNERS}]{{2}}")

# The Sukaku of 100x100 has a million symbols.
MAX_LINE_CHARACTERS = 1 << 22
# Of all boards that a text names, together: 600 of the largest, or 9,000 of 9x9. Each board counts as more cells than
# it has, since the smallest takes memory too.
MAX_BOARD_CELLS, _EXTRA_CELLS = 10_000_000, 1_000


class Row(NamedTuple):
    """A line of symbols, with its number in the text; borders are spaces, so columns are those of the text."""

    line: int
    text: str


def tokens(row: Row) -> list[str]:
    """Return the parts of a row that commas, or else spaces, separate; an empty part between commas is a blank."""
    if "," in row.text:
        return [part.strip() or "." for part in row.text.split(",")]
    return row.text.split()


def symbols(row: Row) -> str:
    """Return the symbols of a row without what separates them."""
    return "".join(tokens(row))


@dataclass
class NamedBoards:
    """The boards that a text names, each built once: building one takes time that its short name does not show.

    Attributes:
        built: by name and rules.
        cells: how many cells they have together, and for each some more.
    """

    built: dict[tuple[str, tuple[str, ...] | None], Geometry] = field(default_factory=dict)
    cells: int = 0

    def board(self, name: str, rules: tuple[str, ...] | None) -> Geometry:
        """Return a board by its name.

        Raises:
            GeometryError: no board has this name, or the text has named too many.
        """
        if (name, rules) not in self.built:
            built = boards.board(name, rules, files=False)
            self.cells += built.n_cells + _EXTRA_CELLS
            if self.cells > MAX_BOARD_CELLS:
                raise GeometryError("too many different boards in one text; split it")
            self.built[name, rules] = built
        return self.built[name, rules]


@dataclass
class Remarks:
    """Remarks for the user on how a text is read, until they are reported with the next puzzle.

    Attributes:
        by_subject: every remark by its subject, each once.
        new: the remarks that are not reported yet.
    """

    by_subject: dict[str, str] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)

    def add(self, text: str, subject: str = "") -> None:
        """Add a remark, unless there is one on its subject."""
        if (subject or text) not in self.by_subject:
            self.by_subject[subject or text] = text
            self.new.append(text)

    def taken(self) -> tuple[str, ...]:
        """Return the remarks that are not reported yet, each once."""
        new = tuple(self.new)
        self.new.clear()
        return new


@dataclass(frozen=True)
class Setting:
    """The options of the caller and of the text for the puzzles that follow.

    Attributes:
        source: what errors call the text.
        geometry: the board that the caller asked for; wins over `board`.
        board: the board's name, as the text or its format gives it.
        rules: the rules to keep.
        said_by: who names the board: `board` for a line `# board:` or a key of JSON, `size` for a header such as
            `# size=12 box=3x4`; an empty text if only the format does.
        alphabet: the name of an alphabet; see `table.alphabet_symbols`.
        alphabet_line: where the text last gave an alphabet; None if the caller did.
        format: the key in TEXT_FORMATS that the caller asked for.
        line: where the text last gave a board or rules.
        constraints: lines of the constraints of the puzzles that follow, each with its number.
        about: comments of `generate` on the puzzles that follow; see `Entry.about`.
        has_puzzles: whether puzzles came before the last line of the text that says something.
        waiting: the line of the first constraint after the last of these puzzles, or None.
        has_mark: whether the text begins with a byte order mark.
        boards: the boards that the text has named so far.
        remarks: on the text; all its settings share them.
    """

    source: str
    geometry: Geometry | None = None
    board: str | None = None
    rules: tuple[str, ...] | None = None
    said_by: str = ""
    alphabet: str | None = None
    alphabet_line: int | None = None
    format: str | None = None
    line: int | None = None
    constraints: tuple[tuple[int, str], ...] = ()
    about: tuple[str, ...] = ()
    has_puzzles: bool = field(default=False, compare=False)
    waiting: int | None = field(default=None, compare=False)
    has_mark: bool = False
    boards: NamedBoards = field(default_factory=NamedBoards, compare=False)
    remarks: Remarks = field(default_factory=Remarks, compare=False)

    @property
    def has_said_board(self) -> bool:
        """Whether the caller or the text says which board the puzzles are for."""
        return self.geometry is not None or bool(self.said_by)

    def alphabet_of(self, board: Geometry) -> str | None:
        """Return the symbols for 1, 2, 3, ... on a board; None where nothing says which they are.

        A line `# alphabet: 1-G` goes for other boards than 16x16 too: it says that A is 10, for all that follows.
        It does not go for boards whose values begin at 0.

        Raises:
            FormatError: the alphabet has another number of symbols than the board has values.
        """
        n = board.n_values
        if not board.first and (self.alphabet is None or self.alphabet.startswith("1")):
            if self.alphabet and self.alphabet_line is None:
                message = f"alphabet {self.alphabet} begins with 1, and the values on {board.name} with 0"
                raise FormatError(f"{message}; write {alphabet_names(n)[-1]}", self.source)
            return board_alphabet(board)[:n]
        if self.alphabet is None:
            return None
        if fitting_symbols := fitting_alphabet(self.alphabet, n):
            return fitting_symbols
        symbols = alphabet_symbols(self.alphabet) or alphabet_symbols(self.alphabet.upper())
        # Files of version 0.2 have 1-G on boards of any size.
        is_general = len(symbols) >= n or self.alphabet == DEFAULT_ALPHABET
        if self.alphabet_line is not None and is_general and ALPHABETS[DEFAULT_ALPHABET].startswith(symbols):
            return ALPHABETS[DEFAULT_ALPHABET][:n]
        fitting = " or ".join(alphabet_names(n)) or "numbers separated by spaces"
        message = f"alphabet {self.alphabet} has {len(symbols)} symbols, and {board.name} {n} values; write {fitting}"
        raise FormatError(message, self.source, self.alphabet_line)

    def named_board(self, name: str) -> Geometry:
        """Return the board of that name under the rules of this setting.

        Raises:
            FormatError: the text asks for a board or a rule that does not exist; it names the line.
            GeometryError: the caller asks for a rule that does not exist.
        """
        try:
            return self.boards.board(name, self.rules)
        except GeometryError as error:
            raise self._with_line(error) from error

    def known_board(self) -> Geometry | None:
        """Return the board, if the caller or the text names one; raises as `named_board`."""
        if self.geometry is None:
            return self.named_board(self.board) if self.board else None
        try:
            return self.geometry if self.rules is None else self.geometry.with_rules(self.rules)
        except GeometryError as error:
            raise self._with_line(error) from error

    def constraints_on(self, board: Geometry) -> tuple[Constraint, ...]:
        """Return the constraints of a puzzle on a board.

        Raises:
            FormatError: one cannot be read, or does not fit the board; it names the line.
        """
        distinct: dict[Constraint, None] = {}
        for line, text in self.constraints:
            try:
                distinct[parse(text, board)] = None
            except FormatError as error:
                raise FormatError(error.message, self.source, line) from error
        return tuple(distinct)

    def refuse_waiting(self, *, has_next: bool) -> None:
        """Raise FormatError for a constraint without a puzzle after it, unless a puzzle may follow."""
        if not has_next and self.waiting is not None and self.constraints:
            raise FormatError(
                "a constraint after the last puzzle; write it before its puzzle", self.source, self.waiting
            )

    def _with_line(self, error: GeometryError) -> GeometryError | FormatError:
        return error if self.line is None else FormatError(str(error), self.source, self.line)


class Segment(NamedTuple):
    """Lines under one setting.

    Attributes:
        setting: see `Setting`.
        blocks: rows that no blank line separates.
        bordered: whether there were borders, so that the lines are rows of a grid.
        drawing: the lines as they are drawn, with borders, by their numbers; empty if there were none.
    """

    setting: Setting
    blocks: list[list[Row]]
    bordered: bool
    drawing: Mapping[int, str] = {}


def is_comment(body: str) -> bool:
    """Check whether a line, without spaces before it, is all comment."""
    return _WHOLE_COMMENT.match(body) is not None


def segments(
    text: str | Iterable[Row],
    caller: Setting,
    initial: Setting | None = None,
    first_line: int = 1,
    *,
    is_cut: bool = False,
) -> Iterator[Segment]:
    """Yield the segments that have any rows.

    Args:
        text: with newlines alone between the lines; or its lines.
        caller: the caller's options.
        initial: these with what the text before has said; by default the caller's alone.
        first_line: the number of its first line.
        is_cut: whether more of it follows.

    Raises:
        FormatError: a directive cannot be read, a line is too long, or a constraint comes after the last puzzle.
    """
    setting, bordered, ignoring = initial or caller, False, False
    blocks: list[list[Row]] = [[]]
    drawing: dict[int, str] = {}
    rows = map(Row, count(first_line), text.split("\n")) if isinstance(text, str) else text
    for number, given in rows:
        line = plain(given)
        if len(line) > MAX_LINE_CHARACTERS:
            raise FormatError(
                f"a line of more than {MAX_LINE_CHARACTERS:,} characters is not a puzzle", caller.source, number
            )
        body = line.strip()
        if not body:
            if blocks[-1]:
                blocks.append([])
        elif is_comment(body):
            if body[0] == "#" and (directive := directive_of(body, number, setting)):
                finished = list(_finished(setting, blocks, bordered, drawing))
                yield from finished
                blocks, bordered, drawing = [[]], False, {}
                setting = with_directive(setting, caller, *directive, number, after_puzzles=bool(finished))
        elif body[0] == "[" and (match := _SECTION.fullmatch(body)):
            ignoring = match[1].lower() != "puzzle"
            if _BOARD_SECTION.search(match[1]):
                what = f"the section {body} is not read; a line `# board: jigsaw:MAP` says the regions"
                setting.remarks.add(f"line {number}: {what}", "section")
            blocks.append([])
        elif not ignoring:
            if "#" in line:
                line = _COMMENT.sub("", line)
            is_border = _is_border(body)
            if bordered or is_border or "|" in line:
                bordered, drawing[number] = True, line
            if is_border:
                continue
            line = line.replace("|", " ")
            blocks[-1].append(Row(number, line))
    finished = list(_finished(setting, blocks, bordered, drawing))
    yield from finished
    setting.refuse_waiting(has_next=bool(finished) or is_cut)


def directive_of(comment: str, line: int, setting: Setting) -> tuple[str, str] | None:
    """Return the directive in a comment, as a key and a value for `with_directive`; None if it has none.

    A comment that looks like a directive, but is not read, gets a remark.
    """
    if match := DIRECTIVE.match(comment):
        return match[1].lower(), match[2].strip()
    if match := _GENERATED.fullmatch(comment):
        return "command", match[1]
    # Comments of other programs may begin with the same words.
    if setting.about and (match := _ABOUT.fullmatch(comment)):
        return match[1], match[2].strip()
    name = board_of_header(comment)
    if key := unread_key(comment, is_header=bool(name)):
        shown = comment[:40].strip()
        what = f"{key} in `{shown}` is not read" if name else f"`{shown}` is read as a comment"
        setting.remarks.add(f"line {line}: {what}; a line `# board: NAME` says which board is meant", f"setting {key}")
    return ("size", name) if name else None


def _require_same_board(name: str, setting: Setting, line: int) -> None:
    """Raise FormatError if the board in a header has another size, or other boxes, than the board in the setting."""
    header, asked_for = setting.boards.board(name, None), setting.geometry
    by = "--board" if asked_for else "a line `# board:`"
    given = asked_for or setting.boards.board(setting.board or "", None)
    boxes_differ = header.box is not None and given.box is not None and header.box != given.box
    if header.shape != given.shape or boxes_differ:
        message = f"the header says {name}, and {by} {given.name}; leave out one of them"
        raise FormatError(message, setting.source, line)


def with_directive(
    setting: Setting, caller: Setting, key: str, value: str, line: int, *, after_puzzles: bool
) -> Setting:
    """Return the setting after a directive.

    Args:
        setting: before it.
        caller: the caller's options.
        key: such as `board`; `size` for a board that is given by its size and box.
        value: its value.
        line: its line.
        after_puzzles: whether there were puzzles since the last directive: then constraints start again, and so do
            comments on puzzles.
    """
    is_said_already = key == "size" and (setting.geometry is not None or setting.said_by == "board")
    if after_puzzles and key in ("constraint", "board", "size") and not is_said_already:
        setting = replace(setting, constraints=())
    if after_puzzles and key != "alphabet":
        setting = replace(setting, about=())
    if after_puzzles:
        setting = replace(setting, has_puzzles=True, waiting=None)
    if key in ABOUT_KEYS:
        if caller.geometry is not None or caller.rules is not None:
            # It may not hold on another board.
            return setting
        others = (line for line in setting.about if line.partition(" ")[0] != key)
        return replace(setting, about=(*others, f"{key} {value}"))
    if key == "constraint":
        waiting = line if setting.has_puzzles and setting.waiting is None else setting.waiting
        constraints = () if value == NO_CONSTRAINT else (*setting.constraints, (line, value))
        return replace(setting, constraints=constraints, waiting=waiting)
    if key == "alphabet":
        require_alphabet(value, setting.source, line)
        return setting if caller.alphabet else replace(setting, alphabet=value, alphabet_line=line)
    if key == "rules":
        names = tuple(part.strip() for part in value.split(",") if part.strip())
        if not names:
            raise FormatError("no rule after `# rules:`; write `# rules: row,column`", setting.source, line)
        return setting if caller.rules is not None else replace(setting, rules=names, line=line)
    try:
        setting.boards.board(value, None)
    except GeometryError as error:
        raise FormatError(str(error), setting.source, line) from error
    if is_said_already:
        _require_same_board(value, setting, line)
        return setting
    if key == "size":
        _remark_boxes(value, setting, line)
    return replace(setting, board=value, line=line, said_by=key)


def _remark_boxes(name: str, setting: Setting, line: int) -> None:
    """Add a remark on the orientation of the boxes of a header, if that makes a difference."""
    rows, columns = name.partition(":")[2].split("x")
    if rows != columns:
        what = f"boxes {columns} wide and {rows} high; write `# board: NAME` if that is wrong"
        setting.remarks.add(f"line {line}: the header is read as {name}, {what}", f"boxes {name}")


def require_alphabet(name: str, source: str, line: int | None = None) -> None:
    """Raise FormatError unless a text is the name of an alphabet."""
    if not (alphabet_symbols(name) or alphabet_symbols(name.upper())):
        others = "write the symbols for the first and the last value, such as 0-8 or 1-Z0 (0 after Z)"
        raise FormatError(f"no alphabet {name[:40]!r}; known: {', '.join(ALPHABETS)}; {others}", source, line)


def is_separator(line: str) -> bool:
    """Check whether a line is a heading or a border, or a row of dashes, which may be a border or a puzzle."""
    body = line.strip()
    return "|" in body or not body.strip("- \t") or _SECTION.fullmatch(body) is not None or _is_border(body)


def _is_border(body: str) -> bool:
    if body[0] not in _BORDER_CHARACTERS or body.strip(_BORDER_CHARACTERS):
        return False
    cornered = body[0] in _CORNERS and body[-1] in _CORNERS and "---" in body and not _TWO_CORNERS.search(body)
    return "+" in body or "=" in body or cornered or not body.strip("| \t")


def _finished(
    setting: Setting, blocks: list[list[Row]], bordered: bool, drawing: Mapping[int, str]
) -> Iterator[Segment]:
    """Yield the segment, if it has any rows, without the lines of dashes that are borders."""
    dashes = [row for block in blocks for row in block if not row.text.strip("- \t\r")]
    if dashes:
        # A row of blanks has the length of a row that shows - to be a blank.
        lines = {row.line for row in dashes}
        others = [row.text for block in blocks for row in block if row.line not in lines]
        lengths = {_length(text) for text in others if "-" in text}
        borders = {row.line for row in dashes if others and _length(row.text) not in lengths}
        blocks = [[row for row in block if row.line not in borders] for block in blocks]
        bordered = bordered or bool(borders)
    blocks = [block for block in blocks if block]
    if blocks:
        yield Segment(setting, blocks, bordered, drawing if bordered else {})


def _length(text: str) -> int:
    return len("".join(text.split()))
