"""Files from strangers, read in child processes, and files that Prorata produces."""
