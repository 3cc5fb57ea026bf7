"""The rules of taking in files with bills: reading, drafting, confirming and importing."""
