"""Files that survive a crash: nothing is lost or overwritten."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("files", "folder_files", "journal", "outputs", "part_journal")
