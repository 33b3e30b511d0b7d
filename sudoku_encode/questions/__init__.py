"""What setters ask: which givens can go or clash, what makes a puzzle unique."""
