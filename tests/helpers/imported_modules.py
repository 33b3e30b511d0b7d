"""Which modules a program loads."""

import subprocess
import sys

# Those that take long.
HEAVY = {"numpy", "numba", "pysat", "ortools", "pandas"}


def loaded_by(code: str) -> set[str]:
    """Return the modules that a program loads, besides those that Python starts with."""
    program = f"import sys\nbefore = set(sys.modules)\n{code}\nprint(*sys.modules.keys() - before, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(ran.stderr.split())
