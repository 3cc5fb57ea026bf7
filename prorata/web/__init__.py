"""The HTTP face: parse, call one action, render."""
