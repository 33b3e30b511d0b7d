"""Every source that the package names is in docs/methods.md."""

import re
from pathlib import Path

import pytest

import sudoku_encode
from sudoku_encode.methods.table import METHODS

HOME = Path(sudoku_encode.__file__).parent
LISTED = re.findall(r"^- \*\*(.+?)\*\*", (HOME.parent / "docs/methods.md").read_text(encoding="utf-8"), re.MULTILINE)

# Such as `Sinz 2005`, `Kwon & Jain 2006`, `Frisch et al. 2005`; two years may follow one name.
NAME = r"(?:Van )?[A-Z][A-Za-z]+(?:-[A-Za-z]+)*"
DATED = re.compile(rf"({NAME}(?:, {NAME})*(?: & {NAME}| et al\.)?) (\d{{4}})(?: and (\d{{4}}))?")


def dated(text: str) -> set[str]:
    """Return the sources with a year that a text names."""
    return {f"{names} {year}" for names, *years in DATED.findall(" ".join(text.split())) for year in years if year}


def source_lines(text: str) -> list[str]:
    """Return what follows `Source:` in docstrings, up to the next paragraph."""
    return re.findall(r'Source: (.*?)(?=\n\s*\n|\n\s*Differs:|""")', text, re.DOTALL)


def unlisted(sources: dict[str, str], listed: list[str]) -> list[str]:
    """Return the sources, by where they are named, that nothing in the list is the name of.

    One that begins with `this project` needs no entry.
    """
    parts = [(where, part.strip()) for where, source in sources.items() for part in source.split(";")]
    return [
        f"{where}: {part}"
        for where, part in parts
        if not part.startswith("this project")
        and not (dated(part) <= set(listed) if dated(part) else any(name in part for name in listed))
    ]


def test_methods_and_encodings() -> None:
    """The source of every method and encoding is in the list."""
    # Every encoding is a method too, `sat:ENCODING`.
    assert unlisted({name: method.source for name, method in METHODS.items()}, LISTED) == []


def test_dated_sources() -> None:
    """Every dated source in the package is in the list."""
    named = {
        citation: path.name
        for path in HOME.rglob("*.py")
        for line in source_lines(path.read_text(encoding="utf-8"))
        for citation in dated(line)
    }
    assert {"Sinz 2005", "Knuth 1975", "Jana et al. 2023", "Chakraborty, Meel & Vardi 2016"} <= named.keys()
    assert {citation: where for citation, where in named.items() if citation not in LISTED} == {}


def test_unique_entries() -> None:
    """Every entry is there once."""
    assert sorted(set(LISTED)) == sorted(LISTED)


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("Sinz 2005 (the sequential counter, k = 1).", {"Sinz 2005"}),
        ("Iwama & Miyazaki 1994; Van Gelder 2008", {"Iwama & Miyazaki 1994", "Van Gelder 2008"}),
        ("Onokpasa et al.\n    2019, as Wadud tells it", {"Onokpasa et al. 2019"}),
        (
            "Chakraborty, Meel & Vardi 2013 and 2016",
            {"Chakraborty, Meel & Vardi 2013", "Chakraborty, Meel & Vardi 2016"},
        ),
        ("UHBPnP is Wadud & Abdullah-Al-Wadud 2021, HBPnP", {"Wadud & Abdullah-Al-Wadud 2021"}),
        ("Dillon, tdoku, other_minisat.cc (encoding 3, augmented).", set()),
    ],
)
def test_years_read(text: str, citations: set[str]) -> None:
    """Sources with a year are read."""
    assert dated(text) == citations


def test_missing_source_found() -> None:
    """A source that is not listed is found."""
    sources = {
        "a": "this project; bands after Sinz 2005",
        "b": "Dillon, tdoku",
        "c": "Sinz 2005; Chen 2010",
        "d": "Nobody",
    }
    assert unlisted(sources, ["Sinz 2005", "Dillon"]) == ["c: Chen 2010", "d: Nobody"]
    assert source_lines('"""Count.\n\n    Source: Chen\n        2010.\n    Differs: no.\n    """') == [
        "Chen\n        2010."
    ]
