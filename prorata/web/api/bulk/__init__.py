"""The API of batches and bulk changes."""
