"""Tests, by the ring they test; `house` tests the code itself."""
