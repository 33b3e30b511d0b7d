"""Output of pictures and of true candidates as text."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sudoku_encode.errors import SudokuError, plural
from sudoku_encode.render.table import DRAWINGS
from sudoku_encode.report.streams import has_lines

if TYPE_CHECKING:
    from sudoku_encode.questions.true_candidates import TrueCandidates
    from sudoku_encode.render.picture import Picture
    from sudoku_encode.render.table import Details


FORMS = "; ".join(f"{form.name}: {form.summary}" for form in DRAWINGS.values())


def form_of(to: str | None, output: str) -> str:
    """Return the form of the output, by the name of the form or the suffix of the output.

    Raises:
        SudokuError: the suffix belongs to another form, or to none.
    """
    from sudoku_encode.storage.files import bare_suffix
    from sudoku_encode.storage.outputs import is_folder

    if output == "-" or is_folder(output):
        return to or ("text" if output == "-" else "svg")
    suffix = bare_suffix(output)
    named = next((form.name for form in DRAWINGS.values() if form.suffix == suffix), None)
    if to is not None and named not in (None, to):
        raise SudokuError(f"{output} is the name of a {named} file, but --to says {to}")
    if (to or named) is None:
        forms = ", ".join(f"{form.suffix} ({form.name})" for form in DRAWINGS.values())
        raise SudokuError(
            f"{output}: no form of output has the suffix {suffix or 'of this name'}; choose one with --to: {forms}"
        )
    return str(to or named)


def refuse_terminal(form: str, output: str = "-") -> None:
    """Raise an error if a form that is not text would be printed on a terminal.

    Raises:
        SudokuError: the form is not text, and the output is a terminal.
    """
    if DRAWINGS[form].is_bytes and output == "-" and sys.stdout.isatty():
        raise SudokuError(f"{form} is not text: give -o FILE{DRAWINGS[form].suffix}, or redirect to a file with >")


def for_terminal(details: "Details", ascii: bool, output: str = "-") -> "Details":
    """Return details adapted to the output: line-drawing characters, and colours on a terminal."""
    return details._replace(ascii=ascii or not has_lines(), coloured=output == "-" and in_colour("auto"))


def put(picture: "Picture", form: str, many: bool) -> None:
    """Print a picture.

    Raises:
        SudokuError: as `drawing.drawing`, or the form does not allow many pictures in one output.
    """
    from sudoku_encode.render.drawing import drawing

    if many and form != "svg":
        raise SudokuError(f"--to {form} is for a single puzzle here, not for many")
    drawing([picture], form).save("-")


def write(
    pictures: "Sequence[Picture]", form: str, output: str, details: "Details", inputs: Iterable[str] = ()
) -> None:
    """Write pictures to a file, or to a folder with a numbered file for each.

    Args:
        pictures: the pictures.
        form: a key of DRAWINGS.
        output: the name of a file or a folder, `-` for standard output.
        details: settings of the form.
        inputs: names of input files, which are not overwritten.

    Raises:
        SudokuError: as `drawing.drawing`; several pictures for a form that takes one, or a file cannot be written.
    """
    from sudoku_encode.encoders.model_jobs import numbered_name
    from sudoku_encode.render.drawing import drawing
    from sudoku_encode.storage import outputs

    if outputs.is_folder(output):
        folder = outputs.make_folder(output)
        total = len(pictures)
        paths = [folder / (numbered_name(number, total) + DRAWINGS[form].suffix) for number in range(1, total + 1)]
        outputs.refuse_inputs(inputs, *paths)
        for picture, path in zip(pictures, paths, strict=True):
            drawing([picture], form, details).save(path)
        return
    if len(pictures) > 1 and not DRAWINGS[form].many:
        raise SudokuError(f"there are many puzzles: give a folder to write each as {form} to, such as -o pictures/")
    drawing(pictures, form, details).save(output)


# True candidates as text: the board with the values of each cell, and their shares as colours and numbers.

COLOURS = ("auto", "always", "never")
# Colours of terminals, from values in few solutions to values in most; they are visible on black and on white.
_SHADES = (245, 32, 37, 34, 172, 202, 196)


def in_colour(choice: str) -> bool:
    """Return whether to print colours; see NO_COLOR at no-color.org."""
    return choice == "always" or (choice == "auto" and sys.stdout.isatty() and not os.environ.get("NO_COLOR"))


def drawing(candidates: "TrueCandidates", coloured: bool) -> str:
    """Return the board with its true candidates, and below it the numbers of solutions, if they were counted."""
    from sudoku_encode.render.text import draw

    board = candidates.puzzle.geometry
    text = draw(board, candidates.puzzle.givens, candidates=candidates.seen, ascii=not has_lines())
    if coloured and candidates.shares is not None and candidates.total is not None and candidates.total.value:
        text = "".join(_shaded(text, candidates))
    if candidates.shares is None or candidates.total is None:
        return text
    least = "" if candidates.complete else "at least "
    lines = [text, f"{candidates.total} {plural('solution', candidates.total.value)}"]
    for cell in range(board.n_cells):
        values = candidates.values(cell)
        if len(values) > 1:
            shares = ", ".join(f"{board.shown(value)}: {least}{candidates.shares[cell, value - 1]}" for value in values)
            lines.append(f"{board.cell_name(cell)}  {shares}")
    return "\n".join(lines)


def _shaded(text: str, candidates: "TrueCandidates") -> Iterator[str]:
    """Yield a drawing with a colour for each value of the cells with several values, in their order."""
    shown = candidates.puzzle.geometry.shown
    cell, total = -1, 0 if candidates.total is None else candidates.total.value
    for line in text.splitlines(keepends=True):
        # A line above a layer contains digits that are not values.
        if line[0] not in "│|":
            yield line
            continue
        for token in re.split(r"([0-9,()]+)", line):
            if not re.fullmatch(r"[0-9,()]+", token):
                yield token
                continue
            cell += 1
            values = candidates.values(cell)
            if len(values) < 2:
                yield token
                continue
            assert candidates.shares is not None
            shades = (_shade(int(candidates.shares[cell, value - 1]), total) for value in values)
            gap = "," if "," in token else ""
            yield gap.join(
                f"\033[38;5;{shade}m{shown(value)}\033[0m" for shade, value in zip(shades, values, strict=True)
            )


def _shade(share: int, total: int) -> int:
    return _SHADES[min(len(_SHADES) - 1, share * len(_SHADES) // total)]
