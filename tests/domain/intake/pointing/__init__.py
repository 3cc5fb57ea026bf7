"""Tests of bills read by what was pointed at on earlier ones."""
