"""Reading what a command is asked about, and writing its answers: text, JSON, CSV or pictures.

`reading` has the puzzles with their places, `answers` the writer of the answers to a question, and `types` the records,
from which the JSON schema is made.
"""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = (
    "benchmark",
    "certificates",
    "comparing",
    "encodings",
    "figures",
    "generated",
    "listing",
    "model_folder",
    "pictures",
    "printing",
    "reading",
    "records",
    "setters",
    "solutions",
    "steps",
    "streams",
    "symmetries",
    "table_output",
)
