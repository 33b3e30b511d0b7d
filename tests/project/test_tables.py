"""The tables load in milliseconds: `--help`, options and docs read them, and nothing that does the work is loaded."""

import sys

from sudoku_encode.cli.table import COMMANDS
from tests.helpers.imported_modules import HEAVY, loaded_by

# Each table, by the module that has it.
TABLES = {
    "METHODS": "methods.table",
    "ENCODINGS": "encoders.table",
    "MODEL_FORMATS": "encoders.table",
    "AT_MOST_ONE": "formula.table",
    "TEXT_FORMATS": "formats.table",
    "SAT_SOLVERS": "solvers.table",
    "GENERATORS": "generating.table",
    "SYMMETRIES": "generating.table",
    "EXTRA_RULES": "puzzles.rules",
    "PAPERS": "reproduce.table",
    "PAGE_FORMS": "reproduce.table",
    "COMMANDS": "cli.table",
    "TECHNIQUES": "questions.techniques.table",
    "FIGURES": "questions.table",
}
# What they need, and the packages that they are in.
NEEDED = {
    "errors",
    "puzzles.table",
    "formats.format_features",
    "methods.method",
    "questions.techniques",
    *(module.split(".")[0] for module in TABLES.values()),
    *TABLES.values(),
}


def test_tables_are_light() -> None:
    """All tables together load only themselves."""
    rows = "\n".join(f"from sudoku_encode.{module} import {name}\nassert {name}" for name, module in TABLES.items())
    loaded = loaded_by(rows)

    assert {name for name in loaded if name.startswith("sudoku_encode")} == {
        "sudoku_encode",
        *(f"sudoku_encode.{name}" for name in NEEDED),
    }
    others = {name.split(".")[0] for name in loaded if not name.startswith("sudoku_encode")}
    assert others <= sys.stdlib_module_names
    # These take longer to load than all tables.
    assert not others & {"dataclasses", "inspect", "pathlib", "pkgutil", "json", "string"}


def test_help_is_light() -> None:
    """Help loads nothing that does the work."""
    code = (
        "from sudoku_encode.cli import main\n"
        f"for arguments in [['--help']] + [[name, '--help'] for name in {tuple(COMMANDS)}]:\n"
        "    sys.argv = ['sudoku-encode', *arguments]\n"
        "    try: main()\n"
        "    except SystemExit as end: assert end.code == 0"
    )
    assert not {name.split(".")[0] for name in loaded_by(code)} & (HEAVY | {"rich"})
