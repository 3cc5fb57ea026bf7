"""Actions on utility bills, their lines and flags."""
