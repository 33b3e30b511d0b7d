"""Plots as SVG: what is drawn, where, and the plots of the docs."""

import importlib
import json
import re
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from sudoku_encode.render.page import asset
from sudoku_encode.render.plots import Plot, Scale, Series, number, scale, sheet, svg

HOME = Path(__file__).parents[2]
BARS = Plot(
    "Legs", "", "legs", (Series("ours", ("ant", "spider"), (6, 8)), Series("paper", ("ant",), (60,), 0, (True,)))
)


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(HOME / "scripts")
    return HOME / "scripts"


def script(name: str) -> ModuleType:
    return importlib.import_module(name)


def elements(text: str, kind: str) -> list[dict[str, str]]:
    """Return the attributes of all marks of a kind."""
    found = [one.attrib for one in ElementTree.fromstring(text).iter() if one.tag.endswith(f"}}{kind}")]
    return [one for one in found if "mark" in one.get("class", "").split()]


def test_bar_length() -> None:
    """The length of a bar is its value."""
    ant, paper, spider = elements(svg(BARS), "rect")
    assert float(paper["width"]) / float(ant["width"]) == pytest.approx(10, rel=0.01)
    assert float(spider["width"]) / float(ant["width"]) == pytest.approx(8 / 6, rel=0.01)
    assert ("hollow" in ant["class"], "hollow" in paper["class"]) == (False, True)
    # The bars of a group are together.
    assert float(ant["y"]) < float(paper["y"]) < float(spider["y"])


def test_log_axis() -> None:
    """On a logarithmic axis equal factors are equal lengths."""
    plot = Plot("", "x", "y", (Series("", (1, 2, 3), (1, 10, 1000)),), log=True)
    places = [re.findall(r"[\d.]+", one["transform"]) for one in elements(svg(plot), "path")]
    xs, ys = ([float(place[at]) for place in places] for at in (0, 1))
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2)
    assert 2 * (ys[0] - ys[1]) == pytest.approx(ys[1] - ys[2], abs=0.2)
    assert ys[2] < ys[1] < ys[0]


def test_zero_and_gap() -> None:
    """A zero on a logarithmic axis and a gap are not the same."""
    text = svg(Plot("", "", "", (Series("", ("a", "b", "c"), (0, None, 100)),), log=True))
    zero, hundred = elements(text, "rect")
    assert float(zero["width"]) < 2 < float(hundred["width"])
    assert re.findall(r'class="value">([^<]+)<', text) == ["0", "100"]


@pytest.mark.parametrize("values", [[0], [0, 0], [5], [-3, 4], [1e-9, 2e-9], [7, 7e26], [0.3, 0.7]], ids=str)
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("bars", [False, True])
def test_ticks(values: list[float], log: bool, bars: bool) -> None:
    """Every value is on its axis with ticks in order."""
    axis = scale(values, log, bars=bars)
    shares = [axis.share(value) for value in values]
    assert all(0 <= share <= 1 for share in shares)
    assert shares == sorted(shares)
    ticks = [value for value, _ in axis.ticks()]
    assert ticks
    assert all(axis.low * (1 - 1e-9) <= tick <= axis.high * (1 + 1e-9) for tick in ticks if tick)
    assert all(one < other for one, other in pairwise(ticks))
    assert len({words for _, words in axis.ticks()}) == len(ticks) <= 8


def test_short_numbers() -> None:
    """Numbers are short."""
    assert [number(value) for value in (0, 1.0, 1234567, 0.0004, 2.693e29, 12.345, -5)] == [
        *("0", "1", "1,234,567", "4·10⁻⁴", "2.69·10²⁹", "12.3", "-5"),
    ]
    assert Scale(1, 1e6, True).ticks()[-1][1] == "10⁶"


def test_escaped_text() -> None:
    """Text is text and what is no SVG is escaped."""
    text = svg(Plot("a < b", "<x>", "&", (Series('"c"', ("<d>",), (1,)),)))
    assert {"a < b", "&", '"c"', "<d>"} <= {one.text for one in ElementTree.fromstring(text).iter()}


def test_styles_once() -> None:
    """A file has its styles and a page has them once."""
    assert asset("plots.css") in svg(BARS)
    assert "<style>" not in svg(BARS, alone=False)
    assert "prefers-color-scheme: dark" in asset("plots.css")


def test_series_differ() -> None:
    """No two of eleven series look alike."""
    series = tuple(Series(str(at), ("a",), (1,), at) for at in range(11))
    assert len({one["class"] for one in elements(svg(Plot("", "", "", series)), "rect")}) == 11


def test_sheet() -> None:
    """A sheet has its plots side by side."""
    tree = ElementTree.fromstring(sheet([BARS] * 3, 2))
    places = [one.get("transform") for one in tree if one.tag.endswith("}g")]
    first = re.search(r"\d+(?=\)$)", str(places[2]))
    assert places[:2] == ["translate(0 0)", "translate(480 0)"]
    assert str(places[2]).startswith("translate(0 ")
    assert first is not None
    assert int(first[0]) > 100


def test_speed_page_plot(scripts: Path) -> None:
    """The plots of the speed page show the measured figures."""
    growth, tables = script("bench_growth"), script("speed_tables")
    table = growth.from_table(tables.measured()["growth"])
    assert table.keys() == growth.FAMILIES.keys()
    assert all(tuple(rows) == growth.WORK for rows in table.values())
    assert growth.svg(table) == (HOME / "docs" / "speed.svg").read_text(encoding="utf-8")
    picture = tables.PEERS.read_text(encoding="utf-8")
    assert tables.peers() == picture
    # Two programs and five on three files, and four on one puzzle.
    assert len(elements(picture, "rect")) == 2 * 3 + 5 * 3 + 4


def test_families_page_plot(scripts: Path) -> None:
    """The plots of the page on families show the stored medians, and the tables too."""
    families = script("bench_families")
    data = json.loads(families.DATA.read_text(encoding="utf-8"))
    assert data.keys() == families.SWEEPS.keys()
    for name, sweep in families.SWEEPS.items():
        stored = [(point["x"], point["board"], point["blanks"]) for point in data[name]["points"]]
        assert stored == [tuple(point) for point in sweep.points]
    assert families.picture(data) == families.PICTURE.read_text(encoding="utf-8")
    ended, stopped = ({"ended": is_ended, "conflicts": 8, "seconds": 0.5} for is_ended in (True, False))
    # Three of five ended, so the median is one of theirs; of two of five it is not.
    assert families.cells([ended, stopped, ended, stopped, ended]) == "8, 0.5 s (3 of 5)"
    assert families.cells([ended, stopped, stopped, stopped, ended]) == "- (2 of 5)"


def test_cubes_page_plot(scripts: Path) -> None:
    """The plot of the page on cubes is of what was stored."""
    stored = json.loads((HOME / "docs" / "cubes.json").read_text(encoding="utf-8"))
    picture = script("wall_plot").svg(stored["runs"], stored["seconds"])
    assert picture == (HOME / "docs" / "cubes.svg").read_text(encoding="utf-8")
    n_points = len({(run["grid"], run["blanks"]) for run in stored["runs"]})
    n_ways = len({run["way"] for run in stored["runs"]})
    # The share and what is not decided; then for each way both times.
    assert len(elements(picture, "path")) == n_points * (2 + 2 * n_ways)
