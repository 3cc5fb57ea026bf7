"""The API for exporting and erasing personal data, and for deleting an account."""
