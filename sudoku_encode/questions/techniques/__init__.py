"""The techniques of solving by hand, a file for each family; `table` has all of them, from simple to hard."""
