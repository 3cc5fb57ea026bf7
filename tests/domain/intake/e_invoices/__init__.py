"""Tests of the sums, line amounts and drafts of e-invoices."""
