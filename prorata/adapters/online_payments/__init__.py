"""Payment providers' APIs: links, and reports."""
