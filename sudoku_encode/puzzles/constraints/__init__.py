"""Constraints: a class for each kind, in a file for each family, and the seven primitives to which they are lowered."""
