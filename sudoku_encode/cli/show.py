"""The command show."""

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.pictures import FORMS, for_terminal, form_of, refuse_terminal, write
from sudoku_encode.cli.printing import Shown, prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import SudokuError, plural
from sudoku_encode.render.details import PAPERS, PLAIN
from sudoku_encode.render.table import DRAWINGS

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
    from sudoku_encode.render.details import Details
    from sudoku_encode.render.picture import Picture


class Marked(NamedTuple):
    """What is drawn besides a puzzle."""

    solution: Annotated[
        bool, typer.Option("--solution", help="Solve each puzzle, and draw the digits of a solution apart from givens.")
    ] = False
    candidates: Annotated[
        bool,
        typer.Option(
            "--candidates",
            help="Show in each blank which values the givens leave; in text a single one is in brackets.",
        ),
    ] = False
    cells: Annotated[
        str | None, typer.Option(help="Cells to highlight, such as r1c1,r2c3 or x0y0z1.", show_default=False)
    ] = None
    units: Annotated[
        str | None,
        typer.Option(help="Units to highlight, such as 'row 3,box 1' or, of a cube, 'box-xy 12'.", show_default=False),
    ] = None
    against: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Another grid of the same board: mark the cells whose values differ.",
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


class OnPaper(NamedTuple):
    """What a form may be told."""

    per_page: Annotated[
        int | None,
        typer.Option(min=1, max=100, help="Puzzles on a page of a pdf, by default 1.", show_default=False),
    ] = None
    paper: Annotated[
        str | None,
        typer.Option(help="Of a pdf, by default a4.", show_default=False, **options.one_of(PAPERS)),
    ] = None
    answers: Annotated[
        bool, typer.Option("--answers", help="Solve the puzzles, and put solutions on the last pages of a pdf.")
    ] = False
    ascii: Annotated[
        bool, typer.Option("--ascii", help="Draw lines of text with +, - and |, as where a terminal has no others.")
    ] = False


def command(
    given: options.PuzzleOptions,
    *,
    to: Annotated[
        str | None,
        typer.Option(
            help=f"{FORMS}. By default what the name of the output says, else text.",
            show_default=False,
            **options.one_of(DRAWINGS),
        ),
    ] = None,
    output: options.Output = "-",
    marked: Marked,
    paper: OnPaper,
    limits: options.LimitOptions,
) -> None:
    """Draw each puzzle or solution, with borders around its boxes or regions; a cube layer by layer.

    As html a cube can be turned, unless cells, units, differences or an axis are asked for: its layers show these.
    Above each layer stands which it is, from 0 as in the names of cells, and which axes go down and across. Blanks of a
    puzzle with pencilmarks show these. To write grids that can be read back, see `convert --to grid`.

    Text, pdf, tikz and html take several puzzles; of svg and png each is a file of its own: give a folder, such as
    -o pictures/. In text a star is at highlighted cells, a dash at those of highlighted units, and `!` where --against
    differs. The exit status is 1 where --solution or --answers finds that there is no solution.
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
    with progress("solving ...") if solving else nullcontext(Shown()) as shown:
        for number, puzzle in source.puzzles():
            if marked.against and source.many:
                raise SudokuError("--against is for one puzzle, and there are many")
            before = prefix(number, source)
            solved = _solved(puzzle, limits, outcome, before) if solving else None
            one = _picture(puzzle, marked, solved if marked.solution else None, before)
            _remark_written(one, form, before)
            if source.many and form != "text":
                one = _numbered(one, number)
            if form == "text" and output == "-":
                # Each is printed as it comes.
                shown.hide()
                _print(one, puzzle.name, number, source.many, details)
                continue
            pictures.append(one)
            if paper.answers and solved is not None:
                answers.append(_numbered(_answer(puzzle, solved, marked.axis), number))
    if pictures:
        write(pictures, form, output, details._replace(answers=tuple(answers)), inputs)
    raise typer.Exit(outcome.status(source))


def _refuse(marked: Marked, paper: OnPaper, limits: options.LimitOptions, form: str) -> None:
    """Refuse options that have no effect."""
    for name, text in (("cells", marked.cells), ("units", marked.units)):
        if text is not None and not _listed(text):
            raise SudokuError(f"--{name} names none")
    if paper.answers and form != "pdf":
        raise SudokuError(f"--answers is for pdf, not for {form}: see --solution")
    if paper.answers and marked.solution:
        raise SudokuError("--answers and --solution: solutions go on the last pages, or into the puzzles")
    if marked.solution and marked.candidates:
        raise SudokuError("--candidates has no effect with --solution, which leaves no blank")
    if not (marked.solution or paper.answers) and any(limit is not None for limit in limits):
        raise SudokuError("--timeout and --memory are for --solution and --answers")


def _details(form: str, paper: OnPaper, output: str) -> "Details":
    """Return the details of a form; refuse those that it does not use."""
    for name, wanted in (("per_page", paper.per_page), ("paper", paper.paper), ("ascii", paper.ascii)):
        if wanted and name not in DRAWINGS[form].details:
            takers = ", ".join(row.name for row in DRAWINGS.values() if name in row.details)
            raise SudokuError(f"--{name.replace('_', '-')} is for {takers}, not for {form}")
    details = PLAIN._replace(per_page=paper.per_page or PLAIN.per_page, paper=paper.paper or PLAIN.paper)
    return for_terminal(details, paper.ascii, output) if form == "text" else details


def _solved(puzzle: "Puzzle", limits: options.LimitOptions, outcome: Outcome, before: str) -> "Grids | None":
    """Return a solution of a puzzle; None where there is none, or it is not known, which is remarked."""
    from sudoku_encode.api.answers import solve
    from sudoku_encode.cli.answers import why_none
    from sudoku_encode.errors import StoppedError

    try:
        found = solve(puzzle, "auto", limits=limits.limits())
    except StoppedError as reason:
        outcome.incomplete = True
        remark(f"{before}stopped: {reason}")
        return None
    if found is None:
        outcome.negative = True
        remark(f"{before}no solution{why_none(puzzle)}")
        return None
    return found.values


def _picture(puzzle: "Puzzle", marked: Marked, solution: "Grids | None", before: str) -> "Picture":
    """Return what is drawn of a puzzle; how many cells differ is remarked."""
    from sudoku_encode.api.puzzles import as_puzzle
    from sudoku_encode.render.picture import picture

    drawn = picture(
        puzzle,
        solution=solution,
        candidates=_marks(puzzle, before) if marked.candidates else None,
        cells=_listed(marked.cells),
        units=_listed(marked.units),
        against=None if marked.against is None else as_puzzle(marked.against, puzzle.geometry).givens,
        title=puzzle.name,
        axis=marked.axis,
    )
    if marked.against is not None:
        number = len(drawn.differs)
        verb = "differs" if number == 1 else "differ"
        remark(f"{before}{number} {plural('cell', number)} of {puzzle.geometry.n_cells} {verb}")
    return drawn


def _remark_written(one: "Picture", form: str, before: str) -> None:
    """Say which kinds of constraints have no drawing, and are only written below the picture."""
    from sudoku_encode.render.constraint_drawings import without_drawing

    if form != "text" and (kinds := without_drawing(one.constraints)):
        remark(f"{before}written below the picture, since these kinds have no drawing: {', '.join(kinds)}")


def _listed(names: str | None) -> list[str]:
    return [name.strip() for name in (names or "").split(",") if name.strip()]


def _numbered(one: "Picture", number: int) -> "Picture":
    """Return a picture with the number of its puzzle in its title."""
    from dataclasses import replace

    return replace(one, title=f"{number}. {one.title}" if one.title else str(number))


def _answer(puzzle: "Puzzle", solution: "Grids", axis: str | None) -> "Picture":
    from sudoku_encode.render.picture import picture

    return picture(puzzle, solution=solution, title=puzzle.name, axis=axis)


def _print(one: "Picture", name: str, number: int, many: bool, details: "Details") -> None:
    """Print a picture as text."""
    from dataclasses import replace

    from sudoku_encode.render.drawing import drawing

    if many:
        print(f"# puzzle {number}{': ' + name if name else ''}")
    print(drawing([replace(one, title="")], "text", details), end="")


def _marks(puzzle: "Puzzle", before: str) -> "Candidates":
    """Return the candidates that the givens leave; what contradicts itself is remarked."""
    from sudoku_encode.constraints.lowering import lowered
    from sudoku_encode.encoders.reduction import reduce

    reduced = reduce(lowered(puzzle).puzzle, "givens")
    if reduced.contradiction:
        remark(f"{before}{reduced.contradiction}")
    return reduced.candidates
