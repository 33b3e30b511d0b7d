"""Certificates: "this puzzle has exactly N solutions", with everything needed to check it without trusting its maker.

`making` writes them, `checking` checks them, and `docs/internals/certificates.md` describes them. `counts` certifies
counts without a list, which `docs/internals/counts.md` describes, and `encoded` checks a CNF of any encoding.
"""

from sudoku_encode.proving.checking import CertificateError, CheckedCount, check
from sudoku_encode.proving.making import Certificate, prove

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("batches", "candidates", "counts", "cube_folder", "encoded", "folder", "in_cubes")

__all__ = ["Certificate", "CertificateError", "CheckedCount", "check", "prove"]
