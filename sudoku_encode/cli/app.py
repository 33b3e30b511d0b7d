"""The typer app, which loads a command when it is called, and the layout of the help.

Help is plain text for 80 columns, or fewer if the terminal is narrower. It begins with the summary and the command's
own options; those of many commands come last, and long lists of names are the output of `info` and `methods`.
"""

import inspect
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from sudoku_encode import __version__
from sudoku_encode.cli import completion
from sudoku_encode.cli.method_options import note_former_names, set_method_options
from sudoku_encode.cli.options import COMMON, PUZZLES, flat, one_of
from sudoku_encode.cli.table import COMMANDS, GROUPS

if TYPE_CHECKING:
    from sudoku_encode.cli.completion import Command, CompletionItem, Context

# Longer names of options stand on a line of their own.
_MAX_NAME = 22
# The text of an option lists its choices if they take no more characters.
_MAX_CHOICES = 140
# A range up to a larger number is not shown: nobody leaves it by accident.
_MAX_RANGE = 100
# In a command's docstring, the paragraphs after this one are in the manual page and in the docs only, like those after
# the first in the text of an option.
_DETAILS = "Details:"
# The folder in which an installed package is described: its name and its version.
_ABOUT_PACKAGE = re.compile(r"(.+?)-(\d[^-]*)(?:-py[\d.]+)?\.(?:dist|egg)-info")
# Packages that answers depend on, and then optional ones.
_PACKAGES = (
    "ortools", "python-sat", "numba", "numpy", "dratify",
    "miniexact", "pyapproxmc", "pyganak", "cdclkit", "isal", "zstandard",
)  # fmt: skip


class CommandWithExamples(TyperCommand):
    """A command whose help ends with its examples, and which takes --option."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Read the arguments into the context, and return those that are left over."""
        rest = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            set_method_options(ctx)
            note_former_names(ctx)
        return rest

    def get_help(self, ctx: "Context") -> str:
        """Return the help."""
        name = self.name or ""
        about, details = paragraphs(self)
        if details:
            about.append(f"More: `man sudoku-encode`, or docs/commands/{COMMANDS[name].group.lower()}.md.")
        examples = "".join(f"\n  {example}" for example in COMMANDS[name].examples)
        return f"{_page(self, ctx, about, parameters(self, ctx))}\n\nExamples:{examples}"

    def shell_complete(self, ctx: "Context", incomplete: str) -> "list[CompletionItem]":
        """Return the options that start with a text."""
        return _with_short_help(super().shell_complete(ctx, incomplete))


class Commands(TyperGroup):
    """The commands of the table; each is loaded when it is called or its options are completed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # The names are for the hint after a typing error.
        self.commands = {name: TyperCommand(name, help=row.summary) for name, row in COMMANDS.items()}

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        """Load and return a command."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def get_help(self, ctx: "Context") -> str:
        """Return the help, with the commands by group, which only needs their table."""
        # The texts of all groups begin in one column.
        width = max(map(len, COMMANDS))
        sections = {
            f"{group} ({purpose})": [
                (f"{name:<{width}}", row.summary) for name, row in COMMANDS.items() if row.group == group
            ]
            for group, purpose in GROUPS.items()
        }
        return _page(self, ctx, paragraphs(self)[0], sections | parameters(self, ctx))

    def shell_complete(self, ctx: "Context", incomplete: str) -> "list[CompletionItem]":
        """Return the commands that start with a text, without loading them, or the options."""
        if incomplete.startswith("-"):
            return _with_short_help(super(TyperGroup, self).shell_complete(ctx, incomplete))
        rows = {name: row.summary for name, row in COMMANDS.items() if name.startswith(incomplete)}
        return completion.completion_items(rows)


def _with_short_help(items: "list[CompletionItem]") -> "list[CompletionItem]":
    for item in items:
        item.help = completion.short_help(item.help)
    return items


def load_command(name: str) -> "Command":
    """Load a command of the table."""
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    command = import_module(f".{name}", __package__).command
    single.command(name, cls=CommandWithExamples, help=command.__doc__)(flat(command))
    return typer.main.get_command(single)


def paragraphs(command: "Command") -> tuple[list[str], list[str]]:
    """Return the paragraphs that describe a command in its help, and those that are in the manual page only."""
    about = [" ".join(each.split()) for each in inspect.cleandoc(command.help or "").split("\n\n")]
    end = about.index(_DETAILS) if _DETAILS in about else len(about)
    return about[:end], about[end + 1 :]


def parameters(command: "Command", ctx: "Context", details: bool = False) -> dict[str, list[tuple[str, str]]]:
    """Return the names and texts of a command's parameters by heading, with or without details.

    Those of many commands come last.
    """
    rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], COMMON: [], PUZZLES: []}
    for parameter in command.get_params(ctx):
        if record := parameter.get_help_record(ctx):
            is_argument = parameter.param_type_name == "argument"
            is_common = parameter.name == "help" and bool(rows[COMMON])
            own = "Arguments" if is_argument else COMMON if is_common else "Options"
            rows[getattr(parameter, "rich_help_panel", None) or own].append(
                record if is_argument else _option(*record, details)
            )
    return {heading: listed for heading, listed in rows.items() if listed}


def _option(name: str, text: str, details: bool) -> tuple[str, str]:
    """Return the name and the text of an option in plain words; choices that do not fit the name are in the text."""
    name = re.sub(r" <(\w+) range>$", r" <\1>", name).replace(" <str>", " <text>").replace(" <float>", " <number>")
    sentence, _, brackets = text.partition("  [")
    sentence, _, more = sentence.partition("\n\n")
    choices = re.fullmatch(r"(.*) \[(.*\|.*)\]", name)
    if choices and len(name) > _MAX_NAME:
        name, names = f"{choices[1]} <name>", choices[2].split("|")
        listed = f"{', '.join(names[:-1])} or {names[-1]}"
        is_said = all(re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", sentence) for each in names)
        sentence += "" if is_said or len(listed) > _MAX_CHOICES else f" One of {listed}."
    notes = [_range(note) for note in brackets.removesuffix("]").split("; ")]
    brackets = "; ".join(filter(None, notes))
    return name, " ".join(filter(None, [sentence, more if details else "", brackets and f"[{brackets}]"]))


def _range(note: str) -> str:
    """Return a note on an option, such as its default; for a range its ends, if it has two that matter."""
    ends = re.fullmatch(r"(?:([\d.]+)<=)?x(?:[<>]=([\d.]+))?", note)
    if ends is None:
        return note
    return f"{ends[1]} to {ends[2]}" if ends[1] and float(ends[2]) <= _MAX_RANGE else ""


def _page(command: "Command", ctx: "Context", about: Iterable[str], sections: dict[str, list[tuple[str, str]]]) -> str:
    """Return a page of help: the usage, paragraphs, and sections of names with texts."""
    width = min(shutil.get_terminal_size().columns, 80) - 2
    usage = " ".join(["Usage:", ctx.command_path, *command.collect_usage_pieces(ctx)])
    lines = _wrapped(usage, width, "", "  ")
    for paragraph in about:
        lines += ["", *_wrapped(paragraph, width, "  ", "  ")]
    for heading, rows in sections.items():
        lines += ["", f"{heading}:", *_listed(rows, width)]
    return "\n".join(lines)


def _listed(rows: list[tuple[str, str]], width: int) -> list[str]:
    """Return the lines of names with texts beside them, in two columns."""
    limit = min(_MAX_NAME, width // 3)
    column = 4 + max((len(name) for name, _ in rows if len(name) <= limit), default=limit)
    lines = []
    for name, text in rows:
        beside = len(name) + 4 <= column
        lines += [] if beside else [f"  {name}"]
        lines += _wrapped(text, width, f"{f'  {name}' if beside else '':<{column}}", " " * column)
    return lines


def _wrapped(text: str, width: int, first: str, others: str) -> list[str]:
    """Return the lines of a text, which begin as told; words with hyphens are names, which are not cut."""
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Encode Sudoku puzzles (2D and 3D) as SAT and CP models, and find all their solutions.\n\n"
    "A PUZZLE is a file, several files, - for standard input, or the text of a puzzle. A file may contain many "
    "puzzles, and may be compressed. For the options and examples of a command, run `sudoku-encode COMMAND --help`. "
    "In Python, `import sudoku_encode` provides a function for each command.\n\n"
    "Exit status: 0 answered; 1 a negative answer (no solution, methods disagree); 2 bad input or usage; "
    "3 incomplete (a limit, a time limit, Ctrl-C).",
)


def _print_versions(is_given: bool) -> None:
    if is_given:
        typer.echo(f"sudoku-encode {__version__}\nPython {sys.version.split()[0]}")
        versions = _installed_versions()
        for package in _PACKAGES:
            if package in versions:
                typer.echo(f"{package} {versions[package]}")
        raise typer.Exit


def _installed_versions() -> dict[str, str]:
    """Return the versions of installed packages by the names of their folders, which reads no file."""
    # `importlib.metadata` would do too, but loads modules for a third of the time of a short command.
    versions = dict[str, str]()
    for folder in sys.path:
        with suppress(OSError):
            for path in Path(folder).iterdir():
                if about := _ABOUT_PACKAGE.fullmatch(path.name):
                    versions.setdefault(about[1].replace("_", "-").lower(), about[2])
    return versions


def _print_script(shell: str | None) -> None:
    if shell:
        typer.echo(completion.script(shell))
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_versions,
            is_eager=True,
            help="Print the versions of this program, Python, and the solvers and libraries in use.",
        ),
    ] = False,
    show_completion: Annotated[
        str | None,
        typer.Option(
            callback=_print_script,
            is_eager=True,
            help="Print a script that lets a shell complete commands, options and their values: "
            'eval "$(sudoku-encode --show-completion bash)". By default it is for the calling shell.',
            show_default=False,
            **one_of(completion.SHELLS),
        ),
    ] = None,
) -> None:
    pass
