"""Write figures about puzzles, boards and encodings."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sudoku_encode.encoders.table import ALL
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.place import FIRST_KEYS
from sudoku_encode.report.printing import row
from sudoku_encode.report.reading import Outcome, PuzzleInput

if TYPE_CHECKING:
    from sudoku_encode.encoders.puzzle_sizes import PuzzleBatch
    from sudoku_encode.formats.entries import SourceItem

_SIZES = ("encoding", "amo", "variables", "clauses", "reduced_variables", "reduced_clauses")


def write_figures(source: PuzzleInput, form: str, requested: list[str] | None, ways: list[str]) -> int:
    """Write the figures of each puzzle, and return the exit status.

    Args:
        source: the puzzles.
        form: `text`, `json` or `csv`.
        requested: the encodings whose sizes alone are written; None for all figures.
        ways: to encode `at most one of these`.
    """
    from sudoku_encode.encoders import puzzle_sizes
    from sudoku_encode.puzzles.puzzle import Puzzle

    if form == "csv":
        print(",".join([*FIRST_KEYS, *_SIZES, "reason"]))
    for batch in _batches(source):
        if isinstance(batch[0].entry.content, FormatError):
            record, message = batch[0].place.record("bad input"), batch[0].entry.content.message
            if form == "json":
                print(json.dumps(record | {"reason": message}))
            elif form == "csv":
                print(row([*record.values(), *[None] * len(_SIZES), message]))
            continue
        encoded = puzzle_sizes.PuzzleBatch(
            [item.entry.content for item in batch if isinstance(item.entry.content, Puzzle)]
        )
        board = puzzle_sizes.board_figures(encoded.board)
        puzzle_figures = _of_puzzles(encoded)
        by_encoding = puzzle_sizes.sizes(encoded, requested or [ALL], ways)
        # A batch contains a single large board, whose sizes are printed as they are found.
        by_puzzle = [(size for (size,) in by_encoding)] if len(batch) == 1 else zip(*by_encoding, strict=True)
        for item, sizes in zip(batch, by_puzzle, strict=True):
            record = item.place.record("read")
            if requested is not None:
                _print_sizes(record, sizes, form)
            elif form == "json":
                print(json.dumps({**record, **board, **next(puzzle_figures), "encodings": list(sizes)}))
            else:
                if source.many:
                    print(f"# puzzle {item.number}")
                _print_figures(board | next(puzzle_figures))
                print()
                _print_sizes(record, sizes, "text")
    return Outcome().status(source)


def _of_puzzles(batch: "PuzzleBatch") -> Iterator[dict[str, Any]]:
    """Yield the figures of each puzzle; for a cube also those of its patterns, unless singles find a contradiction."""
    from sudoku_encode.encoders.puzzle_sizes import puzzle_figures
    from sudoku_encode.placements import pattern_figures

    for puzzle, reduced, figures in zip(batch.puzzles, batch.left, puzzle_figures(batch), strict=True):
        yield figures if reduced.contradiction else figures | pattern_figures(puzzle, reduced.candidates)


def _batches(source: PuzzleInput) -> "Iterator[list[SourceItem]]":
    """Yield batches of puzzles on one board, and invalid puzzles one by one."""
    from sudoku_encode.encoders.reduction import batch_size

    for located in source.located():
        batch = list(located.singles())
        puzzle = batch[0].entry.content
        size = 1 if isinstance(puzzle, FormatError) or puzzle.constraints else batch_size(puzzle.geometry)
        for start in range(0, len(batch), size):
            yield batch[start : start + size]


def _print_sizes(record: dict[str, Any], sizes: Iterable[dict[str, Any]], form: str) -> None:
    """Print the sizes of encodings; in JSON and CSV each line begins with the fields of the record."""
    if form == "text":
        print(f"{'encoding':<10} {'amo':<10} {'variables':>11} {'clauses':>12} {'reduced':>11} {'clauses':>12}")
    for size in sizes:
        values = [size[name] for name in _SIZES]
        record["status"] = "refused" if size["reason"] else "read"
        if form == "json":
            print(json.dumps({**record, **size}))
        elif form == "csv":
            print(row([*record.values(), *values, size["reason"]]))
        else:
            cells = [f"{value:,}" if isinstance(value, int) else "-" for value in values[2:]]
            says = "".join(f"{cell:>{width}}" for cell, width in zip(cells, (12, 13, 12, 13), strict=True))
            print(f"{values[0]:<10} {values[1] or '-':<10}{says}{'  ' + size['reason'] if size['reason'] else ''}")


def _print_figures(figures: dict[str, Any]) -> None:
    for name, value in figures.items():
        if isinstance(value, dict):
            text = ", ".join(f"{count} {rule}" for rule, count in value.items())
        elif isinstance(value, list):
            # The smallest and the largest degree, mostly the same.
            text = " to ".join(dict.fromkeys(map(str, value))) if name == "degree" else ", ".join(map(str, value))
        else:
            text = f"{value:,}" if isinstance(value, int) else value
        print(f"{name.replace('_', ' '):<24} {text}")
