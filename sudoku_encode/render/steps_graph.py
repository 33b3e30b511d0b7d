"""The graphs of a method's steps as a page draws them: vertices in groups, edges, and the step that deletes each."""

from collections.abc import Sequence
from typing import Any

from sudoku_encode.puzzles.geometry import Geometry

# A picture with more of them is a blot, and slow.
MAX_VERTICES, MAX_EDGES = 1_500, 6_000


def graphs(board: Geometry, records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the graphs that the steps are about, in the order in which the steps come to them.

    Args:
        board: whose minigrids the vertices are of.
        records: for each step its `rule`, and those of its data that a graph is made of.

    Returns:
        For each graph the step from which it is shown (`from`), how many groups lie side by side (`across`), its
        `groups` with their `label` and `vertices`, each with its `name`, the steps from which it is there and is
        deleted (`from`, `gone`), and its `edges` as pairs of numbers of vertices, shown from `edgesFrom`; or, where it
        is too large, only `tooLarge`, which says so.
    """
    numbered = list(enumerate(records, start=1))
    if board.box is None or not any("permutations" in record for record in records):
        return []
    found = [_permutations(board, numbered)]
    starts = [number for number, record in numbered if record["rule"] == "super-vertices"]
    across = board.shape[1] // board.box[1]
    down = board.shape[0] // board.box[0]
    per_pass = across + down
    for at in range(0, len(starts), per_pass):
        first = starts[at]
        after = starts[at + per_pass] if at + per_pass < len(starts) else len(records) + 1
        found.append(_super_vertices([one for one in numbered if first <= one[0] < after], down, across))
    return [_if_small(graph) for graph in found]


def _permutations(board: Geometry, numbered: list[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
    """Return G: a group for each minigrid, as they lie on the board."""
    assert board.box is not None
    gone = _first_steps(numbered, "deleted")
    for number, record in numbered:
        # Where no step names what it deletes, one says what is left.
        if "left" in record:
            left = set(record["left"])
            gone |= {name: number for name in _names(numbered) if name not in left and name not in gone}
    groups = []
    for number, record in numbered:
        if "permutations" in record:
            label = f"M{record['minigrid']}"
            names = _names([(number, record)])
            vertices = [
                {"name": name, "says": text, "from": number, "gone": gone.get(name, 0)}
                for name, text in zip(names, record["permutations"], strict=True)
            ]
            groups.append({"label": label, "vertices": vertices})
    edges_from, edges = next(
        ((number, record["edges"]) for number, record in numbered if record["rule"] != "G*" and "edges" in record),
        (0, []),
    )
    graph = {"title": "G, the graph of valid permutations", "from": 1, "across": board.shape[1] // board.box[1]}
    return {**graph, "groups": groups, "edges": edges, "edgesFrom": edges_from}


def _names(numbered: list[tuple[int, dict[str, Any]]]) -> list[str]:
    """Name the vertices of G as the thesis does: 1a, 1b, ... for minigrid 1."""
    return [
        f"{record['minigrid']}{_letters(at)}"
        for _, record in numbered
        if "permutations" in record
        for at in range(len(record["permutations"]))
    ]


def _super_vertices(numbered: list[tuple[int, dict[str, Any]]], down: int, across: int) -> dict[str, Any]:
    """Return G* of one pass: a group for each row of minigrids, and below them one for each column."""
    gone = _first_steps(numbered, "isolated")
    lists = [(number, record) for number, record in numbered if record["rule"] == "super-vertices"]
    labels = [f"row {at + 1} of minigrids" for at in range(down)] + [f"column {at + 1}" for at in range(across)]
    groups = [
        {
            "label": label,
            "vertices": [
                {"name": name, "says": "", "from": number, "gone": gone.get(name, 0)}
                for name in record["super-vertices"]
            ],
        }
        for label, (number, record) in zip(labels, lists, strict=False)
    ]
    edges_from, edges = next(
        ((number, record["edges"]) for number, record in numbered if record["rule"] == "G*"), (0, [])
    )
    graph = {"title": "G*, the graph of super-vertices", "from": numbered[0][0], "across": max(down, across)}
    return {**graph, "groups": groups, "edges": edges, "edgesFrom": edges_from, "wide": True}


def _first_steps(numbered: list[tuple[int, dict[str, Any]]], key: str) -> dict[str, int]:
    """Return for each name that a step lists under the key the number of the first such step."""
    found: dict[str, int] = {}
    for number, record in numbered:
        for name in record.get(key, []):
            found.setdefault(name, number)
    return found


def _if_small(graph: dict[str, Any]) -> dict[str, Any]:
    """Return a graph with its edges by numbers of vertices, or why it is not drawn."""
    n_vertices = sum(len(group["vertices"]) for group in graph["groups"])
    if n_vertices > MAX_VERTICES or len(graph["edges"]) > MAX_EDGES:
        size = f"{n_vertices:,} vertices and {len(graph['edges']):,} edges"
        most = f"{MAX_VERTICES:,} and {MAX_EDGES:,}"
        said = f"The graph has {size}, too many for a picture, which has {most} at most."
        return {"title": graph["title"], "from": graph["from"], "tooLarge": said}
    names = [vertex["name"] for group in graph["groups"] for vertex in group["vertices"]]
    number = {name: at for at, name in enumerate(names)}
    known = [(one, other) for one, other in graph["edges"] if one in number and other in number]
    return {**graph, "edges": [[number[one], number[other]] for one, other in known]}


def _letters(at: int) -> str:
    """Return the letters of a vertex: a to z, then aa, ab, ..."""
    letters = ""
    at += 1
    while at:
        at, letter = divmod(at - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters
