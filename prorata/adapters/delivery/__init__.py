"""Libraries and servers for delivery: invoices sent, handed over, reminded and asked about."""
