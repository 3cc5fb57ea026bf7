"""SQL statements for personal data: finding and erasing it."""
