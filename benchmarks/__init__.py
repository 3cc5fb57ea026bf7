"""What Prorata costs, measured side by side with what others would build and with the limits: `make bench`."""
