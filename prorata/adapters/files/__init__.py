"""Files of strangers, read in child processes; and files we hand out."""
