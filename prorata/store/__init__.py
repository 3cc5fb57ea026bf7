"""All SQL, and the only access to owned rows; every statement filters by account."""
