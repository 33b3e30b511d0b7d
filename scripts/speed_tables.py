"""The tables and the picture of docs/speed.md, made from docs/speed.txt, which `scripts/bench docs` writes."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import bench_growth

from sudoku_encode.render.plots import Plot, Series, sheet

DOCS = Path(__file__).resolve().parent.parent / "docs"
PEERS = DOCS / "images" / "speed-peers.svg"
FILES = {"17-clue": "17 givens", "magictour": "magictour", "forum-hardest": "hardest"}
SIDES = {"search": "`search`", "words": "64-bit words"}
_RATIO = re.compile(r"^(.+?)  +(\w+) +([\d,]+)/s +(\w+) +([\d,]+)/s +([\d.]+) \(([\d.]+-[\d.]+)\)", re.MULTILINE)
_BATCH = re.compile(r"^(.+?)  +(\d+) \(\d+-\d+\) puzzles/s", re.MULTILINE)
_TIME = re.compile(r"^    (.+?)  +([\d.]+) s \(", re.MULTILINE)
_REGRET = re.compile(r"^(.+?)  +(\d+)  +(.+?)  +(\d+)$", re.MULTILINE)


def measured() -> dict[str, str]:
    """Return the text that each bench printed, by its name."""
    parts = re.split(r"^\$ scripts/bench (\w+).*\n", (DOCS / "speed.txt").read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown, with numbers to the right."""
    heads = list(heads)
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def three_digits(number: float) -> str:
    """Return a number with three significant digits.

    >>> three_digits(993059), three_digits(0.0140), three_digits(13.256)
    ('993,000', '0.014', '13.3')
    """
    digits = float(f"{number:.3g}")
    return f"{digits:,.0f}" if digits >= 100 else f"{digits:g}"


def ratios(peer: str) -> str:
    """Return the rows of `bench vectors` in which the other side is a peer."""
    rows = [row for row in _RATIO.findall(measured()["vectors"]) if row[3] == peer]
    heads = (f"{SIDES.get(side, side)}, a second" for side in (rows[0][1], peer))
    return table(
        ("", "times as fast", *heads),
        [
            (task(what), f"{ratio} ({spread})", three_digits(number(ours)), three_digits(number(theirs)))
            for what, _, ours, _, theirs, ratio, spread in rows
        ],
    )


def task(label: str) -> str:
    """Return in words what a row of `bench vectors` does."""
    for key, name in FILES.items():
        if label.startswith(f"unique? {key}"):
            return f"proved unique: {label.rpartition(' ')[2]} puzzles, {name}"
    return f"counted: {label.removeprefix('count ')} solutions" if label.startswith("count ") else label


def number(text: str) -> float:
    return float(text.replace(",", ""))


def batches() -> dict[str, dict[str, float]]:
    """Return the puzzles a second of each method, by the file of puzzles."""
    text = measured()["batch"]
    heads = list(re.finditer(r"^\d+ puzzles of (\S+),.*\n", text, re.MULTILINE))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return {
        name: {method: float(rate) for method, rate in _BATCH.findall(text[head.end() : end])}
        for head, end in zip(heads, ends, strict=True)
        for key, name in FILES.items()
        if head[1].startswith(key)
    }


def batch() -> str:
    """Return the puzzles a second of each method, a column for each file."""
    columns = batches()
    return table(
        ("puzzles a second", *columns),
        [(code(method), *(three_digits(rates[method]) for rates in columns.values())) for method in methods(columns)],
    )


def code(method: str) -> str:
    """Return the name of a method of this program as code; a peer's name stays plain."""
    return re.sub(r"^(search|sat|cp-sat|frontier|norvig2006|ganak|auto)\b", r"`\1`", method)


def methods(columns: dict[str, dict[str, float]]) -> list[str]:
    """Return the methods of all columns, in their order."""
    return list(dict.fromkeys(method for rates in columns.values() for method in rates))


def times(bench: str) -> dict[str, dict[str, float]]:
    """Return the seconds of each method in `bench enumerate` or `bench count`, by the number of solutions."""
    parts = re.split(r"^(\S+): ([\d,]+) solutions\n", measured()[bench], flags=re.MULTILINE)
    return {
        f"{name}: {total}" if "x" in name else total: {
            method: float(seconds) for method, seconds in _TIME.findall(text)
        }
        for name, total, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    }


def listing() -> str:
    """Return the seconds to list all solutions, a row for each method."""
    columns = times("enumerate")
    return table(
        ("seconds", *(f"{total} solutions" for total in columns)),
        [
            (code(method), *(three_digits(rates[method]) if method in rates else "" for rates in columns.values()))
            for method in methods(columns)
        ],
    )


def counting() -> str:
    """Return the seconds to count all solutions, a row for each number of solutions."""
    columns = times("count")
    names = methods(columns)
    return table(
        ("solutions", *(f"{code(method.partition(',')[0])}, s" for method in names)),
        [
            (total, *(three_digits(rates[method]) if method in rates else "" for method in names))
            for total, rates in columns.items()
        ],
    )


def regrets() -> str:
    """Return the puzzles on which `auto` is not near the best method."""
    text = measured()["regrets"]
    rows = []
    for name, n, cells, near in _REGRET.findall(text):
        if int(near) < int(n):
            seconds = re.findall(r"(\S+) \((\d+)\)", cells)
            cells_of_row = (f"{each} ({solved})" if each != "-" else "-" for each, solved in seconds)
            rows.append((family(name), f"{near} of {n}", *cells_of_row))
    heads = ("puzzles", "within 10 %", *(f"`{name}`" for name in ("auto", "search", "sat", "cp-sat")))
    return f"{table(heads, rows)}\n\n{text.strip().splitlines()[-1].replace('auto', '`auto`')}."


def family(name: str) -> str:
    """Return in words which puzzles a row of `bench regrets` is about.

    >>> family("9x9 0.35"), family("setters iss.txt")
    ('9x9, 35 % given', '`instances/variants/iss.txt`')
    """
    group, last = name.split()
    return f"`instances/variants/{last}`" if group == "setters" else f"{group}, {100 * float(last):g} % given"


def startup() -> str:
    """Return the times of commands on one puzzle from the shell."""
    rows = re.findall(r"^(\S+) +(\d+) ms; (.+) (\d+) ms; ratio", measured()["startup"], re.MULTILINE)
    return table(
        ("command", "ms", "imports alone, ms", "imports"),
        [(f"`{command_of(name)}`", ours, theirs, imports(line)) for name, ours, line, theirs in rows],
    )


def command_of(name: str) -> str:
    """Return the command that a row of `bench startup` names, which may be a method of `solve`."""
    return f"solve --method {name}" if name in ("sat", "cp-sat", "search") else name


def imports(line: str) -> str:
    return line.partition("import ")[2].rstrip("'")


def encoding() -> str:
    """Return the time to build and write the CNF of empty boards, beside PySAT."""
    pattern = r"^(\S+) +([\d,]+) +([\d.]+) +([\d.]+) \(.+?\) +(\d+) +\d+ +[\d.]+(?: +[\d.]+ \(.+?\) +(\d+) \(.+?\))?$"
    rows = re.findall(pattern, measured()["encode"], re.MULTILINE)
    heads = ("board", "clauses", "MB", "seconds", "MB/s", "times as fast")
    return table(heads, ((*row[:4], three_digits(number(row[4])), row[5]) for row in rows))


def beside_iss() -> str:
    """Return the figures of puzzles with constraints beside Interactive Sudoku Solver."""
    text = measured()["iss"]

    def figures(pattern: str) -> tuple[str, ...]:
        match = re.search(pattern, text)
        assert match is not None, pattern
        return match.groups()

    puzzles, both = figures(r"(\d+) puzzles, (\d+) of them")
    theirs, their_sum, ours, our_sum = figures(r"ISS ([\d.]+), sum (\d+); ours ([\d.]+), sum (\d+)")
    ratio, slower, faster = figures(r"ours/ISS ([\d.]+); .*slower: (\d+), faster: (\d+)")
    rows = (("median, ms", ours, theirs), ("sum, ms", our_sum, their_sum), ("more than twice as fast", faster, slower))
    return (
        f"{table((f'{both} of {puzzles} puzzles', 'sudoku_encode', 'ISS'), rows)}\n\n"
        f"The median of the ratios is {ratio}."
    )


def first_use() -> str:
    """Return the CPU seconds of commands where nothing is compiled yet."""
    rows = re.findall(r"^(\w+ .*\S) +1 +([\d.]+) +([\d.]+)$", measured()["first"], re.MULTILINE)
    questions = ((*name.split(maxsplit=1), *times) for name, *times in rows)
    heads = ("command", "puzzle", "seconds", "CPU seconds")
    return table(heads, ((f"`{command}`", *rest) for command, *rest in questions))


def machine() -> str:
    """Return the machines and versions of the runs."""
    heads = {
        line: None
        for text in measured().values()
        for line in text.splitlines()
        if line.startswith(("python ", "ours "))
    }
    return "\n".join(f"- {head.replace(' | ', ', ')}" for head in heads)


TABLES: dict[str, Callable[[], str]] = {
    "machine": machine,
    "tdoku": lambda: ratios("tdoku"),
    "words": lambda: ratios("words"),
    "batch": batch,
    "list": listing,
    "count": counting,
    "auto": regrets,
    "startup": startup,
    "encode": encoding,
    "iss": beside_iss,
    "first": first_use,
}


def speed(name: str) -> str:
    """Return a table of the page by its name."""
    return TABLES[name]()


def peers() -> str:
    """Draw the speed on 9x9 puzzles beside that of other programs, as SVG."""
    unique = [row for row in _RATIO.findall(measured()["vectors"]) if row[3] == "tdoku" and row[0].startswith("unique")]
    groups = tuple(FILES.values())
    of_search = Series("search", groups, tuple(number(row[2]) for row in unique), 0)
    of_tdoku = Series("tdoku", groups, tuple(number(row[4]) for row in unique), 1)
    rates = batches()
    solved = [
        Series(method, groups, tuple(rates[group][method] for group in groups), colour)
        for method, colour in zip(
            ("search", "sat", "PySAT, bare", "cp-sat", "CP-SAT, bare"), (0, 2, 3, 4, 5), strict=True
        )
    ]
    total, listed = list(times("enumerate").items())[-1]
    names = tuple(method.removesuffix(", list") for method in listed)
    return sheet(
        [
            Plot("Proved unique: 9x9 puzzles a second", "", "puzzles a second", (of_search, of_tdoku), log=True),
            Plot("Solved on one core: 9x9 puzzles a second", "", "puzzles a second", tuple(solved), log=True),
            Plot(
                f"All {total} solutions of a 9x9: seconds", "", "seconds", (Series("", names, tuple(listed.values())),)
            ),
        ],
        1,
    )


def draw() -> None:
    """Draw the pictures of the page again."""
    PEERS.write_text(peers(), encoding="utf-8")
    growth = bench_growth.from_table(measured()["growth"])
    (DOCS / "speed.svg").write_text(bench_growth.svg(growth), encoding="utf-8")


if __name__ == "__main__":
    draw()
