"""What a SAT solver prints, and what of it can be believed. Nothing here knows Sudoku."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice

from sudoku_encode.errors import FormatError

# Exit statuses that mean an answer; clasp adds 20 to what it says when it has searched everything.
SATISFIABLE, UNSATISFIABLE = (10, 30), (20,)

# Matched one by one: a line of minisat's has a whole model.
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


@dataclass(frozen=True)
class Output:
    """What a solver printed.

    Attributes:
        claim: True for satisfiable, False for unsatisfiable, None for neither.
        models: the literals of each model that was printed whole.
        cut_off: whether the last model lacks its end.
    """

    claim: bool | None
    models: tuple[tuple[int, ...], ...]
    cut_off: bool


def parse(lines: Iterable[str], source: str) -> Output:
    """Read `s` and `v` lines, minisat's `SAT` with a line of literals, or a bare list of literals.

    Comment lines (`c ...`) are passed over. Each model ends with a 0; a bare list needs none.

    Raises:
        FormatError: a word that is none of these; a claim that contradicts another.
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
        raise FormatError("the solver says both satisfiable and unsatisfiable", source)
    return Output(claims.pop() if claims else None, tuple(models), cut_off)


def believe(output: Output, exit_status: int | None) -> tuple[bool | None, str]:
    """Say whether there is a solution, as far as the solver can be believed.

    A model can be checked, so it needs no trust. That there is none has to be said by the exit status too: a solver
    that is killed may have printed anything before (clasp prints UNSATISFIABLE while it is being ended).

    Returns:
        True, False, or None for `not known`, and why.

    Raises:
        FormatError: satisfiable, but no model is there; or the exit status and the models contradict each other.
    """
    if output.models and exit_status in UNSATISFIABLE:
        raise FormatError(f"exit status {exit_status} means unsatisfiable, but there is a model")
    if output.models:
        return True, "a model"
    if output.cut_off:
        return None, "the model is cut off: it does not end with a 0"
    if exit_status in SATISFIABLE or output.claim:
        raise FormatError("satisfiable, but no model is printed; some solvers need an option for that")
    if exit_status in UNSATISFIABLE:
        return False, f"exit status {exit_status}"
    if exit_status is None and output.claim is False:
        return None, "it says unsatisfiable, which counts only with its exit status: add --exit-status 20 if it was 20"
    if output.claim is False:
        return None, f"it says unsatisfiable, but its exit status is {exit_status}, not 20"
    return None, "there is no answer in the output"


def _claim(words: list[str], source: str, number: int) -> bool | None:
    text = words[-1]
    if text not in _CLAIMS or len(words) > 2:
        raise FormatError(f"{' '.join(words)[:40]!r} is no answer of a SAT solver", source, number)
    return _CLAIMS[text]


def _literal(word: str, source: str, number: int) -> int:
    if not _LITERAL.fullmatch(word):
        raise FormatError(f"{word[:40]!r} is no literal; give s and v lines, or a list of literals", source, number)
    return int(word)
