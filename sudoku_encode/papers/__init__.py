"""Published algorithms, named after their authors and year, or after the names that the papers give them.

They share no code with the encoders and solvers, so that an equal count is evidence. Every `solutions` yields batches
of solutions, uint8 (m, n_cells), each solution once, and returns only when there are no more. It calls `tick` at least
every fraction of a second; an error raised by `tick` ends the search. A method that is stuck, and has not proved that
there are no more solutions, raises StoppedError. `explain`, if a method has it, yields the working of the algorithm as
steps, for people and programs: see `puzzles.step`; it is called only if no two givens clash.

Plain backtracking is compiled: such a loop is in a module called `*_kernel`, which compiles it at its first use (some
seconds without a `tick`) and caches the result on disk.
"""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = (
    "block_world",
    "brute_force",
    "gtsps",
    "gtsps3",
    "gtsps4",
    "gtsps4_contracted",
    "hbpnp",
    "jana2021",
    "jana2023_v1",
    "jana2023_v1_printed",
    "jana2023_v2",
    "keck2022",
    "logic",
    "marks",
    "techniques",
)
