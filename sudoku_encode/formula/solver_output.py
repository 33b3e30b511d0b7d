"""Parse the output of a SAT solver, and decide what it proves; independent of Sudoku."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice

from sudoku_encode.errors import FormatError

# Exit statuses that mean an answer. clasp adds 20 when it has searched everything: 30 means that these are all models.
SATISFIABLE, UNSATISFIABLE = (10, 30), (20,)

# Matched one word at a time, since a line of minisat's output may contain millions of literals.
_WORD = re.compile(r"[^\s,\[\]]+")
_LITERAL = re.compile(r"[-+]?[0-9]{1,10}")

_CLAIMS = {
    "SATISFIABLE": True,
    "SAT": True,
    "UNSATISFIABLE": False,
    "UNSAT": False,
    "UNKNOWN": None,
    "INDET": None,
    "INDETERMINATE": None,
}
_NAMES = {True: "satisfiable", False: "unsatisfiable", None: "unknown"}


@dataclass(frozen=True)
class Output:
    """The parsed output of a solver."""

    claim: bool | None  # True for satisfiable, False for unsatisfiable, None for neither
    models: tuple[tuple[int, ...], ...]  # the literals of each complete model
    cut_off: bool  # whether the last model lacks its end


def parse(lines: Iterable[str], source: str) -> Output:
    """Read `s` and `v` lines, minisat's `SAT` with a line of literals, or a bare list of literals.

    Comment lines (`c ...`) are ignored. Each model ends with a 0; a bare list needs none.

    Raises:
        FormatError: an unexpected word, or a claim that contradicts another.
    """
    claims: set[bool | None] = set()
    models: list[tuple[int, ...]] = []
    current: list[int] = []
    tagged = False
    for number, line in enumerate(lines, 1):
        if line.startswith(("c ", "c\n")):
            continue
        words = (match[0] for match in _WORD.finditer(line))
        first = next(words, "c")
        if first == "c":
            continue
        if first == "s" or first in _CLAIMS:
            claims.add(_claim([first, *islice(words, 2)], source, number))
            continue
        tagged |= first == "v"
        for word in words if first == "v" else chain([first], words):
            literal = _literal(word, source, number)
            if literal:
                current.append(literal)
            else:
                models.append(tuple(current))
                current = []
    cut_off = bool(current) and tagged
    if current and not tagged:
        models.append(tuple(current))
    if len(claims) > 1:
        names = " and ".join(_NAMES[claim] for claim in (True, False, None) if claim in claims)
        raise FormatError(f"the solver says both {names}", source)
    return Output(claims.pop() if claims else None, tuple(models), cut_off)


def verdict(
    claim: bool | None,
    has_model: bool,
    cut_off: str,
    exit_status: int | None,
    source: str = "",
    *,
    by_exit_status: bool = True,
) -> tuple[bool | None, str]:
    """Return whether there is a solution, None for unknown, as far as a solver can be trusted, and the reason.

    `claim` is None if it says nothing; `cut_off` is why the last model is not complete.

    1. It is an error if there is evidence both for a solution (the claim, a model, even half of one, exit status 10 or
       30) and against one (the claim, exit status 20).
    2. A model can be checked, so no other evidence is needed.
    3. The claim that there is a solution is not an answer without a model.
    4. That there is no solution needs two pieces of evidence, the claim and exit status 20: a solver that is killed may
       have printed anything before (clasp prints UNSATISFIABLE while it is being ended), and a program that ends with
       20 but printed nothing may not have been the solver. For solvers whose exit statuses do not tell the answer the
       claim is enough.
    5. Everything else is not an answer.

    Raises:
        FormatError: the evidence contradicts itself; or the claim is `satisfiable`, and no model is printed.
    """
    reasons_for, reasons_against = _evidence(claim, has_model or bool(cut_off), exit_status)
    if reasons_for and reasons_against:
        raise FormatError(f"{reasons_against[0]}, but {reasons_for[0]}: these contradict each other", source)
    if has_model:
        return True, "a model"
    if cut_off:
        return None, f"the model is cut off: {cut_off}"
    if reasons_for:
        raise FormatError(f"{reasons_for[0]}, but no model is printed; some solvers need an option for that", source)
    if len(reasons_against) == 2 or (reasons_against and not by_exit_status):
        return False, " and ".join(reasons_against)
    if exit_status in UNSATISFIABLE:
        return (
            None,
            f"exit status {exit_status} is accepted only if the output also says UNSATISFIABLE, but it does not",
        )
    if not reasons_against:
        return None, "the output contains no answer"
    if exit_status is None:
        return None, (
            "the output says unsatisfiable, which is accepted only with the exit status: add --exit-status 20 if it "
            "was 20, or --trust-status if you do not know it but the solver was not killed"
        )
    return None, f"the output says unsatisfiable, but the exit status is {exit_status}, not 20"


def _evidence(claim: bool | None, has_model: bool, exit_status: int | None) -> tuple[list[str], list[str]]:
    """Return the evidence for a solution, and the evidence against one."""
    reasons_for, reasons_against = [], []
    if has_model:
        reasons_for.append("there is a model")
    if claim:
        reasons_for.append("the solver says satisfiable")
    if claim is False:
        reasons_against.append("the solver says unsatisfiable")
    if exit_status in SATISFIABLE:
        reasons_for.append(f"exit status {exit_status} means satisfiable")
    if exit_status in UNSATISFIABLE:
        reasons_against.append(f"exit status {exit_status} means unsatisfiable")
    return reasons_for, reasons_against


def _claim(words: list[str], source: str, number: int) -> bool | None:
    text = words[-1]
    if text not in _CLAIMS or len(words) > 2:
        raise FormatError(f"{' '.join(words)[:40]!r} is not an answer of a SAT solver", source, number)
    return _CLAIMS[text]


def _literal(word: str, source: str, number: int) -> int:
    if not _LITERAL.fullmatch(word):
        raise FormatError(f"{word[:40]!r} is not a literal; expected s and v lines, or literals", source, number)
    return int(word)
