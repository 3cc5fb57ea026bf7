"""The delivery of invoices to tenants, with reminders and questions: the rules."""
