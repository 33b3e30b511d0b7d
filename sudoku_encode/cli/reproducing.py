"""The command reproduce: what the papers print, recomputed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import progress
from sudoku_encode.cli.reading import remark
from sudoku_encode.errors import SudokuError

if TYPE_CHECKING:
    from sudoku_encode.reproduce.finding import Page


def reproduce(
    paper: Annotated[options.PaperName, typer.Argument(metavar="[PAPER]", help="Which paper.")] = "all",
    to: Annotated[options.PageName, typer.Option(help="The form of the pages on standard output.")] = "text",
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", help="A folder for the pages, in all forms, and for plots, which need the extra `plots`."
        ),
    ] = None,
    puzzles: Annotated[
        int, typer.Option(min=4, help="Random puzzles of each kind, where a paper does not publish its own.")
    ] = 100,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds for each method on each puzzle.")] = 5.0,
) -> None:
    """Recompute what the papers print: figures, tables and claims, theirs beside ours, each with a verdict.

    PAPER is jana2023, gtsps, wadud, block-world, keck or all.
    """
    from sudoku_encode.reproduce import PAPERS, page, pages
    from sudoku_encode.reproduce.finding import Work

    keys = list(PAPERS) if paper == "all" else [paper]
    form = {"text": pages.text, "markdown": pages.markdown, "json": pages.as_json}[to]
    folder = None if output is None else _folder(output)
    made = []
    for key in keys:
        with progress(f"{key} ...") as watch:
            made.append(page(key, Work(puzzles, timeout), watch))
        if folder is None:
            print(form(made[-1]), flush=True)
        else:
            _write(folder, made[-1])
        remark(f"{key}: {pages.summary(made[-1])} {sum(made[-1].seconds.values()):.1f} s")
    if folder is not None:
        (folder / "README.md").write_text(pages.index(made), encoding="utf-8")


def _folder(name: str) -> Path:
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SudokuError(f"{name}: no folder can be made there: {error.strerror}") from error
    return folder


def _write(folder: Path, page: "Page") -> None:
    """Write a page in all forms, and its plots if they can be drawn."""
    from sudoku_encode.reproduce import pages, plots

    forms = {"txt": pages.text, "md": pages.markdown, "json": pages.as_json}
    for ending, form in forms.items():
        (folder / f"{page.paper.key}.{ending}").write_text(form(page), encoding="utf-8")
    drawn = [finding.plot for finding in page.findings.values() if finding.plot]
    try:
        for plot in drawn:
            plots.draw(plot, folder / f"{plot.name}.svg")
    except SudokuError as error:
        remark(f"{page.paper.key}: {error}")
