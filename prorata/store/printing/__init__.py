"""The rows needed for printed invoices."""
