"""The schema: every table, one description for SQLite and PostgreSQL."""
