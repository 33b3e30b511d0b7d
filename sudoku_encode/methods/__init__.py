"""The methods: the list of them, and one way to call each."""
