"""The ways to write at-most-one as clauses. Light: a program's help lists them and loads nothing else."""

# By name the function that makes the clauses, `module:function`, from the size of a set to a `cardinality.Pattern`.
AT_MOST_ONE = {
    name: f"sudoku_encode.formula.cardinality:{name}"
    for name in ("pairwise", "sequential", "product", "commander", "bitwise", "ladder")
}
