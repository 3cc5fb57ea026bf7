"""The dashboard's pages for evidence packs."""
