"""A page of HTML that plays a method step by step: the board, the text of each step, search trees and graphs.

Its input are the records that `explain --json` prints, so programs can read everything that a page shows.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from typing import Any

import numpy as np

from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.render.page import page
from sudoku_encode.render.text import Layer, layers

# Graphs: vertices in groups, edges, and the step that deletes each vertex.

# A picture of a larger graph would be unreadable and slow.
MAX_VERTICES, MAX_EDGES = 1_500, 6_000


def graphs(board: Geometry, records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the graphs that the steps are about, in the order in which the steps reach them.

    A record has the `rule` of its step, and the parts of its data that describe graphs. Each graph has the step from
    which it is shown (`from`), how many groups lie side by side (`across`), its `groups` with their `label` and
    `vertices`, each with its `name`, the steps from which it is shown and at which it is deleted (`from`, `gone`), and
    its `edges` as pairs of numbers of vertices, shown from `edgesFrom`; or, for a graph that is too large, only the
    message `tooLarge`.
    """
    numbered = list(enumerate(records, start=1))
    if board.box is None or not any("permutations" in record for record in records):
        return []
    drawn = [_permutations(board, numbered)]
    starts = [number for number, record in numbered if record["rule"] == "super-vertices"]
    across = board.shape[1] // board.box[1]
    down = board.shape[0] // board.box[0]
    per_pass = across + down
    for begin in range(0, len(starts), per_pass):
        first = starts[begin]
        after = starts[begin + per_pass] if begin + per_pass < len(starts) else len(records) + 1
        drawn.append(_super_vertices([step for step in numbered if first <= step[0] < after], down, across))
    return [_if_small(graph) for graph in drawn]


def _permutations(board: Geometry, numbered: list[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
    """Return G: a group for each minigrid, in their places on the board."""
    assert board.box is not None
    deleted_at = _first_steps(numbered, "deleted")
    for number, record in numbered:
        # If no step names the vertices that it deletes, one names those that remain.
        if "left" in record:
            remaining = set(record["left"])
            deleted_at |= {
                name: number for name in _names(numbered) if name not in remaining and name not in deleted_at
            }
    groups = []
    for number, record in numbered:
        if "permutations" in record:
            label = f"M{record['minigrid']}"
            names = _names([(number, record)])
            vertices = [
                {"name": name, "says": text, "from": number, "gone": deleted_at.get(name, 0)}
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
    """Return the names of the vertices of G as in the thesis: 1a, 1b, ... for minigrid 1."""
    return [
        f"{record['minigrid']}{_letters(vertex)}"
        for _, record in numbered
        if "permutations" in record
        for vertex in range(len(record["permutations"]))
    ]


def _super_vertices(numbered: list[tuple[int, dict[str, Any]]], down: int, across: int) -> dict[str, Any]:
    """Return G* of one pass: a group for each row of minigrids, and below them one for each column."""
    isolated_at = _first_steps(numbered, "isolated")
    lists = [(number, record) for number, record in numbered if record["rule"] == "super-vertices"]
    labels = [f"row {at + 1} of minigrids" for at in range(down)] + [f"column {at + 1}" for at in range(across)]
    groups = [
        {
            "label": label,
            "vertices": [
                {"name": name, "says": "", "from": number, "gone": isolated_at.get(name, 0)}
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
    """Return for each name that a step lists under a key the number of the first such step."""
    steps: dict[str, int] = {}
    for number, record in numbered:
        for name in record.get(key, []):
            steps.setdefault(name, number)
    return steps


def _if_small(graph: dict[str, Any]) -> dict[str, Any]:
    """Return a graph with its edges as numbers of vertices; for a large one, a message instead."""
    n_vertices = sum(len(group["vertices"]) for group in graph["groups"])
    if n_vertices > MAX_VERTICES or len(graph["edges"]) > MAX_EDGES:
        size = f"{n_vertices:,} vertices and {len(graph['edges']):,} edges"
        most = f"{MAX_VERTICES:,} and {MAX_EDGES:,}"
        message = f"The graph has {size}, too many for a picture, which has {most} at most."
        return {"title": graph["title"], "from": graph["from"], "tooLarge": message}
    names = [vertex["name"] for group in graph["groups"] for vertex in group["vertices"]]
    number = {name: at for at, name in enumerate(names)}
    edges = [(first, second) for first, second in graph["edges"] if first in number and second in number]
    return {**graph, "edges": [[number[first], number[second]] for first, second in edges]}


def _letters(number: int) -> str:
    """Return the letters of a vertex: a to z, then aa, ab, ..."""
    letters = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


Record = Mapping[str, Any]
# Steps beyond these limits would make the page too slow for browsers; the page states how many there are.
MAX_STEPS, MAX_CHARACTERS = 20_000, 20_000_000
# The number of texts for browsers without scripts.
MAX_PLAIN_TEXTS = 2_000
# Words for a step without a text, before its candidates and after them.
_VERBS = {"place": "puts {} in", "guess": "tries {} in", "undo": "takes {} out of", "remove": "removes {} from"}
_STYLES = ("board.css", "steps.css")
_SCRIPTS = ("board.js", "steps_state.js", "steps_board.js", "steps_tree.js", "steps_graph.js", "steps.js")


def steps_page(
    puzzle: Puzzle,
    records: Iterable[Record],
    *,
    title: str = "",
    method: str = "",
    about: str = "",
    source: str = "",
    stopped: str = "",
    left_out: int = 0,
) -> str:
    """Return a page that plays the steps of a method, from the `Step.record` of each in order.

    Args:
        puzzle: the puzzle.
        records: the steps.
        title: the name of the puzzle, by default its own, or the board.
        method: the name of the method.
        about: sentences about the method.
        source: where the method was published.
        stopped: the reason, if the method was stopped.
        left_out: how many more steps there were.

    >>> from sudoku_encode import explain, read
    >>> puzzle = read("1234341221434...", board="4x4")
    >>> steps_page(puzzle, [step.record(puzzle.geometry) for step in explain(puzzle, "logic")]).count("<li>")
    5
    """
    board = puzzle.geometry
    read = _Reader(board)
    steps: list[dict[str, Any]] = []
    drawn: list[dict[str, Any]] = []
    size = 0
    for record in records:
        if len(steps) == MAX_STEPS or size > MAX_CHARACTERS:
            left_out += 1
            continue
        steps.append(read.step(record))
        drawn.append(_drawn_of(record))
        size += len(json.dumps(steps[-1]))
    rules = ", ".join(board.rule_names)
    name = f"{title or puzzle.name or board.name}: {method or 'a method'}, step by step; rules {rules}"
    data = {
        "board": board.name,
        "rules": list(board.rule_names),
        "values": board.n_values,
        "layers": [_layer(layer, board.n_values) for layer in layers(board)],
        "names": board.cell_names,
        "givens": puzzle.givens.tolist(),
        "steps": steps,
        "leftOut": left_out,
        "stopped": stopped,
        "tree": _tree(drawn),
        "graphs": graphs(board, drawn),
        "piles": any(record["rule"] == "piles" for record in drawn),
    }
    return page(name, _body(name, about, source, data), styles=_STYLES, scripts=_SCRIPTS, data=data)


def _layer(layer: Layer, n_values: int) -> dict[str, Any]:
    cells, regions = layer.cells.tolist(), layer.regions.tolist()
    return {"title": layer.title, "cells": cells, "regions": regions, "values": n_values}


class _Reader:
    """Converts records for the script of the page: cells as numbers, a text for each step, no empty keys."""

    def __init__(self, board: Geometry) -> None:
        self.board = board
        self.cells = {name: cell for cell, name in enumerate(board.cell_names)}
        self.units = {
            board.unit_name(rule, number): cells.tolist()
            for rule in board.rules
            for number, cells in enumerate(rule.units)
        }
        self.shows_solution = False

    def step(self, record: Record) -> dict[str, Any]:
        """Return a step for the page."""
        data = record["data"]
        step = {
            "kind": record["kind"],
            "rule": record["rule"],
            "text": record["text"] or self._words(record),
            "because": [self.cells[name] for name in record["because"]],
            "places": self._pairs(record["places"]),
            "removes": self._pairs(record["removes"]),
            **self._unit(record),
            "grid": self._grid(data) if "grid" in data else [],
            "candidates": self._candidates(data.get("candidates"), record["because"]),
            "level": data.get("level", 0),
            "robot": data.get("robot", 0),
            "lit": data.get("super-vertices") or data.get("reasons") or [],
            "note": self._note(record),
        }
        self.shows_solution |= record["kind"] == "grid" and 0 not in step["grid"]
        if record["rule"] == "cycle":
            step["lit"] = [*data.get("super-vertices", []), *data.get("vertices", [])]
        elif record["rule"] == "super-vertices":
            step["lit"] = []
        return {key: value for key, value in step.items() if value}

    def _note(self, record: Record) -> str:
        """Return a remark on the board at the end, where it shows one of several solutions."""
        n_solutions = record["data"].get("solutions")
        if record["kind"] != "end" or not self.shows_solution or not n_solutions or n_solutions == 1:
            return ""
        return f"The board shows one of the {n_solutions:,} solutions."

    def _pairs(self, by_cell: Mapping[str, list[int]]) -> list[list[int]]:
        return [[self.cells[name], value] for name, values in by_cell.items() for value in values]

    def _unit(self, record: Record) -> dict[str, Any]:
        """Return the cells of the units that a step names, and their names."""
        data = record["data"]
        # Minigrids are the boxes.
        minigrid = f"box {data['minigrid']}" if "minigrid" in data else ""
        if not isinstance(unit := data.get("unit", minigrid), str):
            return {"unit": [self.cells[name] for name in unit], "unitName": f"{data['rule']} {unit[0]}-{unit[-1]}"}
        texts = [data.get("where") or unit, *(each["unit"] for each in data.get("found", []))]
        names = [name for text in texts for name in text.replace("sub-grid", "box").split(", ")]
        units = [name for name in dict.fromkeys(names) if name in self.units]
        if not units:
            return {"unitName": ", ".join(data.get("by", {}))}
        return {"unit": sorted({cell for name in units for cell in self.units[name]}), "unitName": ", ".join(units)}

    def _grid(self, data: Record) -> list[int]:
        grid = np.asarray(data["grid"])
        if "axis" in data:
            # The layers along an axis, one after the other.
            grid = np.moveaxis(grid, 0, "xyz".index(data["axis"]))
        return [int(value) for value in grid.ravel()]

    def _candidates(self, candidates: Any, because: list[str]) -> list[list[Any]]:
        """Return pairs of a cell and its candidates; those of a level of a tree belong to the cell of that level."""
        if isinstance(candidates, dict):
            return [[self.cells[name], values] for name, values in candidates.items()]
        if candidates and isinstance(candidates[0], int):
            return [[self.cells[name], candidates] for name in because]
        return [[cell, values] for cell, values in enumerate(candidates or [])]

    def _words(self, record: Record) -> str:
        """Return words for a step without a text of its own."""
        kind, data = record["kind"], record["data"]
        subject = f"robot {data['robot']} " if "robot" in data else ""
        changes = record["places"] or record["removes"]
        if kind in _VERBS and changes:
            phrases = (_VERBS[kind].format(" ".join(map(str, values))) + f" {name}" for name, values in changes.items())
            return subject + ", ".join(phrases)
        if kind in ("candidates", "grid"):
            return {"candidates": "the candidates of each cell", "grid": "the grid at this point"}[kind]
        return f"{record['rule'] or kind}: this step has data only, see --json"


def _drawn_of(record: Record) -> dict[str, Any]:
    """Return the parts of a record that describe trees and graphs, so that large grids are not kept."""
    keys = ("index", "nodes", "minigrid", "permutations", "edges", "deleted", "super-vertices", "isolated", "left")
    return {"rule": record["rule"], **{key: record["data"][key] for key in keys if key in record["data"]}}


def _tree(drawn: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the search tree, with the blank of each level, if a record lists it."""
    for number, record in enumerate(drawn, start=1):
        if "nodes" in record:
            return {"step": number, "index": record["index"], "nodes": record["nodes"]}
    return None


def _body(name: str, about: str, source: str, data: Mapping[str, Any]) -> str:
    """Return the body of the page: elements that the script fills, and the texts for browsers without scripts."""
    steps, left_out = data["steps"], data["leftOut"]
    remarks = []
    if left_out:
        remarks.append(f"Only the first {len(steps):,} steps are here: {left_out:,} more are left out.")
    if data["stopped"]:
        remarks.append(f"The method was stopped before its end: {data['stopped']}.")
    shown = steps[:MAX_PLAIN_TEXTS]
    texts = "\n".join(f"<li><pre>{escape(step['text'])}</pre></li>" for step in shown)
    rest = len(steps) - len(shown)
    more = f"<p>{rest:,} further steps need JavaScript.</p>" if rest else ""
    return "\n".join(
        chain(
            [
                f"<h1>{escape(name)}</h1>",
                f"<p class='about'>{escape(about)}</p>" if about else "",
                f"<p class='source'>Source: {escape(source)}</p>" if source else "",
            ],
            (f"<p class='remark'>{escape(remark)}</p>" for remark in remarks),
            ["<main id='player' hidden></main>", f"<noscript><ol>\n{texts}\n</ol>{more}</noscript>"],
        )
    )
