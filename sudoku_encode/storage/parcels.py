"""Files that one process makes and another one, perhaps on another machine, writes where they belong."""

import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from sudoku_encode.errors import FormatError
from sudoku_encode.storage.outputs import folder, unwritable

# What files hold, by their names, compressed.
Parcel = dict[str, bytes]


def packed(paths: Iterable[Path]) -> Parcel:
    """Return what files hold."""
    return {path.name: zlib.compress(path.read_bytes(), 1) for path in paths}


def unpack(parcel: Parcel, home: Path, names: Iterable[str]) -> None:
    """Write files to a folder; a file gets its name only when it is complete.

    Args:
        parcel: what files hold.
        home: the folder; it is made if there is none.
        names: of the files that it may hold, each of which is written, or removed where the parcel does not have it.

    Raises:
        FormatError: the parcel is damaged.
        SudokuError: a file cannot be written.
        StoppedError: the disk is full.
    """
    folder(home)
    for name in names:
        target = home / name
        part = target.with_name(f".{name}.{os.urandom(6).hex()}.part")
        try:
            if name in parcel:
                part.write_bytes(zlib.decompress(parcel[name]))
                part.replace(target)
            else:
                target.unlink(missing_ok=True)
        except zlib.error as error:
            raise FormatError(f"the file is damaged: {error}", name) from error
        except OSError as error:
            part.unlink(missing_ok=True)
            raise unwritable(target, error) from error
