"""Recognises files for something else, which people give in place of a puzzle: models, answers, proofs, records.

To add a kind, add a row to `OTHER_FILES`. A pattern must match no text of a puzzle: a file is refused if it matches.
"""

import re
import shlex
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sudoku_encode.errors import FormatError

_DECODE = "`sudoku-encode decode {file} ANSWER` reads a solver's answer to it"
_NEEDS_PUZZLE = "`sudoku-encode decode {file} ANSWER --puzzle PUZZLE` reads a solver's answer to it"
_ENCODE = "`sudoku-encode encode --to {form}` writes such a model of a puzzle"
_ANSWER = "`sudoku-encode decode MODEL {file}` turns it into grids"
_CHECK = "`sudoku-encode prove --check FOLDER` checks the certificate that it belongs to"
_CANDIDATES = "candidates.json"
_CHECK_CANDIDATES = "`sudoku-encode candidates --check FOLDER` checks it, and puzzle.json beside it is the puzzle"
_GIVE_PUZZLES = "give the file of the puzzles"


class OtherFile(NamedTuple):
    """A kind of file that is not a puzzle."""

    pattern: str  # a regular expression that matches from the beginning of the file
    what: str  # the kind, with its article
    way: str  # what to do instead; {file} stands for the name of the file, {form} for the group of that name


# White space, and the comments of models.
_LEAD = r"(?>(?:\s|(?:c|[*%|;#\\]|//)(?:[ \t][^\n]*)?\n)*)"
_LITERAL, _END = r"[-+]?[1-9]\d{0,9}", r"0[ \t]*(?:\n|$)"
# A line of DRAT, and one of LRAT, which has literals, 0, and the numbers of clauses.
_CLAUSE = rf"(?:{_LITERAL} +)*{_END}"
_STEP = rf"\d+ +(?:d |(?:{_LITERAL} +)*0 +){_CLAUSE}"
_STRING, _WHOLE = r'(?:null|"(?:[^"\\\n]|\\.)*")', r"(?:null|\d+)"
_RECORD = rf'\s*\{{"file": {_STRING}, "line": {_WHOLE}, "puzzle": {_WHOLE}, "name": {_STRING}, '

OTHER_FILES = (
    OtherFile(
        r"(?s:.{0,64}?)sudoku-encode \d[\d.]*\S*(?:\n|\\n)(?:c )?(?:encoding|kind|board)[ ]|c (?:encoding|kind) \S+\n",
        "a CNF",
        _DECODE,
    ),
    OtherFile(
        r"(?s:.{0,200}?)(?:^|\n|\\n)(?:[c*%;|\\#]? )?format (?P<form>[a-z0-9-]{1,20})(?=\n|\\n)(?s:.{0,80}?)"
        r"(?:\n|\\n)(?:[c*%;|\\#]? )?(?:board|sudoku-encode) ",
        "a model in the format {form}",
        _DECODE,
    ),
    # Single literals may be the givens of a puzzle.
    OtherFile(
        rf"{_LEAD}p +(?:inc)?cnf\b[^\n]*\n(?:c\b[^\n]*\n|{_LITERAL} +{_END}|\s)*{_LITERAL}\s+{_LITERAL}\b",
        "a CNF",
        _NEEDS_PUZZLE,
    ),
    OtherFile(rf"{_LEAD}(?:p +wcnf\b|h (?:{_LITERAL} +)+{_END})", "a WCNF", _ENCODE.format(form="wcnf")),
    OtherFile(rf"{_LEAD}p +(?:edge|col)\b", "a graph", _ENCODE.format(form="col")),
    OtherFile(
        rf"\*[ \t]*#variable=|{_LEAD}(?:(?:min|max):|[-+]?\d+ +~?x\d+ [^;\n]*(?:>=|=|<=)[^;\n]*;)",
        "an OPB model",
        _ENCODE.format(form="opb"),
    ),
    OtherFile(
        rf"{_LEAD}(?:NAME\b[^\n]*\s+)?(?:OBJSENSE\b[^\n]*\s+(?:\w+\s+)?)?ROWS[ \t]*\n\s*[NLGE]\s",
        "an MPS model",
        _ENCODE.format(form="mps"),
    ),
    OtherFile(
        rf"(?i){_LEAD}(?:minimi[zs]e|maximi[zs]e|min|max)\b(?s:.{{0,4000}}?)"
        r"\n[ \t]*(?:subject to|such that|st|s\.t\.)\b",
        "an LP model",
        _ENCODE.format(form="lp"),
    ),
    OtherFile(
        rf"{_LEAD}\((?:set-logic|set-option|set-info|declare-)", "an SMT-LIB script", _ENCODE.format(form="smt2")
    ),
    OtherFile(
        r'\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?s:.*?)-->\s*)*<instance\b[^>]*\bformat="XCSP',
        "an XCSP3 model",
        _ENCODE.format(form="xcsp3"),
    ),
    # Without data of MiniZinc, which may be a puzzle.
    OtherFile(
        rf"{_LEAD}(?:predicate\b|array *\[|var\b)(?!(?s:.*)\[\|)(?s:.*?)\n[ \t]*constraint\b(?s:.*?)\bsolve\b",
        "a FlatZinc model",
        _ENCODE.format(form="mzn"),
    ),
    OtherFile(
        rf"{_LEAD}(?:s +(?:SATISFIABLE|UNSATISFIABLE|UNKNOWN|OPTIMUM)\b|v(?: +-?x?\d+)+[ \t]*(?:\s*$|\n[csv]\b)"
        r"|(?:(?:UN)?SAT(?:ISFIABLE)?|INDET(?:ERMINATE)?)[ \t]*(?:\s*$|\n[-+\d ]*-\d)|status: *[A-Z]+\s+solution:)",
        "a solver's answer to a model",
        _ANSWER,
    ),
    OtherFile(
        rf"(?=[^\n]*-[2-9])(?:{_LITERAL},? +)+{_END}\s*$",
        "a solver's answer to a model",
        _ANSWER,
    ),
    # Proofs have literals with a minus or deletions; numbers of a puzzle have neither.
    OtherFile(rf"(?:{_STEP}){{0,99}}?\d+ +(?:d |(?>(?:\d+ +)*)-\d)(?=[^\n]*\n(?:{_STEP}|$))", "an LRAT proof", _CHECK),
    OtherFile(rf"(?:{_CLAUSE}){{0,99}}?d (?:{_LITERAL} +)+{_END}", "a DRAT proof", _CHECK),
    OtherFile(
        r'\s*\{"kind": "solutions of a puzzle"',
        "the manifest of a folder of solutions",
        "give the folder, whose solutions are then read",
    ),
    OtherFile(
        r'\s*\{\s*"solutions": \d+,\s*"clauses": \d+',
        "a part of a certificate",
        "`sudoku-encode prove --check FOLDER` checks it, and puzzle.json beside it is the puzzle",
    ),
    OtherFile(
        rf'{_RECORD}"status": "written", "method": ',
        "the manifest of models that `encode` wrote",
        "`sudoku-encode decode MODEL ANSWER` reads a solver's answer to a model of it",
    ),
    # Records with lists of givens are read.
    OtherFile(rf'{_RECORD}(?!(?s:.*)"givens": (?:\[|"))', "a file of records (--json)", _GIVE_PUZZLES),
    OtherFile(
        r"file,line,puzzle,name,status,method,seconds,(?!(?:[^\n]*,)?givens\b)",
        "a file of records (--csv)",
        _GIVE_PUZZLES,
    ),
)


@cache
def _patterns() -> list[re.Pattern[str]]:
    """Return the patterns of OTHER_FILES, compiled when the first text needs them."""
    return [re.compile(row.pattern) for row in OTHER_FILES]


def refuse_other_file(beginning: bytes, source: str) -> None:
    """Refuse a file that is not for puzzles by its beginning.

    Raises:
        FormatError: it is one of OTHER_FILES.
    """
    if (
        source.endswith(_CANDIDATES)
        and Path(source).name == _CANDIDATES
        and Path(source).with_name("certificate.json").is_file()
    ):
        raise FormatError(f"a part of a certificate, not a puzzle; {_CHECK_CANDIDATES}", source)
    text = beginning.decode("latin-1").replace("\r\n", "\n")
    for row, pattern in zip(OTHER_FILES, _patterns(), strict=True):
        if match := pattern.match(text):
            # Standard input has no name.
            name = source if Path(source).is_file() else "FILE"
            names = {"file": shlex.quote(name), **match.groupdict()}
            raise FormatError(f"{row.what}, not a puzzle; {row.way}".format(**names), source)


# The purpose of a folder, by a file in it or in a folder in it.
_FOLDERS = {
    _CANDIDATES: "a certificate of true candidates; `sudoku-encode candidates --check {folder}` checks it, and "
    "its puzzle is {folder}/puzzle.json",
    "certificate.json": "a certificate; `sudoku-encode prove --check {folder}` checks it, and its puzzle is "
    "{folder}/puzzle.json",
    "*/certificate.json": "certificates of several puzzles; each folder in it contains its puzzle in puzzle.json",
    "manifest.jsonl": "models; `sudoku-encode decode MODEL ANSWER` reads a solver's answer to one of them",
    "manifest.jsonl.part": "models that are not all written; `sudoku-encode encode --resume` continues",
    "part-[0-9]*": "solutions that are not all listed; `sudoku-encode enumerate --resume` continues",
}


def folder_fault(folder: Path) -> str:
    """Return why a folder is not a source of puzzles, with its purpose if its files tell that."""
    for pattern, purpose in _FOLDERS.items():
        if next(folder.glob(pattern), None):
            return f"a folder of {purpose}".replace("a folder of a ", "a folder with a ").format(folder=folder)
    return "this is a directory; give a file with puzzles"
