"""Sudoku puzzles, 2D and 3D, as SAT and CP models, with all their solutions.

    import sudoku_encode as se

What is named in `__all__` is public, and nothing else is promised. It is loaded when it is first used.
"""

import os
import sys

# Loaded as the program, the package takes Ctrl-C from its first line on; `cli` does the rest.
_called = (getattr(sys, "argv", None) or [""])[0]
if _called.rpartition(os.sep)[2] == "sudoku-encode" or (_called == "-m" and "sudoku_encode" in sys.orig_argv):
    # The module `signal` takes as long to load as all else here.
    _signal = __import__("_signal")
    _signal.signal(_signal.SIGINT, lambda *_: (os.write(2, b"interrupted\n"), os._exit(3)))

from importlib import import_module  # noqa: E402

# To mypy it is true; `typing` would take longer to load than the rest of this file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sudoku_encode.api.answers import Solutions, count, explain, is_unique, solutions, solve
    from sudoku_encode.api.candidates import candidates, check_candidates, prove_candidates
    from sudoku_encode.api.checked import NoSolution, Several, Unique, Unknown, check
    from sudoku_encode.api.drawn import draw
    from sudoku_encode.api.evidence import check_certificate, prove, verify
    from sudoku_encode.api.generated import generate
    from sudoku_encode.api.hinted import hint, hints
    from sudoku_encode.api.models import cp_model, encode, load_encoding, save_model
    from sudoku_encode.api.puzzles import Grid, PuzzleLike, board, read, read_all, violations, write
    from sudoku_encode.api.rated import rate
    from sudoku_encode.api.sampled import sample
    from sudoku_encode.api.solution_folders import read_solutions, save_solutions
    from sudoku_encode.encoders.cp import CpModel
    from sudoku_encode.encoders.encoding import Encoding
    from sudoku_encode.encoders.table import ENCODINGS, MODEL_FORMATS
    from sudoku_encode.errors import (
        FormatError,
        GeometryError,
        IncompleteError,
        InternalError,
        MethodError,
        StoppedError,
        SudokuError,
    )
    from sudoku_encode.formats.table import TEXT_FORMATS
    from sudoku_encode.formula.cnf import Cnf
    from sudoku_encode.generating.making import GeneratedPuzzle
    from sudoku_encode.methods.options import Options
    from sudoku_encode.methods.table import METHODS
    from sudoku_encode.proving import Certificate, CertificateError, CheckedCount
    from sudoku_encode.proving.candidates import CheckedCandidates
    from sudoku_encode.puzzles.geometry import Geometry, Rule
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.puzzles.rules import EXTRA_RULES
    from sudoku_encode.puzzles.step import Step
    from sudoku_encode.questions.candidates import TrueCandidates
    from sudoku_encode.questions.figures.asked import Figure
    from sudoku_encode.questions.figures.table import FIGURES
    from sudoku_encode.questions.hinting import Hint, SolvePath
    from sudoku_encode.questions.rating import Rating
    from sudoku_encode.questions.sampling import Samples
    from sudoku_encode.questions.techniques.table import TECHNIQUES
    from sudoku_encode.render.drawing import Drawing
    from sudoku_encode.render.table import DRAWINGS
    from sudoku_encode.reproduce.table import PAPERS
    from sudoku_encode.run.counting import Count
    from sudoku_encode.run.events import Event, MethodChosen, Progress, Remark
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.solvers.table import SAT_SOLVERS
    from sudoku_encode.verifying import Report

__version__ = "0.2.0"

# By module, the public names that it has.
_HOMES = {
    "api.answers": ("Solutions", "count", "explain", "is_unique", "solutions", "solve"),
    "api.candidates": ("candidates", "check_candidates", "prove_candidates"),
    "api.checked": ("NoSolution", "Several", "Unique", "Unknown", "check"),
    "api.drawn": ("draw",),
    "api.evidence": ("check_certificate", "prove", "verify"),
    "api.generated": ("generate",),
    "api.hinted": ("hint", "hints"),
    "api.models": ("cp_model", "encode", "load_encoding", "save_model"),
    "api.puzzles": ("Grid", "PuzzleLike", "board", "read", "read_all", "violations", "write"),
    "api.rated": ("rate",),
    "api.sampled": ("sample",),
    "api.solution_folders": ("read_solutions", "save_solutions"),
    "encoders.cp": ("CpModel",),
    "encoders.encoding": ("Encoding",),
    "encoders.table": ("ENCODINGS", "MODEL_FORMATS"),
    "errors": (
        *(
            "FormatError",
            "GeometryError",
            "IncompleteError",
            "InternalError",
            "MethodError",
            "StoppedError",
            "SudokuError",
        ),
    ),
    "formats.table": ("TEXT_FORMATS",),
    "formula.cnf": ("Cnf",),
    "generating.making": ("GeneratedPuzzle",),
    "methods.options": ("Options",),
    "methods.table": ("METHODS",),
    "proving": ("Certificate", "CheckedCount", "CertificateError"),
    "proving.candidates": ("CheckedCandidates",),
    "puzzles.geometry": ("Geometry", "Rule"),
    "puzzles.puzzle": ("Puzzle",),
    "puzzles.rules": ("EXTRA_RULES",),
    "puzzles.step": ("Step",),
    "questions.candidates": ("TrueCandidates",),
    "questions.figures.asked": ("Figure",),
    "questions.figures.table": ("FIGURES",),
    "questions.hinting": ("Hint", "SolvePath"),
    "questions.rating": ("Rating",),
    "questions.techniques.table": ("TECHNIQUES",),
    "questions.sampling": ("Samples",),
    "render.drawing": ("Drawing",),
    "render.table": ("DRAWINGS",),
    "reproduce.table": ("PAPERS",),
    "run.counting": ("Count",),
    "run.events": ("MethodChosen", "Event", "Progress", "Remark"),
    "run.limits": ("Limits",),
    "solvers.table": ("SAT_SOLVERS",),
    "verifying": ("Report",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022  -- sorted by what they are
    # Puzzles.
    "board", "read", "read_all", "write", "violations",
    # Answers.
    "solve", "solutions", "count", "is_unique", "candidates", "check", "hint", "hints", "rate", "sample",
    "explain", "generate", "save_solutions", "read_solutions",
    # Pictures.
    "draw",
    # Models.
    "encode", "load_encoding", "cp_model", "save_model",
    # Evidence.
    "verify", "prove", "check_certificate", "prove_candidates", "check_candidates",
    # Tables.
    "METHODS", "ENCODINGS", "MODEL_FORMATS", "TEXT_FORMATS", "SAT_SOLVERS", "EXTRA_RULES", "PAPERS", "TECHNIQUES",
    "FIGURES", "DRAWINGS",
    # Data.
    "Puzzle", "PuzzleLike", "Geometry", "Rule", "Grid", "Solutions", "Count", "Limits", "Options", "Encoding", "Cnf",
    "CpModel", "Report", "Certificate", "CheckedCount", "GeneratedPuzzle", "Event", "MethodChosen", "Progress",
    "Remark", "Step", "TrueCandidates", "CheckedCandidates", "Samples", "Unique", "Several", "NoSolution", "Unknown",
    "Hint", "SolvePath", "Rating", "Figure", "Drawing",
    # Errors.
    "SudokuError", "FormatError", "GeometryError", "MethodError", "IncompleteError", "CertificateError",
    "InternalError", "StoppedError",
]  # fmt: skip


# Public names of version 0.2 and what they are called now; the old ones go with version 0.4.
_RENAMED = {
    "Checked": "CheckedCount",
    "Chose": "MethodChosen",
    "Generated": "GeneratedPuzzle",
    "Refused": "CertificateError",
    "Stopped": "StoppedError",
    "Worked": "SolvePath",
}

# A type checker would take it that any name is there.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load a public name."""
        if name in _RENAMED:
            import warnings

            message = f"sudoku_encode.{name} is now sudoku_encode.{_RENAMED[name]}; the old name goes with version 0.4"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            name = _RENAMED[name]
        if name not in _HOME_OF:
            raise AttributeError(f"module 'sudoku_encode' has no attribute {name!r}")
        found = getattr(import_module(f"sudoku_encode.{_HOME_OF[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


# Where IPython is loaded, this may be a notebook: there puzzles and answers show themselves.
if "IPython" in sys.modules:
    import_module("sudoku_encode.api.notebook").set_up()
