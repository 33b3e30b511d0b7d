"""Figures that say how hard a puzzle is, a file for each way to measure."""
