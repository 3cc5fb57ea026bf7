"""The programs that Prorata is measured against: the same tables, the same answers."""
