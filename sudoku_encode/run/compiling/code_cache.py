"""The code of compiled functions on disk, for later runs: used only if it is undamaged and of these very sources.

It is compiled for the processor of this machine. A wheel may also ship code for a level of processors, which `LEVELS`
lists; scripts/compiled_wheel.py makes such wheels. Where shipped code does not fit, functions are compiled as always.
"""

import inspect
import os
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite.binding import get_host_cpu_features
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.serialize import dumps

from sudoku_encode.run.events import Remark, emit
from sudoku_encode.storage.outputs import lock, unlock

# One process at a time: a lock that the system takes back from a process that ends, however it ends.

# How long to wait for another process: before a remark says so, in all, and between two attempts.
_REMARK_SECONDS, _WAIT_SECONDS, _POLL_SECONDS = 1.0, 120.0, 0.05

# The files that this process has locked. Only the thread that has numba's own lock uses this set.
_locked: set[Path] = set()


@contextmanager
def exclusive(file: Path | None) -> Iterator[None]:
    """Lock a file while something is done, after waiting for another process that has locked it, but not for ever.

    If it is None or cannot be locked, nothing is locked and nothing waits; nor does a process wait for a file that it
    has locked itself.
    """
    number = None if file is None or file in _locked else _opened(file)
    if file is None or number is None:
        yield
        return
    _locked.add(file)
    try:
        _wait(number)
        yield
    finally:
        _locked.discard(file)
        # Closing it would not unlock it where a process that was forked meanwhile has it open too.
        _unlock(number)
        os.close(number)


def _opened(file: Path) -> int | None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return os.open(file, os.O_RDONLY | os.O_CREAT, 0o666)
    except OSError:
        return None


def _wait(number: int) -> None:
    """Wait until the file is locked, or it turns out that it cannot be, or the longest wait is over."""
    begun, remarked = time.monotonic(), False
    while True:
        try:
            lock(number)
            return
        except BlockingIOError:
            waited = time.monotonic() - begun
        except OSError:
            return
        if waited > _WAIT_SECONDS:
            emit(Remark(f"another process has been compiling for {_WAIT_SECONDS:.0f} seconds; not waiting any longer"))
            return
        if waited > _REMARK_SECONDS and not remarked:
            emit(Remark("another process is compiling the same code, once on this machine; waiting for it"))
            remarked = True
        time.sleep(_POLL_SECONDS)


def _unlock(number: int) -> None:
    try:
        unlock(number)
    except OSError:
        # It was never locked.
        return


_COMPILING_FOLDER = Path(__file__).parent
_ADVICE = "to keep it, set NUMBA_CACHE_DIR to a folder that can be written"


class CodeCache:
    """The cache on disk of a function's compiled code; numba loads code from it, and saves what it had to compile.

    Nothing that goes wrong with the files is an error: the function is compiled once more, and a remark says why.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function

    @cached_property
    def files(self) -> Any:
        """The files on disk, or None where no folder can be written."""
        try:
            return _Files(self.function)
        except (RuntimeError, OSError):
            return None

    @cached_property
    def shipped(self) -> Any:
        """The files that came with the installation, or None."""
        with suppress(RuntimeError, OSError):
            return _ShippedFiles(self.function)
        return None

    @property
    def cache_path(self) -> str | None:
        """The folder."""
        return self.files.cache_path if self.files else None

    @property
    def lock(self) -> Path | None:
        """The file that a process locks while it compiles this function or another one of its module."""
        module = Path(inspect.getfile(self.function)).stem
        return Path(self.cache_path, f"{module}.lock") if self.cache_path else None

    def holds(self, codegen: Any, signature: Any = None) -> bool:
        """Return whether there is code for this machine and a signature; without a signature, for any."""
        return any(files is not None and files.holds(codegen, signature) for files in (self.files, self.shipped))

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the code for a signature, or None."""
        return self._load_own(signature, context) or self._load_shipped(signature, context)

    def _load_shipped(self, signature: Any, context: Any) -> Any:
        # Damaged code is compiled anew, and then there is code of this machine's own.
        with suppress(Exception):
            return self.shipped and self.shipped.load_overload(signature, context)
        return None

    def _load_own(self, signature: Any, context: Any) -> Any:
        if self.files is None:
            return None
        try:
            return self.files.load_overload(signature, context)
        except OSError:
            # It will fail again when the code is saved, which emits a remark.
            return None
        except Exception as error:
            # Reading a damaged file may raise anything. Nothing could be added to a damaged index, so it is emptied.
            emit(Remark(f"compiled code in {self.cache_path} is damaged; compiling it again ({_short(error)})"))
            with suppress(Exception):
                self.files.flush()
            return None

    def save_overload(self, signature: Any, code: Any) -> None:
        """Save the code for a signature."""
        if self.files is None:
            emit(Remark(f"compiled code cannot be kept for the next run; {_ADVICE}"))
            return
        try:
            self.files.save_overload(signature, code)
        except Exception as error:
            emit(Remark(f"compiled code cannot be kept in {self.cache_path} ({_short(error)}); {_ADVICE}"))


class _DigestedCode(CompileResultCacheImpl):
    """Saves a digest with the code, and compares it when the code is loaded: what is damaged must never run."""

    def reduce(self, code: Any) -> tuple[bytes, bytes]:
        data = dumps(super().reduce(code))  # type: ignore[no-untyped-call]
        return sha256(data).digest(), data

    def rebuild(self, context: Any, payload: tuple[bytes, bytes]) -> Any:
        digest, data = payload
        if sha256(data).digest() != digest:
            raise ValueError("its digest is wrong")
        return super().rebuild(context, pickle.loads(data))  # type: ignore[no-untyped-call]


class _Files(FunctionCache):
    """The files of one function.

    numba would use them as long as the function's own source file is unchanged. But they also contain the code of
    functions and constants of other modules, so here all files of its folder and of `compiling` must be unchanged.
    """

    _impl_class = _DigestedCode

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        files: Any = IndexDataCacheFile
        self._cache_file = files(self.cache_path, self._impl.filename_base, _stamp(inspect.getfile(function)))

    def holds(self, codegen: Any, signature: Any) -> bool:
        """Return whether there is code for this machine and a signature; if that is None, for any."""
        with suppress(Exception):
            files: Any = self._cache_file
            index = files._load_index()
            for own in self.keys(codegen, signature):
                for key, name in index.items():
                    fits = key[1:] == own[1:] and signature in (None, key[0])
                    if fits and Path(self.cache_path, name).exists():
                        return True
        return False

    def keys(self, codegen: Any, signature: Any) -> list[Any]:
        """Return the keys of code that this machine can run, the best first."""
        return [self._index_key(signature, codegen)]  # type: ignore[no-untyped-call]


# Code that came with the installation.


class Level(NamedTuple):
    """A level of processors: machine code for it runs wherever all its features are."""

    cpu: str  # the name by which LLVM knows it
    added: str  # features that it has besides, as LLVM writes them
    required: tuple[str, ...]  # the features that a processor must have, by LLVM's names


_V3 = ("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf", "sse4.2", "xsave")
_V4 = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512bitalg")
# The best first. With AVX-512 the search in vectors is an eighth faster; it also counts the bits of each lane.
LEVELS = (Level("x86-64-v4", "+avx512bitalg", (*_V3, *_V4)), Level("x86-64-v3", "", _V3))
# The folder of shipped code, beside the modules; `kernels` looks there too.
SHIPPED = "__compiled__"


@cache
def _levels() -> tuple[Level, ...]:
    """Return the levels that this processor reaches."""
    features: Any = get_host_cpu_features()
    return tuple(level for level in LEVELS if all(features.get(name) for name in level.required))


class _ShippedLocator(_CacheLocator):
    """Where numba looks for shipped code, which it never writes."""

    def __init__(self, function: Callable[..., object], file: str) -> None:
        self.file, self.line = file, function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(Path(self.file).parent / SHIPPED)

    def get_source_stamp(self) -> object:
        return _stamp(self.file)

    def get_disambiguator(self) -> str:
        return str(self.line)

    @classmethod
    def from_function(cls, function: Callable[..., object], file: str) -> "_ShippedLocator | None":
        located = cls(function, file)
        return located if Path(located.get_cache_path()).is_dir() else None


class _ShippedCode(_DigestedCode):
    _locator_classes = [_ShippedLocator]  # noqa: RUF012


class _ShippedFiles(_Files):
    """The shipped files of one function."""

    _impl_class = _ShippedCode

    def keys(self, codegen: Any, signature: Any) -> list[Any]:
        """Return the keys of code for the levels that this processor reaches."""
        kind, (triple, *_), digests = self._index_key(signature, codegen)  # type: ignore[no-untyped-call]
        return [(kind, (triple, level.cpu, level.added), digests) for level in _levels()]

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the code for a signature, or None."""
        context.refresh()
        files: Any = self._cache_file
        for key in self.keys(context.codegen(), signature):
            if (data := files.load(key)) is not None:
                return self._impl.rebuild(context, data)
        return None


def _stamp(file: str) -> tuple[bytes, bytes]:
    """Return a digest of all sources that the code of a module may contain."""
    return _digest(Path(file).parent), _digest(_COMPILING_FOLDER)


@cache
def _digest(folder: Path) -> bytes:
    """Return a digest of the sources in a folder."""
    digest = sha256()
    for file in sorted(folder.glob("*.py")):
        digest.update(sha256(file.read_bytes()).digest())
    return digest.digest()


def _short(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
