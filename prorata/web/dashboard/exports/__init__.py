"""The dashboard's pages for charge files."""
