"""The dashboard's pages for personal data and its erasure, and for closing an account."""
