"""The command line: `sudoku-encode`, also `python -m sudoku_encode`.

Results go to standard output, remarks and progress to standard error. Exit status: 0 answered; 1 a negative answer (no
solution, methods disagree); 2 bad input or usage; 3 incomplete (limit, time limit, interrupt); 70 a fault of our own.

Nothing here imports numpy or a solver before the command that needs it runs.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from sudoku_encode.errors import InternalError, SudokuError, printable
from sudoku_encode.interrupts import heard, watched

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
    "encode": ("models", "encode"),
    "decode": ("models", "decode"),
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
    "convert": ("models", "convert"),
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
    with heard() as pressed, watched(3):
        try:
            status = _status(pressed)
        except KeyboardInterrupt:
            # Once more, while the first was dealt with.
            status = 3
        # All is said, and Python would complain of a press where it happens to be while it ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if pressed():
        _end(status)
    sys.exit(status)


def _end(status: int) -> NoReturn:
    """Exit after Ctrl-C: Python would end itself by the signal if that ever passed through an `exec`, as numba has."""
    with suppress(OSError, AttributeError):
        sys.stdout.flush()
    os._exit(status)


def _status(pressed: Callable[[], bool]) -> int:
    """Run the command line and return the exit status; `pressed` says whether Ctrl-C was."""
    try:
        _add_commands(sys.argv[1:])
        status = app(prog_name="sudoku-encode", standalone_mode=False)
        # What typer makes of Ctrl-C.
        if status == 130:
            raise KeyboardInterrupt
    except SudokuError as error:
        status = _fail(str(error))
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context else ""
        status = _fail(f"{error.format_message()}{where}")
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        status = 3
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain once more when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 3
    except MemoryError:
        status = _fail("there is not enough memory for this")
    except SystemExit as error:
        # Typer does that where nobody reads on. A library that does it ends the command before its end.
        if isinstance(error.__context__, OSError):
            raise
        what = f"a library tried to end the program with status {error.code}"
        print(f"sudoku-encode: internal error, please report it: {printable(what)}", file=sys.stderr)
        status = 70
    except Exception as error:
        if pressed():
            print("interrupted", file=sys.stderr)
            status = 3
        elif isinstance(error, OSError) and error.errno == errno.ENOSPC:
            print("sudoku-encode: there is no space left to write the answers", file=sys.stderr)
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = 3
        else:
            what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
            print(f"sudoku-encode: internal error, please report it: {printable(what)}", file=sys.stderr)
            status = 70
    return status or 0


def _fail(message: str) -> int:
    print(f"sudoku-encode: {' '.join(message.splitlines())}", file=sys.stderr)
    return 2
