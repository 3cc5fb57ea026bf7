"""The schema: all tables, described once for SQLite and PostgreSQL."""
