"""A page of HTML that plays a method step by step: the board, the text of each step, search trees and graphs.

It is made of the records that `explain --json` prints, so that what a page shows a program can read too.
"""

import json
from collections.abc import Iterable, Mapping
from html import escape
from itertools import chain
from typing import Any

import numpy as np

from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.render.page import page
from sudoku_encode.render.steps_graph import graphs
from sudoku_encode.render.text import Layer, layers

Record = Mapping[str, Any]
# Steps beyond these would make a page that no browser opens with pleasure; the page says how many they are.
MAX_STEPS, MAX_CHARACTERS = 20_000, 20_000_000
# Texts that a browser without scripts shows.
MAX_PLAIN_TEXTS = 2_000
# What a step without a text does, before its candidates and behind them.
_VERBS = {"place": "puts {} in", "guess": "tries {} in", "undo": "takes {} out of", "remove": "removes {} from"}
_STYLES = ("board.css", "steps.css")
_SCRIPTS = ("board.js", "steps_state.js", "steps_board.js", "steps_tree.js", "steps_graph.js", "steps.js")


def steps_page(
    puzzle: Puzzle,
    records: Iterable[Record],
    *,
    title: str = "",
    method: str = "",
    source: str = "",
    stopped: str = "",
    left_out: int = 0,
) -> str:
    """Return a page that plays the steps of a method.

    Args:
        puzzle: the puzzle that the method works on.
        records: what `Step.record` returns of each of its steps, in their order.
        title: what the puzzle is called; by default its name, or the board's.
        method: its name.
        source: where it was published.
        stopped: what ended it before its end, if anything did.
        left_out: how many steps there were beyond these records.

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
    name = f"{title or puzzle.name or board.name}: {method or 'a method'} step by step"
    data = {
        "board": board.name,
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
    return page(name, _body(name, source, data), styles=_STYLES, scripts=_SCRIPTS, data=data)


def _layer(layer: Layer, n_values: int) -> dict[str, Any]:
    cells, regions = layer.cells.tolist(), layer.regions.tolist()
    return {"title": layer.title, "cells": cells, "regions": regions, "values": n_values}


class _Reader:
    """Turns records into what the script of the page takes: cells as numbers, a text for each step, no empty keys."""

    def __init__(self, board: Geometry) -> None:
        self.board = board
        self.cells = {name: cell for cell, name in enumerate(board.cell_names)}
        self.units = {
            board.unit_name(rule, number): cells.tolist()
            for rule in board.rules
            for number, cells in enumerate(rule.units)
        }

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
        }
        if record["rule"] == "cycle":
            step["lit"] = [*data.get("super-vertices", []), *data.get("vertices", [])]
        elif record["rule"] == "super-vertices":
            step["lit"] = []
        return {key: value for key, value in step.items() if value}

    def _pairs(self, by_cell: Mapping[str, list[int]]) -> list[list[int]]:
        return [[self.cells[name], value] for name, values in by_cell.items() for value in values]

    def _unit(self, record: Record) -> dict[str, Any]:
        """Return the cells of the units that a step names, and their names."""
        data = record["data"]
        if not isinstance(unit := data.get("unit", ""), str):
            return {"unit": [self.cells[name] for name in unit], "unitName": f"{data['rule']} {unit[0]}-{unit[-1]}"}
        said = [data.get("where") or unit, *(each["unit"] for each in data.get("found", []))]
        names = [name for text in said for name in text.replace("sub-grid", "box").split(", ")]
        known = [name for name in dict.fromkeys(names) if name in self.units]
        if not known:
            return {"unitName": ", ".join(data.get("by", {}))}
        return {"unit": sorted({cell for name in known for cell in self.units[name]}), "unitName": ", ".join(known)}

    def _grid(self, data: Record) -> list[int]:
        grid = np.asarray(data["grid"])
        if "axis" in data:
            # The layers across an axis, one after the other.
            grid = np.moveaxis(grid, 0, "xyz".index(data["axis"]))
        return [int(value) for value in grid.ravel()]

    def _candidates(self, found: Any, because: list[str]) -> list[list[Any]]:
        """Return pairs of a cell and its candidates; those of a level of a tree are of the cell that it is about."""
        if isinstance(found, dict):
            return [[self.cells[name], values] for name, values in found.items()]
        if found and isinstance(found[0], int):
            return [[self.cells[name], found] for name in because]
        return [[cell, values] for cell, values in enumerate(found or [])]

    def _words(self, record: Record) -> str:
        """Say what a step does that has no text of its own."""
        kind, data = record["kind"], record["data"]
        who = f"robot {data['robot']} " if "robot" in data else ""
        done = record["places"] or record["removes"]
        if kind in _VERBS and done:
            said = (_VERBS[kind].format(" ".join(map(str, values))) + f" {name}" for name, values in done.items())
            return who + ", ".join(said)
        if kind in ("candidates", "grid"):
            return {"candidates": "what the cells may hold", "grid": "the grid at this point"}[kind]
        return f"{record['rule'] or kind}, as data only"


def _drawn_of(record: Record) -> dict[str, Any]:
    """Return of a record what trees and graphs are made of, so that large grids need not be kept."""
    wanted = ("index", "nodes", "minigrid", "permutations", "edges", "deleted", "super-vertices", "isolated", "left")
    return {"rule": record["rule"], **{key: record["data"][key] for key in wanted if key in record["data"]}}


def _tree(drawn: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the search tree, with the blank of each level, where a record lists it."""
    for number, record in enumerate(drawn, start=1):
        if "nodes" in record:
            return {"step": number, "index": record["index"], "nodes": record["nodes"]}
    return None


def _body(name: str, source: str, data: Mapping[str, Any]) -> str:
    """Return what is within the page: places that the script fills, and the texts for browsers without scripts."""
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
            [f"<h1>{escape(name)}</h1>", f"<p class='source'>Source: {escape(source)}</p>" if source else ""],
            (f"<p class='remark'>{escape(remark)}</p>" for remark in remarks),
            ["<main id='player' hidden></main>", f"<noscript><ol>\n{texts}\n</ol>{more}</noscript>"],
        )
    )
