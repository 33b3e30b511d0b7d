"""The command reproduce: the results of the papers, recomputed."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import StoppedError, SudokuError, printable
from sudoku_encode.report.printing import progress
from sudoku_encode.report.streams import remark
from sudoku_encode.reproduce.table import PAGE_FORMS, PAPERS
from sudoku_encode.storage import files, outputs

if TYPE_CHECKING:
    from sudoku_encode.reproduce.finding import Finding, Page, Work
    from sudoku_encode.run.pools import Pool
    from sudoku_encode.storage.journal import Journal

# The file with all findings in their order; it is the journal of the run.
_FINDINGS = "findings.jsonl"
# The page that links to the others, as Markdown; there is one of HTML too.
_INDEX = "README.md"
_PAPERS = ", ".join(f"{key} ({row.title})" for key, row in PAPERS.items())
_PAPER_CHOICES = options.one_of((*PAPERS, "all"))


class ReproduceOptions(NamedTuple):
    """Options for the run and the output."""

    to: Annotated[str, typer.Option(help="The form of the pages on standard output.", **options.one_of(PAGE_FORMS))] = (
        "text"
    )
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FOLDER",
            help="A folder for the pages in all forms, with plots; index.html links to the HTML pages.",
        ),
    ] = None
    puzzles: Annotated[
        int, typer.Option(min=4, help="Number of random puzzles of each kind, if a paper does not publish its own.")
    ] = 100
    timeout: Annotated[
        float,
        typer.Option(min=0.01, callback=options.finite, help="Time limit for each method on each puzzle, in seconds."),
    ] = 5.0
    instances: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Puzzles that the paper used but does not publish, for the claims that need them; may be repeated.\n\n"
            "Any file of puzzles. Cubes are matched to the rows of Tables 5 to 7 by their numbers of blanks and of "
            "solutions, 9x9 puzzles to the kinds of the thesis by their numbers of clues.",
            show_default=False,
        ),
    ] = None
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue an unfinished run in the folder of -o, and keep its findings."),
    ] = False


def command(
    paper: Annotated[
        str,
        typer.Argument(help=f"Which paper: {_PAPERS}; or all.", **_PAPER_CHOICES | {"metavar": "[PAPER]"}),
    ] = "all",
    *,
    own: ReproduceOptions,
    work: options.WorkOptions,
) -> None:
    """Recompute the figures, tables and claims of the papers, and print both results with a verdict on each.

    The findings are also written to findings.jsonl in the folder of -o; its name ends in .part until it is complete. To
    continue a stopped run, repeat the command with --resume.
    """
    from sudoku_encode.reproduce import page as page_of
    from sudoku_encode.reproduce import pages, site, work_on
    from sudoku_encode.reproduce import paper as find
    from sudoku_encode.reproduce.site import in_form

    keys: list[str] = list(PAPERS) if paper == "all" else [paper]
    pool = work.pool()
    if own.resume and own.output is None:
        raise SudokuError("--resume needs a folder after -o")
    folder = None if own.output is None else _folder(own.output, own.resume)
    checked_work = work_on(paper, own.instances or (), own.puzzles, own.timeout)
    settings: dict[str, Any] = {"puzzles": own.puzzles, "timeout": own.timeout, "version": _version()}
    if own.instances:
        settings["instances"] = own.instances
    with _journal(folder, own.resume) as journal:
        findings_so_far = FindingsJournal(journal, settings)
        try:
            written = []
            for page in _pages(keys, checked_work, findings_so_far, pool):
                written.append(page)
                if folder is None:
                    print(in_form(page, own.to), flush=True)
                else:
                    _write(folder, page)
                remark(f"{page.paper.key}: {pages.summary(page)} {sum(page.seconds.values()):.1f} s")
            if folder is not None:
                _put(folder / _INDEX, pages.index(written))
                _put(folder / site.INDEX, site.index(written))
        except (KeyboardInterrupt, StoppedError) as reason:
            if folder is None:
                # The summary of an incomplete page reports this.
                for key in keys[len(written) :]:
                    if findings := findings_so_far.of(key):
                        print(in_form(page_of(key, findings), own.to), flush=True)
            claims = sum(len(find(key).checks) for key in keys)
            advice = journal.advice() if journal else ""
            why = "interrupted" if isinstance(reason, KeyboardInterrupt) else reason
            remark(f"{why}: {findings_so_far.count(keys)} of {claims} claims are checked{advice}")
            raise typer.Exit(3) from None
        if journal:
            journal.finish()


def _pages(keys: list[str], work: "Work", findings_so_far: "FindingsJournal", pool: "Pool") -> "Iterator[Page]":
    """Yield the page of each paper, after its missing checks ran in their own processes, which a library may end."""
    from sudoku_encode.reproduce import page, paper
    from sudoku_encode.reproduce.finding import Finding
    from sudoku_encode.run.each import each, one_by_one

    missing = {
        key: [check.__name__ for check in paper(key).checks if check.__name__ not in findings_so_far.of(key)]
        for key in keys
    }
    items = [(key, name) for key, names in missing.items() for name in names]
    task = partial(one_by_one, partial(_checked, work))
    with progress("checking ...", total=lambda: len(items)) as shown:
        findings = each(task, items, pool=pool, group=itemgetter(0), types=(Finding,))
        for key, names in missing.items():
            for (_, name), finding, seconds in islice(findings, len(names)):
                if isinstance(finding, StoppedError):
                    raise finding
                findings_so_far.add(key, name, finding, seconds)
                shown.advance(1)
            yield page(key, findings_so_far.of(key))


def _checked(work: "Work", item: tuple[str, str]) -> "Finding":
    from sudoku_encode.reproduce import check
    from sudoku_encode.run.events import Progress, emit

    key, name = item
    emit(Progress(f"{key}: {name.replace('_', ' ')} ..."))
    return check(key, name, work)


def _version() -> str:
    from sudoku_encode import __version__

    return __version__


def _folder(name: str, resume: bool) -> Path:
    """Return the folder for the pages; it is created unless the run resumes."""
    from sudoku_encode.reproduce.puzzles import instances

    home = instances().resolve()
    if Path(name).resolve().is_relative_to(home):
        raise SudokuError(f"{name} is in {home}, the folder of the input puzzles: give -o another folder")
    folder = Path(name) if resume else outputs.make_folder(name)
    if (folder / _INDEX).exists() and not (folder / _FINDINGS).exists():
        raise SudokuError(f"{folder / _INDEX} exists and is not from `reproduce`: give -o another folder")
    return folder


def _journal(folder: Path | None, resume: bool) -> "AbstractContextManager[Journal | None]":
    from sudoku_encode.storage.journal import Journal

    return nullcontext() if folder is None else Journal(folder / _FINDINGS, resume)


@dataclass
class FindingsJournal:
    """The findings so far, including those of an earlier run; new ones are also written to the journal, if any.

    Attributes:
        journal: of this run; None without a folder.
        settings: the options on which the findings depend.
        findings: by paper and check, each with its seconds.
    """

    journal: "Journal | None"
    settings: dict[str, Any]
    findings: "dict[tuple[str, str], tuple[Finding, float]]" = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the findings of an earlier run.

        Raises:
            SudokuError: a line is not a finding, or has other settings.
        """
        for number, line in enumerate(self.journal.lines if self.journal else (), start=1):
            assert self.journal is not None
            try:
                record = json.loads(line)
                settings = {name: record[name] for name in self.settings}
                self.findings[record["paper"], record["check"]] = _finding(record)
            except Exception as error:
                raise self.journal.fault(number, "not a finding of reproduce") from error
            if settings != self.settings:
                text = " ".join(f"{name} {printable(str(value))[:40]}" for name, value in settings.items())
                raise self.journal.fault(number, f"the finding is for {text}: use the same options, or remove the file")

    def of(self, key: str) -> "dict[str, tuple[Finding, float]]":
        """Return the findings of a paper, by the names of the checks."""
        return {check: findings for (paper, check), findings in self.findings.items() if paper == key}

    def count(self, keys: list[str]) -> int:
        """Return the number of findings for some papers."""
        return sum(len(self.of(key)) for key in keys)

    def add(self, key: str, name: str, finding: "Finding", seconds: float) -> None:
        """Add a finding of a paper, by the name of its check, with its seconds."""
        if self.journal:
            record = {"paper": key, "check": name, **self.settings, "seconds": round(seconds, 3)}
            self.journal.put(json.dumps(record | {"finding": asdict(finding)}))
        self.findings[key, name] = finding, seconds


def _finding(record: dict[str, Any]) -> "tuple[Finding, float]":
    """Return the finding in a record and its seconds, or raise any exception if a page cannot show it."""
    from sudoku_encode.reproduce import paper
    from sudoku_encode.reproduce.finding import Page, finding_of
    from sudoku_encode.reproduce.site import in_form

    name, finding, seconds = record["check"], finding_of(record["finding"]), float(record["seconds"])
    refereed = paper(record["paper"])
    if name not in {check.__name__ for check in refereed.checks}:
        raise ValueError(f"no check is called {name}")
    page = Page(refereed, {name: finding}, {name: seconds})
    for form in PAGE_FORMS:
        in_form(page, form)
    return finding, seconds


def _write(folder: Path, page: "Page") -> None:
    """Write a page in all forms, and its plots."""
    from sudoku_encode.render.plots import svg
    from sudoku_encode.reproduce import pages
    from sudoku_encode.reproduce.site import in_form

    for form, suffix in PAGE_FORMS.items():
        _put(folder / f"{page.paper.key}.{suffix}", in_form(page, form))
    for drawn in pages.plots_of_page(page).values():
        for plot in drawn:
            _put(folder / f"{plot.name}.svg", svg(plot.plot))


def _put(path: Path, content: str) -> None:
    with files.writing(str(path)) as write:
        write(content.encode())
