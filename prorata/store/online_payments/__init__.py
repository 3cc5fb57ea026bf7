"""SQL statements for payment providers, payment links, and providers' messages."""
