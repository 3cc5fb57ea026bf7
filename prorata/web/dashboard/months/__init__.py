"""The dashboard's pages for months: review, sending, corrections, and parallel runs."""
