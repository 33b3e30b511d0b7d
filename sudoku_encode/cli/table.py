"""The commands. To add one: write its module here, with a function `command` whose docstring is its help; add its name.

Light: what lists the commands loads none of them.
"""

COMMANDS = (
    *("encode", "decode", "solve", "enumerate", "count", "verify", "prove", "reproduce"),
    *("generate", "show", "info", "explain", "methods", "convert"),
)
