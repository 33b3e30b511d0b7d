"""Sudoku puzzles, 2D and 3D, as SAT and CP models, with all their solutions.

    import sudoku_encode as se

Only the names in `__all__` are public. Their modules are loaded on first use.
"""

import os
import sys

# When the package is loaded as the program, it handles Ctrl-C from its first line on; `cli` does the rest.
_program = (getattr(sys, "argv", None) or [""])[0]
if _program.rpartition(os.sep)[2] == "sudoku-encode" or (_program == "-m" and "sudoku_encode" in sys.orig_argv):
    # The module `signal` takes as long to load as everything else here.
    _signal = __import__("_signal")
    _signal.signal(_signal.SIGINT, lambda *_: (os.write(2, b"interrupted\n"), os._exit(3)))

from importlib import import_module  # noqa: E402

__version__ = "0.2.0"

# The public names by kind, each with its module; scripts/stub writes `__init__.pyi` from this table, for type
# checkers and editors.
_HOME_OF = {
    # Puzzles.
    "board": "api.puzzles",
    "read": "api.puzzles",
    "read_all": "api.puzzles",
    "write": "api.puzzles",
    "violations": "api.puzzles",
    "automaton": "api.constraints",
    "relation": "api.constraints",
    # Answers.
    "solve": "api.answers",
    "solutions": "api.listing",
    "count": "api.answers",
    "is_unique": "api.answers",
    "solve_all": "api.many",
    "count_all": "api.many",
    "check_all": "api.many",
    "candidates_all": "api.many",
    "sample_all": "api.many",
    "hints_all": "api.many",
    "rate_all": "api.many",
    "candidates": "api.true_candidates",
    "check": "api.setters",
    "hint": "api.setters",
    "hints": "api.setters",
    "rate": "api.setters",
    "sample": "api.generation",
    "explain": "api.answers",
    "generate": "api.generation",
    "kinds": "api.symmetries",
    "rules_with": "api.setters",
    "save_solutions": "api.listing",
    "read_solutions": "api.listing",
    # Symmetries.
    "symmetries": "api.symmetries",
    "canonical": "api.symmetries",
    "same": "api.symmetries",
    "break_symmetry": "api.symmetries",
    # Pictures.
    "draw": "api.drawing",
    # Models.
    "encode": "api.models",
    "load_encoding": "api.models",
    "cp_model": "api.models",
    "model_solutions": "api.listing",
    "save_model": "api.models",
    # Evidence.
    "verify": "api.evidence",
    "prove": "api.evidence",
    "check_certificate": "api.evidence",
    "check_encoding": "api.encodings",
    "prove_candidates": "api.true_candidates",
    "check_candidates": "api.true_candidates",
    # Tables.
    "METHODS": "methods.table",
    "ENCODINGS": "encoders.table",
    "MODEL_FORMATS": "encoders.table",
    "TEXT_FORMATS": "formats.table",
    "SAT_SOLVERS": "solvers.table",
    "EXTRA_RULES": "puzzles.rules",
    "PAPERS": "reproduce.table",
    "DIFFICULTIES": "questions.techniques.table",
    "TECHNIQUES": "questions.techniques.table",
    "FIGURES": "questions.table",
    "DRAWINGS": "render.table",
    # Data.
    "Puzzle": "puzzles.puzzle",
    "PuzzleLike": "api.puzzles",
    "Geometry": "puzzles.geometry",
    "Rule": "puzzles.geometry",
    "Grid": "puzzles.grid",
    "Solutions": "api.listing",
    "Count": "run.counting",
    "Limits": "run.limits",
    "Options": "methods.options",
    "Encoding": "encoders.encoding",
    "Cnf": "formula.cnf",
    "CpModel": "encoders.cp",
    "Report": "verifying",
    "Certificate": "proving",
    "CheckedCount": "proving",
    "CheckedEncoding": "proving.encoded",
    "GeneratedPuzzle": "generating.making",
    "Event": "run.events",
    "MethodChosen": "run.events",
    "Progress": "run.events",
    "Remark": "run.events",
    "SolverFigures": "run.events",
    "Step": "puzzles.step",
    "TrueCandidates": "questions.true_candidates",
    "CheckedCandidates": "proving.candidates",
    "Samples": "questions.sampling",
    "Unique": "questions.checking",
    "Several": "questions.checking",
    "NoSolution": "questions.checking",
    "Unknown": "questions.checking",
    "Hint": "questions.hinting",
    "SolvePath": "questions.hinting",
    "Rating": "questions.rating",
    "Symmetry": "symmetry.groups",
    "SymmetryMap": "symmetry.structure",
    "BrokenSymmetry": "symmetry.breaking",
    "Kinds": "symmetry.kinds",
    "RuleSets": "questions.rule_sets",
    "Figure": "questions.figures",
    "Drawing": "render.drawing",
    # Errors.
    "SudokuError": "errors",
    "FormatError": "errors",
    "GeometryError": "errors",
    "MethodError": "errors",
    "IncompleteError": "errors",
    "CertificateError": "proving",
    "EncodingError": "proving.encoded",
    "InternalError": "errors",
    "StoppedError": "errors",
}

__all__ = list(_HOME_OF)

# Public names of version 0.2 with their present names; the old ones go with version 0.4.
_RENAMED = {
    "Checked": "CheckedCount",
    "Chose": "MethodChosen",
    "Generated": "GeneratedPuzzle",
    "Refused": "CertificateError",
    "Stopped": "StoppedError",
    "Worked": "SolvePath",
}


def __getattr__(name: str) -> object:
    """Load a public name."""
    if name in _RENAMED:
        import warnings

        message = f"sudoku_encode.{name} is now sudoku_encode.{_RENAMED[name]}; the old name goes with version 0.4"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        name = _RENAMED[name]
    if name not in _HOME_OF:
        raise AttributeError(f"module 'sudoku_encode' has no attribute {name!r}")
    value = getattr(import_module(f"sudoku_encode.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def _show(how: str, value: object) -> object:
    """Return an object as `html`, `svg` or `grid_text`, for the rooms below those that make them."""
    home = "formats.writing" if how == "grid_text" else "api.notebook_views"
    return getattr(import_module(f"sudoku_encode.{home}"), how)(value)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


# If IPython is loaded, this may be a notebook, which shows the progress of its cells.
if "IPython" in sys.modules:
    import_module("sudoku_encode.api.notebook").set_up()
