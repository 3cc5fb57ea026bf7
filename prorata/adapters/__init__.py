"""One outside thing per file: file formats, servers, libraries."""
