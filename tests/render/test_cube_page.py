"""The page with a cube to turn, in a real browser."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.generating.grids import pattern
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.render.html import cube_page
from sudoku_encode.render.text import layers
from tests.helpers.browser import DESKTOP, PHONE, needs_chromium, opened

NINE = board("9x9x9")
# Without a graphics card each pixel takes time; this is wide enough for the panels beside the cube (56rem).
WINDOW = (900, 560)
WITHOUT_WEBGL = "HTMLCanvasElement.prototype.getContext = () => null"
FAILING_WEBGL = "WebGL2RenderingContext.prototype.getShaderParameter = () => false"
# How many colours there are in the canvas, drawn and read in one task, since the browser clears it afterwards.
COLOURS = """() => {
  page.cube.settle();
  const canvas = document.getElementById("cube"), gl = canvas.getContext("webgl2");
  const pixels = new Uint32Array(canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(pixels.buffer));
  return new Set(pixels).size;
}"""
PICTURE = "() => { page.cube.settle(); return document.getElementById('cube').toDataURL(); }"
PEERS = "page.shown().peers"


def solved(geometry: Geometry) -> Grids:
    grid = pattern(geometry)
    assert grid is not None
    return grid


def half(geometry: Geometry) -> Puzzle:
    """Return a puzzle with each second cell of a solution as a given."""
    return Puzzle.of(geometry, solved(geometry) * (np.arange(geometry.n_cells) % 2))


@contextmanager
def shown(
    tmp_path: Path,
    puzzle: Puzzle,
    *,
    size: tuple[int, int] = WINDOW,
    before: str = "",
    touch: bool = False,
    solution: Grids | None = None,
    candidates: Candidates | None = None,
) -> Iterator[Page]:
    path = tmp_path / "cube.html"
    path.write_text(cube_page(puzzle, solution=solution, candidates=candidates), encoding="utf-8")
    with opened(path, size, before=before, touch=touch) as page:
        page.evaluate("ready")
        yield page


def choose(page: Page, cell: int) -> None:
    page.evaluate(f"page.change({{ chosen: {cell} }})")


def place_of(page: Page, cell: int) -> tuple[float, float]:
    """Return where a cell is drawn in the window, as the page says."""
    at = page.evaluate(f"page.cube.settle(), page.cube.positionOf({cell})")
    corner = page.locator("#cube").bounding_box()
    assert corner is not None
    return corner["x"] + at["x"], corner["y"] + at["y"]


def texts(page: Page, holder: str) -> dict[int, str]:
    """Return the large digit of each cell of a drawing, by number of the cell."""
    found = page.evaluate(
        "holder => [...document.querySelectorAll(`${holder} [data-cell]`)].map(cell =>"
        " [Number(cell.dataset.cell), cell.querySelector('text.value')?.textContent ?? ''])",
        holder,
    )
    return dict(found)


@needs_chromium
@pytest.mark.slow
def test_choose_a_cell(tmp_path: Path) -> None:
    """A click on a cell chooses it and its peers light up."""
    with shown(tmp_path, half(NINE), solution=solved(NINE)) as page:
        cell = 4 * 9 + 4
        page.mouse.click(*place_of(page, cell))

        assert page.evaluate("page.state.chosen") == cell
        assert len(page.evaluate(PEERS)) == 36
        assert page.evaluate(PEERS) == NINE.peers[cell].tolist()
        assert page.inner_text("#said").startswith("x0y4z4")
        # All other cells are clear, so that the peers are seen.
        assert set(page.evaluate("page.cube.tiles().solid")) == {cell, *NINE.peers[cell].tolist()}


@needs_chromium
def test_solid_cell_hit(tmp_path: Path) -> None:
    """The solid cell is hit before clear ones in front of it."""
    with shown(tmp_path, half(NINE), solution=solved(NINE)) as page:
        inner = (4 * 9 + 4) * 9 + 4
        choose(page, inner)
        # Before it, as the cube is seen at first, are clear cells of the layers x = 0 to 3.
        peer = inner + 4 * 9
        page.mouse.click(*place_of(page, peer))

        assert page.evaluate("page.state.chosen") == peer


@needs_chromium
def test_switch_rules_off(tmp_path: Path) -> None:
    """Rules are switched off one by one."""
    with shown(tmp_path, half(NINE)) as page:
        cell, names = 400, list(NINE.rule_names)
        choose(page, cell)
        while names:
            page.locator("#rules label", has_text=names.pop(2 * len(names) // 3)).click()
            expected = NINE.with_rules(names).peers[cell].tolist() if names else []
            assert page.evaluate(PEERS) == expected
            assert page.locator("#slices figure:first-child .peer").count() == sum(at // 81 == 4 for at in expected)


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("name", ["4x4x4", "9x9x9", "16x16x16"])
@pytest.mark.thorough
def test_all_sizes(tmp_path: Path, name: str) -> None:
    """Cubes of all sizes are drawn with the layers through the chosen cell."""
    geometry = board(name)
    grid, cell = solved(geometry), geometry.n_cells // 3
    with shown(tmp_path, half(geometry), solution=grid) as page:
        assert page.evaluate("page.state.view") == "cube"
        assert page.evaluate(COLOURS) > 500
        before = page.evaluate(PICTURE)
        choose(page, cell)
        assert page.evaluate(PICTURE) != before
        assert page.evaluate(PEERS) == geometry.peers[cell].tolist()

        at = np.unravel_index(cell, geometry.shape)
        for number, axis in enumerate("xyz"):
            layer = layers(geometry, axis)[at[number]]
            holder = f"#slices figure:nth-child({number + 1})"
            assert page.inner_text(f"{holder} figcaption") == layer.title
            assert texts(page, holder) == {int(of): str(grid[of]) for of in layer.cells.ravel()}
    assert (tmp_path / "cube.html").stat().st_size < 1_500_000


@needs_chromium
def test_layers_as_in_text(tmp_path: Path) -> None:
    """Layers have cells and borders where drawings in text have them."""
    with shown(tmp_path, half(NINE)) as page:
        for number, axis in enumerate("xyz"):
            layer = layers(NINE, axis)[4]
            found = page.evaluate(f"layerAt(page.state.puzzle, {number}, 4)")
            assert found["cells"] == layer.cells.tolist()
            regions = np.array(found["regions"])
            for along in (0, 1):
                assert np.array_equal(np.diff(regions, axis=along) != 0, np.diff(layer.regions, axis=along) != 0)


@pytest.mark.slow
@needs_chromium
def test_keys(tmp_path: Path) -> None:
    """All is done by keys."""
    with shown(tmp_path, half(NINE)) as page:

        def at() -> list[int]:
            return list(np.unravel_index(page.evaluate("page.state.chosen"), NINE.shape))

        page.locator("#cube").focus()
        page.keyboard.press("x")
        assert at() == [0, 0, 0]
        for key, expected in (("x", [1, 0, 0]), ("y", [1, 1, 0]), ("z", [1, 1, 1]), ("Z", [1, 1, 0]), ("Z", [1, 1, 0])):
            page.keyboard.press(key)
            assert at() == expected
        assert page.inner_text("#cell") == "x1y1z0"
        place = place_of(page, 0)
        page.keyboard.press("ArrowLeft")
        assert place_of(page, 0) != place
        page.keyboard.press("0")
        assert place_of(page, 0) == pytest.approx(place)
        page.keyboard.press("]")
        assert page.evaluate("page.state.from") == 1

        # The tab key goes on to the layers, where arrows move the chosen cell: x = 1 has y down and z across.
        page.locator("#slices svg").first.focus()
        for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp"):
            page.keyboard.press(key)
        assert at() == [1, 1, 2]
        page.keyboard.press("x")
        page.keyboard.press("ArrowRight")
        assert at() == [2, 1, 3]
        page.keyboard.press("Escape")
        assert page.evaluate("page.state.chosen") is None


@needs_chromium
def test_focus_visible(tmp_path: Path) -> None:
    """What takes the keyboard shows it."""
    with shown(tmp_path, half(NINE)) as page:
        styles = set()
        for _ in range(25):
            page.keyboard.press("Tab")
            styles.add(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
            if page.evaluate("document.activeElement.tagName") == "BODY":
                break
        assert "none" not in styles - {page.evaluate("getComputedStyle(document.body).outlineStyle")}


@needs_chromium
def test_sliders(tmp_path: Path) -> None:
    """The sliders cut layers away."""
    with shown(tmp_path, half(NINE), solution=solved(NINE)) as page:
        page.get_by_role("button", name="y", exact=True).click()
        page.locator("#from").fill("3")
        page.locator("#to").fill("5")
        kept = {cell for cell in range(729) if 3 <= cell // 9 % 9 <= 5}
        tiles = page.evaluate("page.cube.tiles()")
        assert set(tiles["solid"]) == kept
        assert set(tiles["clear"]) == set(range(729)) - kept

        page.get_by_label("hide the rest").check()
        tiles = page.evaluate("page.cube.tiles()")
        assert (set(tiles["solid"]), tiles["clear"]) == (kept, [])
        page.get_by_role("button", name="Reset view").click()
        assert len(page.evaluate("page.cube.tiles().solid")) == 729


@needs_chromium
def test_show_and_hide(tmp_path: Path) -> None:
    """Givens solution and candidates are shown and hidden."""
    puzzle, grid = half(NINE), solved(NINE)
    candidates = np.zeros((729, 9), bool)
    candidates[:, [0, 4]] = True
    with shown(tmp_path, puzzle, solution=grid, candidates=candidates) as page:
        first = "#slices figure:first-child"
        assert set(texts(page, first).values()) == set("123456789")
        assert page.locator(f"{first} .given").count() == np.count_nonzero(puzzle.givens[:81])

        page.get_by_role("button", name="Solution").click()
        assert texts(page, first) == {cell: str(puzzle.givens[cell] or "") for cell in range(81)}
        assert page.locator(f"{first} [data-cell='0'] text.candidate").all_text_contents() == ["1", "5"]
        choose(page, 0)
        assert page.inner_text("#holds") == "candidates 1 5; 36 peers"
        shading = page.evaluate(PICTURE)
        page.get_by_role("button", name="Candidates").click()
        assert page.inner_text("#holds") == "blank; 36 peers"
        assert page.evaluate(PICTURE) != shading
        page.get_by_role("button", name="Givens").click()
        assert set(texts(page, first).values()) == {""}


@needs_chromium
def test_pencilmarks(tmp_path: Path) -> None:
    """Pencilmarks are the candidates of a puzzle that has them."""
    geometry = board("4x4x4")
    marks = np.ones((64, 4), bool)
    marks[5] = [False, True, False, True]
    with shown(tmp_path, Puzzle.of(geometry, pencilmarks=marks)) as page:
        choose(page, 5)
        assert page.inner_text("#holds") == "candidates 2 4; 12 peers"


@needs_chromium
def test_clashes(tmp_path: Path) -> None:
    """Givens that clash are marked as long as a rule forbids them."""
    # x0y0z0 and x8y0z0 share the row along x alone.
    givens = np.zeros(729, np.uint8)
    givens[[0, 8 * 81]] = 5
    with shown(tmp_path, Puzzle.of(NINE, givens)) as page:
        choose(page, 0)
        assert page.inner_text("#holds") == "given 5, the same as a peer; 36 peers"
        assert page.locator("#slices figure:nth-child(2) .clash").count() == 2
        assert "same value twice" in page.inner_text("#legend")

        page.get_by_label("row-x").uncheck()
        assert page.locator(".clash").count() == 0
        assert "same value twice" not in page.inner_text("#legend")


@needs_chromium
@pytest.mark.parametrize(
    ("name", "rules"),
    [("9x9x9:literal", None), ("latin:5x5x5", None), ("9x9x9", ["row-z", "box-xy"]), ("9x9x9", ["box-yz"])],
)
@pytest.mark.thorough
def test_other_cubes(tmp_path: Path, name: str, rules: list[str] | None) -> None:
    """Other cubes have the peers that their rules say."""
    geometry = board(name, rules)
    cell = geometry.n_cells // 2 + 3
    with shown(tmp_path, Puzzle.of(geometry)) as page:
        choose(page, cell)
        assert page.evaluate(PEERS) == geometry.peers[cell].tolist()
        assert page.locator("#rules label").all_inner_texts() == list(geometry.rule_names)
        assert page.evaluate(COLOURS) > 100


@needs_chromium
@pytest.mark.parametrize("before", [WITHOUT_WEBGL, FAILING_WEBGL])
def test_without_webgl(tmp_path: Path, before: str) -> None:
    """Without WebGL all layers are drawn as boards."""
    puzzle = half(NINE)
    with shown(tmp_path, puzzle, before=before) as page:
        assert page.locator("#layers figure").count() == 9
        assert texts(page, "#layers") == {cell: str(value or "") for cell, value in enumerate(puzzle.givens)}
        assert not page.locator("#cube").is_visible()
        assert page.get_by_role("button", name="Cube").is_disabled()

        page.locator("#layers [data-cell='100']").click()
        assert page.evaluate("page.state.chosen") == 100
        assert page.locator("#layers .peer").count() == 36
        page.locator("#to").fill("2")
        assert page.locator("#layers figure").filter(visible=True).count() == 3


@needs_chromium
def test_webgl_lost(tmp_path: Path) -> None:
    """When WebGL is taken away the layers come until it is back."""
    with shown(tmp_path, half(NINE)) as page:
        page.evaluate("document.getElementById('cube').dispatchEvent(new Event('webglcontextlost'))")
        assert page.locator("#layers figure").count() == 9
        assert not page.locator("#cube").is_visible()
        page.evaluate("document.getElementById('cube').dispatchEvent(new Event('webglcontextrestored'))")
        assert not page.locator("#layers").is_visible()
        assert page.evaluate(COLOURS) > 500


@needs_chromium
def test_without_scripts(tmp_path: Path) -> None:
    """Without scripts the fallback is there."""
    path = tmp_path / "cube.html"
    path.write_text(cube_page(half(NINE), title="A <b> {c}", fallback="<p>All {layers}</p>"), encoding="utf-8")
    with opened(path) as page:
        assert page.inner_text("h1") == page.title() == "A <b> {c}"
        browser = page.context.browser
        assert browser is not None
        plain = browser.new_page(java_script_enabled=False)
        plain.goto(path.as_uri())
        assert plain.inner_text("body").strip() == "All {layers}"


@needs_chromium
@pytest.mark.thorough
def test_touch(tmp_path: Path) -> None:
    """A finger turns and two come nearer."""
    with shown(tmp_path, half(NINE), size=PHONE, touch=True) as page:
        client = page.context.new_cdp_session(page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
            client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

        def pose() -> dict[str, Any]:
            page.evaluate("page.cube.settle()")
            first, last = place_of(page, 0), place_of(page, 728)
            return {"first": first, "size": np.hypot(first[0] - last[0], first[1] - last[1])}

        x, y = place_of(page, 364)
        before = pose()
        touch("touchStart", (x, y))
        touch("touchMove", (x + 60, y))
        touch("touchEnd")
        turned = pose()
        assert turned["first"] != pytest.approx(before["first"])
        touch("touchStart", (x - 40, y))
        touch("touchStart", (x - 40, y), (x + 40, y))
        touch("touchMove", (x - 80, y), (x + 80, y))
        touch("touchEnd")
        assert pose()["size"] == pytest.approx(2 * turned["size"], rel=0.05)
        assert page.evaluate("page.state.chosen") is None

        page.touchscreen.tap(*place_of(page, 364))
        assert page.evaluate("page.state.chosen") is not None


@needs_chromium
@pytest.mark.parametrize("size", [DESKTOP, PHONE, (320, 600)])
def test_fits_window(tmp_path: Path, size: tuple[int, int]) -> None:
    """Nothing is wider than the window."""
    candidates = np.ones((729, 9), bool)
    with shown(tmp_path, half(NINE), size=size, solution=solved(NINE), candidates=candidates) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@needs_chromium
def test_light_and_dark(tmp_path: Path) -> None:
    """The cube follows light and dark."""
    with shown(tmp_path, half(NINE)) as page:
        light = page.evaluate(PICTURE)
        page.emulate_media(color_scheme="dark")
        # The page hears of it a moment later, and longer than that where the machine is busy.
        page.wait_for_function(f"light => ({PICTURE})() !== light", arg=light)


@needs_chromium
def test_save_picture(tmp_path: Path) -> None:
    """The picture is saved."""
    with shown(tmp_path, half(NINE)) as page:
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save picture").click()
        assert saved.value.suggested_filename == "9x9x9.png"
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")


def test_short_data() -> None:
    """The data of a puzzle are short."""
    geometry = board("16x16x16")
    candidates = np.ones((geometry.n_cells, 16), bool)
    text = cube_page(half(geometry), solution=solved(geometry), candidates=candidates)
    assert len(text.encode()) < 500_000
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert data["candidates"] == [0xFFFF] * 4096


def test_not_a_cube() -> None:
    """What is no cube cannot be turned."""
    with pytest.raises(GeometryError, match="9x9 is not a cube"):
        cube_page(Puzzle.of(board("9x9")))


@pytest.mark.parametrize(
    "wrong",
    [{"solution": np.ones(10)}, {"candidates": np.ones((64, 3), bool)}, {"candidates": np.ones((4, 4, 4, 4), bool)}],
)
def test_wrong_shape(wrong: dict[str, Any]) -> None:
    """A solution or candidates of another shape are refused."""
    with pytest.raises(FormatError):
        cube_page(Puzzle.of(board("4x4x4")), **wrong)
