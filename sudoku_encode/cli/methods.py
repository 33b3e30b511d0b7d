"""The command methods."""

import json
from collections.abc import Iterable, Mapping
from itertools import chain, groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import each_of
from sudoku_encode.methods.table import METHODS, OPTIONS
from sudoku_encode.puzzles.boards import NAMES
from sudoku_encode.report.printing import row

if TYPE_CHECKING:
    from sudoku_encode.methods.method import Method

_KEYS = ("method", "finds", "summary", "source", "explains", "refuses", "group", "options")
_WIDTH = 100
# The column where texts begin.
_COLUMN = 19
_GROUPS = {
    "solvers": "Solvers (models for other programs, and search)",
    "counters": "Counters (only the number of solutions)",
    "papers": "Papers (published algorithms, as printed)",
}
_FINDS = {
    "all": "all solutions",
    "some": "some solutions, without a proof that there are no more",
    "forced-moves": "only forced moves; it gets stuck where a guess is needed",
    "count": "the number of solutions, without listing them",
    "estimate": "an estimate of the number of solutions",
}
_CONSTRAINTS = {
    "units": "none besides the rules of the board",
    "primitives": "all kinds, lowered to primitives",
    "definitions": "all kinds, checked by their definitions",
}


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="The method to show in full.",
            show_default=False,
            autocompletion=each_of(METHODS),
        ),
    ] = None,
    *,
    board: Annotated[
        str | None,
        typer.Option(help="Also list which methods do not support this board, and why.", autocompletion=each_of(NAMES)),
    ] = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
) -> None:
    """List the methods that solve, enumerate and count, or show one with its source, boards and options."""
    form = options.record_form(as_json, as_csv)
    listed: Mapping[str, Method] = METHODS
    if name is not None:
        from sudoku_encode.methods.calls import find_method

        listed = {name: find_method(name)}
    refused = _refusals(listed.values(), board)
    if form == "text":
        lines = _list(refused) if name is None else _full(listed[name], board, refused[name])
        print("\n".join(lines))
        return
    if form == "csv":
        print(",".join(_KEYS))
    for method in listed.values():
        values = (method.name, method.finds, method.summary, method.source, method.explains)
        names = [OPTIONS[field].name for field in method.options]
        record = dict(zip(_KEYS, (*values, refused[method.name] or None, method.group, names), strict=True))
        print(
            json.dumps(record) if form == "json" else row([*values, record["refuses"], method.group, " ".join(names)])
        )


def _refusals(methods: "Iterable[Method]", board: str | None) -> dict[str, str]:
    """Return by name why each method does not support a board; empty if it does, or without a board."""
    if board is None:
        return dict.fromkeys((method.name for method in methods), "")
    from sudoku_encode.puzzles import boards

    geometry = boards.board(board)
    return {method.name: method.unsupported_reason(geometry) for method in methods}


def _list(refused: dict[str, str]) -> list[str]:
    """Return the lines of all methods by group, with the variants of an algorithm below its first one."""
    lines: list[str] = []
    for group, heading in _GROUPS.items():
        lines += ["", f"{heading}:"] if lines else [f"{heading}:"]
        for _, variants in groupby((method for method in METHODS.values() if method.group == group), _algorithm):
            first, *others = variants
            lines += _beside(first.name, f"{first.summary}{_mark(first)}")
            if others:
                lines += _beside("", "also " + ", ".join(f"{each.name}{_mark(each)}" for each in others))
            lines += _refused_lines({each.name: refused[each.name] for each in (first, *others)})
    return [*lines, "", "Source, boards and options of one: sudoku-encode methods NAME"]


def _refused_lines(refused: dict[str, str]) -> list[str]:
    """Return a line for each variant of an algorithm that does not support the board, with the reason."""
    if len(set(refused.values())) == 1:
        reason = next(iter(refused.values()))
        return _beside("", f"not on this board: {reason}") if reason else []
    lines = (_beside("", f"{name} not on this board: {reason}") for name, reason in refused.items() if reason)
    return list(chain.from_iterable(lines))


def _full(method: "Method", board: str | None, refused: str) -> list[str]:
    """Return the lines about one method."""
    rows = {
        "finds": _FINDS[method.finds],
        "source": method.source,
        "boards": f"not {board}: {refused}" if refused else board or _boards(method),
        "constraints": _CONSTRAINTS[method.constraint_input],
        "steps": f"sudoku-encode explain --method {method.name}" if method.explains else "",
        "package": f"{method.package}{'' if method.installed else ', which is not installed'}"
        if method.package
        else "",
    }
    lines = [f"{method.name}: {method.summary}", ""]
    lines += [line for name, text in rows.items() if text for line in _beside(name, text)]
    lines += ["", f"Options (--option NAME=VALUE):{'' if method.options else ' none'}"]
    for option in map(OPTIONS.__getitem__, method.options):
        values = ", ".join(option.choices) or f"{option.least} to {option.most}"
        lines += _beside(option.name, f"{option.summary}: {values} (default: {option.default})")
    return lines


def _boards(method: "Method") -> str:
    """Return which of the boards in `info --boards` a method supports, and why not the others."""
    from sudoku_encode.puzzles.boards import EXAMPLES, board

    by_reason: dict[str, list[str]] = {}
    for name in EXAMPLES:
        # The name of a jigsaw ends in its map.
        if not name.startswith("jigsaw"):
            by_reason.setdefault(method.unsupported_reason(board(name)), []).append(name)
    fitting = by_reason.pop("", [])
    if not by_reason:
        return "all"
    if len(by_reason) == 1 and len(fitting) < len(EXAMPLES) // 2:
        return f"{', '.join(fitting)}; not the others: {next(iter(by_reason))}"
    excluded = (f"{', '.join(names)}: {reason}" for reason, names in by_reason.items())
    return f"all but {'; '.join(excluded)}"


def _algorithm(method: "Method") -> Any:
    """Return the key by which variants of an algorithm are grouped."""
    return method.module if method.group == "papers" else method.name.partition(":")[0]


def _mark(method: "Method") -> str:
    return f" (finds {method.finds.replace('-', ' ')})" if method.finds in ("some", "forced-moves") else ""


def _beside(name: str, text: str) -> list[str]:
    """Return the lines of a name with a text beside it."""
    return wrap(
        text,
        _WIDTH,
        initial_indent=f"  {name:<{_COLUMN - 3}} ",
        subsequent_indent=" " * _COLUMN,
        break_on_hyphens=False,
        break_long_words=False,
    )
