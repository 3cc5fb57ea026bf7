"""The dashboard's pages for bill files: reading, drafting, confirming and importing."""
