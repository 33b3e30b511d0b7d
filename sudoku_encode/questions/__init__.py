"""Questions of setters about a puzzle: true candidates, which givens can go or clash, random solutions."""
