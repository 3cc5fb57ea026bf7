"""Where SQL lives, and the only door to owned rows: every statement is filtered by account."""
