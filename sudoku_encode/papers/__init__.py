"""Published algorithms, named after their authors and year, or after the names that the papers give them.

They share no code with the encoders and solvers, so that an equal count is evidence. Every `solutions` here yields
batches of solutions, uint8 (m, n_cells), each solution once, and ends by itself only when there are no more. It calls
`tick` every now and then, at the latest after a fraction of a second; what `tick` raises ends the search. A method that
cannot go on, and has not proved that there is nothing more, raises StoppedError. `explain`, where there is one, yields
the
algorithm's own working as steps, for people and programs: see `puzzles.step`; no two givens clash where it is called.

Plain backtracking is compiled: such a loop is in a module called `*_kernel`, which compiles it at its first use, for
some seconds during which nothing ticks, and keeps the result on disk.
"""
