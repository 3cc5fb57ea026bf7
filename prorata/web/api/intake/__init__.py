"""The API of documents: bills that arrive as files."""
