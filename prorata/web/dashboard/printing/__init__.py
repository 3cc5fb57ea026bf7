"""The dashboard's pages for the lease text, which can be printed."""
