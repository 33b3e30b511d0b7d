"""The typer app, which loads a command when it is called, and the layout of the help.

Help is plain text for 80 columns, or fewer if the terminal is narrower.
"""

import re
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from sudoku_encode import __version__
from sudoku_encode.cli import completion
from sudoku_encode.cli.options import flat, one_of
from sudoku_encode.cli.table import COMMANDS, GROUPS

if TYPE_CHECKING:
    from sudoku_encode.cli.completion import Command, CompletionItem, Context, HelpFormatter

# Longer names of options stand on a line of their own.
_MAX_NAME = 26
# Packages that answers depend on, and then optional ones.
_PACKAGES = (
    "ortools", "python-sat", "numba", "numpy", "dratify",
    "miniexact", "pyapproxmc", "pyganak", "cdclkit", "isal", "zstandard",
)  # fmt: skip
# A hyphen that never ends a line, since words with hyphens are names: `cp-sat`, `box-xy`.
_HYPHEN = "\u2011"


class CommandWithExamples(TyperCommand):
    """A command whose help ends with its examples."""

    def get_help(self, ctx: "Context") -> str:
        """Return the help."""
        return super().get_help(ctx).replace(_HYPHEN, "-")

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write arguments and options."""
        _write_parameters(self, ctx, formatter)

    def format_epilog(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the examples without wrapping, so that they can be copied."""
        formatter.write("\nExamples:\n")
        formatter.write("".join(f"  {example}\n" for example in COMMANDS[self.name or ""].examples))

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
        """Return the help."""
        return super().get_help(ctx).replace(_HYPHEN, "-")

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the commands by group, which only needs their table, and the options."""
        width = max(map(len, COMMANDS)) + 2
        for group, purpose in GROUPS.items():
            rows = [(f"{name:<{width - 2}}", row.summary) for name, row in COMMANDS.items() if row.group == group]
            with formatter.section(f"{group} ({purpose})"):
                formatter.write_dl(rows)
        _write_parameters(self, ctx, formatter)

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
    single.command(name, cls=CommandWithExamples, help=command.__doc__.replace("-", _HYPHEN))(flat(command))
    return typer.main.get_command(single)


def parameters(command: "Command", ctx: "Context") -> dict[str, list[tuple[str, str]]]:
    """Return the names and texts of a command's parameters, under `Arguments` and `Options`.

    Choices that do not fit beside an option's name are added to its text.
    """
    rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for parameter in command.get_params(ctx):
        if (record := parameter.get_help_record(ctx)) is None:
            continue
        name, text = record
        if parameter.param_type_name == "argument":
            rows["Arguments"].append(record)
            continue
        name = re.sub(r" <(\w+) range>$", r" <\1>", name).replace(" <str>", " <text>").replace(" <float>", " <number>")
        choices = re.fullmatch(r"(.*) \[(.*\|.*)\]", name)
        if choices and len(name) > _MAX_NAME:
            name, text = f"{choices[1]} <name>", _with_choices(text, choices[2].split("|"))
        rows["Options"].append((name, text))
    return rows


def _write_parameters(command: "Command", ctx: "Context", formatter: "HelpFormatter") -> None:
    """Write the arguments and options of a command."""
    for heading, rows in parameters(command, ctx).items():
        if rows:
            with formatter.section(heading):
                unbroken = [(name, text.replace("-", _HYPHEN)) for name, text in rows]
                formatter.write_dl(unbroken, col_max=min(_MAX_NAME, formatter.width // 3))


def _with_choices(text: str, names: list[str]) -> str:
    """Return the text of an option with its choices, unless it contains them; a part in brackets stays last."""
    if all(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in names):
        return text
    sentence, gap, brackets = text.partition("  [")
    return f"{sentence} One of {', '.join(names[:-1])} or {names[-1]}.{gap}{brackets}"


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Sudoku puzzles, 2D and 3D, as SAT and CP models, with all their solutions.\n\n"
    "A PUZZLE is a file, several files, - for standard input, or the text of a puzzle. Options and "
    f"examples of a command: `sudoku{_HYPHEN}encode COMMAND --help`. In Python, "
    "`import sudoku_encode` provides a function for each command.\n\n"
    "Exit status: 0 answered; 1 a negative answer (no solution, methods disagree); 2 bad input or usage; "
    "3 incomplete (a limit, a time limit, Ctrl-C).",
)


def _print_versions(is_given: bool) -> None:
    if is_given:
        # Imported here since they load many modules that no command needs.
        import platform
        from importlib.metadata import PackageNotFoundError, version

        typer.echo(f"sudoku-encode {__version__}\nPython {platform.python_version()}")
        for package in _PACKAGES:
            with suppress(PackageNotFoundError):
                typer.echo(f"{package} {version(package)}")
        raise typer.Exit


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
            help="Print a script with which a shell completes commands, options and their values: "
            'eval "$(sudoku-encode --show-completion bash)". By default for the calling shell.',
            show_default=False,
            **one_of(completion.SHELLS),
        ),
    ] = None,
) -> None:
    pass
