"""The API of payments, payment files, provider messages and statements."""
