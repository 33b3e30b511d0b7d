"""Files that survive: nothing is lost or overwritten."""
