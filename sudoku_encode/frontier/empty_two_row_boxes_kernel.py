"""The loop of `empty_two_row_boxes`, compiled."""

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.compiling import compiled


@compiled
def _cycles(rows: Int64s) -> int:
    """Return how many cycles a graph has in which every row has two values, and every value two rows."""
    found, left = 0, (1 << len(rows)) - 1
    for start in range(len(rows)):
        if not left >> start & 1:
            continue
        found += 1
        row, value = start, rows[start] & -rows[start]
        while left >> row & 1:
            left ^= 1 << row
            value ^= rows[row]
            for other in range(len(rows)):
                if other != row and rows[other] & value:
                    row = other
                    break
    return found


@compiled
def factorizations(graph: Int64s, left: Int64s, used: Int64s, at: Int64s, work: int) -> bool:
    """Count in how many ways the edges of a bipartite graph fall into perfect matchings; say whether that is all.

    Each row is an array for each number of matchings that are left to choose, its `degree` being the first.

    Args:
        graph: int64 (degree + 1, n): for each row of what is left of the graph its values, a bit each.
        left: int64 (degree + 1, n): for each row the values still to be tried for the matching at work, a bit each.
        used: int64 (degree + 1, n): for each row the values that the matching has above it, a bit each.
        at: int64 (degree + 3,): the row that the matching has come to; then the number of matchings left to choose,
            and how many ways were found.
        work: stop after this many steps, each of which adds a row to a matching or takes one back.
    """
    degree, n = len(graph) - 1, graph.shape[1]
    level, total = at[degree + 1], at[degree + 2]
    while level <= degree and work > 0:
        work -= 1
        if level == 2:
            # Each cycle falls into two matchings.
            total += 1 << (_cycles(graph[2]) - 1)
            level += 1
            continue
        row = at[level]
        if not left[level, row]:
            at[level] -= 1
            if row == 0:
                level += 1
            continue
        bit = left[level, row] & -left[level, row]
        left[level, row] ^= bit
        graph[level - 1, row] = graph[level, row] ^ bit
        if row < n - 1:
            used[level, row + 1] = used[level, row] | bit
            left[level, row + 1] = graph[level, row + 1] & ~used[level, row + 1]
            at[level] = row + 1
        else:
            level -= 1
            at[level] = 0
            # The order of the matchings does not count: each takes the lowest value of the first row.
            left[level, 0] = graph[level, 0] & -graph[level, 0]
    at[degree + 1], at[degree + 2] = level, total
    return bool(level > degree)
