"""The API of documents: bills that come as files."""
