"""Certificates: "this puzzle has exactly N solutions", with everything needed to check it without trusting its maker.

`making` writes them, `checking` checks them, and `docs/certificates.md` describes them.
"""

from sudoku_encode.proving.checking import CertificateError, CheckedCount, check
from sudoku_encode.proving.making import Certificate, prove

__all__ = ["Certificate", "CertificateError", "CheckedCount", "check", "prove"]
