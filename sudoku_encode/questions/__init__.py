"""What setters ask: true candidates, which givens can go or clash, what makes a puzzle unique."""
