"""The rules about money: values in, values out. Standard library only; no clock, no randomness, no I/O."""
