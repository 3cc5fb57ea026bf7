"""The rules of payment providers, their links and their reports."""
