"""The table of lies: what each command does with a false answer of a library, or a false file.

`test_false_answers` plays every row, and holds .github/SECURITY.md to what `page` makes of them.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.helpers import fake_solvers, forged_certificates
from tests.helpers.fake_solvers import ENDS, grids
from tests.helpers.forged_certificates import Files

# Plays a lie in this process, whose folder for files is given; returns more arguments.
Play = Callable[[Path], "list[str] | None"]


@dataclass(frozen=True)
class Outcome:
    """What a command makes of a lie.

    Attributes:
        text: as the page says it.
        status: the exit status.
        says: a pattern that is in what it prints.
        right: whether nothing false is printed as an answer; where it is believed it may be.
    """

    text: str
    status: int
    says: str
    right: bool = True


TRUE = Outcome("the true answer", 0, "")
FAULT = Outcome("error (70)", 70, r"^sudoku-encode: internal error, please report it: [ -~]+$")
SOME = Outcome("incomplete (3)", 3, "(at least [0-9]+ solutions?|not known|not proved); stopped|not solved")
ABOUT = Outcome("no estimate (3)", 3, "no estimate; stopped")
REFUSED = Outcome("refused (2)", 2, "^sudoku-encode: [ -~]+$")
FOUND_OUT = Outcome("found out (1)", 1, "disagree: [a-z-]+ wrong")
WITHOUT = Outcome("confirmed without it (0)", 0, r"^confirmed: 288, by .*; without [a-z-]+ \([a-z]+\)$")
STOPPED = Outcome("confirmed (0)", 0, "^confirmed: 288, by ")
BELIEVED = Outcome("**believed** (0)", 0, "", right=False)
BELIEVED_NONE = Outcome("**believed** (1)", 1, "no solution", right=False)
NOT_SHOWN = Outcome("not printed (1)", 1, "not a solution: ")
EXPECTED = Outcome("found out (1)", 1, "^disagree; expected (287|1) solutions, but there are 288")

COMMANDS = ("solve", "enumerate", "count", "verify", "prove")


@dataclass(frozen=True)
class Row:
    """A false answer of a library, or a false file, and what a command does with it.

    Attributes:
        who: the library or the file.
        lie: what is false.
        command: the command's name.
        outcome: what the command does.
        arguments: of the command.
        play: puts the false answer in place, in the process of the command.
    """

    who: str
    lie: str
    command: str
    outcome: Outcome
    arguments: tuple[str, ...]
    play: Play


def _pysat(answer: Any = None, model: Any = None, proof: Any = None, first: int = 3) -> Callable[[str], Play]:
    """The lie begins with the third answer, so that something was found before; with the first where one is wanted."""
    return lambda command: lambda folder: fake_solvers.pysat(1 if command == "solve" else first, answer, model, proof)


def _cp_sat(*arguments: Any) -> Callable[[str], Play]:
    return lambda command: lambda folder: fake_solvers.cp_sat(*arguments)


def _miniexact(answer: Any = None, options: Any = None, first: int = 3) -> Callable[[str], Play]:
    return lambda command: lambda folder: fake_solvers.miniexact(1 if command == "solve" else first, answer, options)


def _ganak(count: Any) -> Callable[[str], Play]:
    return lambda command: lambda folder: fake_solvers.ganak(count)


def _approxmc(count: Any) -> Callable[[str], Play]:
    return lambda command: lambda folder: fake_solvers.approxmc(count)


def _all_ones(model: list[int]) -> list[int]:
    """A model in which every cell of a 4x4 holds 1, for variables that are numbered cell by cell."""
    return [literal if (literal - 1) % 4 == 0 else -literal for literal in range(1, 65)]


def _all_twice(command: str) -> Play:
    return lambda folder: fake_solvers.cp_sat("OPTIMAL", [*grids(), *grids()])


def _three(command: str) -> Play:
    return lambda folder: fake_solvers.cp_sat("OPTIMAL", grids()[:3])


_CP_WRONG = [1] * 16
_FAULTS = dict.fromkeys(COMMANDS, FAULT)
_ENDED = {
    "solve": SOME, "enumerate": SOME, "count": SOME, "verify": WITHOUT, "prove": SOME,
}  # fmt: skip


def _ends(
    with_end: Callable[[fake_solvers.Play], Any], hangs: Outcome = WITHOUT
) -> dict[str, tuple[Any, dict[str, Outcome]]]:
    """Return the outcomes of all ENDS: the same for all libraries, except where one hangs in `verify`."""
    rows = {}
    for lie, end in ENDS.items():
        outcomes = _FAULTS if "raises" in lie or "sys.exit" in lie else _ENDED
        rows[lie] = with_end(end), {**outcomes, "verify": hangs if end is fake_solvers.hangs else WITHOUT}
    return rows


# By who lies and which lie: how it is played for a command, and what each command makes of it.
SOLVERS: dict[str, dict[str, tuple[Any, dict[str, Outcome]]]] = {
    "PySAT": {
        "a grid that is not a solution": (_pysat(model=_all_ones), {**_FAULTS, "verify": FOUND_OUT}),
        "the same grid again": (_pysat(model=list), {**_FAULTS, "solve": TRUE, "verify": WITHOUT}),
        "`no more` too early": (
            _pysat(lambda: False),
            {"enumerate": BELIEVED, "count": BELIEVED, "verify": FOUND_OUT, "prove": FAULT},
        ),
        "`unsatisfiable` at once": (
            _pysat(lambda: False, first=1),
            dict.fromkeys(COMMANDS, BELIEVED_NONE) | {"verify": FOUND_OUT, "prove": FAULT},
        ),
        "`satisfiable` without a model": (_pysat(model=lambda model: None), {**_FAULTS, "verify": WITHOUT}),
        "an empty model": (_pysat(model=lambda model: []), {**_FAULTS, "verify": FOUND_OUT}),
        "a model cut off": (_pysat(model=lambda model: model[:30]), {**_FAULTS, "verify": FOUND_OUT}),
        "no answer, again and again (with `--timeout`)": (_pysat(lambda: None), {**_ENDED, "verify": STOPPED}),
        **_ends(_pysat),
        "a proof with a false step": (_pysat(proof=["1 0", "0"], first=10**9), {"prove": FAULT}),
        "no proof": (_pysat(proof=[], first=10**9), {"prove": FAULT}),
    },
    "CP-SAT": {
        "a grid that is not a solution": (_cp_sat("OPTIMAL", [_CP_WRONG]), {**_FAULTS, "verify": FOUND_OUT}),
        "the same grid again": (
            _all_twice,
            dict.fromkeys(COMMANDS, TRUE) | {"verify": STOPPED},
        ),
        "`no more` too early": (
            _three,
            {"enumerate": BELIEVED, "count": BELIEVED, "verify": FOUND_OUT},
        ),
        "`infeasible` at once": (
            _cp_sat("INFEASIBLE", []),
            dict.fromkeys(COMMANDS, BELIEVED_NONE) | {"verify": FOUND_OUT},
        ),
        "`optimal` without a solution": (_cp_sat("OPTIMAL", []), {**_FAULTS, "verify": WITHOUT}),
        "`infeasible` after solutions": (
            _cp_sat("INFEASIBLE"),
            {"enumerate": FAULT, "count": FAULT, "verify": WITHOUT},
        ),
        "too few values": (_cp_sat("OPTIMAL", [[1] * 15]), {**_FAULTS, "verify": WITHOUT}),
        "too many values": (_cp_sat("OPTIMAL", [[*_CP_WRONG, 1]]), {**_FAULTS, "verify": FOUND_OUT}),
        "an unknown status": (_cp_sat("UNKNOWN", []), {**_ENDED, "verify": STOPPED}),
        "that the model is invalid": (_cp_sat("MODEL_INVALID", []), {**_FAULTS, "verify": WITHOUT}),
        **_ends(lambda end: _cp_sat("OPTIMAL", [], end)),
    },
    "miniexact": {
        "a grid that is not a solution": (
            _miniexact(options=lambda chosen: list(range(1, 17))),
            {**_FAULTS, "count": TRUE, "verify": FOUND_OUT},
        ),
        "the same grid again": (
            _miniexact(lambda liar: 10 if liar.number == liar.first else liar.real.solve()),
            {"enumerate": BELIEVED, "count": BELIEVED, "verify": FOUND_OUT},
        ),
        "`no more` too early": (
            _miniexact(lambda liar: 20),
            {"enumerate": BELIEVED, "count": BELIEVED, "verify": FOUND_OUT},
        ),
        "`no solution` at once": (
            _miniexact(lambda liar: 20, first=1),
            dict.fromkeys(COMMANDS, BELIEVED_NONE) | {"verify": FOUND_OUT},
        ),
        "no options": (_miniexact(options=lambda chosen: []), {**_FAULTS, "count": TRUE, "verify": WITHOUT}),
        "options that do not exist": (
            _miniexact(options=lambda chosen: [10**6] * 16),
            {**_FAULTS, "count": TRUE, "verify": WITHOUT},
        ),
        "an unknown status": (_miniexact(lambda liar: 7), {**_FAULTS, "verify": WITHOUT}),
        **_ends(lambda end: _miniexact(lambda liar: end()), STOPPED),
    },
    "Ganak": {
        "too many": (_ganak(lambda: 289), {"count": BELIEVED, "verify": FOUND_OUT}),
        "too few": (_ganak(lambda: 287), {"count": BELIEVED, "verify": FOUND_OUT}),
        "0": (_ganak(lambda: 0), {"count": BELIEVED_NONE, "verify": FOUND_OUT}),
        "a negative number": (_ganak(lambda: -5), {"count": FAULT, "verify": WITHOUT}),
        "a fraction": (_ganak(lambda: 288.0), {"count": FAULT, "verify": WITHOUT}),
        "nothing": (_ganak(lambda: None), {"count": FAULT, "verify": WITHOUT}),
        **_ends(_ganak, STOPPED),
    },
    "ApproxMC": {
        "a negative number": (_approxmc(lambda: (-1, 0)), {"count": FAULT}),
        "a word": (_approxmc(lambda: ("many", 0)), {"count": FAULT}),
        **{lie: (play, {**outcomes, "count": ABOUT if outcomes["count"] is SOME else FAULT})
           for lie, (play, outcomes) in _ends(_approxmc).items()},
    },
}  # fmt: skip
# Of each the method, others to verify it with, the package, and the commands that it answers.
_ASKED = {
    "PySAT": ("sat", "pysat", COMMANDS),
    "CP-SAT": ("cp-sat", "ortools", COMMANDS[:4]),
    "miniexact": ("exact-cover", "miniexact", COMMANDS[:4]),
    "Ganak": ("ganak", "pyganak", ("count", "verify")),
    "ApproxMC": ("approxmc", "pyapproxmc", ("count",)),
}
# Of two families, and much quicker than the time that they have.
_OTHERS = "norvig2006,gtsps-4.2"
# Of a command that would wait for ever; `verify` has more, since others must answer meanwhile.
_SECONDS = {"verify": "1"}


def _solver_rows() -> list[Row]:
    rows = []
    for who, lies in SOLVERS.items():
        method, _, commands = _ASKED[who]
        for lie, (play, outcomes) in lies.items():
            for command in (name for name in commands if name in outcomes):
                asked = ["--board", "4x4"]
                if command == "verify":
                    asked += ["--methods", f"{method},{_OTHERS}"]
                elif command != "prove":
                    asked += ["--method", method]
                asked += ["--timeout", _SECONDS.get(command, "0.4")] if "`--timeout`" in lie else []
                rows.append(Row(who, lie, command, outcomes[command], (command, *asked), play(command)))
    return rows


def _decode(text: str) -> Play:
    def play(folder: Path) -> list[str]:
        from sudoku_encode.encoders.encoding import encode
        from sudoku_encode.puzzles.boards import board
        from sudoku_encode.puzzles.puzzle import Puzzle

        encode(Puzzle.of(board("4x4"))).save(folder / "4x4.cnf")
        (folder / "output").write_text(text, encoding="ascii")
        return [str(folder / "4x4.cnf"), str(folder / "output")]

    return play


def _model(literals: list[int]) -> str:
    return f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n"


def _resumed(change: Callable[[list[str]], list[str]]) -> Play:
    """A file that `enumerate` was stopped at, with another 40 lines."""

    def play(folder: Path) -> list[str]:
        lines = ["# board: 4x4", "# rules: row,column,box", *("".join(map(str, grid)) for grid in _as_sat_lists())]
        (folder / "all.txt.part").write_text("\n".join(change(lines[:40])) + "\n", encoding="ascii")
        return ["-o", str(folder / "all.txt"), "--resume"]

    return play


def _as_sat_lists() -> list[tuple[int, ...]]:
    from sudoku_encode.methods.calls import solutions
    from sudoku_encode.puzzles.boards import board
    from sudoku_encode.puzzles.puzzle import Puzzle

    return [tuple(grid) for batch in solutions(Puzzle.of(board("4x4"))) for grid in batch.tolist()]


def _known(count: int, solutions: list[str]) -> Play:
    def play(folder: Path) -> list[str]:
        (folder / "empty.txt").write_text("." * 16 + "\n", encoding="ascii")
        text = f'[[known]]\nfile = "empty.txt"\nboard = "4x4"\ncount = {count}\nsource = "nobody"\n'
        (folder / "known.toml").write_text(text + f"solutions = {json.dumps(solutions)}\n", encoding="ascii")
        return [str(folder)]

    return play


def _certificate(change: Callable[[Files], Files]) -> Play:
    """A certificate of the empty 4x4 with something else in it."""

    def play(folder: Path) -> list[str]:
        true = forged_certificates.made(forged_certificates.PUZZLES["4x4-empty"](), folder / "true")
        return ["--check", str(forged_certificates.written(change(true), folder / "false"))]

    return play


def _without_its_last_step(files: Files) -> Files:
    steps = files["proof.lrat"].splitlines(keepends=True)[:-1]
    return forged_certificates.recounted(files | {"proof.lrat": b"".join(steps)})


_ENUMERATE = ("enumerate", "--board", "4x4", "--method", "sat")
_VERIFY = ("verify", "--methods", _OTHERS)
UNKNOWN = Outcome("not known (3)", 3, "^not known: ")
UNPROVED = Outcome("refused (1)", 1, "^refused: ")
OUTPUTS = {
    "a grid that is not a solution": (NOT_SHOWN, _model(_all_ones([]))),
    "a model that leaves cells empty": (NOT_SHOWN, _model([1, -2])),
    "a literal of another CNF": (REFUSED, _model([1, 65])),
    "a literal and its opposite": (REFUSED, _model([1, -1])),
    "`satisfiable` without a model": (REFUSED, "s SATISFIABLE\n"),
    "both answers": (REFUSED, "s SATISFIABLE\ns UNSATISFIABLE\n"),
    "`unsatisfiable` and a model": (REFUSED, "s UNSATISFIABLE\nv 1 -2 0\n"),
    "`unsatisfiable`, without the exit status 20": (UNKNOWN, "s UNSATISFIABLE\n"),
    "nothing": (UNKNOWN, ""),
    "an unknown answer": (REFUSED, "s PERHAPS\n"),
    "a model cut off": (UNKNOWN, "s SATISFIABLE\nv 1 -2"),
}
RESUMED: dict[str, Callable[[list[str]], list[str]]] = {
    "another grid": lambda lines: [*lines[:20], "1" * 16, *lines[21:]],
    "the same grid again": lambda lines: [*lines, lines[-1]],
    "a grid less": lambda lines: [*lines[:20], *lines[21:]],
    "`complete` too early": lambda lines: [*lines, "# 38 solutions, complete"],
}
CERTIFIED: dict[str, Callable[[Files], Files]] = {
    "one solution less, and a proof": lambda files: forged_certificates.with_hints(
        forged_certificates.forged(files, [17])
    ),
    "no solution, by a DRAT proof that uses RAT after deletions": lambda files: forged_certificates.forged(
        files, [*range(288)]
    ),
    "a proof that is cut off": _without_its_last_step,
    "another number": lambda files: files | {"certificate.json": b'{"solutions": 287, "clauses": 448, "lemmas": 1}'},
}
FILES = [
    *(
        Row("a solver's output", lie, "decode", outcome, ("decode",), _decode(text))
        for lie, (outcome, text) in OUTPUTS.items()
    ),
    *(
        Row("a file to resume", lie, "enumerate", REFUSED, _ENUMERATE, _resumed(change))
        for lie, change in RESUMED.items()
    ),
    *(
        Row("a certificate", lie, "prove", UNPROVED, ("prove",), _certificate(change))
        for lie, change in CERTIFIED.items()
    ),
    Row("`known.toml`", "another number", "verify", EXPECTED, _VERIFY, _known(287, [])),
    Row("`known.toml`", "a grid that is not a solution", "verify", EXPECTED, _VERIFY, _known(1, ["1" * 16])),
]

ROWS = [*_solver_rows(), *FILES]


def installed(row: Row) -> bool:
    """Whether the library that a row is about is there."""
    return row.who not in _ASKED or find_spec(_ASKED[row.who][1]) is not None


def page() -> str:
    """Return the rows as tables in Markdown; lies with the same outcomes share a line."""
    wide = [f"| who | lie | {' | '.join(f'`{command}`' for command in COMMANDS)} |", "|---" * (2 + len(COMMANDS)) + "|"]
    outcomes: dict[tuple[str, str], dict[str, str]] = {}
    for row in ROWS:
        if row not in FILES:
            outcomes.setdefault((row.who, row.lie), {})[row.command] = row.outcome.text
    cells = {key: (key[0], *(of.get(command, "") for command in COMMANDS)) for key, of in outcomes.items()}
    wide += [f"| {who} | {lies} | {' | '.join(rest)} |" for (who, *rest), lies in _joined(cells)]
    narrow = ["| who | lie | command | result |", "|---|---|---|---|"]
    files = {(row.who, row.lie): (row.who, row.command, row.outcome.text) for row in FILES}
    narrow += [f"| {who} | {lies} | `{command}` | {text} |" for (who, command, text), lies in _joined(files)]
    return "\n".join([*wide, "", *narrow])


def _joined(cells: Mapping[tuple[str, str], tuple[str, ...]]) -> list[tuple[tuple[str, ...], str]]:
    """Return each line's cells with the lies that have these, in the order of the first of them."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for (_, lie), line in cells.items():
        lines.setdefault(line, []).append(lie)
    return [(line, "; ".join(lies)) for line, lies in lines.items()]


def in_page(text: str) -> str:
    """Return what a page has between the marks of the table."""
    found = re.search(r"<!-- lies -->\n(.*?)\n<!-- end -->", text, re.DOTALL)
    return found[1] if found else ""
