"""Questions about a puzzle whose answer is neither a solution nor a count: which values its cells can have."""
