"""Every call that takes time: limits, processes that can be ended, compiled functions, Ctrl-C."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = (
    "asking",
    "child",
    "compiling",
    "counting",
    "each",
    "events",
    "executor",
    "kernels",
    "limits",
    "machine",
    "parts",
    "pools",
    "status",
    "tasks",
    "threads",
    "vectors",
)
