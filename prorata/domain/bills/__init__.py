"""The rules of utility bills, their lines and flags."""
