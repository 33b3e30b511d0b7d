"""The reader of PDF, loaded by the tests that read one.

If it were loaded with their modules, each worker would have 80 MB more, whose page tables each process that a test
forks has to copy.
"""

import sys
from importlib import import_module
from typing import Any


def pymupdf() -> Any:
    """Load it without its analysis of layouts, which takes longer than the rest; its types are not complete."""
    sys.modules.setdefault("pymupdf.layout", None)  # type: ignore[arg-type]
    return import_module("pymupdf")
