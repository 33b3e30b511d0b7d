"""Published algorithms, one file each, named after their authors and year.

They share no code with the encoders and solvers, so that an equal count is evidence. Every `solutions` here yields
batches of solutions, uint8 (m, n_cells), each solution once, and ends by itself only when there are no more. It calls
`tick` every now and then, at the latest after a fraction of a second; what `tick` raises ends the search. `explain`,
where there is one, yields the algorithm's own working, line by line, for people.
"""
