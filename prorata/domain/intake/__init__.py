"""The intake of files with bills: reading, drafting, confirming and importing: the rules."""
