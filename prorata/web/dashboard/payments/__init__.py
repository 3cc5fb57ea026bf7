"""The dashboard's pages for payments: ledgers, payment files, and online payments."""
