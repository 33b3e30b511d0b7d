"""Methods and their options: former names; --option, and each option under its own name, which help does not show."""

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sudoku_encode.cli.completion import one_of
from sudoku_encode.errors import short
from sudoku_encode.methods.table import FORMER_MEANINGS, FORMER_NAMES, OPTIONS
from sudoku_encode.report.streams import remark

if TYPE_CHECKING:
    from sudoku_encode.methods.options import Options


def method_option(field: str) -> Any:
    """Return the option for a field of `methods.options.Options` under its own name, which help does not show."""
    row = OPTIONS[field]
    kind: dict[str, Any] = one_of(row.choices) if row.choices else {"min": row.least, "max": row.most}
    return typer.Option(f"--{row.name}", hidden=True, **kind)


def _method_options(ctx: Any) -> dict[str, Any]:
    """Return the parameters of a command that --option can set, by name."""
    names = {f"--{row.name}": row.name for row in OPTIONS.values()}
    parameters = [each for each in ctx.command.params if getattr(each, "hidden", False) and each.opts[0] in names]
    return {names[each.opts[0]]: each for each in parameters}


def set_method_options(ctx: Any) -> None:
    """Put the values of --option where the options that they name have theirs.

    Raises:
        typer.BadParameter: not NAME=VALUE, an unknown name, a wrong value, or a second value for the same name.
    """
    parameters = _method_options(ctx)
    for text in ctx.params.get("option") or ():
        name, equals, value = text.partition("=")
        name = {field: row.name for field, row in OPTIONS.items()}.get(name, name)
        if not equals or name not in parameters:
            reason = "not NAME=VALUE" if not equals else "not the name of an option"
            raise typer.BadParameter(
                f"{reason}: {short(repr(text))} (known: {', '.join(parameters)})", ctx=ctx, param_hint="--option"
            )
        parameter, hint = parameters[name], f"--option {name}"
        if ctx.params[parameter.name] is not None:
            raise typer.BadParameter("the option is given twice; give it once", ctx=ctx, param_hint=hint)
        try:
            ctx.params[parameter.name] = parameter.process_value(ctx, value)
        except typer.BadParameter as error:
            error.param_hint = hint
            raise


def note_former_names(ctx: Any) -> None:
    """Remark on each method that is named as up to version 0.2, or whose name meant another method then."""
    for name in (ctx.params.get("method") or ctx.params.get("methods") or "").split(","):
        if name in FORMER_NAMES:
            remark(f"{name} is now called {FORMER_NAMES[name]}")
        elif name in FORMER_MEANINGS:
            remark(f"{name} is the algorithm as printed; up to version 0.2 this was {FORMER_MEANINGS[name]}")


def _complete_method_option(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the values of --option that start with a text."""
    rows = {row.name: row for row in OPTIONS.values()}
    choices = [f"{name}={value}" for name in _method_options(ctx) for value in rows[name].choices or ("",)]
    return [choice for choice in choices if choice.startswith(incomplete)]


class SolverOptions(NamedTuple):
    """Settings of a method, which refuses those that it does not use; --option sets the others."""

    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A setting of the method, such as seed=1; may be repeated. To list them: sudoku-encode methods NAME.",
            show_default=False,
            autocompletion=_complete_method_option,
        ),
    ] = None
    reduce: Annotated[str | None, method_option("reduction")] = None
    amo: Annotated[str | None, method_option("amo")] = None
    sat_solver: Annotated[str | None, method_option("sat_solver")] = None
    seed: Annotated[int | None, method_option("seed")] = None

    def options(self, workers: int | None = None) -> "Options":
        """Return the options for a method."""
        from sudoku_encode.methods.options import Options

        return Options(self.reduce, self.amo, self.sat_solver, self.seed, workers)
