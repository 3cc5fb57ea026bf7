"""Reading of files from strangers, in child processes, and writing of files."""
