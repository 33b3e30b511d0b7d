"""Cubes by whole values."""
