"""The rules of tables in files: their cells, columns, number formats and kinds."""
