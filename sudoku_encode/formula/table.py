"""The ways to write at-most-one as clauses. Imports nothing heavy: --help reads it."""

# The function for each name, as `module:function`: from the size of a set to a `cardinality.Pattern`.
AT_MOST_ONE = {
    name: f"sudoku_encode.formula.cardinality:{name}"
    for name in ("pairwise", "sequential", "product", "commander", "bitwise", "ladder")
}
