"""The delivery of invoices to tenants, reminders and questions: the actions."""
