"""The dashboard's pages for printed documents other than invoices."""
