"""The dashboard's pages for the inbox: reading, confirming and importing bill files."""
