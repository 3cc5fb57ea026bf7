"""Libraries and servers for delivery: sending, handing over, reminders and questions."""
