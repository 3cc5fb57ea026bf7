"""Files of tables: their cells, columns, number forms and kinds."""
