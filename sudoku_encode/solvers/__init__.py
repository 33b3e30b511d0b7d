"""Run a model and get its solutions: SAT by PySAT, CP by CP-SAT."""
