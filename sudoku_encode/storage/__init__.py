"""Files that survive a crash: nothing is lost or overwritten."""
