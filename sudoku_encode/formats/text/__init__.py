"""A module for each text format, with its name; `formats.table` says which functions it has."""
