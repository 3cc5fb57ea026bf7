"""The rules of delivering invoices to tenants, with reminders and questions."""
