"""Coloured graphs of which published facts are known, numbered at random."""

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_encode.symmetry.graphs import Graph, Labelling, label

Edges = NDArray[np.intp]
FRUCHT = "0-1 0-6 0-7 1-2 1-7 2-3 2-8 3-4 3-9 4-5 4-9 5-6 5-10 6-10 7-11 8-9 8-11 10-11"


def frucht(copies: int) -> Edges:
    """Return copies of the Frucht graph, which has no symmetry, and whose vertices all have three neighbours."""
    edges = np.array([edge.split("-") for edge in FRUCHT.split()], np.intp)
    return np.concatenate([edges + 12 * copy for copy in range(copies)])


def on_torus(*steps: tuple[int, int]) -> Edges:
    """Return a graph of the 16 places of a 4x4 torus, whose neighbours are some steps apart."""
    places = [(4 * a + b, 4 * ((a + da) % 4) + (b + db) % 4) for a in range(4) for b in range(4) for da, db in steps]
    return np.unique(np.sort(np.array(places), axis=1), axis=0)


ROOK = (0, 1), (0, 2), (1, 0), (2, 0)
SHRIKHANDE = (0, 1), (1, 0), (1, 1)
GRAPHS = {
    "frucht": (frucht(1), 12, 1),
    "two-fruchts": (frucht(2), 24, 2),
    "three-fruchts": (frucht(3), 36, 6),
    "rook": (on_torus(*ROOK), 16, 1152),
    "shrikhande": (on_torus(*SHRIKHANDE), 16, 192),
    "both": (np.concatenate([on_torus(*ROOK), on_torus(*SHRIKHANDE) + 16]), 32, 1152 * 192),
    "no-edges": (np.zeros((0, 2), np.intp), 7, 5040),
}


def labelled(edges: Edges, n: int) -> Labelling:
    return label(Graph(np.zeros(n, np.intp), edges, n), lambda: None)


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs(name: str) -> None:
    """The number of symmetries is the published one, and the canonical form is the same for each numbering."""
    edges, n, order = GRAPHS[name]
    rng, usual = np.random.default_rng(1), labelled(edges, n)
    assert usual.order == order
    for _ in range(8):
        other = labelled(rng.permutation(n)[edges], n)
        assert other.order == order
        assert np.array_equal(other.codes, usual.codes)


def test_equal_parameters() -> None:
    """The rook graph and the Shrikhande graph, which are alike in all small figures, have different forms."""
    first, second = (labelled(on_torus(*steps), 16) for steps in (ROOK, SHRIKHANDE))
    assert not np.array_equal(first.codes, second.codes)
