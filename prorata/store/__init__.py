"""All SQL, and the only access to accounts' rows; every statement filters by account."""
