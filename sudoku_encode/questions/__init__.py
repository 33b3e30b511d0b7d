"""The questions of setters: candidates, uniqueness, hints, ratings, samples."""
