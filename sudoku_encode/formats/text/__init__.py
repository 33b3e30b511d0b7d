"""A module for each text format, with its name: `write`, and where a file is one document, `write_all` and `read`."""
