"""Run a model and get its solutions: SAT by PySAT, CP by CP-SAT."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("allsat", "allsat_kernel", "counters", "cpsat", "sat", "table")
