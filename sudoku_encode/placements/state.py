"""A search by placements, as arrays; `placements.kernel` runs it."""

from functools import cache
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from sudoku_encode.placements.classes import class_numbers
from sudoku_encode.placements.structure import (
    WORD_BITS,
    WORDS,
    Int16s,
    bits,
    crossings,
    directions,
    layer_table,
    lines,
    patterns,
    words,
)
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s
from sudoku_encode.puzzles.puzzle import Puzzle

# Columns of `PlacementsState.entries`: the value, its pattern of signs, where its list is in `lists`, the length of the
# list (-1 without a list; a list contains all allowed placements), whether it is up to date with the allowed lines, the
# number of placements, or an estimate; the allowed lines; the lines of all its placements, if known.
VALUE, SIGNS, ROW, COUNT, FRESH, SIZE, ALLOWED, HELD, COLUMNS = 0, 1, 2, 3, 4, 5, 6, 10, 14
# Lists are in order, so neighbouring placements are similar: if a line of all placements of a chunk is barred, the
# chunk is skipped.
CHUNK = 8
# Places in `PlacementsState.counts`: the depth of the frame at work, -1 when all is done; how many rows of `lists` are
# taken; the state of the random numbers; whether solutions whose values all have one pattern are left out; how many
# values were placed so far, in all; 1 when all is done; then the values in the order in which they were placed, and
# room for the sizes of each value's entries, and for the number of ways of each a.
DEPTH, TAKEN, RANDOM, MIXED, PLACED_SO_FAR, DONE, ORDER, SIZES, WAYS = 0, 1, 2, 3, 4, 5, 6, 15, 24
# Columns of `PlacementsState.frames`: where a frame's entries begin and end, how many rows of `lists` were taken before
# it, the open values, a bit each, and how many are placed. Then the branches of the frame: the kind of step, the first
# entry of the value, how many entries it has, which of them is first, and how many of them were begun; for the current
# entry the item, how many are left, and the stride from one to the next; or the remaining lines, a bit each.
BEGIN, END, BEFORE, OPEN, N_PLACED, KIND, ENTRY, N_ENTRIES, FIRST, BEGUN, ITEM, LEFT, STRIDE = range(13)
# The kinds of branches of a frame: not chosen yet; each placement of a value, each of its patterns, each line of one of
# its blocks, or the only line of each block.
NEW, PLACEMENT, PATTERN, LINE, SINGLE = range(5)
# How many patterns the values of a cube have at most.
MOST_PATTERNS = 5
# Each value takes a pattern, a line for each block, and a placement.
MAX_DEPTH = 9 * 29


class Tables(NamedTuple):
    """Tables that are the same for all puzzles. A set of lines is four words; see `structure.bits`."""

    ways: Int64s  # (k, ways, 4): all ways to place a value in the blocks of one a, as sets of lines, for each a
    codes: Int64s  # (2, ways): of each way the ties, a bit each, and their code; see `structure.LayerTable`
    orders: Int64s  # (k!, k): the permutations of k numbers
    crossings: Int64s  # (8, k * k): see `structure.crossings`
    # (2, patterns, blocks): which row of that is a block's, for two patterns that differ in the bits of this number;
    # and the direction of the lines in each block.
    signs: Int64s
    blocks: Int64s  # (2, blocks): the word that has a block, and from which bit on
    marks: Int64s  # (3, 4): the first bit of each block in the four words, the last one, and all
    classes: Int64s  # (3, k): the lines of a block with a number o, r or r - o, a bit each
    units: Int64s  # (3, k * k, k): the blocks over which o, r or r - o have no number twice
    lines: Int16s  # (patterns, n_cells): the line that each cell lies on
    # (multisets, 5): which patterns the values of a cube may have together that do not all have one, where one of them
    # has pattern 0: the different patterns.
    mixed: Int64s
    counts: Int64s  # (multisets, 2): how many values have each of these, four bits for each; and how many these are
    # (8, 2 ** (k * k)): the cells of a block that some lines fill, a bit each, in a frame with the signs e, f and g of
    # its slabs: 4 e + 2 f + g.
    cells: Int64s
    through: Int64s  # (8, k**3): the line of a block that each cell lies on, in such a frame


class PlacementsState(NamedTuple):
    """A search for the solutions of a cube.

    An *entry* is a value with a pattern, its allowed lines, and, if known, the list of its placements. A
    frame is a node of the search tree with its entries, those of a value side by side.
    """

    entries: Int64s  # (room, 14): those of each frame after those of the frames above; see VALUE and those after it
    lists: Int64s  # (rows, 4): placements, as sets of lines. Each list begins with a chunk.
    shared: Int64s  # (chunks, 4): the lines that all placements of a chunk have
    frames: Int64s  # (MAX_DEPTH + 1, 13): see BEGIN and those after it
    chosen: Int64s  # (values, 5): of each value that is placed the placement, and its pattern
    counts: Int64s  # (27,): see DEPTH and those after it
    # (k + 2, ways or more): room for ways to place a value in the blocks of each a; for ways in the order of their
    # codes; and for where each code begins in these.
    scratch: Int32s
    # (patterns, 5): room for the lines that the last placement takes from those of each pattern, and for which
    # placement that was found.
    blocked: Int64s
    # (values + 1, blocks): room for the cells of each block that each open value may have, a bit each; and for those
    # that are taken.
    cells: Int64s
    # (MAX_DEPTH + 2, patterns): in each frame the open values that can have each pattern beside the placed values, a
    # bit each; and room for those that have an entry with it.
    values: Int64s


@cache
def tables(k: int) -> Tables:
    """Return the tables for the cube of side k * k."""
    layers, where, blocks = layer_table(k), bits(k), np.arange(k**3).reshape(k, k, k)
    o, r = np.divmod(np.arange(k * k), k)
    numbers = np.stack([o, r, (r - o) % k])
    ways: Bools = np.zeros((k, len(layers.codes), WORDS * WORD_BITS), bool)
    for a in range(k):
        layer_bits = where[blocks[a].ravel()]
        np.put_along_axis(
            ways[a], np.take_along_axis(layer_bits, layers.places.T, axis=1).T.astype(np.intp), True, axis=1
        )
    weights = np.array([4, 2, 1], np.uint8)
    e, f, g = np.moveaxis(patterns(k), 1, 0).astype(np.uint8)
    differences = np.zeros((len(e), k, k, k), np.uint8)
    differences += weights[0] * e[:, :, None, None] + weights[1] * f[:, None, :, None] + weights[2] * g[:, None, None]
    return Tables(
        words(ways),
        np.stack([layers.ties, layers.codes]).astype(np.int64),
        np.array(list(permutations(range(k)))),
        crossings(k).astype(np.int64),
        np.stack([differences.reshape(len(e), -1), directions(k)]).astype(np.int64),
        np.stack(np.divmod(where[:, 0].astype(np.int64), WORD_BITS)),
        np.stack([_set_of(where[:, 0]), _set_of(where[:, -1]), _set_of(where)]),
        np.stack([((numbers == number) << np.arange(k * k)).sum(axis=1) for number in range(k)], axis=1),
        np.stack([np.moveaxis(blocks, axis, 2).reshape(-1, k) for axis in (2, 1, 0)]),
        np.stack([lines(k, pattern) for pattern in range(len(e))]),
        *_mixed_multisets(k),
        *_cells_and_lines(k),
    )


def _cells_and_lines(k: int) -> tuple[Int64s, Int64s]:
    """Return `Tables.cells` and `Tables.through`."""
    signs = np.array(list(product((1, -1), repeat=3)))
    steps = np.indices((k, k, k)).reshape(3, -1)
    first, second, third = np.moveaxis(signs[:, :, None] * steps, 1, 0)
    through = (second - first) % k * k + (third - first) % k
    sets = np.arange(1 << k * k)
    filled = sets[None, :, None] >> through[:, None, :] & 1
    return (filled << np.arange(k**3)).sum(axis=2), through


def _mixed_multisets(k: int) -> tuple[Int64s, Int64s]:
    """Return `Tables.mixed` and `Tables.counts`; with k = 2 there is one pattern."""
    multisets = [np.unique(one, return_counts=True) for one in class_numbers() if len(set(one)) > 1] if k == 3 else []
    mixed, counts = np.zeros((len(multisets), MOST_PATTERNS), np.int64), np.zeros((len(multisets), 2), np.int64)
    for number, (different, times) in enumerate(multisets):
        mixed[number, : len(different)] = different
        counts[number] = (times << 4 * np.arange(len(times))).sum(), len(times)
    return mixed, counts


def _set_of(places: Int16s) -> Int64s:
    members: Bools = np.zeros(WORDS * WORD_BITS, bool)
    members[places.ravel()] = True
    return words(members)


@cache
def _cells_of_lines(k: int) -> Int16s:
    """Return the cells of each line in each frame: int16 (patterns, blocks * k * k, k)."""
    places = tables(k).lines
    return np.argsort(places, axis=1, kind="stable").astype(np.int16).reshape(len(places), -1, k)


def allowed_lines(puzzle: Puzzle, k: int) -> Int64s:
    """Return the lines that a puzzle's candidates leave to each value in each frame: int64 (patterns, values, 4).

    A line is allowed if its cells may have the value, and no other cell of its block must have it.
    """
    may = puzzle.candidates
    must = may & (may.sum(axis=1) == 1)[:, None]
    cells = _cells_of_lines(k)
    allowed = may[cells].all(axis=2)
    n_required = must[cells].sum(axis=2, dtype=np.int8).reshape(len(cells), k**3, k * k, -1)
    allowed &= (n_required == n_required.sum(axis=2, keepdims=True, dtype=np.int8)).reshape(allowed.shape)
    members: Bools = np.zeros((len(cells), may.shape[1], WORDS * WORD_BITS), bool)
    members[:, :, bits(k).ravel()] = allowed.transpose(0, 2, 1)
    return words(members)


def new_state(entries: Int64s, allowed: Int64s, k: int, rows: int, seed: int, mixed: bool) -> PlacementsState:
    """Return a search that has not begun.

    The entries, int64 (m, 2), are values, from 0 on, and patterns, in the order of values; for the allowed lines see
    `allowed_lines`. There is room for `rows` placements in `lists`; a whole number of chunks is made of it. The seed is
    of the order in which placements are tried. If mixed, solutions whose values all have one pattern are left out.
    """
    n, n_ways, m, n_chunks = k * k, len(layer_table(k).codes), len(entries), -(-rows // CHUNK)
    state = PlacementsState(
        np.zeros((m * (MAX_DEPTH + 1), COLUMNS), np.int64),
        np.empty((n_chunks * CHUNK, WORDS), np.int64),
        np.empty((n_chunks, WORDS), np.int64),
        np.zeros((MAX_DEPTH + 1, STRIDE + 1), np.int64),
        np.zeros((n, WORDS + 1), np.int64),
        np.zeros(WAYS + 3, np.int64),
        np.zeros((k + 2, max(n_ways, k ** (k * k) + 1)), np.int32),
        np.zeros((len(patterns(k)), WORDS + 1), np.int64),
        np.zeros((n + 1, k**3), np.int64),
        np.zeros((MAX_DEPTH + 2, len(patterns(k))), np.int64),
    )
    state.entries[:m, [VALUE, SIGNS]] = entries
    state.entries[:m, COUNT] = -1
    state.entries[:m, ALLOWED:HELD] = allowed[entries[:, 1], entries[:, 0]]
    state.frames[0, [END, OPEN]] = m, (1 << n) - 1
    state.counts[[RANDOM, MIXED]] = 2 * seed + 1, mixed
    return state
