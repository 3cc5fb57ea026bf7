"""Actions that deliver invoices and reminders to tenants, and handle tenants' questions."""
