"""Actions on payment providers, payment links and providers' messages."""
