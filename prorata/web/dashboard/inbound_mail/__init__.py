"""The dashboard's pages for bills by e-mail."""
