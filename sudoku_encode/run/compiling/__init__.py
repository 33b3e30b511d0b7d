"""How inner loops are compiled: modules called `*_kernel`, imported where they are used.

Importing this loads numba, which takes longer than most puzzles; `kernels` says without it what is compiled already.
Where nothing can be compiled, functions stay Python. That is too slow for a kernel, so methods call
`kernels.unavailable` first.
"""

try:
    import numba
except Exception as error:
    # An ImportError where it does not know the version of numpy, an OSError where a library of its own is missing.
    UNAVAILABLE = f"numba cannot be loaded ({type(error).__name__}: {error})"
else:
    UNAVAILABLE = "NUMBA_DISABLE_JIT is set" if getattr(numba.config, "DISABLE_JIT", False) else ""

if not UNAVAILABLE:
    from sudoku_encode.run.compiling.by_numba import (
        bit_count,
        by_length,
        compiled,
        compiled_module,
        compiled_with_arrays,
        inlined,
        is_compiled,
        lowest,
        subroutine,
        subroutine_with_arrays,
    )
else:
    from sudoku_encode.run.compiling.plain import (
        bit_count,
        by_length,
        compiled,
        compiled_module,
        compiled_with_arrays,
        inlined,
        is_compiled,
        lowest,
        subroutine,
        subroutine_with_arrays,
    )

__all__ = [
    "UNAVAILABLE",
    "bit_count",
    "by_length",
    "compiled",
    "compiled_module",
    "compiled_with_arrays",
    "inlined",
    "is_compiled",
    "lowest",
    "subroutine",
    "subroutine_with_arrays",
]
