"""The command show: puzzles as text and pictures."""

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import FormatError, SudokuError, plural
from sudoku_encode.render.table import DRAWINGS, PAPERS, PLAIN
from sudoku_encode.report.pictures import FORMS, for_terminal, form_of, refuse_terminal, write
from sudoku_encode.report.printing import ProgressDisplay, prefix, progress
from sudoku_encode.report.reading import Outcome, PuzzleInput, name_of
from sudoku_encode.report.streams import remark

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
    from sudoku_encode.render.picture import Picture
    from sudoku_encode.render.table import Details


class MarkOptions(NamedTuple):
    """Marks to draw in addition to a puzzle."""

    solution: Annotated[
        bool,
        typer.Option(
            "--solution",
            help="Solve each puzzle, and draw the solution differently from the givens. An html page hides it until "
            "you ask for it.",
        ),
    ] = False
    candidates: Annotated[
        bool,
        typer.Option(
            "--candidates",
            help="Show the candidates that the givens leave in each blank; in text a single one is in brackets.",
        ),
    ] = False
    cells: Annotated[
        str | None, typer.Option(help="Cells to highlight, such as r1c1,r2c3 or x0y0z1.", show_default=False)
    ] = None
    units: Annotated[
        str | None,
        typer.Option(help="Units to highlight, such as 'row 3,box 1' or, on a cube, 'box-xy 12'.", show_default=False),
    ] = None
    against: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Mark the cells whose values differ from this other grid on the same board.",
            show_default=False,
        ),
    ] = None
    axis: Annotated[
        str | None,
        typer.Option(
            help="The axis along which the layers of a cube are drawn, by default x.",
            show_default=False,
            **options.one_of(("x", "y", "z")),
        ),
    ] = None


class FormOptions(NamedTuple):
    """Settings of the forms."""

    per_page: Annotated[
        int | None,
        typer.Option(min=1, max=100, help="Puzzles on each page of a pdf, by default 1.", show_default=False),
    ] = None
    paper: Annotated[
        str | None,
        typer.Option(help="The paper size of a pdf, by default a4.", show_default=False, **options.one_of(PAPERS)),
    ] = None
    answers: Annotated[
        bool, typer.Option("--answers", help="Solve the puzzles, and add the solutions on the last pages of a pdf.")
    ] = False
    ascii: Annotated[
        bool, typer.Option("--ascii", help="Draw the lines of text with +, - and |, for terminals without others.")
    ] = False


def command(
    given: options.PuzzleOptions,
    *,
    to: Annotated[
        str | None,
        typer.Option(
            help=f"The form of the output: {', '.join(DRAWINGS)}; by default the one of the file's suffix, else text."
            f"\n\n{FORMS}.",
            show_default=False,
            **options.one_of(DRAWINGS),
        ),
    ] = None,
    output: options.Output = "-",
    marked: MarkOptions,
    paper: FormOptions,
    limits: options.LimitOptions,
) -> None:
    """Draw each puzzle or solution, with borders around its boxes or regions; a cube layer by layer.

    Text, pdf, tikz and html can contain several puzzles. An svg or png contains one: for several, give a folder, such
    as `-o pictures/`. The exit status is 1 if --solution or --answers finds a puzzle without a solution.

    Details:

    An html page contains the name of the puzzle, the board, the clues as text, and with --solution a button that shows
    the solution; without --solution nothing is solved. You can rotate a cube, unless cells, units, differences or an
    axis are given, which need layers; the solution of a cube is visible at first. For a page for each of several
    puzzles, give a folder.

    The line above each layer contains its number, from 0 as in the names of cells, and the axes down and across.
    Blanks with pencilmarks show them. To write grids that can be read back, use `convert --to grid`.

    In text, a star marks highlighted cells, a dash cells of highlighted units, and `!` differences with --against.
    """
    from sudoku_encode.storage.outputs import refuse_inputs

    source, outcome, form = PuzzleInput(given), Outcome(), form_of(to, output)
    details = _details(form, paper, output)
    _refuse(marked, paper, limits, form)
    refuse_terminal(form, output)
    inputs = [*source.inputs, *([marked.against] if marked.against else [])]
    refuse_inputs(inputs, output)
    pictures, answers = list["Picture"](), list["Picture"]()
    solving = marked.solution or paper.answers
    with progress("solving ...") if solving else nullcontext(ProgressDisplay()) as shown:
        for item in source.entries():
            number, puzzle = item.number, item.entry.content
            if isinstance(puzzle, FormatError):
                continue
            if marked.against and source.many:
                raise SudokuError("--against is for a single puzzle, not for many")
            before = prefix(number, source)
            solved = _solved(puzzle, limits, outcome, before) if solving else None
            drawn = _picture(puzzle, marked, solved if marked.solution else None, before)
            if form == "html":
                drawn = replace(drawn, name=name_of(item, puzzle))
            _remark_written(drawn, form, before)
            if source.many and form != "text":
                drawn = _numbered(drawn, number)
            if form == "text" and output == "-":
                # Each is printed as it comes.
                shown.hide()
                _print(drawn, puzzle.name, number, source.many, details)
                continue
            pictures.append(drawn)
            if paper.answers and solved is not None:
                answers.append(_numbered(_answer(puzzle, solved, marked.axis), number))
    if pictures:
        write(pictures, form, output, details._replace(answers=tuple(answers)), inputs)
    raise typer.Exit(outcome.status(source))


def _refuse(marked: MarkOptions, paper: FormOptions, limits: options.LimitOptions, form: str) -> None:
    """Raise an error if an option without effect is given."""
    for name, text in (("cells", marked.cells), ("units", marked.units)):
        if text is not None and not _listed(text):
            raise SudokuError(f"--{name}: the list is empty")
    if paper.answers and form != "pdf":
        raise SudokuError(f"--answers is for pdf, not for {form}: see --solution")
    if paper.answers and marked.solution:
        raise SudokuError("--answers and --solution: give only one; --answers puts the solutions on the last pages")
    if marked.solution and marked.candidates:
        raise SudokuError("--candidates has no effect with --solution, which leaves no blank")
    if not (marked.solution or paper.answers) and any(limit is not None for limit in limits):
        raise SudokuError("--timeout and --memory are for --solution and --answers")


def _details(form: str, paper: FormOptions, output: str) -> "Details":
    """Return the settings of a form, but refuse those that it does not use."""
    for name, value in (("per_page", paper.per_page), ("paper", paper.paper), ("ascii", paper.ascii)):
        if value and name not in DRAWINGS[form].details:
            takers = ", ".join(row.name for row in DRAWINGS.values() if name in row.details)
            raise SudokuError(f"--{name.replace('_', '-')} is for {takers}, not for {form}")
    details = PLAIN._replace(per_page=paper.per_page or PLAIN.per_page, paper=paper.paper or PLAIN.paper)
    return for_terminal(details, paper.ascii, output) if form == "text" else details


def _solved(puzzle: "Puzzle", limits: options.LimitOptions, outcome: Outcome, before: str) -> "Grids | None":
    """Return a solution of a puzzle; None, with a remark, if there is no solution or the search stopped."""
    from sudoku_encode.api.answers import solve
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.report.reading import no_solution_reason

    try:
        solution = solve(puzzle, "auto", limits=limits.limits())
    except StoppedError as reason:
        outcome.incomplete = True
        remark(f"{before}stopped: {reason}")
        return None
    if solution is None:
        outcome.negative = True
        remark(f"{before}no solution{no_solution_reason(puzzle)}")
        return None
    return solution.values


def _picture(puzzle: "Puzzle", marked: MarkOptions, solution: "Grids | None", before: str) -> "Picture":
    """Return the picture of a puzzle, with a remark on the number of different cells."""
    from sudoku_encode.render.picture import picture

    against = None
    if marked.against is not None:
        from sudoku_encode.api.puzzles import as_puzzle

        against = as_puzzle(marked.against, puzzle.geometry).givens
    drawn = picture(
        puzzle,
        solution=solution,
        candidates=_marks(puzzle, before) if marked.candidates else None,
        cells=_listed(marked.cells),
        units=_listed(marked.units),
        against=against,
        title=puzzle.name,
        axis=marked.axis,
    )
    if against is not None:
        number = len(drawn.differs)
        verb = "differs" if number == 1 else "differ"
        remark(f"{before}{number} {plural('cell', number)} of {puzzle.geometry.n_cells} {verb}")
    return drawn


def _remark_written(drawn: "Picture", form: str, before: str) -> None:
    """Remark which kinds of constraints have no drawing and are only written below the picture."""
    if form == "text" or not drawn.constraints:
        return
    from sudoku_encode.render.constraint_drawings import without_drawing

    if kinds := without_drawing(drawn.constraints):
        remark(f"{before}written below the picture, since these kinds have no drawing: {', '.join(kinds)}")


def _listed(names: str | None) -> list[str]:
    return [name.strip() for name in (names or "").split(",") if name.strip()]


def _numbered(drawn: "Picture", number: int) -> "Picture":
    """Return a picture with the number of its puzzle in its title, before the title or else the name."""
    title = drawn.title or drawn.name
    return replace(drawn, title=f"{number}. {title}" if title else str(number))


def _answer(puzzle: "Puzzle", solution: "Grids", axis: str | None) -> "Picture":
    from sudoku_encode.render.picture import picture

    return picture(puzzle, solution=solution, title=puzzle.name, axis=axis)


def _print(drawn: "Picture", name: str, number: int, many: bool, details: "Details") -> None:
    """Print a picture as text."""
    from sudoku_encode.render.drawing import drawing

    if many:
        print(f"# puzzle {number}{': ' + name if name else ''}")
    print(drawing([replace(drawn, title="")], "text", details), end="")


def _marks(puzzle: "Puzzle", before: str) -> "Candidates":
    """Return the candidates left by the givens, with a remark on a contradiction."""
    from sudoku_encode.encoders.reduction import reduce
    from sudoku_encode.puzzles.constraints.lowering import lower_puzzle

    reduced = reduce(lower_puzzle(puzzle).puzzle, "givens")
    if reduced.contradiction:
        remark(f"{before}{reduced.contradiction}")
    return reduced.candidates[: puzzle.geometry.n_cells]
