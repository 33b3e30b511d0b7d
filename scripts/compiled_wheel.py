"""Make a wheel for one platform and one version of Python, which contains compiled code, from the wheel for all.

python scripts/compiled_wheel.py WHEEL        # writes the other wheel beside it

The code runs with this version of Python and of numba, on processors of the levels of `code_cache.LEVELS`; elsewhere
functions are compiled when they are first called, as after any other installation. Needs a processor of the highest
level, and about five minutes of it; the code makes the wheel 13 MB larger.
"""

import base64
import csv
import hashlib
import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

from numba.core.caching import UserProvidedCacheLocator

from sudoku_encode.run.compiling.code_cache import LEVELS, SHIPPED, Level

HOME = Path(__file__).parents[1]


def compile_for(level: Level, sources: Path, cache: Path, *part: str) -> None:
    """Compile what the tests need, which is what most commands need, or a part of it, for a level of processors."""
    variables = {
        "NUMBA_CPU_NAME": level.cpu,
        "NUMBA_CPU_FEATURES": level.added,
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(sources), str(HOME), *sys.path]),
    }
    # In a folder without modules, since Python takes them from there first.
    command = [sys.executable, "-m", "tests.helpers.compiled_kernels", *part]
    subprocess.run(command, env=os.environ | variables, cwd=cache, check=True)


def ship(cache: Path, sources: Path) -> int:
    """Move the code from a cache of numba to the modules that it belongs to; return the number of files."""
    n_files = 0
    for folder in {module.parent for module in sources.rglob("*.py")}:
        code = cache / UserProvidedCacheLocator.get_suitable_cache_subpath(str(folder / "any.py"))  # type: ignore[no-untyped-call]
        for file in code.glob("*.nb[ci]"):
            (folder / SHIPPED).mkdir(exist_ok=True)
            shutil.move(file, folder / SHIPPED / file.name)
            n_files += 1
    return n_files


def tag() -> str:
    """Return the tag of wheels for this version of Python and this platform."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    # The code calls no library, so it depends on no version of the C library: that of the oldest numba is enough.
    return f"{python}-{python}-{platform.replace('linux_', 'manylinux_2_17_')}"


def pack(folder: Path, wheel: Path) -> None:
    """Write a wheel with the files of a folder, in which the list of the files is brought up to date."""
    (about,) = folder.glob("*.dist-info")
    described = (about / "WHEEL").read_text(encoding="utf-8")
    lines = [line for line in described.splitlines() if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    lines += ["Root-Is-Purelib: false", f"Tag: {tag()}"]
    (about / "WHEEL").write_text("\n".join(lines) + "\n", encoding="utf-8")
    record, table = about / "RECORD", io.StringIO()
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    own = record.relative_to(folder).as_posix()
    writer = csv.writer(table, lineterminator="\n")
    for name in names:
        content = (folder / name).read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        writer.writerow([name, "", ""] if name == own else [name, f"sha256={digest}", len(content)])
    record.write_text(table.getvalue(), encoding="utf-8")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in names:
            archive.write(folder / name, name)


def make_wheel(plain: Path) -> Path:
    """Write a wheel with compiled code beside a plain one, and return it."""
    wheel = plain.with_name(plain.name.replace("py3-none-any", tag()))
    with tempfile.TemporaryDirectory() as temporary:
        sources, cache = Path(temporary, "sources"), Path(temporary, "cache")
        cache.mkdir()
        with zipfile.ZipFile(plain) as archive:
            archive.extractall(sources)
        *highest, lowest = LEVELS
        # Only search gains from more than the lowest level.
        for level in highest:
            compile_for(level, sources, cache, "search")
        compile_for(lowest, sources, cache)
        if not ship(cache, sources):
            raise SystemExit(f"{plain}: nothing was compiled")
        pack(sources, wheel)
    return wheel


if __name__ == "__main__":
    print(make_wheel(Path(sys.argv[1]).resolve()))
