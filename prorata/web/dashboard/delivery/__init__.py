"""The dashboard's pages for sending invoices: delivery, hand-over, reminders and questions."""
