"""SQL statements for delivery: sending, handing over, reminders and questions."""
