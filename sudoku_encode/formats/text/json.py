"""JSON: an object with board, rules, givens, pencilmarks, constraints and name, or a list of them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError, GeometryError, NoFormatError
from sudoku_encode.formats.cells import segment_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.frame import cells_in_frame, overlap_of
from sudoku_encode.formats.headers import is_setting_key
from sudoku_encode.formats.json_objects import refuse_misspelt, refuse_unknown, unique_keys
from sudoku_encode.formats.layout import ambiguous, line_layouts, nearest
from sudoku_encode.formats.lines import Row, Segment, Setting
from sudoku_encode.formats.region_maps import SIDES, is_map, jigsaw_board, map_remark
from sudoku_encode.formats.stream import answer_text
from sudoku_encode.formats.symbols import blank_of, most_of_a_value, zero_doubt, zero_of
from sudoku_encode.formats.tables import (
    ANSWER_COLUMNS,
    DOUBTFUL_COLUMNS,
    PUZZLE_COLUMNS,
    Table,
    TextRows,
    has_symbols,
    text_rows,
)
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# Stands for null in arrays of numbers.
_NULL = -1
# The keys of a puzzle. A record of a data set, which names its puzzle as tables do, has other columns too.
KEYS = ("board", "rules", "givens", "pencilmarks", "constraints", "name")
_FEWEST_CELLS = 16
# Keys of other programs for the givens, where no key of a puzzle is there.
_OTHER_NAMES = ("clues", "start", "initial", "value", "values", "rows", "matrix", "unsolved", "problem", "mission")
_CHANGE_THE_PUZZLE = ("board", "rules", "pencilmarks", "constraints")


def write_json(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    board = puzzle.geometry
    item: dict[str, object] = {"name": puzzle.name} if puzzle.name else {}
    item["board"] = board.name
    if boards.board(board.name, files=False).rule_names != board.rule_names:
        item["rules"] = board.rule_names
    # Where 0 could be a value, a blank is null.
    numbers = [0 if blank_of(puzzle, "0", "") else None, *board.numbers[1:]]
    item["givens"] = np.array(numbers, object)[puzzle.givens].reshape(board.shape).tolist()
    if puzzle.pencilmarks is not None:
        item["pencilmarks"] = [(np.flatnonzero(cell) + board.first).tolist() for cell in puzzle.pencilmarks]
    if puzzle.constraints:
        item["constraints"] = [constraint.text(board) for constraint in puzzle.constraints]
    return json.dumps(item)


def write_list(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield segments of a list of puzzles, one per line."""
    yield "["
    for index, puzzle in enumerate(puzzles):
        yield ("," if index else "") + "\n" + write_json(puzzle)
    yield "\n]\n"


def read_json(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a JSON text: one object, a list of objects, or one list of values, nested or not.

    The givens may be a line of symbols, and their key a name of a column in tables, such as `puzzle`.

    Raises:
        FormatError: the text is not JSON, or an object has a key twice.
    """
    source = setting.source
    try:
        document = json.loads(text, object_pairs_hook=unique_keys)
    except FormatError as error:
        raise FormatError(error.message, source) from None
    except json.JSONDecodeError as error:
        raise NoFormatError(f"not JSON: {error.msg}", source, error.lineno, error.colno) from error
    except (RecursionError, ValueError) as error:
        raise FormatError("JSON nested too deep, or with a number too long", source) from error
    if setting.format not in (None, "json"):
        raise FormatError(f"this is JSON, not {setting.format}", source)
    document = _unwrapped(document)
    is_batch = isinstance(document, list) and bool(document) and all(isinstance(item, dict) for item in document)
    items = document if is_batch else [] if document == [] else [document]
    first = document if isinstance(document, dict) else items[0] if is_batch else {}
    table = Table("json", tuple(first))
    for count, item in enumerate(items, 1):
        rows = object_row(table, item) if isinstance(item, dict) else None
        try:
            yield entry_of(item, setting)._replace(rows=rows)
        except (FormatError, GeometryError) as error:
            message = error.message if isinstance(error, FormatError) else str(error)
            yield Entry(FormatError(f"puzzle {count}: {message}" if is_batch else message, source), rows=rows)


def _unwrapped(document: Any) -> Any:
    """Return an object or a list that is alone in others; a list of texts of puzzles as objects."""
    if isinstance(document, dict) and len(document) == 1:
        (inner,) = document.values()
        if isinstance(inner, dict):
            # The service dosuku answers {"newboard": {"grids": [...], ...}}.
            return inner.get("grids", inner)
    if isinstance(document, list) and document and all(isinstance(item, str) for item in document):
        lengths = {len(item) for item in document}
        # As many texts as each has symbols are the rows of a grid.
        if min(lengths) >= _FEWEST_CELLS and lengths != {len(document)}:
            return [{"givens": item} for item in document]
    return document


def object_row(table: Table, item: dict[str, Any]) -> TextRows:
    """Return the row of an object."""
    return text_rows(table, [json.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass")])


def entry_of(item: object, setting: Setting) -> Entry:
    """Return the puzzle of an object, or of a list of values, nested or not.

    Raises:
        FormatError: it is not a puzzle.
        GeometryError: it names a board that does not exist.
    """
    record = _with_givens(item) if isinstance(item, dict) else {"givens": item}
    record, regions = _split(record, setting)
    puzzle = _puzzle(record, setting, regions)
    is_pair = regions and "regions" not in record
    remarks: tuple[str, ...] = (
        (map_remark("the second list", "two puzzles are a list of two objects"),) if is_pair else ()
    )
    unread = [
        key
        for key, value in record.items()
        if key not in KEYS
        and is_setting_key(key)
        and value not in (None, False, "", [], {})
        and not (regions and key == "regions")
    ]
    if unread:
        remarks += (f'not read: {", ".join(map(repr, unread))}; write the board as "board": NAME',)
    return Entry(puzzle, answer=_answer(record, puzzle, setting), remarks=remarks)


def _split(item: dict[str, Any], setting: Setting) -> tuple[dict[str, Any], list[str]]:
    """Return an object with only its givens, and the regions of its cells from the second grid or `regions`, if any."""
    givens, regions = item.get("givens"), item.get("regions")
    says_board = bool(item.get("board")) or setting.geometry is not None
    if isinstance(regions, list | str) and regions and not says_board:
        cells = _symbols(regions)
        if not is_map(cells, isqrt(len(cells))):
            raise FormatError(
                '"regions" must be the region of each cell, in n lists of n; or write "board": "jigsaw:MAP"'
            )
        return item, cells
    if says_board or not isinstance(givens, list) or len(givens) != 2:
        return item, []
    cells = _symbols(givens[1])
    n = isqrt(len(cells))
    is_pair = n in SIDES and is_map(cells, n) and len(_symbols(givens[0])) == len(cells)
    return ({**item, "givens": givens[0]}, cells) if is_pair else (item, [])


def _symbols(nested: object) -> list[str]:
    """Return the texts of all cells of nested lists, in which strings have a symbol for each cell."""
    if not isinstance(nested, list):
        return list("".join(nested.split())) if isinstance(nested, str) else [str(nested)]
    cells: list[str] = []
    for item in nested:
        # Deeper lists are not a grid.
        cells += map(str, item) if isinstance(item, list) else _symbols(item)
    return cells


def _with_givens(item: dict[str, Any]) -> dict[str, Any]:
    """Return an object with `givens` for its names in tables, such as `puzzle`; refuse unknown and misspelt keys."""
    key, is_record = puzzle_key(item)
    if is_record:
        # A number is a figure of the data set, such as `n_constraints`.
        texts_and_lists = {key: value for key, value in item.items() if isinstance(value, str | list | dict)}
        refuse_misspelt(texts_and_lists, KEYS, _CHANGE_THE_PUZZLE)
    else:
        refuse_unknown(item, [*KEYS, "regions", *(key for key in item if key.lower() in ANSWER_COLUMNS)], "a puzzle")
    if key in (*DOUBTFUL_COLUMNS, *_OTHER_NAMES):
        return {**{other: value for other, value in item.items() if other != key}, "givens": item[key]}
    return {**item, "givens": item[key]} if key else item


def puzzle_key(item: dict[str, Any]) -> tuple[str, bool]:
    """Return the key of the puzzle in an object (or an empty text), and whether the object is a record of a data set.

    Raises:
        FormatError: there are two.
    """
    others = [key for key in item if key.lower() in PUZZLE_COLUMNS]
    # In the records of this program `puzzle` is a number.
    puzzles = [key for key in others if isinstance(item[key], str | list)]
    puzzles = puzzles or (["givens"] if "givens" in item else others[:1])
    if not others:
        # The name of a board is short, or has a colon.
        puzzles = [key for key in item if key.lower() in DOUBTFUL_COLUMNS and has_symbols(item[key])]
        puzzles = puzzles or [key for key in item if key.lower() in _OTHER_NAMES and has_symbols(item[key])]
    if len(puzzles) > 1:
        raise FormatError(f"{' and '.join(map(json.dumps, puzzles))} are both a puzzle; give one of them")
    is_record = others not in ([], ["givens"]) or (not others and bool(puzzles))
    return puzzles[0] if puzzles else "", is_record


def _answer(item: dict[str, Any], puzzle: Puzzle, setting: Setting) -> str:
    """Return the solution beside a puzzle if it is a line of symbols, else an empty text."""
    answer = next((item[key] for key in item if key.lower() in ANSWER_COLUMNS), "")
    if not isinstance(answer, str):
        return ""
    return answer_text(answer.strip(), puzzle.geometry, setting.alphabet_of(puzzle.geometry))


def _row_texts(givens: object) -> list[str]:
    """Return the texts of the rows of lists in which cells or rows are strings; an empty list for others."""
    if not isinstance(givens, list) or not givens:
        return []
    if all(isinstance(row, str) for row in givens):
        cells = [row.strip() or "." for row in givens]
        return [",".join(cells)] if all(len(cell) <= 2 for cell in cells) else givens
    rows = [row for row in givens if isinstance(row, list) and row]
    if len(rows) < len(givens) or not any(isinstance(cell, str) for row in rows for cell in row):
        return []
    if any(isinstance(cell, list | dict) for row in rows for cell in row):
        return []
    return [",".join("." if cell is None else str(cell).strip() or "." for cell in row) for row in rows]


def _of_texts(texts: Sequence[str], board: str | None, setting: Setting) -> Puzzle:
    """Return the puzzle of a line of symbols, or of the texts of its rows."""
    whole = Segment(
        replace(
            setting,
            board=board or setting.board,
            said_by="board" if board else setting.said_by,
            format="line" if len(texts) == 1 else None,
        ),
        [[Row(number, text) for number, text in enumerate(texts, 1)]],
        bordered=False,
    )
    contents = [entry.content for entry in segment_entries(whole)]
    if contents and isinstance(contents[0], FormatError):
        raise contents[0]
    if len(contents) != 1 or isinstance(contents[0], FormatError):
        raise FormatError("no puzzle in the givens")
    return contents[0]


def _puzzle(item: dict[str, Any], setting: Setting, regions: Sequence[str] = ()) -> Puzzle:
    if "givens" not in item:
        raise FormatError('no "givens"; write {"board": "9x9", "givens": [[5, 3, 0, ...], ...]}')
    name, board, rules = item.get("name"), item.get("board"), item.get("rules")
    if not isinstance(name, str | None) or not isinstance(board, str | None):
        raise FormatError('"name" and "board" must be strings')
    if rules is not None and setting.rules is None:
        if not (isinstance(rules, list) and all(isinstance(rule, str) for rule in rules)):
            raise FormatError('"rules" must be a list of strings, such as ["row", "column"]')
        setting = replace(setting, rules=tuple(rules))
    if regions:
        setting = replace(setting, geometry=jigsaw_board(isqrt(len(regions)), regions, setting), rules=None)
    # A name is one line without control characters.
    name = "".join(letter if letter.isprintable() else " " for letter in name or "")
    texts = [item["givens"]] if isinstance(item["givens"], str) else _row_texts(item["givens"])
    if texts:
        puzzle = _of_texts(texts, board, setting)
        geometry, givens = puzzle.geometry, puzzle.givens.astype(np.int64)
    else:
        numbers = _array(item["givens"])
        named = replace(setting, board=board or setting.board).known_board()
        geometry = named or setting.named_board(_board_of(numbers, setting))
        givens = _values(_on_board(numbers, geometry), geometry, setting, is_named=board is not None)
    marks = item.get("pencilmarks")
    if marks is not None and geometry.first and zero_of(setting.alphabet_of(geometry)):
        raise FormatError("pencilmarks under an alphabet with 0; write values from 1, and null for a blank")
    pencilmarks = None if marks is None else _pencilmarks(marks, geometry)
    return Puzzle.of(geometry, givens, pencilmarks, name, _constraints(item.get("constraints", [])))


def _on_board(numbers: NDArray[np.int64], geometry: Geometry) -> NDArray[np.int64]:
    """Return the numbers of the cells of a board; on boards that overlap from the rectangle around all of them."""
    cells = cells_in_frame(numbers, geometry, _NULL)
    if cells.ndim > 1 and cells.shape != geometry.shape:
        sides = "x".join(map(str, cells.shape))
        raise FormatError(f"givens of {sides} on {geometry.name}; nest them as the board is, or not at all")
    return cells.ravel()


def _values(numbers: NDArray[np.int64], geometry: Geometry, setting: Setting, *, is_named: bool) -> NDArray[np.int64]:
    """Return the values for numbers (_NULL for null), 0 for a blank; refuse numbers whose 0 is in doubt."""
    # An object that names its board is in this format, whose blank is 0 unless it contains null.
    n, alphabet = geometry.n_values, setting.alphabet_of(geometry)
    blanks = {text for text, number in (("0", 0), ("null", _NULL)) if number in numbers}
    zeros = int(np.count_nonzero(numbers == 0))
    is_settled = bool(n in numbers) or zeros > most_of_a_value(geometry) or numbers.size != geometry.n_cells
    is_settled = is_settled or (is_named and "null" not in blanks)
    if alphabet is None and (reason := zero_doubt(blanks, n, is_settled=is_settled, blank="null")):
        raise FormatError(reason)
    zero = zero_of(alphabet)
    if zero and (large := np.flatnonzero(numbers >= n)).size:
        where, last = geometry.cell_name(int(large[0])), n - 1
        under = f"under alphabet {setting.alphabet}" if setting.alphabet else f"on {geometry.name}"
        raise FormatError(f"{where} = {numbers[large[0]]}; numbers go up to {last} {under}")
    values: NDArray[np.int64] = np.where(numbers == 0, zero, numbers + (zero == 1))
    return np.where(numbers == _NULL, 0, values)


def _constraints(lines: object) -> list[str]:
    """Return the lines of constraints, once they are known to be strings."""
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise FormatError('"constraints" must be a list of strings, such as ["cage 15 r1c1 r1c2"]')
    return lines


def _array(nested: object) -> NDArray[np.int64]:
    """Return nested lists of whole numbers as an array, null as _NULL."""
    shape: list[int] = []
    level = [nested]
    while level and all(isinstance(item, list) for item in level):
        lengths = {len(item) for item in level}  # type: ignore[arg-type]
        if len(lengths) > 1:
            raise FormatError(f"lists of {' and '.join(map(str, sorted(lengths)))} values side by side in givens")
        shape += lengths
        level = [value for item in level for value in item]  # type: ignore[attr-defined]
    for value in level:
        if value is not None and type(value) is not int:
            raise FormatError(f"{_shown(value)} in givens; they are whole numbers, 0 or null for a blank")
        if value is not None and not 0 <= value <= 100:
            raise FormatError(f"{_shown(value)} in givens; values go from 1 to the side of the board, 0 is a blank")
    if not level or not shape:
        raise FormatError("givens must be a list of numbers, nested as the board is or not at all")
    return np.array([_NULL if value is None else value for value in level], np.int64).reshape(shape)


def _shown(value: object) -> str:
    """Return a value as JSON, shortened; lists and objects, which may be nested too deep, without their items."""
    if isinstance(value, dict | list):
        return "{...}" if isinstance(value, dict) else "[...]"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _board_of(givens: NDArray[np.int64], setting: Setting) -> str:
    """Return the name of the only board whose shape or size the givens have."""
    texts = ["" if number == _NULL else str(number) for number in givens.ravel().tolist()]
    if givens.ndim < 3 and (name := overlap_of(texts, givens.shape, setting.source, "json")):
        return name
    if givens.ndim > 1:
        if givens.ndim > 3 or len(set(givens.shape)) > 1:
            sides = "x".join(map(str, givens.shape))
            raise FormatError(f"givens of {sides} fit no board; nest n lists of n values, or n of n of n for a cube")
        return "x".join(map(str, givens.shape))
    fitting = [layout for layout in line_layouts(givens.size) if layout.kind == "line"]
    if len(fitting) > 1:
        raise FormatError(ambiguous("a list", fitting, 1, "json"))
    if not fitting:
        raise FormatError(f"{givens.size} givens fit no board; {nearest(givens.size)}")
    return fitting[0].board


def _pencilmarks(marks: object, geometry: Geometry) -> Candidates:
    """Return pencilmarks from a list of values per cell, the cells nested as the board is or not at all."""
    cells = [marks]
    for _ in geometry.shape:
        if len(cells) == geometry.n_cells:
            break
        if not all(isinstance(item, list) for item in cells):
            break
        cells = [cell for item in cells for cell in item]  # type: ignore[attr-defined]
    if len(cells) != geometry.n_cells:
        raise FormatError(
            f"pencilmarks for {len(cells)} of the {geometry.n_cells} cells; write a list of values for each cell"
        )
    allowed = np.zeros((geometry.n_cells, geometry.n_values), bool)
    for cell, values in enumerate(cells):
        if not isinstance(values, list) or not all(
            type(value) is int and geometry.first <= value <= geometry.last for value in values
        ):
            where, values_are = geometry.cell_name(cell), f"values from {geometry.first} to {geometry.last}"
            raise FormatError(f"pencilmarks of {where} must be a list of {values_are}")
        allowed[cell, [value - geometry.first for value in values]] = True
    return allowed


FORMATS = {"json": FormatFunctions(write_json, read_json, write_list)}
