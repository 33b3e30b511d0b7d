"""The command line: `sudoku-encode`, also `python -m sudoku_encode`.

Results go to standard output, remarks and progress to standard error. Exit status: 0 answered; 1 a negative answer (no
solution, methods disagree); 2 bad input or usage; 3 incomplete (a limit, the system's too, such as a full disk; an
interrupt; a closed standard output); 70 a fault of our own; 141 nobody reads any more what is printed.

Nothing here imports numpy or a solver before the command that needs it runs.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from sudoku_encode.cli.faults import INCOMPLETE, reported
from sudoku_encode.cli.reading import remark
from sudoku_encode.cli.streams import drop_unwritable, open_missing
from sudoku_encode.errors import SudokuError
from sudoku_encode.run import events
from sudoku_encode.run.interrupts import heard, watched

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Sudoku puzzles, 2D and 3D, as SAT and CP models, with all their solutions. Exit status: 0 answered, "
    "1 no solution or a disagreement, 2 bad input or usage, 3 incomplete.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        # It loads much that no other command needs.
        from importlib.metadata import version

        typer.echo(f"sudoku-encode {version('sudoku-encode')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


# Where each command is, by its module and function.
COMMANDS = {
    "encode": ("encode", "encode"),
    "decode": ("decode", "decode"),
    "solve": ("answers", "solve"),
    "enumerate": ("enumerating", "enumerate_"),
    "count": ("answers", "count"),
    "verify": ("verifying", "verify"),
    "prove": ("proving", "prove"),
    "reproduce": ("reproducing", "reproduce"),
    "generate": ("making", "generate"),
    "show": ("about", "show"),
    "info": ("about", "info"),
    "explain": ("about", "explain"),
    "methods": ("about", "methods"),
    "convert": ("convert", "convert"),
}


def _add_commands(arguments: list[str]) -> None:
    """Load the command that is called, which is faster than loading all; all where help may be wanted."""
    wanted = arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS
    app.registered_commands.clear()
    for name in wanted:
        module, function = COMMANDS[name]
        app.command(name)(getattr(import_module(f"sudoku_encode.cli.{module}"), function))


def main() -> None:
    """Run the command line and exit. No traceback reaches a user but for a fault of our own."""
    open_missing()
    # The same for every function that is compiled, and for every process that compiles some.
    events.remark = cache(remark)
    with heard() as pressed, watched(INCOMPLETE):
        try:
            status = _status(pressed)
        except KeyboardInterrupt:
            # Once more, while the first was dealt with.
            status = INCOMPLETE
        # All is said, and Python would complain of a press where it happens to be while it ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if pressed():
        _end(status)
    sys.exit(status)


def _end(status: int) -> NoReturn:
    """Exit after Ctrl-C: Python would end itself by the signal if that ever passed through an `exec`, as numba has."""
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(status)


def _status(pressed: Callable[[], bool]) -> int:
    """Run the command line and return the exit status; `pressed` says whether Ctrl-C was."""
    try:
        status = _ran(sys.argv[1:])
        # What is still to be printed may be what cannot be.
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = _interrupted()
    except (Exception, SystemExit) as error:
        # A library may have made an error of the press.
        ours = isinstance(error, (SudokuError, typer.TyperException, BrokenPipeError))
        status = _interrupted() if pressed() and not ours else reported(error)
    drop_unwritable()
    return status


def _interrupted() -> int:
    with suppress(OSError):
        print("interrupted", file=sys.stderr)
    return INCOMPLETE


def _ran(arguments: list[str]) -> int:
    """Run the command line and return the exit status of its command.

    Not by calling the app: that ends the program with status 1 when nobody reads what is printed.
    """
    _add_commands(arguments)
    try:
        command = typer.main.get_command(app)
        with command.make_context("sudoku-encode", arguments) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0
