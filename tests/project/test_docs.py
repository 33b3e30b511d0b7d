"""What the README and the pages in docs/ show that a command prints, it prints; and what they name is there."""

import re
import runpy
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import page_blocks
import page_parts
import page_pictures
import pytest
from page_blocks import HOME, is_shown

import sudoku_encode as se
from sudoku_encode.cli.table import COMMANDS, GROUPS
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.turns import chose_sat, chose_sat_instead
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.events import MethodChosen
from tests.helpers import paper_findings
from tests.helpers.command import Command

PAGES = {page.relative_to(HOME).as_posix(): page.read_text(encoding="utf-8") for page in page_blocks.pages()}
OTHERS = {name: (HOME / name).read_text(encoding="utf-8") for name in ("CONTRIBUTING.md", ".github/SECURITY.md")}
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# Pages whose programs need something first: a test of their own runs these.
OWN_TEST = {"docs/python.md": "tests/api/test_api.py"}


# A call of this program with what a shell does before and after it: texts that it reads, its exit status, filters.
_WORDS = r"""(?:'[^']*'|"[^"$`\\]*"|[^|<>&;$*(){}`\\\n'"])+"""
CALL = re.compile(
    rf"""(?:((?:echo|printf) {_WORDS})\| )?(sudoku-encode {_WORDS})(; echo "exit status \$\?"|(?:\|{_WORDS})+)?"""
)
# A command of which something is left in its folder, or in its shell.
WRITES = re.compile(r" -o |>|\b(cp|mv|rm|mkdir|cd|ln|export|tar|pip|sed -i)\b")


def has_slow(name: str) -> bool:
    return any("slow" in block.marks for block, _ in page_blocks.outputs(PAGES[name]))


RUN = [name for name in PAGES if name not in OWN_TEST and list(page_blocks.outputs(PAGES[name]))]
# Pages whose commands take more than half a second together: proofs, ratings, searches, other programs.
COSTLY = {
    *(f"docs/commands/{name}.md" for name in ("answer", "set", "trust")),
    *(f"docs/first-steps/{name}.md" for name in ("papers", "sat", "setter")),
    *("docs/many-puzzles.md", "docs/papers.md"),
}
NAMED = sorted(
    {line for text in PAGES.values() for line in re.findall(r"`(sudoku-encode [^`]+)`", FENCE.sub("", text))}
)


def test_something_to_check() -> None:
    """There is something to check."""
    shown = [
        command
        for name in RUN
        for block, _ in page_blocks.outputs(PAGES[name])
        for command, _ in page_blocks.commands(block)
    ]
    assert len(shown) > 90
    assert len(NAMED) > 40
    for name, row in COMMANDS.items():
        page = PAGES[f"docs/commands/{row.group.lower()}.md"]
        assert f"\n## {name}\n" in page
        assert f"<!-- generated: help {name} -->" in page
    assert {f"docs/commands/{name.lower()}.md" for name in GROUPS} <= set(RUN)
    assert sum(name.startswith("docs/first-steps/") for name in RUN) == 5


def test_methods_are_not_shown() -> None:
    """Which method `auto` takes depends on the machine, so no page needs to show it."""
    why = "since random probes estimate 3 solutions (give or take 0.1) after 0.05 seconds of search"
    for chosen in (
        chose_sat(why, Options()),
        chose_sat_instead("a search is compiled"),
        MethodChosen("search on 2 cores", why),
        MethodChosen("search in parts", why),
    ):
        assert page_blocks.settled(f"by {chosen}\n127\n") == "127\n"


def printed_by(command: str, folder: Path, environment: dict[str, str]) -> str:
    """Run a command in a shell; one that takes long, and stands on several pages, once in a run of the tests."""
    if not command.startswith("sudoku-encode reproduce ") or WRITES.search(command):
        return page_blocks.call(quicker(command), folder, environment)
    return paper_findings.once(
        f"printed-{sha256(command.encode()).hexdigest()}", partial(page_blocks.call, command, folder, environment)
    )


def quicker(command: str) -> str:
    """Return a command with a shorter time limit for a solver that comes to nothing anyway."""
    return command.replace("cadical -q -t 10 ", "cadical -q -t 1 ")


def streams_of(command: str, folder: Path, environment: dict[str, str], run: Command) -> list[str]:
    """Return what a command prints on each stream; this program is called in this process where that is simple."""
    call = CALL.fullmatch(command.replace("\\\n", ""))
    if not call or command.startswith("sudoku-encode reproduce "):
        return [printed_by(command, folder, environment)]
    before, arguments, after = call.groups()
    ran = run(*shlex.split(arguments)[1:], stdin=filtered(before) if before else "")
    if not after:
        return [ran.out, ran.err]
    if after.startswith(";"):
        return [f"{ran.out}exit status {ran.status}\n", ran.err]
    return [filtered(f"cat {after}", ran.out), ran.err]


def filtered(command: str, text: str = "") -> str:
    """Return what a command of the shell makes of a text."""
    return subprocess.run(["bash", "-c", command], input=text, capture_output=True, text=True, check=True).stdout


def run_page(name: str, slow: bool, folder: Path, run: Command, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run the blocks of a page; yield what was printed otherwise than it is shown."""
    page = HOME / name
    folder.mkdir()
    environment = page_blocks.prepare(page, folder)
    monkeypatch.chdir(folder)
    names: dict[str, object] = {"__name__": "__main__"}
    for block, output in page_blocks.outputs(PAGES[name]):
        if ("slow" in block.marks and not slow) or not shutil.which(block.marks.get("needs", "sh")):
            continue
        if block.language == "python":
            exec(compile(block.text, name, "exec"), names)
            printed = run.capture.readouterr().out
            if output and not is_shown(output.text, printed):
                yield f"line {output.line}:\n{printed}"
        for command, shown in page_blocks.commands(block) if block.language == "console" else ():
            if slow and "slow" not in block.marks and not WRITES.search(command):
                # The quick test of the page has run it, and nothing comes of it that a later block could need.
                continue
            streams = streams_of(command, folder, environment, run)
            if not is_shown(shown, *streams):
                yield f"line {block.line}: {command}\n{''.join(streams)}"
    for picture in page_pictures.of_page(PAGES[name]):
        drawn = folder / picture
        # A slow block may draw it.
        is_due = slow or not has_slow(name) or drawn.exists()
        if is_due and drawn.read_bytes() != (page_pictures.IMAGES / picture).read_bytes():
            yield f"{picture} is another now"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in COSTLY else []) for name in RUN]
)
def test_blocks(name: str, run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page print what it shows."""
    # `scripts/docs --update PAGE` writes what they print now.
    assert list(run_page(name, False, tmp_path / "page", run, monkeypatch)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in RUN if has_slow(name)])
@pytest.mark.thorough
def test_slow_blocks(name: str, run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So do those that take long."""
    assert list(run_page(name, True, tmp_path / "page", run, monkeypatch)) == []


@pytest.mark.parametrize("name", PAGES)
def test_every_block_runs(name: str) -> None:
    """Every block with a command is run or says why not."""
    for block in page_blocks.blocks(PAGES[name]):
        runs = block.language in page_blocks.RUN
        if block.language == "" or re.search(r"^\$ |^sudoku-encode ", block.text, re.MULTILINE):
            assert runs or block.language == "sh", f"{name}, line {block.line}: which language is this?"
        # What is under these headings of the README is run where the tests are passed from nothing.
        if block.language == "sh" and name != "README.md":
            assert "not run" in block.marks, f"{name}, line {block.line}: why is it not run?"
        assert all(len(reason) > 4 for reason in block.marks.values())
        # `scripts/docs --update` writes whatever is printed.
        assert "Traceback" not in block.text


def test_programs_tested() -> None:
    """The programs of other pages have a test of their own."""
    for name, test in OWN_TEST.items():
        assert Path(name).name in (HOME / test).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in PAGES if page_parts.parts(PAGES[name])])
def test_generated_parts(name: str) -> None:
    """The parts that come from the code are current."""
    assert page_parts.renewed(PAGES[name]) == PAGES[name], f"run scripts/docs --update {name}"


def test_public_names_page() -> None:
    """The page of the public names has each once."""
    assert re.findall(r"^\| `(\w+)` \|", PAGES["docs/python.md"], re.MULTILINE) == list(se.__all__)


def test_changed_word_seen() -> None:
    """Another number or another word would be seen."""
    line = "sat                   sat                          127     0.02      5  that is all"
    assert is_shown(f"x\n{line}", "x\nsat sat 127 17.25 1030 that is all\n")
    assert not is_shown(line, "sat sat 128 0.02 5 that is all")
    assert not is_shown(line, "sat sat 127 0.02 5 that is most")
    assert not is_shown("1", "12")
    assert is_shown("made in 3 s, 127 bytes", "made in 0.25 s, 1,127 bytes")


def test_changed_line_seen() -> None:
    """A line more or less or in another order would be seen."""
    assert is_shown("1\na\n2\n", "1\n2\n", "a\n")
    assert is_shown("1\n...\n4\n", "1\n2\n3\n4\n")
    assert is_shown("", "")
    assert not is_shown("1\n2\n", "1\n2\n3\n")
    assert not is_shown("1\n2\n3\n", "1\n2\n")
    assert not is_shown("2\n1\n", "1\n2\n")
    assert not is_shown("", "1\n")
    assert not is_shown("1\n", "1\n", "an error\n")


def test_machine_remarks() -> None:
    """Remarks that depend on the machine are left out."""
    remark = (
        "by sat, which finished within 2 seconds, instead of search: its code is not compiled yet on this machine\n"
    )
    assert page_blocks.settled(f"{remark}by search\n127\n") == "127\n"
    assert page_blocks.settled('{"chosen": ["its code is not compiled yet on this machine"]}\n') != ""


def test_marks_read() -> None:
    """Marks and outputs of blocks are read."""
    marks = "<!-- slow: a minute -->\n<!-- needs: cadical -->\n"
    page = f"{marks}```console\n$ a \\\n  b\nc\n$ d\n```\n\n```python\n1\n```\n\n```text\n2\n```\n"
    (console, no_output), (program, output) = page_blocks.outputs(page)
    assert console.marks == {"slow": "a minute", "needs": "cadical"}
    assert page_blocks.commands(console) == [("a \\\n  b", "c\n"), ("d", "")]
    assert (no_output, program.text, output and output.text) == (None, "1\n", "2\n")


@pytest.mark.parametrize("line", NAMED)
def test_options_exist(line: str, run: Command) -> None:
    """A command that a page names has the options that it names."""
    _, name, *rest = line.split()
    if name in COMMANDS:
        help_text = run(name, "--help").out
        options = [word.partition("=")[0] for word in rest if word.startswith("--")]
        assert [option for option in options if f"{option} " not in help_text] == []
    assert name in (*COMMANDS, "COMMAND", "--version")


def slugs(text: str) -> set[str]:
    """Return the headings of a page as code hosts name them in links."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", [*PAGES, *OTHERS])
def test_links(name: str) -> None:
    """The links lead somewhere."""
    for target, heading in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)", FENCE.sub("", {**PAGES, **OTHERS}[name])):
        file = (HOME / name).parent / target if target else HOME / name
        assert file.exists(), target
        assert not heading or heading in slugs(file.read_text(encoding="utf-8")), f"{target}#{heading}"


def test_tour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The tour prints the table of its page."""
    monkeypatch.setattr("sys.argv", ["tour", str(tmp_path / "tour")])
    tour = runpy.run_path(str(HOME / "scripts" / "tour"))
    tour["main"]()
    printed = capsys.readouterr().out.replace(str(tmp_path / "tour"), "tour")
    texts = (block.text for block in page_blocks.blocks(PAGES["docs/papers.md"]) if block.language == "text")
    (shown,) = (text for text in texts if "jana-2023-table-1" in text)

    def untimed(text: str) -> list[str]:
        return re.sub(r" +\d+\.\d+ s$", "", text, flags=re.MULTILINE).rstrip().splitlines()

    assert untimed(printed) == untimed(shown)


def test_table_of_encodings() -> None:
    """The encodings have the clauses of the table."""
    rows = re.findall(r"^\| ([\dx]+) \| ([\d,]+) \| [\d.]+ \| [\d.]+", PAGES["docs/speed.md"], re.MULTILINE)
    counts = {name: int(clauses.replace(",", "")) for name, clauses in rows}
    assert len(counts) == 5
    for name in ("9x9x9", "25x25", "16x16x16"):
        assert encode(Puzzle.of(board(name)), reduction="none").cnf.n_clauses == counts[name]


@pytest.mark.parametrize("name", ["4x4", "9x9", "16x16", "4x4x4"])
def test_formulas_of_encodings(name: str) -> None:
    """The formulas of the encodings are those of the code."""
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| `([^`]+)` \|$", PAGES["docs/encodings.md"], re.MULTILINE)
    assert [encoding for encoding, *_ in rows] == list(se.ENCODINGS)
    geometry = board(name)
    n, cells = geometry.n_values, geometry.n_cells
    full = sum(len(rule.units) for rule in geometry.rules)
    sizes = {"C": cells, "n": n, "E": len(geometry.edges), "L": full, "P": n * (n - 1) // 2}
    sizes |= {"k": int(n**0.5), "b": (n - 1).bit_length()}
    for encoding, variables, clauses in rows:
        if encoding == "triads" and geometry.is_cube:
            continue
        cnf = encode(Puzzle.of(geometry), encoding, reduction="none").cnf
        assert (eval(variables, {}, sizes), eval(clauses, {}, sizes)) == (cnf.n_variables, cnf.n_clauses), encoding


def test_program_comments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A Python program says what its comments say."""
    (tmp_path / "instances").symlink_to(HOME / "instances")
    monkeypatch.chdir(tmp_path)
    programs = [block.text for block in page_blocks.blocks(PAGES["README.md"]) if block.language == "python"]
    assert programs
    for program in programs:
        exec(compile(program, "README.md", "exec"), {"__name__": "__main__"})
        printed = capsys.readouterr().out.splitlines()
        # What follows a colon explains.
        expected = re.findall(r"^print\(.*\)  # ([^:\n]*)", program, re.MULTILINE)
        assert printed[: len(expected)] == expected != []


def test_page_length() -> None:
    """A page is one screen of text."""
    # The README is the way in; what is longer is a page of docs/.
    assert len(PAGES["README.md"].splitlines()) < 70
