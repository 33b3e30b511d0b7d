"""A function is compiled by one process at a time, and kept whole or not at all, whatever becomes of the files."""

import errno
import fcntl
import importlib
import os
import pickle
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import compiled_wheel
import pytest
from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename

from sudoku_encode.run import kernels
from sudoku_encode.run.compiling import code_cache, plain
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Compiling, Event, Remark, observing
from sudoku_encode.run.limits import Limits

INNER = "from sudoku_encode.run.compiling import compiled\n\n@compiled\ndef inner(x):\n    return x + 1\n"
OUTER = (
    "from sudoku_encode.run.compiling import compiled\nfrom tiny.inner_kernel import inner\n\n"
    "@compiled\ndef outer(x):\n    return 10 * inner(x)\n"
)
# Says when something is compiled and what else there is to say, then calls the function.
CALLER = """
import sys, time
from sudoku_encode.run.events import Compiling, Remark, observing

def observe(event):
    if isinstance(event, Remark):
        print("remark:", event.text, flush=True)
    elif isinstance(event, Compiling) and event.busy and not event.seconds:
        print("compiling", flush=True)
        time.sleep(float(sys.argv[1]))

from tiny.outer_kernel import outer
if sys.argv[2:]:
    print("loaded", flush=True)
    sys.stdin.readline()
with observing(observe):
    print(outer(4))
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Return a folder with a package of two functions, one of which calls the other."""
    package = tmp_path / "tiny"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "inner_kernel.py").write_text(INNER)
    (package / "outer_kernel.py").write_text(OUTER)
    return tmp_path


def started(tiny: Path, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
    """Start a process that calls `outer`; it looks for compiled code beside the sources."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    path = os.pathsep.join([str(tiny), *sys.path])
    return subprocess.Popen(
        [sys.executable, "-c", CALLER, *arguments],
        env={**inherited, "PYTHONPATH": path, **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def called(tiny: Path, **variables: str) -> list[str]:
    """Return what such a process says; the last line is the result."""
    return ended(started(tiny, "0", **variables))


def ended(process: "subprocess.Popen[str]") -> list[str]:
    out, _ = process.communicate(timeout=100)
    assert process.returncode == 0
    return out.splitlines()


@pytest.fixture
def loaded(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Import a module of the package into this process."""
    import numba

    monkeypatch.syspath_prepend(tiny)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    yield importlib.import_module
    forget()


def forget() -> None:
    """Let this process know no more of the package than a new one."""
    for name in [name for name in sys.modules if name.split(".")[0] == "tiny"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    code_cache._digest.cache_clear()


@pytest.fixture
def called_again(loaded: Callable[[str], Any]) -> Callable[[], list[str]]:
    """Return what says the same as `called`, without the new process, which takes most of the time."""

    def call() -> list[str]:
        forget()
        says: list[str] = []

        def observe(event: Event) -> None:
            if isinstance(event, Remark):
                says.append(f"remark: {event.text}")
            elif isinstance(event, Compiling) and event.busy and not event.seconds:
                says.append("compiling")

        with observing(observe):
            says.append(str(loaded("tiny.outer_kernel").outer(4)))
        return says

    return call


@pytest.mark.slow
def test_compiled_once(tiny: Path) -> None:
    """What several processes want at once is compiled once."""
    processes = [started(tiny, "1", "wait") for _ in range(2)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "loaded\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    lines = [line for process in processes for line in ended(process)]
    assert lines.count("50") == 2
    assert lines.count("compiling") == 1
    assert called(tiny) == ["50"]


@pytest.mark.slow
def test_waiter_survives_kill(tiny: Path) -> None:
    """Who waits goes on when the process that compiles is killed."""
    with started(tiny, "100") as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "compiling\n"
        with started(tiny, "0") as second:
            assert second.stdout is not None
            assert second.stdout.readline().startswith("remark: another process is compiling")
            first.kill()
            assert ended(second) == ["compiling", "50"]


def test_waiter_timeout(loaded: Callable[[str], Any]) -> None:
    """Who waits is ended when its time is over."""
    outer = loaded("tiny.outer_kernel").outer
    number = os.open(outer._cache.lock, os.O_RDONLY | os.O_CREAT)
    fcntl.flock(number, fcntl.LOCK_EX)
    found = list(each(partial(one_by_one, outer), [4], Limits(seconds=0.2)))
    assert [(item, str(answer)) for item, answer, _ in found] == [(4, "time limit")]
    os.close(number)
    assert [answer for _, answer, _ in each(partial(one_by_one, outer), [4], Limits(seconds=100))] == [50]


def test_bounded_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """Nobody waits for ever."""
    monkeypatch.setattr(code_cache, "_REMARK_SECONDS", 0.05)
    monkeypatch.setattr(code_cache, "_WAIT_SECONDS", 0.2)
    file, passed = tmp_path / "lock", []
    other = os.open(file, os.O_RDONLY | os.O_CREAT)
    fcntl.flock(other, fcntl.LOCK_EX)
    with code_cache.exclusive(file), code_cache.exclusive(file):
        passed.append("held by another")
    assert [remark.split(";")[0] for remark in messages] == [
        "another process is compiling the same code, once on this machine",
        "another process has been compiling for 0 seconds",
    ]
    os.close(other)
    with code_cache.exclusive(file):
        passed.append("free")
    with code_cache.exclusive(tmp_path / "lock" / "below" / "a" / "file"), code_cache.exclusive(None):
        passed.append("no folder")
    assert passed == ["held by another", "free", "no folder"]
    assert len(messages) == 2


def test_no_file_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system without locks is no hindrance."""

    def refuses(number: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", refuses)
    passed = []
    with code_cache.exclusive(tmp_path / "lock"):
        passed.append(True)
    assert passed == [True]


DAMAGED = "remark: compiled code in "


def test_flipped_bits(loaded: Callable[[str], Any]) -> None:
    """No bit of kept code can be wrong."""
    outer = loaded("tiny.outer_kernel").outer
    assert outer(4) == 50
    (file,) = Path(outer._cache.cache_path).glob("outer_kernel.*.nbc")
    digest, code = pickle.loads(file.read_bytes())
    whole = outer._cache.files._impl
    assert whole.rebuild(outer.targetctx, (digest, code)).signature == outer.nopython_signatures[0]
    for at in range(0, len(code), len(code) // 50):
        damaged = bytearray(code)
        damaged[at] ^= 1
        with pytest.raises(ValueError, match="its digest is wrong"):
            whole.rebuild(outer.targetctx, (digest, bytes(damaged)))


def test_damaged_file(tiny: Path, called_again: Callable[[], list[str]]) -> None:
    """A damaged file is made anew and never run."""
    assert called_again() == ["compiling", "50"]
    (code,) = (tiny / "tiny" / "__pycache__").glob("outer_kernel.*.nbc")
    content = bytearray(code.read_bytes())
    content[len(content) // 2] ^= 1
    code.write_bytes(content)
    remark, *rest = called_again()
    assert remark.startswith(DAMAGED)
    assert rest == ["compiling", "50"]
    code.write_bytes(content[:40])
    (index,) = (tiny / "tiny" / "__pycache__").glob("inner_kernel.*.nbi")
    index.write_bytes(b"no index")
    assert [line.startswith(DAMAGED) for line in called_again()] == [True, False, True, False]
    assert called_again() == ["50"]


def test_changed_callee(tiny: Path, called_again: Callable[[], list[str]]) -> None:
    """Code is compiled anew when a function that it calls has changed."""
    assert called_again() == ["compiling", "50"]
    (tiny / "tiny" / "inner_kernel.py").write_text(INNER.replace("x + 1", "(x + 2)"))
    assert called_again() == ["compiling", "60"]
    assert called_again() == ["60"]


def test_no_writable_folder(tiny: Path, called_again: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder that can be written code is compiled every time."""
    # Files where folders should be: not even root can write there.
    (tiny / "tiny" / "__pycache__").touch()
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tiny / "tiny" / "__init__.py"))
    for _ in range(2):
        first, *rest, last = called_again()
        assert (first, last) == ("compiling", "50")
        assert set(rest) == {
            "remark: compiled code cannot be kept for the next run; to keep it, set NUMBA_CACHE_DIR to a folder that "
            "can be written"
        }


def test_unwritable_later(loaded: Callable[[str], Any], messages: list[str]) -> None:
    """Code is called though it cannot be written any more."""
    outer = loaded("tiny.outer_kernel").outer
    folder = Path(outer._cache.cache_path)
    shutil.rmtree(folder)
    folder.touch()
    assert outer(4) == 50
    assert any(remark.startswith(f"compiled code cannot be kept in {folder} (") for remark in messages)


@pytest.mark.slow
def test_known_without_loading(loaded: Callable[[str], Any], tiny: Path) -> None:
    """Kernels say what is compiled without loading what is not."""
    loaded("tiny")
    wanted = [("outer_kernel", "outer")]
    not_yet = "its code is not compiled yet on this machine"
    assert kernels.missing("tiny", wanted) == not_yet
    assert "tiny.outer_kernel" not in sys.modules
    outer = loaded("tiny.outer_kernel").outer
    assert kernels.missing("tiny", wanted) == not_yet
    assert called(tiny) == ["compiling", "50"]
    assert kernels.missing("tiny", wanted) == ""
    assert outer(4) == 50
    shutil.rmtree(tiny / "tiny" / "__pycache__")
    # It is here by now.
    assert kernels.missing("tiny", wanted) == ""


@pytest.fixture
def shipped(tiny: Path, called_again: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Compile the package for this processor, ship the code, and return the folder that it is in."""
    import numba
    from numba.core.registry import cpu_target

    cache = tiny / "cache"
    with monkeypatch.context() as patched:
        patched.setattr(numba.config, "CACHE_DIR", str(cache))
        assert called_again() == ["compiling", "50"]
    assert compiled_wheel.ship(cache, tiny / "tiny") == 4
    _, cpu, features = cpu_target.target_context.codegen().magic_tuple()
    level = code_cache.Level(cpu, features, ())
    monkeypatch.setattr(code_cache, "_levels", lambda: (level,))
    return tiny / "tiny" / code_cache.SHIPPED


def test_shipped_code(shipped: Path, called_again: Callable[[], list[str]], loaded: Callable[[str], Any]) -> None:
    """Shipped code is called without compiling, and nothing is written."""
    assert called_again() == ["50"]
    outer = loaded("tiny.outer_kernel").outer
    assert kernels.missing("tiny", [("outer_kernel", "outer")]) == ""
    assert outer._cache.holds(outer.targetctx.codegen())
    assert list(Path(outer._cache.cache_path).glob("*.nb?")) == []


def test_shipped_for_others(
    shipped: Path, called_again: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code for processors that can do more is compiled anew, and used from then on."""
    monkeypatch.setattr(code_cache, "_levels", lambda: code_cache.LEVELS[:0])
    assert called_again() == ["compiling", "50"]
    assert called_again() == ["50"]


def test_shipped_damaged(shipped: Path, tiny: Path, called_again: Callable[[], list[str]]) -> None:
    """Shipped code that is damaged, or of other sources, is compiled anew."""
    (code,) = shipped.glob("outer_kernel.*.nbc")
    content = bytearray(code.read_bytes())
    content[len(content) // 2] ^= 1
    code.write_bytes(content)
    assert called_again() == ["compiling", "50"]
    (tiny / "tiny" / "inner_kernel.py").write_text(INNER.replace("x + 1", "(x + 2)"))
    assert called_again() == ["compiling", "60"]


@pytest.mark.parametrize(
    ("features", "cpus"),
    [
        (code_cache.LEVELS[0].required, ["x86-64-v4", "x86-64-v3"]),
        (code_cache.LEVELS[1].required, ["x86-64-v3"]),
        (code_cache.LEVELS[1].required[1:], []),
    ],
)
def test_levels(features: tuple[str, ...], cpus: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor reaches the levels all of whose features it has."""
    monkeypatch.setattr(code_cache, "get_host_cpu_features", lambda: dict.fromkeys(features, True))
    assert [level.cpu for level in code_cache._levels.__wrapped__()] == cpus


def test_subroutine_from_python(loaded: Callable[[str], Any], tiny: Path) -> None:
    """A function that only compiled functions may call refuses another call, instead of ending the process."""
    (tiny / "tiny" / "inner_kernel.py").write_text(INNER.replace("compiled", "subroutine"))
    assert loaded("tiny.outer_kernel").outer(4) == 50
    with pytest.raises(TypeError, match="inner can be called by compiled functions only"):
        loaded("tiny.inner_kernel").inner(4)


def test_compiled_wheel(tmp_path: Path) -> None:
    """A wheel with compiled code lists all its files, and fits this Python on this platform."""
    folder = tmp_path / "unpacked"
    about = folder / "tiny-1.dist-info"
    about.mkdir(parents=True)
    (about / "WHEEL").write_text("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    (about / "RECORD").touch()
    (folder / "tiny.nbc").write_bytes(b"code")
    wheel = tmp_path / f"tiny-1-{compiled_wheel.tag()}.whl"
    compiled_wheel.pack(folder, wheel)
    with zipfile.ZipFile(wheel) as archive:
        recorded = archive.read("tiny-1.dist-info/RECORD").decode().splitlines()
        assert [line.split(",")[0] for line in recorded] == archive.namelist()
        assert "tiny.nbc,sha256=VpTQii5T_8rgwxA-Wtb2B2q9lg6x-KVldwQLwQKPcCs,4" in recorded
        assert archive.read("tiny-1.dist-info/WHEEL").decode().count("Tag: ") == 1
    assert parse_wheel_filename(wheel.name)[3] <= set(sys_tags())


def test_no_compiler() -> None:
    """Without a compiler functions are what they are."""

    def double(x: int) -> int:
        return 2 * x

    assert plain.compiled(double) is plain.inlined(double) is plain.compiled_with_arrays(double) is double
    assert not plain.is_compiled(double)
    assert (plain.lowest(0b1010_0000), plain.bit_count(0b1010_0000)) == (5, 2)


def test_long_compiling(loaded: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """An event says once that compiling takes long."""
    from sudoku_encode.run.compiling import by_numba

    monkeypatch.setattr(by_numba, "_LONG_SECONDS", 0.0)
    monkeypatch.setattr(by_numba.listener, "is_long", False)
    events: list[Event] = []
    for value in (4, 4.5):
        with observing(events.append):
            assert loaded("tiny.outer_kernel").outer(value) == 10 * (value + 1)
    assert [event.busy for event in events if isinstance(event, Compiling) and not event.seconds] == [True, False] * 2
    assert sum(isinstance(event, Compiling) and event.seconds > 0 for event in events) == 1
