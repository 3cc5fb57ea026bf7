"""Tables in files: their cells, columns, number formats and kinds."""
