"""The dashboard's pages for bills, their lines and flags."""
