"""Actions on payment providers, payment links and the messages that providers send."""
