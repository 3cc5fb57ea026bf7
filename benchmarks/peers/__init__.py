"""The programs that Prorata is compared with: the same tables, the same answers."""
