"""The parts of the pages in docs/ that are made from the code: tables, and what each command takes.

Such a part stands between `<!-- generated: NAME ARGUMENT -->` and `<!-- end -->`; a function here has its name.
"""

import inspect
import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import fill

from bench_families import families
from format_pairs import puzzles, verdict
from page_pictures import EXAMPLES as EXAMPLE_CONSTRAINTS
from speed_tables import speed

import sudoku_encode as se
from sudoku_encode.cli.app import load_command, paragraphs
from sudoku_encode.cli.app import parameters as takes
from sudoku_encode.cli.options import COMMON, PUZZLES
from sudoku_encode.cli.table import COMMANDS, GROUPS
from sudoku_encode.formats.f_puzzles_keys import CELL_MEANING, DRAWN, KEYS, LOOKS, OTHER
from sudoku_encode.formats.format_features import ANY
from sudoku_encode.formats.styles import STYLES
from sudoku_encode.formats.writing import write_all
from sudoku_encode.formula import cardinality
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import EXAMPLES as EXAMPLE_BOARDS
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.puzzle import Puzzle

_PART = re.compile(r"(<!-- generated: ([\w-]+)(?: (\S+))? -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_OPTION = re.compile(r"(sudoku-encode \w+(?: NAME| --[a-z]+)?|(?<![\w-])(?:--[a-z][a-z-]*|-[a-z])(?![\w-]))")

# The boards whose formulas are counted, and the puzzle that each text format is shown with.
COUNTED = ("4x4", "6x6", "9x9", "16x16", "25x25", "4x4x4", "9x9x9")
EXAMPLES = {
    "sukaku": "1234" * 16,
    "cube": "1" + "." * 61 + "42",
    "small": "12..34...12.....",
    "killer": "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^",
    "candidates": """\
2 679 6789 1 46789 5 469 9 3
389 5 4 69 689 68 7 1 29
9 1 679 2 4679 3 4569 8 59
6 9 2 8 1 7 3 59 4
3489 3479 3789 56 2456 46 1 2579 2579
1 47 5 3 24 9 8 27 6
3459 2 39 7 3589 1 59 6 589
359 8 1 569 3569 6 2 4 579
7 369 369 4 35689 2 59 359 1""",
    "9x9": "051009483090008060060010702605001200000204000002700005000002070020100050478500020",
}
# The headings of the public names, each with the first of its names in the order of `se.__all__`.
NAMES = {
    "Puzzles": "board",
    "Answers": "solve",
    "Models": "encode",
    "Evidence": "verify",
    "Tables": "METHODS",
    "Data": "Puzzle",
    "Errors": "SudokuError",
}

# Where the options of many commands are, seen from the page of a command, and a command that takes all of them.
SHARED_OPTIONS = {COMMON: "index.md#common-options", PUZZLES: "index.md#options-for-puzzles"}
TAKES_ALL = "solve"
# The page of the public names, seen from there.
NAMES_PAGE = "../python.md"
# The public functions and tables that do what a command does, where it is not one function of the same name.
OTHER_FUNCTIONS = {
    "solve": ("solve", "solve_all"),
    "enumerate": ("solutions", "save_solutions"),
    "count": ("count", "is_unique", "count_all"),
    "sample": ("sample", "sample_all"),
    "check": ("check", "check_all"),
    "candidates": ("candidates", "prove_candidates", "candidates_all"),
    "hint": ("hint", "hints", "hints_all"),
    "rate": ("rate", "rate_all"),
    "encode": ("encode", "cp_model", "save_model"),
    "decode": ("load_encoding",),
    "prove": ("prove", "check_certificate"),
    "reproduce": ("PAPERS",),
    "bench": ("solve", "count", "SolverFigures"),
    "methods": ("METHODS",),
    "show": ("draw",),
    "info": ("board", "ENCODINGS", "TEXT_FORMATS", "MODEL_FORMATS"),
    "convert": ("read_all", "write"),
}
DOCS = Path(__file__).resolve().parent.parent / "docs"
# The pages under each heading of the contents. A page that is in none of these comes under the second.
CONTENTS = {
    "First steps": tuple(f"first-steps/{name}" for name in ("sat", "cp", "setter", "papers", "python")),
    "Guides": (
        "boards",
        "constraints",
        "symmetry",
        "pictures",
        "many-puzzles",
        "families",
        "clusters",
        "papers",
        "answers",
        "speed",
        "faq",
    ),
    "Commands": ("commands/index", *(f"commands/{name.lower()}" for name in GROUPS)),
    "Reference": ("python", "formats", "links", "encodings", "methods"),
    "Internals": tuple(
        f"internals/{name}" for name in ("certificates", "counts", "proved", "records", "measurements", "project")
    ),
}


def contents() -> dict[str, list[str]]:
    """Return the pages under each heading, without their suffixes."""
    there = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")} - {"index"}
    placed = {heading: [name for name in names if name in there] for heading, names in CONTENTS.items()}
    placed["Guides"] += sorted(there - {name for names in placed.values() for name in names})
    return placed


def title(name: str) -> str:
    """Return the title of a page."""
    return (DOCS / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def pages(_: str) -> str:
    """Return links to all pages."""
    return "\n".join(
        f"- **{heading}**: {', '.join(f'[{title(name)}]({name}.md)' for name in names)}."
        for heading, names in contents().items()
    )


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def listed(rows: Iterable[tuple[str, str]]) -> str:
    """Return names, each with its text, as a list in Markdown."""
    return "\n".join(f"- `{name}`: {' '.join(plain(text).split())}" for name, text in rows)


def plain(text: str) -> str:
    """Return a help text for Markdown: names of options as code, and nothing that would be markup by accident."""
    parts = text.split("`")
    # What is between backticks, every second part, is code already.
    parts[::2] = [_OPTION.sub(r"`\1`", part.replace("*", "\\*").replace("<", "&lt;")) for part in parts[::2]]
    parts[::2] = [re.sub(r"\[(.+?)\]", r"(\1)", part) for part in parts[::2]]
    return "`".join(parts)


def parameters_of(name: str) -> tuple[str, dict[str, list[tuple[str, str]]]]:
    """Return the usage of a command, and its parameters with their texts by heading."""
    command = load_command(name)
    with command.make_context(f"sudoku-encode {name}", [], resilient_parsing=True) as ctx:
        usage = " ".join(["sudoku-encode", name, *command.collect_usage_pieces(ctx)])
        return usage, takes(command, ctx, details=True)


def command_help(name: str) -> str:
    """Return the help of a command: its own options in full, a link to those that many commands take.

    The page itself begins with what the first paragraph says.
    """
    usage, rows = parameters_of(name)
    _, shared = parameters_of(TAKES_ALL)
    known = {row for heading in ("Arguments", *SHARED_OPTIONS) for row in shared[heading]}
    about, details = paragraphs(load_command(name))
    parts = [f"    {usage}", *(fill(plain(text), 118, break_on_hyphens=False) for text in (*about[1:], *details))]
    for heading, each in rows.items():
        if own := [row for row in each if row not in known]:
            parts.append(f"**{heading}**\n\n{listed(own)}")
    for heading, place in SHARED_OPTIONS.items():
        if names := [row[0].split()[0].rstrip(",") for row in rows.get(heading, []) if row in known]:
            parts.append(f"**[{heading}]({place})**: {', '.join(f'`{each}`' for each in names)}.")
    python = ", ".join(f"[`se.{each}`]({NAMES_PAGE}#{group_of(each).lower()})" for each in functions(name))
    return "\n\n".join([*parts, f"**From Python**: {python}."])


def functions(command: str) -> tuple[str, ...]:
    """Return the public functions and tables that do the same as a command."""
    return OTHER_FUNCTIONS.get(command, (command,))


def command_link(name: str) -> str:
    """Return a link from the page of the public names to the command that does the same; "" if there is none."""
    for command, row in COMMANDS.items():
        if name in functions(command):
            return f" ([command](commands/{row.group.lower()}.md#{command}))"
    return ""


def shared_options(heading: str) -> str:
    """Return options that many commands take, in full; before those for puzzles the puzzles themselves."""
    _, rows = parameters_of(TAKES_ALL)
    return listed([*rows["Arguments"], *rows[PUZZLES]] if heading == "puzzles" else rows[COMMON])


def boards(_: str) -> str:
    """Return the forms of the names of boards."""
    return table(("`--board`", "is"), [(f"`{name}`", summary) for name, summary in EXAMPLE_BOARDS.items()])


def commands(_: str) -> str:
    """Return the commands by group."""
    parts = []
    for group, purpose in GROUPS.items():
        page = f"{group.lower()}.md"
        rows = [(f"[{name}]({page}#{name})", row.summary) for name, row in COMMANDS.items() if row.group == group]
        parts.append(f"**[{group}]({page})** ({purpose})\n\n{table(('command', 'what it does'), rows)}")
    return "\n\n".join(parts)


def text_formats(_: str) -> str:
    """Return the text formats, each with a puzzle written in it."""
    parts = []
    for name, row in se.TEXT_FORMATS.items():
        boards = {"sukaku": ("sukaku", "4x4"), "table": ("cube", "4x4x4"), "layers": ("cube", "4x4x4")}
        on_4x4 = ("f-puzzles", "f-puzzles-link", "sudokupad", "sudokupad-link", "solo", "iss-link", "puzzlink")
        boards |= dict.fromkeys(on_4x4, ("small", "4x4"))
        key, board = boards.get(name, ("small", "4x4") if row.boards is ANY else ("9x9", "9x9"))
        if isinstance(row.holds_constraints, tuple) and name != "solo":
            key, board = "killer", "9x9"
        elif row.boards is not ANY and row.holds_pencilmarks and board == "9x9":
            key = "candidates"
        puzzle = se.read(EXAMPLES[key], board=board)
        text = "".join(write_all([puzzle], name)).rstrip()
        parts.append(f"### {name}\n\n{row.summary[0].upper()}{row.summary[1:]}.\n\n```text\n{text}\n```")
    return "\n\n".join(parts)


def styles(_: str) -> str:
    """Return the styles that are read besides the formats."""
    return table(("`--from`", "what"), [(f"`{name}`", row.summary) for name, row in STYLES.items()])


def f_puzzles_keys(_: str) -> str:
    """Return the keys of f-puzzles: what each says here, and whether it is written back."""
    kept, seldom = "kept", "kept, unless the puzzle is changed"
    rows = [(f"`{key}`", text, "written") for key, text in OTHER.items() if text and key != "solution"]
    rows += [("`solution`", OTHER["solution"], seldom)]
    kinds = {key: f"[`{row.kind}`](constraints.md)" for key, row in KEYS.items()}
    rows += [(f"`{key}`", kind, "written") for key, kind in kinds.items()]
    rows += [(f"`{key}` of a cell", text, "written") for key, text in CELL_MEANING.items()]
    rows += [("other keys of cells", "colours and notes of the player, not read", kept)]
    rows += [(", ".join(f"`{key}`" for key in DRAWN), "only drawn, so not read; a remark counts them", kept)]
    rows += [(", ".join(f"`{key}`" for key, text in OTHER.items() if not text), "not read", kept)]
    rows += [(f"{', '.join(f'`{key}`' for key in LOOKS)} of a constraint", "colours and sizes, not read", seldom)]
    return table(("key", "is", "written back"), rows)


def iss_types(_: str) -> str:
    """Return the types of Interactive Sudoku Solver that stand for kinds of constraints."""
    kinds: dict[str, list[str]] = {}
    for kind, row in CONSTRAINTS.items():
        for each in row.iss:
            kinds.setdefault(each.type, []).append(f"[`{kind}`](constraints.md)")
    rows = [(f"`{name}`", ", ".join(names)) for name, names in kinds.items() if name]
    return table(("type", "read or written as"), rows)


def format_pairs(_: str) -> str:
    """Return what remains of puzzles of each kind in each text format."""
    kinds = {kind: puzzle for kind, puzzle in puzzles().items() if "," not in kind}
    rows = [(f"[`{name}`](#{name})", *(verdict(puzzle, name) for puzzle in kinds.values())) for name in se.TEXT_FORMATS]
    return table(("", *kinds), rows)


def model_formats(_: str) -> str:
    """Return the model formats."""
    rows = [
        (f"`{row.name}`", ", ".join(f"`{suffix}`" for suffix in row.suffixes), row.summary, options(row.options))
        for row in se.MODEL_FORMATS.values()
    ]
    return table(("`--to`", "suffix", "what", "options"), rows)


def options(names: Iterable[str]) -> str:
    """Return options in code."""
    return ", ".join(f"`--{name}`" for name in sorted(names)) or "-"


def encodings(_: str) -> str:
    """Return the encodings, with what each says and where it is from."""
    rows = [(f"`{row.name}`", row.summary, row.source, row.kind, options(row.options)) for row in se.ENCODINGS.values()]
    return table(("`--encoding`", "its clauses", "source", "variables", "options"), rows)


def at_most_one(size: str) -> str:
    """Return the ways to write at most one of a number of literals, with their sizes and sources."""
    rows = []
    for name in AT_MOST_ONE:
        pattern, text = cardinality.pattern_of(name, int(size)), inspect.getdoc(getattr(cardinality, name)) or ""
        source = re.search(r"^Source: (.*)\.$", text, re.MULTILINE)
        how = re.split(r":|\.$", text.partition("\n")[0])[0]
        numbers = (str(len(pattern.clauses)), str(pattern.n_auxiliary))
        rows.append((f"`{name}`", how, *numbers, source[1] if source else "the textbook's"))
    return table(("`--amo`", "how", f"clauses for {size}", "auxiliary variables", "source"), rows)


def clause_counts(option: str) -> str:
    """Return how many clauses each encoding has of empty boards; `--duplicates` as textbooks count."""
    columns = {
        board: {
            name: "-" if row is None else f"{row:,}"
            for name in se.ENCODINGS
            for row in [clauses(board, name, bool(option))]
        }
        for board in COUNTED
    }
    rows = [
        (f"`{name}`", *(columns[board][name] for board in COUNTED))
        for name, row in se.ENCODINGS.items()
        if not option or option in row.options
    ]
    return table(("encoding", *COUNTED), rows)


def clauses(board: str, encoding: str, duplicates: bool) -> int | None:
    """Return how many clauses an encoding has of an empty board, or None where it is not for the board."""
    try:
        return se.encode(Puzzle.of(se.board(board)), encoding, reduction="none", duplicates=duplicates).cnf.n_clauses
    except se.SudokuError:
        return None


def methods(_: str) -> str:
    """Return the methods."""
    rows = [(f"`{name}`", row.finds, row.summary, row.source) for name, row in METHODS.items()]
    return table(("`--method`", "finds", "how", "source"), rows)


def techniques(_: str) -> str:
    """Return the techniques of `hint`, with their numbers, words for difficulty and weights."""
    rows = [
        (f"{row.number:g}", row.name, row.difficulty, str(row.weight), row.family, row.says)
        for row in se.TECHNIQUES.values()
    ]
    return table(("number", "technique", "difficulty", "weight", "family", "it says"), rows)


def constraints(family: str) -> str:
    """Return the kinds of constraints of a family, a module of `puzzles.constraints`, with their pictures."""
    kinds = import_module(f"sudoku_encode.puzzles.constraints.{family}").KINDS
    rows = [(kind_picture(row), kind_form(row), row.summary + also(row.aliases)) for row in kinds]
    if not any(picture for picture, *_ in rows):
        return table(("form", "meaning"), [row[1:] for row in rows])
    return table(("picture", "form and example", "meaning"), rows)


def kind_picture(kind: type[BoundConstraint]) -> str:
    """Return the picture of a kind of constraint, with its description; "" if it is not drawn."""
    return f"![{kind.picture.says}](images/kinds/{kind.name}.svg)" if kind.picture else ""


def kind_form(kind: type[BoundConstraint]) -> str:
    """Return the form of a kind of constraint, and the line that its picture shows."""
    line = EXAMPLE_CONSTRAINTS[kind.name][1] if kind.picture else kind.form
    return f"`{kind.form}`" + (f"<br>`{line}`" if line != kind.form else "")


def also(aliases: Sequence[str]) -> str:
    """Return the other names of a kind, each with the number that it stands for, as the end of a sentence."""
    names = [
        f"`{name}`{f' for {number}' if number else ''}" for name, _, number in (each.partition(" ") for each in aliases)
    ]
    return f"; also {', '.join(names)}" if names else ""


def group_of(name: str) -> str:
    """Return the heading of a public name."""
    place = se.__all__.index(name)
    return [heading for heading, first in NAMES.items() if se.__all__.index(first) <= place][-1]


def api(group: str) -> str:
    """Return the public names of a group, each with the first line of its docstring."""
    names = [name for name in se.__all__ if group_of(name) == group]
    return table(("name", "what it is"), [(f"`{name}`", first_line(name) + command_link(name)) for name in names])


def first_line(name: str) -> str:
    """Return the first line of a public name's docstring."""
    from sphinx.pycode import ModuleAnalyzer

    from sudoku_encode import _HOME_OF

    thing = getattr(se, name)
    if isinstance(thing, type) or inspect.isfunction(thing):
        text = inspect.cleandoc(thing.__doc__ or "")
    else:
        docs = ModuleAnalyzer.for_module(f"sudoku_encode.{_HOME_OF[name]}").find_attr_docs()
        text = "\n".join(docs.get(("", name), []))
    paragraph = " ".join(text.split("\n\n")[0].split())
    return plain(paragraph)


MAKERS = {
    "help": command_help,
    "shared-options": shared_options,
    "boards": boards,
    "commands": commands,
    "pages": pages,
    "text-formats": text_formats,
    "styles": styles,
    "f-puzzles-keys": f_puzzles_keys,
    "iss-types": iss_types,
    "format-pairs": format_pairs,
    "model-formats": model_formats,
    "encodings": encodings,
    "at-most-one": at_most_one,
    "clause-counts": clause_counts,
    "methods": methods,
    "techniques": techniques,
    "constraints": constraints,
    "api": api,
    "speed": speed,
    "families": families,
}


def parts(page: str) -> list[tuple[str, str]]:
    """Return the names and arguments of the parts of a page."""
    return [(match[2], match[3] or "") for match in _PART.finditer(page)]


def renewed(page: str) -> str:
    """Return a page with its parts made anew."""

    def made(match: re.Match[str]) -> str:
        return f"{match[1]}{MAKERS[match[2]](match[3] or '')}\n{match[5]}"

    return _PART.sub(made, page)
